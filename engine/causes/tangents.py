"""Bounds on changes of a step's outputs, from bounds on the changes of its inputs: the absolute Jacobian, applied.

Source: two reverse passes make a forward derivative; Townsend, A new trick for calculating Jacobian vector products
(2017). Cost: a few runs of the step, or of its gradient rule's derivative, on arrays of the same shapes.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.autodiff.backward import apply_rule, backward_pass, ones, summed_to
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.causes.linear_steps import run_application

# Bound on the error of each element of an array, in float64; None for an exact array.
Bound = Array | None


class _Tangent(NamedTuple):
    """Expressions of a step's directional derivatives: `results` from `given`, which are inputs and outputs.

    `directions` has an expression for each input: its change.
    """

    given: tuple[Expression | None, ...]
    directions: tuple[Expression | None, ...]
    results: tuple[Expression | None, ...]
    order: list[Application]


def passed_on(
    application: Application, inputs: Sequence[Array | None], outputs: Sequence[Array], bounds: Sequence[Bound]
) -> list[Bound]:
    """Returns the bounds on the outputs of a step whose inputs may change by `bounds`, to first order.

    Shapes: `inputs` and `bounds` are those of the step's inputs, `outputs` and the result those of its outputs.
    """
    if all(bound is None for bound in bounds):
        return [None] * len(application.outputs)
    if is_linear(application):
        return absolute_terms(application, inputs, bounds)
    tangent = _tangent_of(application)
    if tangent is None:
        return [None] * len(application.outputs)
    values, changes = dict[Expression, Array](), dict[Expression, Array]()
    for item, array in zip(tangent.given, [*inputs, *outputs], strict=True):
        if item is not None and array is not None:
            values[item] = array
    for item, bound in zip(tangent.directions, bounds, strict=True):
        if item is not None and bound is not None:
            changes[item] = bound
        elif item is not None:
            values[item] = np.zeros(item.shape)
    for step in tangent.order:
        _take(step, values, changes)
    return [None if item is None else changes.get(item) for item in tangent.results]


def is_linear(application: Application) -> bool:
    """Returns whether a step adds, moves or multiplies elements, so that each input passes a change on linearly."""
    operators = Expression.operators
    is_arithmetic = application.type in (operators["add"], operators["subtract"], operators["multiply"])
    return is_arithmetic or application.type.sums_products or application.type.only_moves_data


def absolute_terms(application: Application, inputs: Sequence[Array | None], changes: Sequence[Bound]) -> list[Bound]:
    """Returns the sums of the absolute effects of changes on a step that is linear in each of its inputs."""
    if application.type in (Expression.operators["add"], Expression.operators["subtract"]):
        terms = [change for change in changes if change is not None]
        total, shape = sum(terms[1:], start=terms[0]), application.outputs[0].shape
        return [total if total.shape == shape else np.broadcast_to(total, shape)]
    found: list[Bound] = [None] * len(application.outputs)
    factors = absolute(inputs)
    if application.type.only_moves_data:
        # Each element comes from one input, or is filled in: all changes move together.
        zeros = [item if item is None or not is_float(item) else np.zeros_like(item) for item in factors]
        moved = run_application(
            application, [zero if new is None else new for zero, new in zip(zeros, changes, strict=True)]
        )
        filled = run_application(application, zeros)
        return [
            finite(np.abs(item - rest)) if is_float(item) else None for item, rest in zip(moved, filled, strict=True)
        ]
    for slot, change in enumerate(changes):
        if change is None:
            continue
        results = run_application(application, [*factors[:slot], change, *factors[slot + 1 :]])
        if application.type.sums_products and len(factors) > 1:
            # Inputs that are other terms, and no factors, leave something without the change.
            nothing = run_application(application, [*factors[:slot], np.zeros_like(change), *factors[slot + 1 :]])
            results = tuple(array - rest for array, rest in zip(results, nothing, strict=True))
        for index, array in enumerate(results):
            if is_float(array):
                part, known = finite(np.abs(array)), found[index]
                found[index] = part if known is None else known + part
    return found


def absolute(arrays: Sequence[Array | None]) -> list[Array | None]:
    """Returns the absolute values of floating-point arrays, and all others as they are."""
    return [np.abs(item) if item is not None and is_float(item) else item for item in arrays]


def is_float(array: Array) -> bool:
    """Returns whether an array holds floating-point numbers."""
    return array.dtype.kind == "f"


def finite(bound: Array) -> Array:
    """Returns a bound with 0 where it is unknown: nothing is certain of NaN and infinity."""
    return bound if np.isfinite(bound).all() else np.where(np.isfinite(bound), bound, 0)


def _take(step: Application, values: dict[Expression, Array], changes: dict[Expression, Array]) -> None:
    """Computes a step of a tangent: numbers from numbers, or the change that it passes on.

    The step is linear in all its changes together, so it needs one run.
    """
    numbers = [None if item is None else values.get(item) for item in step.inputs]
    moving = [None if item is None else changes.get(item) for item in step.inputs]
    if all(item is None for item in moving):
        values.update(zip(step.outputs, run_application(step, numbers), strict=True))
        return
    if step.type in (Expression.operators["add"], Expression.operators["subtract"]):
        terms = absolute_terms(step, numbers, moving)[0]
        changes[step.outputs[0]] = np.zeros(()) if terms is None else terms
        return
    pairs = zip(absolute(numbers), moving, strict=True)
    arrays = [number if change is None else change for number, change in pairs]
    for output, array in zip(step.outputs, run_application(step, arrays), strict=True):
        (changes if is_float(array) else values)[output] = finite(np.abs(array)) if is_float(array) else array


def _tangent_of(application: Application) -> _Tangent | None:
    specs = tuple(None if item is None else _wide(item.spec) for item in application.inputs)
    outputs = tuple(_wide(item.spec) for item in application.outputs)
    parameters = application.parameters
    try:
        hash(key := tuple(parameters.items()))
    except TypeError:  # An array is a parameter.
        return _tangent(application.type, specs, outputs, parameters)
    return _known_tangent(application.type, specs, outputs, key)


@functools.lru_cache(1024)
def _known_tangent(
    block_type: Operation,
    specs: tuple[TensorSpec | None, ...],
    outputs: tuple[TensorSpec, ...],
    parameters: tuple[tuple[str, Hashable], ...],
) -> _Tangent | None:
    return _tangent(block_type, specs, outputs, dict(parameters))


def _tangent(
    block_type: Operation,
    specs: Sequence[TensorSpec | None],
    outputs: Sequence[TensorSpec],
    parameters: Mapping[str, Any],  # Any: the kinds of parameters decide
) -> _Tangent | None:
    """Differentiates the gradient rule of a step by its incoming gradient; None without a rule that allows it."""
    if block_type.rule is None:
        return None
    inputs = tuple(None if spec is None else ones(spec) for spec in specs)
    application = Application(block_type, inputs, parameters, outputs)
    arriving = [ones(spec) if spec.is_differentiable else None for spec in outputs]
    try:
        parts = apply_rule(application, arriving)
        directions = tuple(None if spec is None or not spec.is_differentiable else ones(spec) for spec in specs)
        seeds = dict[Expression, Expression]()
        for part, direction in zip(parts, directions, strict=True):
            if part is not None and direction is not None:
                part = summed_to(part, direction.shape)
                # A rule may return one expression for several inputs.
                seeds[part] = seeds[part] + direction if part in seeds else direction
        totals = backward_pass(seeds).totals
    # Code of plug-ins may raise anything; nothing is then known of the step.
    except Exception:
        return None
    results = tuple(None if item is None else totals.get(item) for item in arriving)
    given = (*inputs, *application.outputs)
    known = {item.application for item in (*given, *directions) if item is not None}
    order = topological_order([item for item in results if item is not None], known=known)
    return _Tangent(given, directions, results, order)


def _wide(spec: TensorSpec) -> TensorSpec:
    # All bounds are in float64, whatever the dtype of the run.
    return TensorSpec(spec.shape, np.dtype(np.float64)) if spec.is_differentiable else spec
