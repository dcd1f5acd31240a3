"""Operations on all windows at once: a part has the elements at one position of all windows.

When tracing records them, native loops replace them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from gradwire.engine.base.tensor_spec import Array

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _recordable(function: _Function) -> _Function:
    """Makes a function of parts overridable by tracers, as NumPy's own functions are (`__array_function__`)."""

    @functools.wraps(function)
    def asking(parts: Sequence[Any], *others: Any) -> Any:
        if isinstance(parts[0], np.ndarray):
            return function(parts, *others)
        return parts[0].__array_function__(asking, (type(parts[0]),), (parts, *others), {})

    # mypy does not see that the signature is the same.
    return asking  # type: ignore[return-value]


@_recordable
def first_greatest(parts: Sequence[Array]) -> Array:
    """Returns the index of each window's maximal part, the first of equal ones.

    NaN is not above a number, unless it comes first.
    """
    best, found = parts[0], np.zeros(parts[0].shape, np.int32)
    for number, part in enumerate(parts[1:], start=1):
        is_better = best < part
        best, found = np.where(is_better, part, best), np.where(is_better, np.int32(number), found)
    return found


@_recordable
def put_into(parts: Sequence[Array], x: Array, numbers: Array) -> None:
    """Writes each element of x into the part with its number, and zero into the others."""
    for number, part in enumerate(parts):
        part[...] = np.where(numbers == number, x, x.dtype.type(0))
