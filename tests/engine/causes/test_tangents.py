"""Bounds that a step passes on: the absolute values of its Jacobian times the bounds of its inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.causes.tangents import finite, passed_on

ROW, COLUMN = np.array([0.5, -1.25, 2.0]), np.array([[0.75], [-0.5]])
MATRIX = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.5]])
# Blocks with inputs and parameters.
STEPS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "sum": ("Add", [ROW, COLUMN], {}),
    "difference": ("Subtract", [COLUMN, ROW], {}),
    "product": ("Multiply", [ROW, COLUMN], {}),
    "square": ("Square", [ROW], {}),
    "quotient": ("Divide", [COLUMN, ROW], {}),
    "exponential": ("Exp", [ROW], {}),
    "root": ("Sqrt", [np.abs(ROW)], {}),
    "largest of two": ("Maximum", [ROW, COLUMN], {}),
    "choice": ("Where", [np.array([True, False, True]), ROW, -ROW], {}),
    "matrices": ("MatMul", [MATRIX, MATRIX.T], {}),
    "matrices, one turned": ("MatMul", [MATRIX, MATRIX], {"transpose_b": True}),
    "total": ("ReduceSum", [MATRIX], {"axis": [0]}),
    "mean": ("ReduceMean", [MATRIX], {}),
    "turned": ("Transpose", [MATRIX], {}),
    "joined": ("Concat", [ROW, -ROW], {"axis": 0}),
    "gathered": ("Gather", [ROW, np.array([2, 0, 2])], {}),
    "squared difference": ("SquaredDifference", [ROW, COLUMN], {}),
}  # fmt: skip


def application_of(kind: str, inputs: list[Array], parameters: dict[str, Any]) -> Application:
    return library[kind].apply([constant(item) for item in inputs], library[kind].normalize(parameters))


def jacobian(application: Application, inputs: list[Array], slot: int) -> Array:
    """Returns the derivatives of the output by each element of an input, by central differences."""
    columns = []
    for index in np.ndindex(inputs[slot].shape):
        ends = []
        for sign in (1, -1):
            moved = [item.copy() for item in inputs]
            moved[slot][index] += sign * 1e-6
            ends.append(run_application(application, moved)[0])
        columns.append((ends[0] - ends[1]) / 2e-6)
    return np.moveaxis(
        np.reshape(columns, (*inputs[slot].shape, *columns[0].shape)),
        range(inputs[slot].ndim),
        range(-inputs[slot].ndim, 0),
    )


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("asked", [[0], [1], [0, 1], [2], [1, 2]])
def test_a_bound_is_the_absolute_jacobian_times_the_bounds_before(name: str, asked: list[int]) -> None:
    kind, given, parameters = STEPS[name]
    inputs = [np.asarray(item) for item in given]
    application = application_of(kind, inputs, parameters)
    bounds: list[Array | None] = [None] * len(inputs)
    expected = np.zeros(application.outputs[0].shape)
    for slot in asked:
        if slot < len(inputs) and inputs[slot].dtype.kind == "f":
            bound = np.linspace(0.1, 0.7, inputs[slot].size).reshape(inputs[slot].shape)
            bounds[slot] = bound
            expected = expected + np.tensordot(np.abs(jacobian(application, inputs, slot)), bound, bound.ndim)
    (found,) = passed_on(application, inputs, run_application(application, inputs), bounds)
    if all(bound is None for bound in bounds):
        assert found is None
    else:
        assert found is not None
        np.testing.assert_allclose(np.broadcast_to(found, expected.shape), expected, rtol=1e-6, atol=1e-9)


def test_a_softmax_passes_on_the_sizes_of_both_terms_of_its_derivative() -> None:
    """The derivative y (d - sum of y d) becomes y (b + sum of y b)."""
    application = application_of("Softmax", [MATRIX], {})
    (y,), bound = run_application(application, [MATRIX]), np.array([[0.1, 0.2, 0.4], [0.3, 0.0, 0.5]])
    (found,) = passed_on(application, [MATRIX], [y], [bound])
    np.testing.assert_allclose(found, y * (bound + (y * bound).sum(1, keepdims=True)))


def test_what_has_no_gradient_rule_or_needs_none_passes_nothing_on() -> None:
    for kind in ("Floor", "ArgMax"):
        application = application_of(kind, [ROW], {})
        assert passed_on(application, [ROW], run_application(application, [ROW]), [np.ones(3)]) == [None]


def test_a_bound_is_0_where_it_is_unknown() -> None:
    assert finite(np.array([1.0, np.nan, np.inf, 2.0])).tolist() == [1.0, 0.0, 0.0, 2.0]
    known = np.array([1.0, 2.0])
    assert finite(known) is known
    application = application_of("Divide", [np.array([1.0, 1.0]), np.array([0.0, 2.0])], {})
    inputs = [np.array([1.0, 1.0]), np.array([0.0, 2.0])]
    (found,) = passed_on(application, inputs, [np.array([np.inf, 0.5])], [np.array([0.1, 0.1]), None])
    assert found is not None and found.tolist() == [0.0, 0.05]
