"""How large a gradient is as a whole, whatever the size of its elements."""

from __future__ import annotations

import numpy as np

from engine.tensor_spec import Array


def norm_of(array: Array) -> float:
    """The Euclidean norm in float64: NaN where an element is NaN, and neither overflow nor underflow on the way."""
    if array.size == 0:
        return 0.0
    sizes = np.abs(array.astype(np.float64))
    top = float(sizes.max())
    if top == 0 or not np.isfinite(top):
        return top
    return top * float(np.sqrt(np.square(sizes / top).sum()))
