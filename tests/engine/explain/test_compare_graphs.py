"""Comparison of two graphs by the names of their ports and wires."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.compare_graphs import Delta, Difference, GraphComparison, compare_snapshots, delta
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import x
from tests.gallery import example
from tests.recorded import make_graph

NAIVE, STOPPED, FREE = "softmax_naive_ok", "softmax_stable_plain_sg", "softmax_stable_plain_nosg"


def compare_graphs(a: Graph, b: Graph) -> GraphComparison:
    return compare_snapshots(evaluate(a), evaluate(b))


def at(found: GraphComparison, place: str) -> Difference:
    ends = [PortName(*end.rsplit(".", 1)) for end in place.split(" -> ")]
    wanted = Link(*ends) if len(ends) == 2 else ends[0]
    (item,) = [item for item in found.differences if item.place == wanted]
    return item


@pytest.mark.parametrize(("a", "b"), [(NAIVE, STOPPED), (NAIVE, FREE), (STOPPED, FREE)])
def test_three_ways_to_write_the_softmax_agree(a: str, b: str) -> None:
    """Of p, L and gx all are the same."""
    found = compare_graphs(example(a), example(b))
    assert found.loss is not None and found.loss.largest <= 1e-12
    quotient = next(item for item in found.differences if str(item.place) == "main/p.z")
    for item in (quotient, at(found, "main/x.y")):
        assert item.value is not None and item.value.largest <= 1e-12
        assert item.gradient is not None and item.gradient.largest <= 1e-12
        assert item.is_equal


def test_the_stop_shows_on_the_wire_into_the_maximum() -> None:
    found = compare_graphs(example(FREE), example(STOPPED))
    wire = at(found, "main/x.y -> main/mx.x")
    assert wire.statuses == (Status.ZERO, Status.BLOCKED)
    assert wire.gradient is not None and wire.gradient.is_rounding
    assert not wire.is_equal and wire in found.differences[: found.unequal]


def test_what_only_one_graph_has_is_listed() -> None:
    found = compare_graphs(example(FREE), example(STOPPED))
    assert [str(place) for place in found.only_a] == [str(Link(PortName("main/mx", "y"), PortName("main/z", "y")))]
    assert PortName("main/sg", "y") in found.only_b and len(found.only_b) == 3


def test_the_largest_difference_comes_first() -> None:
    def graph(value: float) -> Graph:
        return x([value]).source("half", 0.5, "Constant").then("s", "Square").then("h", "Multiply", "half.y").loss()

    found = compare_graphs(graph(3.0), graph(5.0))
    value = at(found, "main/s.y").value
    assert value is not None and (value.largest, value.relative) == (16.0, 0.64)
    assert [str(item.place) for item in found.differences[:2]] == ["main/half.y", "main/s.y"]
    gradient = at(found, "main/x.y").gradient
    assert gradient is not None and (gradient.largest, gradient.relative) == (2.0, 0.4)
    assert found.losses == (4.5, 12.5)


def test_a_graph_equals_itself() -> None:
    found = compare_graphs(example(NAIVE), example(NAIVE))
    assert found.unequal == 0 and not found.only_a and not found.only_b


def test_other_shapes_are_told_and_not_subtracted() -> None:
    found = at(compare_graphs(x([1.0]).loss(), x([1.0, 2.0]).loss()), "main/x.y")
    assert (found.shapes, found.value, found.is_equal) == (((1,), (2,)), None, False)


@pytest.mark.parametrize(
    ("a", "b", "largest"),
    [
        ([1.0, math.nan], [1.0, math.nan], 0.0),
        ([math.inf], [math.inf], 0.0),
        ([math.inf], [-math.inf], math.inf),
        ([1.0], [math.nan], math.inf),
        ([], [], 0.0),
    ],
)
def test_nan_and_infinity_differ_from_all_but_themselves(a: list[float], b: list[float], largest: float) -> None:
    found = delta(np.array(a), np.array(b))
    assert found is not None and found.largest == largest


def test_rounding_is_measured_by_the_coarser_dtype() -> None:
    found = delta(np.array([1.0], np.float32), np.array([1.00001]))
    assert found is not None and found.is_rounding
    found = delta(np.array([1.0]), np.array([1.00001]))
    assert found is not None and not found.is_rounding


@pytest.mark.parametrize("exponent", [*range(-1070, 1022, 110), 1022])
def test_a_difference_counts_alike_at_every_scale(exponent: int) -> None:
    """All of two graphs is x: twice as large, it differs; by one unit in the last place, it does not."""
    first, twice, next_to = (
        np.ldexp(np.array([1.0, number]), exponent)
        for number in (0.5, 1.0, 0.5 + 2.0**-53 if exponent > -1000 else 0.5)
    )

    def of(x: np.ndarray) -> Graph:
        blocks = [Block("x", "Variable", parameters={"value": x}), Block("i", "Identity"), Block("loss", "Loss")]
        return make_graph(blocks, [("x.y", "i.x"), ("i.y", "loss.x")])

    assert not at(compare_graphs(of(first), of(twice)), "main/x.y").is_equal
    assert at(compare_graphs(of(first), of(next_to)), "main/x.y").is_equal
    value = at(compare_graphs(of(first), of(twice)), "main/x.y").value
    assert value is not None and value.relative == 0.5


def test_opposite_numbers_differ_by_twice_their_size_where_the_difference_overflows() -> None:
    found = delta(np.array([1.5e308]), np.array([-1.5e308]))
    assert found is not None and found.relative == 2 and found.largest == np.inf and not found.is_rounding


SMALL, LARGE = delta(np.array([1.0]), np.array([1.0 + 1e-15])), delta(np.array([1.0]), np.array([2.0]))


@pytest.mark.parametrize(
    ("value", "gradient", "shapes", "statuses", "is_equal"),
    [
        (SMALL, SMALL, ((1,), (1,)), (Status.FLOW, Status.FLOW), True),
        (LARGE, SMALL, ((1,), (1,)), (Status.FLOW, Status.FLOW), False),
        (SMALL, LARGE, ((1,), (1,)), (Status.FLOW, Status.FLOW), False),
        (None, None, ((1,), (1,)), (Status.FLOW, Status.FLOW), True),
        (None, LARGE, ((1,), (1,)), (Status.FLOW, Status.FLOW), False),
        (None, SMALL, ((1,), (2,)), (Status.FLOW, Status.FLOW), False),
        (None, None, (None, (1,)), (Status.FLOW, Status.FLOW), False),
        (SMALL, SMALL, ((1,), (1,)), (Status.FLOW, Status.ZERO), False),
    ],
)
def test_a_place_is_equal_where_each_part_is(
    value: Delta | None, gradient: Delta | None, shapes: Any, statuses: Any, is_equal: bool
) -> None:
    assert Difference(PortName("main/x", "y"), value, gradient, shapes, statuses).is_equal is is_equal


@pytest.mark.parametrize(
    ("largest", "scale", "unit", "floor", "is_rounding"),
    [
        (4096.0, 1.0, 1.0, 0.0, True),
        (4097.0, 1.0, 1.0, 0.0, False),
        (4097.0, 1.0, 1.0, 2.0, True),
        (4097.0, 2.0, 1.0, 0.0, True),
        (1.0, 1.0, 0.0, 1.0, False),
        (0.0, 0.0, 0.0, 0.0, True),
        (math.inf, 1.0, 1.0, 1.0, False),
    ],
)
def test_rounding_is_4096_units_of_the_largest_number(
    largest: float, scale: float, unit: float, floor: float, is_rounding: bool
) -> None:
    assert Delta(largest, 0.0, scale, unit, floor).is_rounding is is_rounding


@pytest.mark.parametrize(
    ("a", "b", "largest", "relative", "scale"),
    [
        ([math.inf], [math.nan], math.inf, math.inf, 0.0),
        ([math.inf], [math.inf], 0.0, 0.0, 0.0),
        ([0.0], [0.0], 0.0, 0.0, 0.0),
        ([2.0], [4.0], 2.0, 0.5, 4.0),
        ([-8.0, 1.0], [-4.0, 1.0], 4.0, 0.5, 8.0),
        ([], [], 0.0, 0.0, 0.0),
    ],
)
def test_a_difference_is_also_told_beside_the_largest_number(
    a: list[float], b: list[float], largest: float, relative: float, scale: float
) -> None:
    found = delta(np.array(a), np.array(b))
    assert found is not None and (found.largest, found.relative, found.scale) == (largest, relative, scale)
    assert delta(None, np.array(b)) is delta(np.array(a), None) is delta(np.array([[1.0]]), np.array([1.0])) is None


@pytest.mark.parametrize("factor", [1e-20, 1e-3, 1.0])
def test_gradients_that_flow_in_both_runs_differ_however_small_they_are(factor: float) -> None:
    def graph(number: float) -> Graph:
        return x([0.5, 0.25]).source("c", number, "Constant").then("m", "Multiply", "c.y").loss()

    found = compare_graphs(graph(factor), graph(2 * factor))
    for place in ("main/x.y", "main/x.y -> main/m.x"):
        item = at(found, place)
        assert item.value is not None and (item.value.largest, item.value.scale) == (0.0, 0.5)
        assert item.gradient is not None and not item.gradient.is_rounding and not item.is_equal
        assert (item.gradient.largest, item.gradient.relative, item.gradient.scale) == (factor, 0.5, 2 * factor)
    assert at(found, "main/c.y -> main/m.y").value == at(found, "main/c.y").value


def test_whole_numbers_have_no_rounding() -> None:
    found = delta(np.array([3, -7]), np.array([3, -5]))
    assert found is not None and (found.largest, found.relative, found.scale, found.unit) == (2.0, 2 / 7, 7.0, 0.0)
    assert not found.is_rounding
