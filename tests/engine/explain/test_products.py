"""The product behind a gradient of 0 or NaN: its factors, its elements, their origin, and a fix."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import slope_fix
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.products import ROWS, Product, nan_product, zero_product

X = PortName("main/x", "y")


def run_of(x: object, loss: Callable[[gw.Expression], gw.Expression]) -> Evaluation:
    return run_graph(gw.graph(gw.Loss(loss(gw.Variable(np.asarray(x, float), name="x")))))


def guarded(x: gw.Expression, made: gw.Expression) -> gw.Expression:
    return gw.Where(gw.Less(gw.Constant(0.0), x), made, gw.Constant(0.0), name="pick")


def product(run: Evaluation) -> Product:
    found = nan_product(run, X)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def root() -> Evaluation:
    return run_of([0, 1, 4], lambda x: guarded(x, gw.Pow(x, gw.Constant(0.5), name="root")))


def test_the_product_has_its_factors_and_their_origin(root: Evaluation) -> None:
    found = product(root)
    assert (found.at, found.port, found.source) == ("main/root", "x", X)
    assert (found.row.incoming, found.row.slope) == (0.0, math.inf)
    assert math.isnan(found.row.result)
    assert (found.cause, found.by) == (Cause.NOT_SELECTED, "main/pick")
    assert found.is_value_finite


def test_each_element_has_the_chain_rule(root: Evaluation) -> None:
    rows = product(root).rows
    assert [row.x for row in rows] == [0, 1, 4]
    # d x^0.5 / dx = 1 / (2 sqrt(x)), and the loss is the sum of what Where selects.
    assert [(row.incoming, row.slope, row.result) for row in rows[1:]] == [(1, 0.5, 0.5), (1, 0.25, 0.25)]


def test_a_wire_behind_the_origin_has_the_same_product(root: Evaluation) -> None:
    (link,) = [link for link in root.snapshot.wires if link.target == PortName("main/root", "x")]
    # NaN is not equal to itself, its text is.
    assert repr(nan_product(root, link)) == repr(nan_product(root, X))


def test_an_infinite_value_beside_it_is_told() -> None:
    found = product(run_of([0, 4], lambda x: guarded(x, gw.Log(x, name="steep"))))
    assert (found.at, found.count, found.size) == ("main/steep", 1, 2)
    assert math.isinf(found.row.slope)
    assert not found.is_value_finite


def test_a_scalar_has_one_row() -> None:
    found = product(run_of(0, lambda x: guarded(x, gw.Log(x))))
    assert [row.index for row in found.rows] == [()]


def test_rows_of_a_large_tensor_begin_at_the_first_broken_element() -> None:
    x = np.ones(1000)
    x[[500, 800]] = 0
    found = product(run_of(x, lambda x: guarded(x, gw.Log(x))))
    assert found.row.index == (500,) == found.rows[0].index
    assert (len(found.rows), found.count) == (ROWS, 2)


def test_an_infinite_slope_has_its_product_too() -> None:
    found = nan_product(run_of([0, 4], lambda x: gw.Sqrt(x)), X)
    assert found is not None
    assert (found.row.incoming, found.row.slope, found.row.result) == (1, np.inf, np.inf)


def test_a_broken_value_is_no_product_of_zero() -> None:
    assert nan_product(run_of([-1, 4], lambda x: gw.Sqrt(x)), X) is None


def test_a_finite_gradient_has_no_product() -> None:
    assert nan_product(run_of([1, 4], lambda x: gw.Sqrt(x)), X) is None


def test_the_fix_is_tried_and_leaves_no_nan(root: Evaluation) -> None:
    fix = slope_fix(root, "main/root")
    assert fix is not None and fix.trial is not None
    assert (fix.trial.before.broken_wires, fix.trial.after.broken_wires) == (1, 0)
    assert fix.detail == "Insert a second Where before root. It passes x where pick selects root, else 1."
    after = run_graph(fix.edit(root.graph)).tensor(X, True)
    np.testing.assert_array_equal(after, [0, 0.5, 0.25])


def test_a_block_without_a_fix_has_none(root: Evaluation) -> None:
    assert slope_fix(root, "main/pick") is None


@pytest.mark.parametrize(("size", "at", "first"), [(20, 0, 0), (20, 5, 0), (20, 12, 12), (20, 19, None), (3, 2, 0)])
def test_the_rows_begin_at_the_start_or_at_the_broken_element_and_fill_the_table(
    size: int, at: int, first: int | None
) -> None:
    value = np.full(size, 4.0)
    value[at] = 0
    found = product(run_of(value, lambda x: guarded(x, gw.Log(x))))
    assert found.row.index == (at,) and (found.count, found.size) == (1, size)
    start = max(0, size - ROWS) if first is None else first
    assert [row.index for row in found.rows] == [(place,) for place in range(start, min(start + ROWS, size))]
    assert len(found.rows) == min(ROWS, size)
    for row in found.rows:
        assert (row.x, row.incoming) == (value[row.index], float(row.index != (at,)))
        assert row.slope == (np.inf if row.index == (at,) else 0.25)


def zero(run: Evaluation, target: str) -> Product | None:
    port = PortName(*f"main/{target}".rsplit(".", 1))
    return zero_product(run, next(link for link in run.snapshot.wires if link.target == port))


def test_the_zero_that_withholds_most_is_the_one_that_is_told() -> None:
    run = run_of(
        [[-1, -2], [-3, -4]], lambda x: gw.Multiply(gw.Relu(x, name="r"), gw.Constant([[1.0, -7.0], [2.0, 6]]))
    )
    found = zero(run, "r.x")
    assert found is not None
    assert (found.row.index, found.row.x, found.row.incoming, found.row.slope) == ((0, 1), -2, -7, 0)
    assert (found.count, found.size, found.at, found.port, found.source) == (4, 4, "main/r", "x", X)
    assert [row.index for row in found.rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_zero_that_arrives_names_where_it_comes_from() -> None:
    run = run_of([2.0, 3.0], lambda x: gw.Relu(gw.Negative(gw.Exp(x, name="e"), name="n"), name="r"))
    found = zero(run, "e.x")
    assert found is not None and found.row.incoming == 0
    assert found.row.slope == pytest.approx(math.exp(2.0))
    assert (found.cause, found.by) == (Cause.NOT_SELECTED, "main/r")


def test_an_element_that_is_not_flat_is_told_where_zeros_arrive() -> None:
    """Relu is flat at −1 and not at 2, and 0 arrives at both."""
    run = run_of([-1.0, 2.0], lambda x: gw.Multiply(gw.Relu(x, name="r"), gw.Constant([0.0, 0.0])))
    found = zero(run, "r.x")
    assert found is not None and (found.row.index, found.row.slope, found.row.incoming) == ((1,), 1, 0)


def test_a_stop_is_a_factor_of_zero_and_nothing_arrives_before_it() -> None:
    run = run_of([2.0, 3.0], lambda x: gw.Multiply(gw.StopGradient(gw.Exp(x, name="e"), name="s"), gw.Constant(4.0)))
    at_stop, before = zero(run, "s.x"), zero(run, "e.x")
    assert at_stop is not None and (at_stop.row.incoming, at_stop.row.slope, at_stop.row.result) == (4, 0, 0)
    assert before is not None and before.row.incoming == 0 and before.row.slope == pytest.approx(math.exp(2.0))


@pytest.mark.parametrize(
    ("loss", "target"),
    [
        # A gradient flows; a sum cancels, though no product is 0; the block does not go element by element.
        (lambda x: gw.Relu(x, name="r"), "r.x"),
        (lambda x: gw.Multiply(gw.Add(gw.ReduceSum(x), x, name="a"), gw.Constant([1.0, -1.0])), "a.x"),
        (lambda x: gw.StopGradient(gw.ReduceSum(x, name="r")), "r.x"),
    ],
)
def test_other_zeros_are_no_product(loss: Callable[[gw.Expression], gw.Expression], target: str) -> None:
    assert zero(run_of([2.0, 3.0], loss), target) is None


def test_the_flat_element_at_which_most_arrives_comes_before_others() -> None:
    run = run_of([2.0, -1.0, -3.0], lambda x: gw.Multiply(gw.Relu(x, name="r"), gw.Constant([0.0, 0.25, -0.5])))
    found = zero(run, "r.x")
    assert found is not None and (found.row.index, found.row.incoming, found.count) == ((2,), -0.5, 3)


def test_an_empty_tensor_has_no_product() -> None:
    assert zero(run_of(np.zeros(0), lambda x: gw.Relu(x, name="r")), "r.x") is None
