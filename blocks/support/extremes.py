"""The greater and the smaller of two elements, with the sign that a zero has in TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np


def first_of_equals(ufunc: np.ufunc, x: Any, y: Any) -> Any:
    """Returns `np.maximum` or `np.minimum` of two operands; of equal ones, such as 0 and -0, the first.

    NumPy's registers give the second of equal numbers, and its loop for float16 the first.
    """
    return ufunc(x, y) if x.dtype == np.float16 else ufunc(y, x)
