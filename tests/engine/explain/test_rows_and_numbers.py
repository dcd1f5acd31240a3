"""Which rows and numbers explanations show: boundaries of tables, by hand."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.flow import flow_of, per_step
from gradwire.engine.explain.products import nan_product
from gradwire.engine.explain.quiz import is_sign_of
from gradwire.engine.explain.step_numbers import value_table
from gradwire.engine.explain.wire_table import array_text, wire_table


@pytest.mark.parametrize(
    ("size", "first", "start", "shown"),
    [
        (1, 0, 0, 1), (3, 2, 0, 3), (6, 5, 0, 6), (7, 0, 0, 6), (7, 5, 0, 6), (7, 6, 1, 6), (10, 6, 4, 6),
        (10, 9, 4, 6), (20, 5, 0, 6), (20, 6, 6, 6), (20, 8, 8, 6), (20, 14, 14, 6), (20, 15, 14, 6), (20, 19, 14, 6),
    ],
)  # fmt: skip
def test_rows_around_the_first_infinite_slope(size: int, first: int, start: int, shown: int) -> None:
    """The square root of 0 has an infinite slope, and the mask lets nothing arrive there."""
    at = np.arange(size)
    roots = gw.Pow(gw.Variable(np.where(at == first, 0.0, 4.0), name="v"), gw.Constant(0.5), name="root")
    masked = gw.Multiply(roots, gw.Constant(np.where(at == first, 0.0, 3.0)))
    run = run_graph(gw.graph(gw.Loss(gw.ReduceSum(masked))))
    found = nan_product(run, PortName("main/v", "y"))
    assert found is not None and (found.at, found.port, str(found.source)) == ("main/root", "x", "main/v.y")
    assert [row.index for row in found.rows] == [(place,) for place in range(start, start + shown)]
    assert (found.row.index, found.count, found.size, found.is_value_finite) == ((first,), 1, size, True)
    assert (found.row.x, found.row.incoming, found.row.slope) == (0, 0, np.inf)
    others = [row for row in found.rows if row.index != (first,)]
    assert all((row.x, row.incoming, row.slope, row.result) == (4, 3, 0.25, 0.75) for row in others)


@pytest.mark.parametrize(
    ("x", "factor", "is_product"), [(0.0, 0.0, True), (0.0, 1.0, True), (4.0, 0.0, False), (-1.0, 1.0, False)]
)
def test_other_gradients_are_no_product_of_an_infinite_slope(x: float, factor: float, is_product: bool) -> None:
    loss = gw.Loss(gw.Pow(gw.Variable(x, name="v"), gw.Constant(0.5), name="root") * gw.Constant(factor))
    assert (nan_product(run_graph(gw.graph(loss)), PortName("main/v", "y")) is not None) is is_product


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (2.5, "2.5"), (-0.0, "0"), ([1, -2], "[1 -2]"), ([[1.0, 2.0], [3.0, 4.0]], "[[1 2] [3 4]]"), ([True, False],
         "[true false]"), ([1.0] * 6, "[1 1 1 1 1 1]"), ([1.0, 2.0] * 4, "float64[8] from 1 to 2"), ([], "[]"),
        ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5], "float64[7] from 1 to 7.5"), ([True] * 7, "bool[7] with 7 true"),
        ([True, False] * 4, "bool[8] with 4 true"), (1 / 3, "0.333333"), (1234567.0, "1.23457e+06"),
    ],
)  # fmt: skip
def test_a_small_array_is_shown_whole_and_a_larger_one_by_its_range(array: object, text: str) -> None:
    assert array_text(np.array(array)).replace(" [", "[" if text.startswith(("float", "bool")) else " [") == text


@pytest.mark.parametrize(
    ("at_most", "lines", "ending"),
    [(None, 4, ""), (0, 1, "... and 3 more wires"), (1, 2, "... and 2 more wires"), (3, 4, ""), (4, 4, "")],
)
def test_a_table_tells_how_many_wires_it_leaves_out(at_most: int | None, lines: int, ending: str) -> None:
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Square(gw.Variable([1.0, 2.0], name="x")))))
    found = wire_table(run_graph(graph).snapshot, at_most).splitlines()
    assert len([line for line in found if not line.startswith("...")]) == lines
    assert found[-1].startswith("...") == bool(ending) and found[-1].endswith(ending)


@pytest.mark.parametrize(
    ("shape", "count", "rows"),
    [
        ((), 8, ("",)), ((3,), 8, ("0", "1", "2")), ((3,), 2, ("0", "1")), ((2, 2), 3, ("0,0", "0,1", "1,0")),
        ((2, 2), 4, ("0,0", "0,1", "1,0", "1,1")), ((9,), 8, tuple(map(str, range(8)))),
    ],
)  # fmt: skip
def test_first_numbers_of_a_block_have_the_names_of_their_places(
    shape: tuple[int, ...], count: int, rows: tuple[str, ...]
) -> None:
    values = np.arange(1.0, np.prod(shape) + 1).reshape(shape)
    loss = gw.Loss(gw.ReduceSum(gw.Square(gw.Variable(values, name="x"), name="s")))
    table = value_table(run_graph(gw.graph(loss)), "main/s", count)
    assert (table.rows, table.size) == (rows, values.size)
    assert [(item.name, item.role) for item in table.columns] == [("x", "value"), ("y", "arrives")]
    for column, power in zip(table.columns, (1, 2), strict=True):
        assert column.numbers == tuple(values.ravel()[:count] ** power) and column.total is None


@pytest.mark.parametrize(
    ("sign", "number", "is_so"),
    [
        (1, 2.0, True),
        (1, 0.0, False),
        (0, 0.0, True),
        (0, -0.0, True),
        (-1, -0.1, True),
        (-1, 0.1, False),
        (1, -1, False),
    ],
)
def test_a_sign_is_that_of_a_number(sign: int, number: float, is_so: bool) -> None:
    assert is_sign_of(sign, number) is is_so


def test_a_flow_has_the_ratios_of_its_steps_and_their_median() -> None:
    """Three factors scale the gradient on its way: 2, 8 and 2."""
    x = gw.Variable([1.0], name="x")
    for place, factor in enumerate((2.0, 8.0, 2.0)):
        x = gw.Multiply(x, gw.Constant([factor]), name=f"m{place}")
    found = flow_of(run_graph(gw.graph(gw.Loss(gw.Reshape(x, shape=[])))))
    ratios = {str(step.link.target): step.ratio for step in found.steps}
    assert [ratios[f"main/m{place}.x"] for place in range(3)] == [2, 8, 2]
    assert found.end is not None and (found.end.path, found.end.steps, found.end.left) == ("main/x", 4, 32)
    assert found.end.per_step == pytest.approx(32**0.25) and found.broken == 0
    assert (per_step(8.0, 3), per_step(0.0, 2)) == (pytest.approx(2), 0)
