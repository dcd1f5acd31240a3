"""One step of a gradient is linear in what arrives: rerun on chosen arrays, it tells why a result is zero."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.expression import Application, Expression, read_only
from engine.tensor_spec import Array, Shape

Outputs = tuple[Array, ...]
# For each slot at which gradients arrive, which of their elements to look at.
Marks = Mapping[int, Array]
# The operators that are linear in one of their operands, element by element, whatever the other one is.
_SCALING = ("multiply", "divide", "negative")
# Series up to this length are kept.
_SMALL = 1024


class LinearStep:
    """An application in a gradient, with the arrays at its inputs; `arriving` are the slots of gradients.

    What stands at the other slots are factors, masks and places: derivatives of the block whose rule it is.
    """

    def __init__(self, application: Application, arrays: Sequence[Array | None], arriving: Sequence[int]) -> None:
        self._application, self._arrays, self._arriving = application, list(arrays), list(arriving)

    @property
    def only_scales(self) -> bool:
        """Whether every element of one gradient goes on by itself, times a factor, as in most steps."""
        return len(self._arriving) == 1 and self._application.type in map(Expression.operators.get, _SCALING)

    def vanishing(self) -> Array:
        """Where the factor of a step that only scales is zero; it broadcasts against the result."""
        factors = self._factors()
        if not factors:
            return np.asarray(False)
        is_divisor = self._application.type is Expression.operators["divide"]
        return np.asarray(np.isinf(factors[0]) if is_divisor else factors[0] == 0)

    def outcome(self) -> Outputs:
        """What the step gives for the arrays as they are."""
        return run_application(self._application, self._arrays)

    def feeds(self, marks: Marks) -> Outputs:
        """Which results the marked elements have a way to, also past a factor that is zero."""
        replaced = [self._without_zeros(slot) for slot in range(len(self._arrays))]
        found = self._rerun(replaced, self._weights(marks))
        if not self._factors() or self._application.type.adds_products:
            return tuple(item != 0 for item in found)
        # A choice between a gradient and a zero has lost that zero: what stands there without any gradient.
        base = self._rerun(replaced, self._weights({}))
        return tuple(item != none for item, none in zip(found, base, strict=True))

    def passes(self, marks: Marks) -> Outputs:
        """Which results would be other than zero for almost all gradients at the marked elements."""
        return tuple(item != 0 for item in self._rerun([_wide(item) for item in self._arrays], self._weights(marks)))

    def terms(self) -> Outputs:
        """The sums of the absolute values of all that each result adds up."""
        factors = [None if item is None else _absolute(item) for item in self._arrays]
        parts = []
        for slot in self._arriving:
            array = factors[slot]
            assert array is not None
            zeros = {other: np.zeros_like(self._arrays[other]) for other in self._arriving}
            parts.append(self._rerun(factors, zeros | {slot: array}))
        with np.errstate(over="ignore"):
            return tuple(np.sum([np.abs(item) for item in items], axis=0) for items in zip(*parts, strict=True))

    def has_zero_factor(self) -> bool:
        """Whether any factor has an element that is zero, or a divisor that is infinite."""
        return any(bool(_ends(array).any()) for array in self._factors())

    def _factors(self) -> list[Array]:
        return [
            array
            for slot, array in enumerate(self._arrays)
            if array is not None and array.dtype.kind == "f" and slot not in self._arriving
        ]

    def _without_zeros(self, slot: int) -> Array | None:
        array = _wide(self._arrays[slot])
        if array is None or array.dtype.kind != "f":
            return array
        ends = _ends(array)
        return np.where(ends, array.dtype.type(1), array) if ends.any() else array

    def _weights(self, marks: Marks) -> dict[int, Array]:
        weights = {}
        for slot in self._arriving:
            mark = marks.get(slot, False)
            array = _wide(self._arrays[slot])
            assert array is not None
            weights[slot] = np.where(mark, generic_numbers(array.shape, slot).astype(array.dtype), array.dtype.type(0))
        return weights

    def _rerun(self, arrays: Sequence[Array | None], replaced: Mapping[int, Array]) -> Outputs:
        return run_application(self._application, [replaced.get(slot, item) for slot, item in enumerate(arrays)])


def run_application(application: Application, arrays: Sequence[Array | None]) -> Outputs:
    """The outputs of an application for other arrays than its own; NaN where it cannot work with them."""
    try:
        with np.errstate(all="ignore"):
            outcome = application.type.function(*arrays, **application.parameters)
    except Exception:  # these arrays are none that the block ever gets: not all code expects them, least of plug-ins
        outcome = tuple(np.full(output.shape, np.nan, output.dtype) for output in application.outputs)
    return tuple(np.asarray(item) for item in (outcome if isinstance(outcome, tuple) else (outcome,)))


def generic_numbers(shape: Shape, series: int = 0) -> Array:
    """Numbers from 1 to 2 without a simple relation between them, always the same: sums of them do not cancel."""
    size = math.prod(shape)
    numbers: Array = _small_series(size, series) if size <= _SMALL else _series(size, series)
    return numbers.reshape(shape)


def _series(size: int, series: int) -> Array:
    # Multiplications and shifts that spread every bit over all others; unsigned integers wrap around.
    mixed = np.arange(1, size + 1, dtype=np.uint32) * np.uint32(0x9E3779B1)
    mixed ^= np.uint32(series * 0x27D4EB2F % 2**32)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0x85EBCA77)
    mixed ^= mixed >> np.uint32(13)
    numbers: Array = 1 + mixed / 2.0**32
    return read_only(numbers)


_small_series = functools.lru_cache(_series)


def _ends(array: Array) -> Array:
    """Where a factor, or one over it, is zero."""
    ends: Array = (array == 0) | np.isinf(array)
    return ends


def _wide(array: Array | None) -> Array | None:
    """The array with enough digits that generic numbers differ; float16 knows but a thousand between 1 and 2."""
    return array.astype(np.float32) if array is not None and array.dtype == np.float16 else array


def _absolute(array: Array) -> Array:
    return np.abs(array) if array.dtype.kind == "f" else array
