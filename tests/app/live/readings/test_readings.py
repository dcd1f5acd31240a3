"""Readings agree with formulas, and with NumPy in a wider type."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gradwire.app.live.readings.pictures import HEAT_COLUMNS, HEAT_ROWS, SPARK_POINTS, thumbnail_of
from gradwire.app.live.readings.readings import (
    VALUES_KEPT,
    gradient_range,
    reading_of,
    results_of,
    table_of,
)
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Tie, ZeroCause
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import Line, x
from tests.engine.edit_sequences import source
from tests.recorded import make_graph

MODERATE = st.floats(-1e6, 1e6)
ANY = st.one_of(MODERATE, st.sampled_from([math.nan, math.inf, -math.inf]))
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=40)


def tensors(elements: st.SearchStrategy[float]) -> st.SearchStrategy[Array]:
    return SHAPES.filter(lambda shape: math.prod(shape) <= 2000).flatmap(
        lambda shape: arrays.arrays(np.float64, shape, elements=elements)
    )


@pytest.mark.parametrize("scale", [1e200, 1.0, 1e-200])
@pytest.mark.parametrize("count", [2, 40])
def test_the_norm_neither_overflows_nor_vanishes(scale: float, count: int) -> None:
    """Expects the norm of 3, 4, 0, 0 ..., which is 5, at every scale."""
    array = np.zeros(count)
    array[:2] = 3, 4
    assert reading_of(array * scale).norm == pytest.approx(5 * scale, rel=1e-15)


@settings(deadline=None)
@given(tensors(MODERATE))
def test_sums_are_those_of_exact_addition(array: Array) -> None:
    reading, numbers = reading_of(array), array.ravel().tolist()
    # The sum of magnitudes bounds the rounding.
    slack = 1e-12 * math.fsum(map(abs, numbers))
    assert reading.total == pytest.approx(math.fsum(numbers), abs=slack)
    assert reading.mean == pytest.approx(math.fsum(numbers) / max(array.size, 1), abs=slack)
    assert reading.norm == pytest.approx(math.sqrt(math.fsum(number * number for number in numbers)), rel=1e-12)


@settings(deadline=None)
@given(tensors(ANY))
def test_what_is_not_finite_is_counted_and_left_out(array: Array) -> None:
    reading = reading_of(array)
    finite = array[np.isfinite(array)]
    assert reading.nan == np.isnan(array).sum()
    assert reading.infinite == np.isinf(array).sum()
    assert reading.is_finite == (finite.size == array.size)
    assert (reading.low, reading.high) == ((finite.min(), finite.max()) if finite.size else (0, 0))


@settings(deadline=None)
@given(tensors(ANY))
def test_the_first_elements_and_the_shape_are_kept(array: Array) -> None:
    reading = reading_of(array)
    np.testing.assert_array_equal(reading.first, array.ravel()[:VALUES_KEPT])
    assert (reading.shape, reading.size, reading.dtype) == (array.shape, array.size, "float64")
    assert reading.has_all == (array.size <= 16)


@pytest.mark.parametrize(("array", "norm"), [([math.nan, 1.0], math.nan), ([math.inf, 1.0], math.inf)])
@pytest.mark.parametrize("repeats", [1, 20])
def test_the_norm_says_what_is_not_finite(array: list[float], norm: float, repeats: int) -> None:
    assert reading_of(np.array(array * repeats)).norm == pytest.approx(norm, nan_ok=True)


@pytest.mark.parametrize("count", [3, 40])
def test_the_mean_of_large_elements_does_not_overflow(count: int) -> None:
    assert reading_of(np.full(count, 1e308)).mean == pytest.approx(1e308)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "int64", "uint8"])
def test_narrow_dtypes_are_summed_in_float64(dtype: str) -> None:
    reading = reading_of(np.full(2000, 100, dtype))
    assert (reading.total, reading.mean, reading.dtype) == (200_000.0, 100.0, dtype)
    assert reading.norm == pytest.approx(100 * math.sqrt(2000), rel=1e-14)


def test_booleans_count_as_0_and_1() -> None:
    reading = reading_of(np.array([True, False, True]))
    assert (reading.total, reading.low, reading.high, reading.first) == (2.0, 0.0, 1.0, (1.0, 0.0, 1.0))


@settings(deadline=None)
@given(tensors(MODERATE))
def test_a_reading_does_not_depend_on_the_layout_in_memory(array: Array) -> None:
    assert reading_of(np.asfortranarray(array)).first == reading_of(array).first
    before = array.copy()
    reading_of(array)
    np.testing.assert_array_equal(array, before)


@settings(deadline=None)
@given(st.integers(1, 90), st.integers(1, 90))
@example(70_000, 1)
@example(30_000, 3)
@example(3, 30_000)
@example(300, 500)
@example(1, 70_000)
@example(8, 10_000)
def test_a_thumbnail_of_a_matrix_has_the_means_of_its_areas(rows: int, columns: int) -> None:
    """Uses a matrix of i + 100 j: an area's mean is that of its row and column numbers."""
    matrix = np.arange(rows)[:, None] + 100.0 * np.arange(columns)[None, :]
    down = [np.mean(part) for part in parts_of(rows, HEAT_ROWS)]
    across = [np.mean(part) for part in parts_of(columns, HEAT_COLUMNS)]
    expected = np.array(down)[:, None] + 100 * np.array(across)[None, :]
    np.testing.assert_allclose(thumbnail_of(matrix), expected, rtol=1e-12)


