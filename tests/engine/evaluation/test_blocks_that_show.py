"""Monitor and Chart show tensors and change nothing."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import dumps, loads
from tests.engine.monitored import with_monitor


def parabola() -> gw.Graph:
    w = gw.Variable(np.array([1.0, -2.0]), name="w")
    return gw.graph(gw.Loss(gw.Square(w, name="s"), name="L"))


@pytest.mark.parametrize(("name", "port"), [("Monitor", "y"), ("Chart", "x")])
def test_no_value_and_no_gradient_changes(name: str, port: str) -> None:
    plain, shown = evaluate(parabola()), evaluate(with_monitor(parabola(), name, **{port: "s.y"}))
    assert shown.problems == plain.problems
    assert shown.ports.keys() == plain.ports.keys()
    for port_name, result in plain.ports.items():
        assert np.array_equal(shown.ports[port_name].value, result.value)
        assert np.array_equal(shown.ports[port_name].gradient, result.gradient)
    added = shown.wires.keys() - plain.wires.keys()
    assert [(link.target, shown.wires[link].status) for link in added] == [
        (PortName("main/shown", port), Status.NO_PATH)
    ]


def test_the_file_holds_it_as_any_other_block() -> None:
    graph = with_monitor(parabola(), y="s.y", kind="points")
    text = dumps(graph)
    assert '"type": "Monitor", "at": [0, 0], "parameters": {"kind": "points"}' in text
    assert '"version": [1, 0]' in text
    assert dumps(loads(text.encode()).graph) == text
