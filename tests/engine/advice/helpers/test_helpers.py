"""Small parts of the linter by hand: directions, amounts, axes, loose ends, second wires, and what is worse."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.adversary_rules import push_of
from gradwire.engine.advice.fixes import epsilon_of
from gradwire.engine.advice.patterns import axes_of
from gradwire.engine.advice.remedies import loose_end
from gradwire.engine.advice.repairs import with_wires_mended
from gradwire.engine.advice.step_graph import count_of, opposite, peel
from gradwire.engine.advice.trials import Amount, amount_of, is_worse
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.engine.cause_graphs import Line, x

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    ("gradient", "push"),
    [
        (None, 0),
        ([0.0, 0.0], 0),
        ([1.0, 2.0], 1),
        ([-1.0, -2.0], -1),
        ([1.0, -1.0], 0),
        ([1.0, -1e-3], 1),
        ([-1e300, -1e300], -1),
        ([1e-300, 1e-300], 1),
        ([1.0, NAN], 0),
        ([1.0, INF], 0),
        ([3.0], 1),
        ([3.0, -1.0], 0),
    ],
)
def test_a_push_has_one_direction(gradient: list[float] | None, push: int) -> None:
    assert push_of(None if gradient is None else np.array(gradient)) == push


@pytest.mark.parametrize(
    ("array", "amount"),
    [
        ([3.0, -4.0], Amount(2, 5.0, 0, (3.0, -4.0))),
        ([[1.0], [INF]], Amount(2, INF, 1, (1.0, INF))),
        ([], Amount(0, 0.0, 0, ())),
        (7, Amount(1, 7.0, 0, (7.0,))),
    ],
)
def test_an_amount_is_a_size_a_norm_and_what_is_broken(array: object, amount: Amount) -> None:
    assert amount_of(np.array(array)) == amount


def test_an_amount_of_nan_is_broken() -> None:
    found = amount_of(np.array([1.0, NAN, -INF]))
    assert (found.size, found.broken) == (3, 2) and np.isnan(found.norm)
    assert count_of(np.array([True, False, True])) == "2 of 3 elements"
    assert [opposite(slot) for slot in (0, 1)] == [1, 0]


def test_an_epsilon_is_held_by_its_dtype() -> None:
    assert epsilon_of("float64") == epsilon_of("float32") == 1e-12
    assert epsilon_of("float16") == pytest.approx(6.1e-5, rel=0.01)


@pytest.mark.parametrize(
    ("axis", "axes"),
    [(None, {-3, -2, -1}), (0, {-3}), (-1, {-1}), (2, {-1}), ([0, 1], {-3, -2}), ((-1, 0), {-1, -3}), ([], set())],
)
def test_axes_are_counted_from_the_end(axis: object, axes: set[int]) -> None:
    found = gw.ReduceSum(gw.Input(np.ones((2, 3, 4))), axis=axis)
    assert axes_of(found.application) == axes


def test_a_tensor_is_peeled_of_stops_and_shapes() -> None:
    a = gw.Input(np.ones((2, 3)))
    b = gw.Exp(gw.StopGradient(a))
    for expression, bare, is_stopped in (
        (a, a, False),
        (gw.Reshape(a, shape=[6]), a, False),
        (gw.StopGradient(a), a, True),
        (gw.Reshape(gw.StopGradient(gw.Reshape(a, shape=[3, 2])), shape=[6]), a, True),
        (gw.Reshape(b, shape=[6]), b, False),
    ):
        found = peel(expression)
        assert found[0] is bare and found[1] is is_stopped


def worse(before: Graph, after: Graph) -> bool:
    return is_worse(run_graph(before), run_graph(after))


def scaled(factor: float, value: object = (1.0, 2.0)) -> Graph:
    return x(value).source("w", factor, "Constant").then("m", "Multiply", "w.y").loss()


@pytest.mark.parametrize(
    ("before", "after", "is_it"),
    [
        (scaled(1.0), scaled(1.0), False),
        (scaled(1.0), scaled(1e-9), False),
        (scaled(1.0), scaled(900.0), False),
        (scaled(1.0), scaled(1e9), True),
        (scaled(1.0), scaled(INF), True),
        (scaled(1.0), scaled(NAN), True),
        (scaled(INF), scaled(NAN), False),
        (scaled(INF), scaled(1.0), False),
        (scaled(0.0), scaled(1.0), False),
        (x([1.0]).then("e", "Exp").graph(), scaled(NAN), False),
        (scaled(1.0), x([1.0, 2.0]).then("e", "Exp").graph(), True),
    ],
)
def test_an_edit_is_worse_that_breaks_or_explodes(before: Graph, after: Graph, is_it: bool) -> None:
    assert worse(before, after) is is_it


def test_a_loose_end_is_the_last_unused_output_that_has_a_gradient() -> None:
    def end(line: Line) -> tuple[str, Port] | None:
        return loose_end(infer_specs(line.graph()))

    assert end(x([1.0]).then("e", "Exp")) == ("main", Port("e", "y"))
    assert end(x([1.0]).then("e", "Exp").on("x.y").then("s", "Sin")) == ("main", Port("s", "y"))
    assert end(x([1.0]).then("e", "Exp").then("c", "Cast", dtype="int32")) is None
    assert end(x([1.0]).source("k", 2.0).then("c", "Cast", dtype="int32")) == ("main", Port("k", "y"))


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [("a", "b", "a"), ("gone", "b", "b"), ("a", "gone", "a"), ("gone", "other", None)],
)
def test_of_two_wires_the_first_that_leads_somewhere_stays(first: str, second: str, kept: str | None) -> None:
    graph = Line().source("a", [1.0]).source("b", [2.0]).then("e", "Exp").graph()
    page = graph.page("main")
    target = Port("e", "x")
    wires = {target: Wire(Port(first, "y"), target)}
    broken = graph.with_page(dataclasses.replace(page, wires=wires, surplus=(Wire(Port(second, "y"), target),)))
    found = with_wires_mended(broken, "main").page("main")
    assert found.surplus == ()
    assert {wire.source.block for wire in found.wires.values()} == ({kept} if kept else set())
