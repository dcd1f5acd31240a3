"""Difference quotients of the loss at one element, the choice of their step, and what shows a kink or a jump."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss, Place

EPS = float(np.finfo(np.float64).eps)
STEP = float(np.cbrt(EPS))
RTOL = 1e-5
# The difference of two losses of size L has a rounding error of about eps * L, divided by the step.
ATOL = 1e-8
# Near a pole, as of a logarithm, the first step is too long: it shrinks eightfold as often as this.
SHORTER_STEPS = 8
# An element of an array, by its number in the flat array, or two that move together.
Element = int | tuple[int, int]


def nudged(value: Array, element: Element, offset: float) -> Array:
    """Returns a copy of the array with one element, or two of them, moved by `offset`."""
    moved = value.copy()
    with np.errstate(all="ignore"):
        for index in element if isinstance(element, tuple) else (element,):
            moved.flat[index] += offset
    return moved


def mirrored(value: Array, index: int) -> tuple[int, int] | None:
    """Returns an element and its mirror image beyond the diagonal; None for one of a matrix that is not symmetric.

    Shapes: `value` [..., n, n].
    """
    if value.ndim < 2 or value.shape[-1] != value.shape[-2]:
        return None
    *batch, row, column = (int(item) for item in np.unravel_index(index, value.shape))
    matrix = value[tuple(batch)]
    if row == column or not np.array_equal(matrix, matrix.T):
        return None
    return index, int(np.ravel_multi_index((*batch, column, row), value.shape))


@dataclass(frozen=True)
class Differences:
    """Central difference quotient of a function, with the gap between its left and right quotients.

    Source: central differences, exact up to the square of the step; Nocedal and Wright, Numerical Optimization (2006),
    section 8.1. Cost: two values of the function.
    """

    slope: float
    bend: float
    step: float

    @classmethod
    def around(cls, function: Callable[[float], float], here: float, step: float) -> Differences:
        """Returns the quotients of a function of an offset; `here` is its value at 0."""
        above, below = function(step), function(-step)
        return cls((above - below) / (2 * step), abs(above - 2 * here + below) / step, step)


@dataclass(frozen=True)
class Quotients:
    """Quotients of two steps, one an eighth of the other, and the rounding error to be expected of them."""

    wide: Differences
    narrow: Differences
    noise: float

    def confirm(self, gradient: float) -> bool:
        """Returns whether the loss is smooth here, and one of the quotients equals the gradient."""
        return self.is_smooth(gradient) and self.gap(gradient) <= RTOL * abs(gradient) + self.noise

    def is_smooth(self, gradient: float) -> bool:
        """Returns whether the loss is smooth here, as `is_smooth` judges it."""
        return is_smooth(self.wide, self.narrow, gradient, self.noise)

    def gap(self, gradient: float) -> float:
        """Returns the distance of the gradient from the nearer quotient."""
        return min(abs(found.slope - gradient) for found in (self.wide, self.narrow))

    @property
    def is_sure(self) -> bool:
        """True if rounding is small beside the quotients."""
        return self.noise <= 1e-3 * abs(self.narrow.slope)

    @property
    def agree(self) -> bool:
        """True if both quotients are the same but for rounding."""
        scale = max(abs(self.wide.slope), abs(self.narrow.slope))
        return abs(self.wide.slope - self.narrow.slope) <= RTOL * scale + self.noise


def quotients(function: Callable[[float], float], here: float, step: float, gradient: float) -> Quotients:
    """Returns the quotients of the first steps that confirm a gradient, or else agree with each other.

    `function` is one of an offset, and `here` its value at 0. Where no steps agree, those of the first step are
    returned: there is a kink or a jump. Cost: four values of the function, two more for each shorter step.
    """
    tried = _shorter_and_shorter(function, here, step)
    first = next(tried)
    if first.confirm(gradient) or (first.agree and first.is_smooth(gradient)):
        return first
    return next((item for item in tried if item.is_sure and item.agree and item.is_smooth(gradient)), first)


def _shorter_and_shorter(function: Callable[[float], float], here: float, step: float) -> Iterator[Quotients]:
    wide = Differences.around(function, here, step)
    for _ in range(1 + SHORTER_STEPS):
        narrow = Differences.around(function, here, wide.step / 8)
        yield Quotients(wide, narrow, max(ATOL, 8 * EPS / narrow.step) * max(1.0, abs(here)))
        wide = narrow


def is_smooth(wide: Differences, narrow: Differences, gradient: float, noise: float) -> bool:
    """Returns whether the function is smooth here: as the step shrinks, the quotients settle and the bend vanishes.

    At a kink the bend stays, at a jump the quotient grows; rounding below `noise` counts as neither.
    """
    if not all(map(math.isfinite, (wide.slope, wide.bend, narrow.slope, narrow.bend))):
        return False
    scale = max(abs(gradient), abs(wide.slope), abs(narrow.slope))
    has_kink = narrow.bend > wide.bend / 3 and narrow.bend > max(noise, 1e-3 * scale)
    has_jump = abs(narrow.slope - wide.slope) > max(noise, 1e-2 * scale)
    return not (has_kink or has_jump)


def jumps(wide: Differences, narrow: Differences, noise: float) -> bool:
    """Returns whether the function jumps here: an eighth of the step makes its quotients eight times as large."""
    pairs = (abs(wide.slope), abs(narrow.slope)), (wide.bend, narrow.bend)
    return any(after > max(4 * before, noise) for before, after in pairs)


def meets_kink(nudge: NudgedLoss, place: Place, value: Array, element: Element, step: float) -> bool:
    """Returns whether a kink, a jump or a tie lies between an element of a place and the loss.

    Each value is judged as `is_smooth` judges the loss.
    """
    offsets = (0.0, step, -step, step / 8, -step / 8)
    for found in nudge.later_values(place, [nudged(value, element, offset) for offset in offsets]):
        arrays = [item for item in found if item is not None and item.dtype.kind == "f"]
        if len(arrays) == len(offsets) and _has_kink(arrays, step):
            return True
    return False


def _has_kink(values: Sequence[Array], step: float) -> bool:
    here, above, below, near_above, near_below = values
    with np.errstate(all="ignore"):
        wide, narrow = (
            np.abs(a - 2 * here + b) / h for a, b, h in ((above, below, step), (near_above, near_below, step / 8))
        )
        scale = np.maximum(ATOL * np.maximum(1, np.abs(here)), 1e-3 * np.abs(above - below) / (2 * step))
        return bool(np.any((narrow > wide / 3) & (narrow > scale)))
