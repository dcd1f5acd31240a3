"""Operations on all windows at once: a part has the elements at one position of all windows.

When tracing records them, native loops replace them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.recordable import recordable


@recordable
def first_greatest(parts: Sequence[Array]) -> Array:
    """Returns the index of each window's maximal part, the first of equal ones.

    NaN is not above a number, unless it comes first.
    """
    best, found = parts[0], np.zeros(parts[0].shape, np.int32)
    for number, part in enumerate(parts[1:], start=1):
        is_better = best < part
        best, found = np.where(is_better, part, best), np.where(is_better, np.int32(number), found)
    return found


@recordable
def put_into(parts: Sequence[Array], x: Array, numbers: Array) -> None:
    """Writes each element of x into the part with its number, and zero into the others."""
    for number, part in enumerate(parts):
        part[...] = np.where(numbers == number, x, x.dtype.type(0))
