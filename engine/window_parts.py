"""What is done with the parts of windows: a part is what stands at one place of all windows.

Loops of ours do it for all parts at once, where an array is a stand-in and the work is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.tensor_spec import Array


def first_greatest(parts: Sequence[Array]) -> Array:
    """For each window the number of the part with its maximum, the first of equal ones.

    NaN is not above a number, unless it comes first.
    """
    if not isinstance(parts[0], np.ndarray):
        return _recorded(first_greatest, parts[0], parts)
    best, found = parts[0], np.zeros(parts[0].shape, np.int32)
    for number, part in enumerate(parts[1:], start=1):
        is_better = best < part
        best, found = np.where(is_better, part, best), np.where(is_better, np.int32(number), found)
    return found


def put(x: Array, numbers: Array, parts: Sequence[Array]) -> None:
    """Writes each element of x into the part with its number, and zero into the others."""
    if not isinstance(x, np.ndarray):
        _recorded(put, x, x, numbers, parts)
        return
    for number, part in enumerate(parts):
        part[...] = np.where(numbers == number, x, x.dtype.type(0))


def _recorded(function: Any, stand_in: Any, *arguments: Any) -> Any:
    """As NumPy's own functions ask what is no array of NumPy's."""
    return stand_in.__array_function__(function, (type(stand_in),), arguments, {})
