"""The work for many parts of one tensor, their causes included, grows with the parts and not with their square."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.calls import calls_of


def saturated(parts: int) -> Graph:
    """Returns a tensor whose parts each go through a sigmoid of their own, far out, and are joined again."""
    rows: list[Expression] = list(gw.Split(gw.Input(np.full(parts, 800.0), name="x"), num_or_size_splits=parts))
    return gw.graph(gw.Loss(gw.Concat(*map(gw.Sigmoid, rows), axis=0), name="L"))


def stacked(parts: int) -> Graph:
    rows: list[Expression] = list(gw.Unstack(gw.Input(np.full(parts, 800.0), name="x")))
    return gw.graph(gw.Loss(gw.Stack(*map(gw.Sigmoid, rows)), name="L"))


def work(graph: Graph) -> None:
    found = run_graph(graph).snapshot.ports[PortName("main/x", "y")]
    assert found.status is Status.ZERO
    assert found.zero is not None and found.zero.cause is Cause.SATURATED


@pytest.mark.parametrize("make", [saturated, stacked])
def test_work_grows_with_the_parts(make: Callable[[int], Graph]) -> None:
    small, large = make(32), make(128)
    work(small)  # what is made once
    assert calls_of(lambda: work(large)) <= 4.6 * calls_of(lambda: work(small))
