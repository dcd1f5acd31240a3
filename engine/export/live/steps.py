"""The steps of a plan as a page needs them to explain its numbers: which arrays each reads and writes, whose it is, and
how much it rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import steps_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.causes.running_errors import count_of_roundings
from gradwire.engine.causes.tangents import is_float
from gradwire.engine.export.live.laid_plan import LaidPlan

# How a step rounds: it moves elements, is arithmetic, adds products, is another function by element or of arrays; or
# its numbers count as exact.
MOVES, ARITHMETIC, SUMS, BY_ELEMENT, OTHER, EXACT = range(6)
# Roundings in the terms of its result, 0 where it adds none; degree of the result in all its inputs together.
StepKind = tuple[int, float, int, int, int]
_SUMS = ("add", "subtract")


def step_rows(
    plan: Plan,
    laid: LaidPlan,
    values: Sequence[Array | None],
    view: Callable[[int], int],
    number: Callable[[StepKind], int],
    owner: Callable[[Application], int],
) -> list[list[int]]:
    """Returns each step: its kind, the number of its instructions, its owner, its inputs' slots, its outputs' views.

    A kind is `(how it rounds, roundings, degree, inputs, outputs)`; slots count all outputs in the order of the steps.
    """
    called = {step.outputs for step in laid.called}
    rows = []
    for step, count in zip(plan.steps, laid.counts, strict=True):
        inputs = [slot for slot in step.inputs if slot is not None]
        kind = (EXACT, 0.0, 1) if step.outputs in called else _kind_of(step.application, step.inputs, values)
        outputs = [view(slot) for slot in step.outputs]
        rows.append([number((*kind, len(inputs), len(outputs))), count, owner(step.application), *inputs, *outputs])
    return rows


def owners_of(lowered: Lowered) -> dict[Application, str]:
    """Returns the paths of the blocks whose steps these are, and whose gradient rules made them."""
    found = dict(lowered.owners)
    forward = dict.fromkeys(lowered.backward.order)
    for edge in lowered.backward.edges:
        for step in steps_of(edge, lowered.backward, forward):
            found.setdefault(step, lowered.owners.get(edge.application, ""))
    return found


def _kind_of(
    application: Application, slots: Sequence[int | None], values: Sequence[Array | None]
) -> tuple[int, float, int]:
    block_type = application.type
    if not slots or not any(item.spec.is_differentiable for item in application.outputs):
        return EXACT, 0.0, 1
    if block_type.only_moves_data:
        return MOVES, 0.0, 1
    if block_type.is_arithmetic:
        return ARITHMETIC, float(block_type in map(Expression.operators.__getitem__, _SUMS)), 1
    if block_type.sums_products:
        inputs = [None if slot is None else values[slot] for slot in slots]
        return SUMS, float(f"{count_of_roundings(application, inputs):.4g}"), _degree(application, inputs)
    return (BY_ELEMENT if block_type.by_element else OTHER), 0.0, 1


def _degree(application: Application, inputs: Sequence[Array | None]) -> int:
    """Returns how often a sum of products grows twofold when all its inputs do."""
    if sum(item is not None and is_float(item) for item in inputs) == 1:
        return 1
    sizes = []
    for number in (1, 2):
        filled = [item if item is None or not is_float(item) else np.full_like(item, number) for item in inputs]
        sizes.append(float(np.max(run_application(application, filled)[0], initial=0)))
    return round(math.log2(sizes[1] / sizes[0])) if min(sizes) > 0 and math.isfinite(sizes[1]) else 1
