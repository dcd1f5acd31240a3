"""Claims about a zero that are tried before anybody reads them: what is said to help is done, and helps.

Each claim stands for one sentence. It is made only where a trial in this run comes out as the sentence says.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.causes.broken_elements import reached
from gradwire.engine.causes.linear_steps import generic_numbers
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss
from gradwire.engine.explain.claims.local_trials import LocalTrial, element
from gradwire.engine.explain.zero_amounts import Index

# How often the inputs are halved, one trial after the other.
_HALVINGS = (0, 1, 2, 4, 8, 16, 64, 256, 1020)
# Larger runs are not repeated. Units: elements of all values of the loss.
# A difference of losses may be wrong by so many units in the last place.
_HEAVIEST, ROUNDING = 2**22, 64


class Claim(enum.Enum):
    """Claim about the first zero element of a gradient; its comment is the trial."""

    # Inputs of half, a quarter, ... the size never give this element a smaller gradient, and at last a larger one.
    NEARER_TO_ZERO = "nearer_to_zero"
    # The results that the element reaches are the same for other finite inputs; no other input reaches them.
    ONLY_INPUT = "only_input"
    # The same, but infinite inputs reach them, too.
    ONLY_FINITE_INPUT = "only_finite_input"
    # The loss changes with the element, but its difference quotient vanishes.
    SLOPE_ZERO = "slope_zero"
    # The loss stays the same, however the element moves.
    INDEPENDENT = "independent"
    # The block's results stay the same when the element moves a little.
    FLAT_HERE = "flat_here"
    # The block's rule, run in float64, gives a number.
    WIDER_DTYPE = "wider_dtype"


def claims_of(run: Evaluation, root: Root, at_root: Index, place: Edge | Expression, index: Index) -> frozenset[Claim]:
    """Returns the claims that hold for a zero whose root is at element `at_root` of an edge.

    `index` is the element of the gradient at `place` that is asked about.
    """
    if root.cause is Cause.AT_OPTIMUM:
        return frozenset(_about_loss(run, place, index))
    trial = None if root.edge is None else LocalTrial(run, root.edge)
    if trial is None or root.edge is None:
        return frozenset()
    makers = {Cause.SATURATED: _saturated, Cause.FLAT: _flat, Cause.UNDERFLOW: _underflow}
    made = makers.get(root.cause)
    return frozenset() if made is None else frozenset(made(trial, root.edge, at_root))


def _saturated(trial: LocalTrial, edge: Edge, index: Index) -> Iterator[Claim]:
    array = trial.inputs[edge.slot]
    assert array is not None
    others = [np.where(np.isfinite(array), generic_numbers(array.shape, series), array) for series in (1, 2)]
    mark = np.zeros(array.shape, bool)
    mark[index] = True
    reach = reached(edge.application, trial.inputs, {edge.slot: mark})
    results = [trial.outputs(_with(trial.inputs, edge.slot, item.astype(array.dtype))) for item in (array, *others)]
    if all(_equal(results[0], item, reach) for item in results[1:]):
        beside = reached(edge.application, trial.inputs, {edge.slot: ~mark})
        is_alone = not any((first & second).any() for first, second in zip(reach, beside, strict=True))
        yield Claim.ONLY_INPUT if is_alone else Claim.ONLY_FINITE_INPUT
        return
    finite = np.isfinite(array)
    sizes = [
        trial.gradient(_with(trial.inputs, edge.slot, np.where(finite, np.ldexp(array, -power), array)))
        for power in _HALVINGS
    ]
    found = [abs(element(item, index)) for item in sizes if item is not None]
    if len(found) == len(sizes) and min(found) >= found[0] and found[-1] > found[0]:
        yield Claim.NEARER_TO_ZERO


def _flat(trial: LocalTrial, edge: Edge, index: Index) -> Iterator[Claim]:
    array = trial.inputs[edge.slot]
    assert array is not None
    if array.dtype.kind != "f" or array.ndim != len(index):
        return
    everywhere = [np.ones(item.shape, bool) for item in edge.application.outputs]
    step = max(1.0, abs(float(array[index]))) * float(np.sqrt(np.finfo(array.dtype).eps))
    before = trial.outputs(trial.inputs)
    for sign in (1, -1):
        moved = array.copy()
        moved[index] += sign * step
        if not _equal(before, trial.outputs(_with(trial.inputs, edge.slot, moved)), everywhere):
            return
    yield Claim.FLAT_HERE


def _underflow(trial: LocalTrial, _: Edge, index: Index) -> Iterator[Claim]:
    gradient = trial.in_dtype(np.float64)
    if gradient is not None and gradient.ndim == len(index) and element(gradient, index) != 0:
        yield Claim.WIDER_DTYPE


def _about_loss(run: Evaluation, place: Edge | Expression, index: Index) -> Iterator[Claim]:
    """Yields whether the loss changes alike on both sides of an element, or not at all."""
    nudged = NudgedLoss(run.lowered)
    value = nudged.value(place)
    if value is None or value.size > _HEAVIEST or value.ndim != len(index):
        return
    here = nudged.unmoved(place, value)
    step = 1e-3 * max(1.0, abs(float(value[index])))
    far = [nudged.loss(place, _moved(value, index, way)) for way in (step, -step, 0.7, -0.4)]
    if all(loss == here for loss in far):
        yield Claim.INDEPENDENT
        return
    near = [nudged.loss(place, _moved(value, index, way / 8)) for way in (step, -step)]
    wide, narrow = abs(far[0] - far[1]), 8 * abs(near[0] - near[1])
    rounding = ROUNDING * float(np.finfo(value.dtype).eps) * abs(here) + 1e-3 * sum(abs(loss - here) for loss in near)
    # The difference quotient of a slope stays as the step shrinks, and that of no slope shrinks with it.
    if np.isfinite([here, *far, *near]).all() and narrow <= max(wide / 4, 8 * rounding):
        yield Claim.SLOPE_ZERO


def _moved(value: Array, index: Index, way: float) -> Array:
    moved = value.copy()
    moved[index] += way
    return moved


def _with(inputs: Sequence[Array | None], slot: int, array: Array) -> list[Array | None]:
    return [array if at == slot else item for at, item in enumerate(inputs)]


def _equal(first: Sequence[Array], second: Sequence[Array], where: Sequence[Array]) -> bool:
    return all(
        np.array_equal(a[mask], b[mask], equal_nan=True) for a, b, mask in zip(first, second, where, strict=True)
    )