@settings(deadline=None)
@given(st.integers(17, 500))
@example(65_537)
@example(1_000_003)
def test_a_thumbnail_of_a_vector_has_the_means_of_its_parts(count: int) -> None:
    expected = [np.mean(part) for part in parts_of(count, SPARK_POINTS)]
    np.testing.assert_allclose(thumbnail_of(np.arange(float(count))), expected, rtol=1e-12)


def parts_of(length: int, count: int) -> list[range]:
    """Returns the numbers below `length` cut into at most `count` parts; part k begins at floor(k length / count)."""
    count = min(length, count)
    starts = [k * length // count for k in range(count)]
    return [range(a, b) for a, b in zip(starts, [*starts[1:], length], strict=True)]


@pytest.mark.parametrize("shape", [(100_000,), (300, 400), (2, 3, 40_000), (50_000, 2)])
def test_a_thumbnail_of_one_number_everywhere_is_that_number(shape: tuple[int, ...]) -> None:
    array = np.broadcast_to(0.1, shape)
    found, copied = thumbnail_of(array), thumbnail_of(array.copy())
    assert found is not None and copied is not None
    assert found.shape == copied.shape and (found == 0.1).all()
    np.testing.assert_allclose(copied, 0.1, rtol=1e-11)


@pytest.mark.parametrize("number", [1.5e308, -1.5e308, 1e-310])
def test_a_thumbnail_of_the_largest_and_the_least_numbers_is_as_large_and_as_small(number: float) -> None:
    found = thumbnail_of(np.full((300, 400), number))
    assert found is not None
    np.testing.assert_allclose(found, number, rtol=1e-9)


@pytest.mark.parametrize("count", [15, 16, 17])
def test_sixteen_elements_are_kept(count: int) -> None:
    reading = reading_of(np.arange(float(count)))
    assert (reading.has_all, len(reading.first)) == (count <= 16, min(count, 16))
    assert (reading.thumbnail is None) is (count <= 16)


@pytest.mark.parametrize(
    ("numbers", "is_told"),
    [
        ([3.0, -1.0, 2.5], True),
        ([1.5, 1.5, 1.5], True),
        ([0.0, 0.0], True),
        ([math.nan, 1.0], True),
        # The squares of the survey lose the deviation where it is a thousandth of the mean.
        ([1.0, 1.004], True),
        ([1.0, 1.002], False),
        ([-1.0, -1.002], False),
        ([1.0, 1.002, math.inf], True),
        # Norms that vanish or overflow tell nothing.
        ([2.0**-890, 0.0], True),
        ([2.0**-905, 0.0], False),
        ([1.7e308, -1.7e308, 1.7e308, -1.7e308], False),
        ([1.7e308, 1.6e308], False),
    ],
)
def test_means_are_kept_where_the_survey_does_not_tell_them(numbers: list[float], is_told: bool) -> None:
    assert set(table_of([np.array([1.0, 2.0]), np.array(numbers)]).moments) == (set() if is_told else {1})


def test_a_thumbnail_of_more_dimensions_is_that_of_the_first_slice() -> None:
    array = np.arange(2 * 3 * 3 * 5.0).reshape(2, 3, 3, 5)
    np.testing.assert_array_equal(thumbnail_of(array), array[0, 0])


@pytest.mark.parametrize("shape", [(), (0,), (16,), (0, 3), (3, 0, 2)])
def test_what_is_small_or_empty_has_no_thumbnail(shape: tuple[int, ...]) -> None:
    assert thumbnail_of(np.zeros(shape)) is None


def test_an_unknown_tensor_is_an_unknown_row() -> None:
    table = table_of([None, np.array(3.0), None])
    assert (table[0], table[2], table[-1]) == (None, None, None)
    known = table[1]
    assert known is not None and known.first == (3.0,)


@pytest.mark.parametrize(
    ("norms", "expected"),
    [
        ([], (1.0, 2.0)),
        ([0.0, math.nan, math.inf], (1.0, 2.0)),
        ([5.0], (5.0, 2.0)),
        ([1.0, 1e-4, 0.0], (1.0, 4.0)),
        ([1e3, 1e-9], (1e3, 6.0)),
    ],
)
def test_the_range_of_gradients_spans_two_to_six_decades(norms: list[float], expected: tuple[float, float]) -> None:
    assert gradient_range(norms) == pytest.approx(expected)


def test_results_say_what_a_stop_withholds_and_where_numbers_break() -> None:
    """Uses x * stop(x) at x = 2: the gradient is stop(x) = 2; the other 2 is withheld."""
    kinds = [("stop", "StopGradient"), ("m", "Multiply"), ("loss", "Loss")]
    wires = [("x.y", "stop.x"), ("x.y", "m.x"), ("stop.y", "m.y"), ("m.z", "loss.x")]
    graph = make_graph([source("x"), *(Block(*kind) for kind in kinds)], wires)
    results = results_of(evaluate(graph), 7)
    stopped = results.wire(Link(PortName("main/x", "y"), PortName("main/stop", "x")))
    port = results.port(PortName("main/x", "y"))
    assert (results.revision, results.nonfinite_wires) == (7, [])
    assert stopped is not None and stopped.gradient is not None
    assert (stopped.status, stopped.by, stopped.withheld) == (Status.BLOCKED, ("main/stop",), 2.0)
    assert port is not None and port.gradient is not None and port.gradient.first == (2.0,)
    assert results.port(PortName("main/nobody", "y")) is None
    assert results.wire(Link(PortName("main/nobody", "y"), PortName("main/stop", "x"))) is None


def test_wires_that_are_not_finite_are_named() -> None:
    zero = Block("zero", "Input", parameters={"value": np.array(0.0)})
    graph = make_graph([zero, Block("log", "Log"), Block("loss", "Loss")], [("zero.y", "log.x"), ("log.y", "loss.x")])
    broken = results_of(evaluate(graph), 1).nonfinite_wires
    assert Link(PortName("main/log", "y"), PortName("main/loss", "x")) in broken


def test_readings_tell_the_cause_of_zeros_and_the_ties_of_ports_and_wires() -> None:
    """Expects two of three elements to be the maximum; the third gets no gradient."""
    results = results_of(evaluate(x([3, 3, 1]).then("m", "ReduceMax").loss()), 1)
    ends = PortName("main/x", "y"), PortName("main/m", "x")
    for reading in (results.port(ends[0]), results.wire(Link(*ends))):
        assert reading is not None
        assert reading.zero == ZeroCause(Cause.NOT_SELECTED, "main/m", {Cause.NOT_SELECTED: 1})
        assert reading.tie == Tie("main/m", 2)
    elsewhere = results.port(PortName("main/m", "y"))
    assert elsewhere is not None
    assert (elsewhere.zero, elsewhere.tie) == (None, None)


def broken(line: Line) -> tuple[list[str], list[str]]:
    """Returns the blocks whose value is broken, and the targets of wires with NaN or infinity."""
    results = results_of(evaluate(line.loss()), 1)
    names = [name.path.removeprefix("main/") for name in results.ports.row_of]
    wires = [link.target.path.removeprefix("main/") for link in results.nonfinite_wires]
    return [name for name, is_broken in zip(names, results.broken_ports, strict=True) if is_broken], wires


def test_what_breaks_is_named_and_what_is_meant_to_be_infinite_is_not() -> None:
    assert broken(x([1.0, 4.0]).then("r", "Sqrt")) == ([], [])
    ports, wires = broken(x([1.0, -4.0]).then("r", "Sqrt").then("t", "Tanh"))
    assert "x" not in ports and {"r", "t", "loss"} <= set(ports)
    # The gradient of x is NaN, though its value is not.
    assert wires == ["r", "t", "loss"]
    ports, _ = broken(x([1.0, 0.0]).then("l", "Log"))
    assert "l" in ports
    mask = x([1.0, 2.0]).source("mask", [0.0, -math.inf], "Constant").on("x.y").then("a", "Add", "mask.y")
    assert broken(mask.then("p", "Softmax")) == ([], [])


def test_only_rows_with_something_to_tell_tell_it() -> None:
    plain = results_of(evaluate(x([1.0, 2.0]).then("e", "Exp").loss()), 1)
    for places in (plain.ports, plain.wires):
        assert (places.by, places.origins, places.zeros, places.ties) == ({}, {}, {}, {})
    assert (plain.withheld, plain.inner) == ({}, {})
    told = results_of(evaluate(x([3.0, 3.0, 1.0]).then("m", "ReduceMax").loss()), 1)
    rows = {told.ports.row_of[PortName("main/x", "y")]}
    assert set(told.ports.zeros) == set(told.ports.ties) == rows and told.ports.by == told.ports.origins == {}
    inner = results_of(evaluate(slopes()), 1)
    assert set(inner.inner) == {inner.ports.row_of[PortName("main/x", "y")]}
    (part,) = inner.inner_parts(PortName("main/x", "y"))
    assert part.by == "main/g" and part.gradient is not None and part.gradient.first == (2.0,)
    assert inner.inner_parts(PortName("main/s", "y")) == inner.inner_parts(PortName("main/gone", "y")) == ()


def slopes() -> Graph:
    """Returns the slope of x² at x = 3 as a loss: it flows into x by the derivative 2 alone."""
    blocks = [Block("x", "Input", parameters={"value": np.array(3.0)}), Block("s", "Square"), Block("g", "Gradients")]
    wires = [("x.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    return make_graph([*blocks, Block("loss", "Loss")], wires)


def test_rows_are_the_same_where_names_and_number_are() -> None:
    """An edit leaves rows free whose names are gone, so as many names may have more rows."""
    results = results_of(evaluate(make_graph([Block("x", "Input", parameters={"value": np.array(1.0)})], [])), 1)
    ports = results.ports
    longer = dataclasses.replace(ports, statuses=np.append(ports.statuses, ports.statuses[:1]))
    named = dataclasses.replace(ports, row_of=dict(ports.row_of))
    for other, is_same in ((ports, True), (longer, False), (named, False)):
        assert ports.has_rows_of(other) is is_same
        assert results.has_rows_of(dataclasses.replace(results, ports=other)) is is_same
    wires = dataclasses.replace(results.wires, row_of=dict(results.wires.row_of))
    assert not results.has_rows_of(dataclasses.replace(results, wires=wires))
