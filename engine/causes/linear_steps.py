"""Linear steps of gradients: rerun on chosen arrays, a step reveals why a result is zero.

Source: a linear function that is not zero gives zero at generic numbers almost never; Schwartz, Fast Probabilistic
Algorithms for Verification of Polynomial Identities (1980). Cost: each question reruns the step once or twice, `terms`
once for each gradient that arrives.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Container, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike

from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.blocktypes.expression import Application, Expression, read_only

Outputs = tuple[Array, ...]
# Maps each slot at which gradients arrive to a mask of the elements to look at.
Marks = Mapping[int, Array]
# Operators that are linear in one of their operands, element by element, whatever the other one is.
_SCALING = ("multiply", "divide", "negative")
# Longest series that is cached, and length of the parts of longer ones.
_SMALL, _PART = 1024, 2**13


class LinearStep:
    """Application in a gradient, with its input arrays; `arriving` are the slots of gradients.

    The other slots hold factors, masks and indices: derivatives of the block whose rule this is.
    """

    def __init__(self, application: Application, arrays: Sequence[Array | None], arriving: Sequence[int]) -> None:
        self.application, self._arrays, self._arriving = application, list(arrays), list(arriving)

    @property
    def only_scales(self) -> bool:
        """True if the step only multiplies each element of one gradient by a factor, as most steps do."""
        return len(self._arriving) == 1 and self.application.type in map(Expression.operators.__getitem__, _SCALING)

    def vanishing(self) -> Array:
        """Returns a mask of the zero factors of a step that only scales; it broadcasts against the result."""
        factors = self._factors()
        if not factors:
            return np.asarray(False)
        is_divisor = self.application.type is Expression.operators["divide"]
        return np.asarray(np.isinf(factors[0]) if is_divisor else factors[0] == 0)

    def outcome(self) -> Outputs:
        """Returns the outputs for the unchanged arrays."""
        return run_application(self.application, self._arrays)

    def feeds(self, marks: Marks) -> Outputs:
        """Returns masks of the results that depend on the marked elements, even through a factor of zero."""
        replaced = [None if slot in self._arriving else self._without_zeros(slot) for slot in range(len(self._arrays))]
        found = self._rerun(replaced, self._weights(marks))
        if not self._factors() or self.application.type.sums_products:
            return tuple(item != 0 for item in found)
        # `_without_zeros` also replaces a zero that a selection offers beside a gradient; the base run shows its share.
        base = self._rerun(replaced, self._weights({}))
        return tuple(item != none for item, none in zip(found, base, strict=True))

    def passes(self, marks: Marks) -> Outputs:
        """Returns masks of the results that are nonzero for almost all gradients at the marked elements."""
        return tuple(item != 0 for item in self._rerun([_wide(item) for item in self._arrays], self._weights(marks)))

    def terms(self) -> Outputs:
        """Returns for each result the sum of its terms' absolute values."""
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
        """Returns whether any factor has an element that is zero, or a divisor that is infinite."""
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
        if np.isinf(array).any():
            return np.where(_ends(array), array.dtype.type(1), array)
        zeros = array == 0
        return array + zeros if zeros.any() else array

    def _weights(self, marks: Marks) -> dict[int, Array]:
        weights = {}
        for slot in self._arriving:
            mark = marks.get(slot, np.False_)
            array = _wide(self._arrays[slot])
            assert array is not None
            weights[slot] = generic_numbers(array.shape, slot, array.dtype) * mark
        return weights

    def _rerun(self, arrays: Sequence[Array | None], replaced: Mapping[int, Array]) -> Outputs:
        return run_application(self.application, [replaced.get(slot, item) for slot, item in enumerate(arrays)])


def adds_gradients(application: Application, gradients: Container[Expression | None]) -> bool:
    """Returns whether a step adds or subtracts two gradients."""
    operators = Expression.operators
    is_sum = application.type in (operators["add"], operators["subtract"])
    return is_sum and all(item in gradients for item in application.inputs)


def run_application(application: Application, arrays: Sequence[Array | None]) -> Outputs:
    """Returns the outputs of an application for other inputs; NaN if it cannot process them."""
    try:
        with np.errstate(all="ignore"):
            outcome = application.type.function(*arrays, **application.parameters)
    # The block never receives such arrays in a run, so any code, above all of plug-ins, may fail on them.
    except Exception:
        outcome = tuple(np.full(output.shape, np.nan, output.dtype) for output in application.outputs)
    return tuple(np.asarray(item) for item in (outcome if isinstance(outcome, tuple) else (outcome,)))


def generic_numbers(shape: Shape, series: int = 0, dtype: DTypeLike = np.float64) -> Array:
    """Returns reproducible numbers from 1 to 2 without simple relations between them: sums of them do not cancel.

    Source: a counter-based generator (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011) with constants
    and mixing of xxHash (Collet, 2012). Cost: O(elements).
    """
    size = math.prod(shape)
    if size <= _SMALL:
        return _small_series(size, series).astype(dtype, copy=False).reshape(shape)
    numbers: Array = np.empty(size, dtype)
    # Parts fit into the cache of a processor, whatever the size.
    for start in range(0, size, _PART):
        numbers[start : start + _PART] = _series(start, min(start + _PART, size), series)
    return read_only(numbers.reshape(shape))


def _series(start: int, end: int, series: int) -> Array:
    # An integer hash (multiply and xor-shift) spreads every bit over all others; unsigned integers wrap around.
    mixed = np.arange(start + 1, end + 1, dtype=np.uint32)
    mixed *= np.uint32(0x9E3779B1)
    mixed ^= np.uint32(series * 0x27D4EB2F % 2**32)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0x85EBCA77)
    mixed ^= mixed >> np.uint32(13)
    numbers: Array = mixed / 2.0**32
    numbers += 1
    return numbers


@functools.lru_cache
def _small_series(size: int, series: int) -> Array:
    return read_only(_series(0, size, series))


def _ends(array: Array) -> Array:
    """Returns a mask of the elements that are zero or infinite: the factor, or its reciprocal, vanishes there."""
    ends: Array = (array == 0) | np.isinf(array)
    return ends


def _wide(array: Array | None) -> Array | None:
    """Returns the array with enough precision for generic numbers; float16 has only a thousand values from 1 to 2."""
    return array.astype(np.float32) if array is not None and array.dtype == np.float16 else array


def _absolute(array: Array) -> Array:
    return np.abs(array) if array.dtype.kind == "f" else array
