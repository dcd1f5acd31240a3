"""What a StopGradient withholds, with its terms."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.withheld import Withheld, withheld_by


def at_stop(run: Evaluation) -> Withheld | None:
    """Returns what the only StopGradient withholds."""
    place = next(link for link in run.snapshot.wires if link.target.path == "main/stop")
    return withheld_by(run, place)


def test_the_stable_softmax_withholds_three_terms_that_cancel() -> None:
    """By hand: the gradient of the shifted input is p (w − L), and the shift receives the sum of its opposites."""
    x = gw.Input(np.array([1.0, 3.0, 3.0]), name="x")
    e = gw.Exp(gw.Subtract(x, gw.StopGradient(gw.ReduceMax(x), name="stop"), name="z"))
    found = at_stop(run_graph(gw.graph(gw.Loss(gw.Divide(e, gw.ReduceSum(e)), gw.Constant(np.array([1.0, 2.0, 3.0]))))))
    p = np.exp([-2.0, 0.0, 0.0]) / np.exp([-2.0, 0.0, 0.0]).sum()
    expected = -p * (np.array([1.0, 2.0, 3.0]) - p @ [1.0, 2.0, 3.0])
    assert found is not None and found.is_rounding and found.count == 3
    assert [(term.at, term.index) for term in found.terms] == [("main/z", (place,)) for place in range(3)]
    np.testing.assert_allclose([term.amount for term in found.terms], expected, rtol=1e-12)


def test_a_number_that_two_blocks_read_has_a_term_of_each() -> None:
    stopped = gw.StopGradient(gw.Variable(2.0, name="x"), name="stop")
    loss = gw.Add(gw.Multiply(stopped, gw.Constant(3.0), name="a"), gw.Square(stopped, name="b"))
    found = at_stop(run_graph(gw.graph(gw.Loss(loss))))
    assert found is not None and (found.number, found.is_rounding) == (7, False)
    assert {term.at: term.amount for term in found.terms} == {"main/a": 3, "main/b": 4}


def test_of_many_terms_the_largest_are_told() -> None:
    stopped = gw.StopGradient(gw.Variable(2.0, name="x"), name="stop")
    loss = gw.ReduceSum(gw.Multiply(stopped, gw.Constant(np.arange(1.0, 10.0)), name="a"))
    found = at_stop(run_graph(gw.graph(gw.Loss(loss))))
    assert found is not None and found.count == 9
    assert [term.amount for term in found.terms] == pytest.approx([5, 6, 7, 8, 9])


def test_a_wire_into_another_block_withholds_nothing() -> None:
    run = run_graph(gw.graph(gw.Loss(gw.Square(gw.Variable(2.0, name="x")))))
    assert [withheld_by(run, link) for link in run.snapshot.wires] == [None] * len(run.snapshot.wires)
