"""Gradients along edges, from rules that are called once for each incoming gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.path_vjp import PullBack
from tests.engine.cause_graphs import x


def test_a_rule_is_called_once_for_all_inputs_and_anew_for_another_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_graph(x([1.0, 2.0]).source("w", 3.0).then("m", "Multiply", "w.y").loss())
    calls, rule = list[object](), library["Multiply"].rule
    assert rule is not None

    def counted(g: object, *rest: Any, **parameters: Any) -> Any:
        calls.append(g)
        return rule(g, *rest, **parameters)

    monkeypatch.setattr(library["Multiply"], "rule", counted)
    back, output = PullBack(run.results.__getitem__), run.lowered.ports[PortName("main/m", "z")]
    ends = [run.lowered.edges[PortName("main/m", port)] for port in "xy"]
    first, second = np.array([1.0, 1.0]), np.array([1.0, 1.0])
    for g, count in ((first, 1), (first, 1), (second, 2)):
        to_x, to_w = (back.along(edge, output, g) for edge in ends)
        # The factor is one number for all elements: its gradients add up.
        np.testing.assert_array_equal(to_x, [3.0, 3.0])
        np.testing.assert_array_equal(to_w, 3.0)
        assert len(calls) == count
    assert back.along(ends[0], output, 2 * first).tolist() == [6.0, 6.0]  # type: ignore[union-attr]


def test_other_outputs_receive_zeros() -> None:
    line = x([1.0, 2.0, 5.0, 7.0]).then("s", "Split", num_or_size_splits=2)
    run = run_graph(line.then("loss", "Loss").graph())
    edge = run.lowered.edges[PortName("main/s", library["Split"].inputs[0].name)]
    for place, expected in enumerate(([1, 2, 0, 0], [0, 0, 1, 2])):
        output = edge.application.outputs[place]
        found = PullBack(run.results.__getitem__).along(edge, output, np.array([1.0, 2.0]))
        assert found is not None and found.tolist() == expected


def test_without_a_value_that_a_rule_needs_nothing_is_known() -> None:
    run = run_graph(x(np.zeros((2, 2))).then("i", "MatrixInverse").then("e", "Exp").loss())
    edge = run.lowered.edges[PortName("main/e", "x")]
    assert PullBack(run.results.__getitem__).along(edge, edge.application.outputs[0], np.ones((2, 2))) is None
