"""Tensors as PyTorch combines them: numbers beside them, and dtypes by its rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.interop.models.tensors import Tensor, cast, is_tensor, kind

DEFAULT = np.dtype("float32")


def number(value: Any, like: Tensor) -> Tensor:
    """Returns a number as a tensor beside another: of its dtype, but a float beside integers is float32."""
    if is_tensor(value):
        return value
    needs_float = isinstance(value, float) and kind(like) != "f"
    return np.asarray(value, DEFAULT if needs_float else like.dtype)


def together(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Returns two operands in one dtype: within a category a tensor without axes does not decide, and floats win."""
    if not is_tensor(a):
        a = number(a, b)
    if not is_tensor(b):
        b = number(b, a)
    dtype = _common(a, b)
    return cast(a, dtype), cast(b, dtype)


def _common(a: Tensor, b: Tensor) -> np.dtype[Any]:
    categories = ["biuf".index(kind(item)) for item in (a, b)]
    first, second = (category - (category == 2) for category in categories)  # signed or not, an integer is one
    if first != second:
        return np.dtype((a if first > second else b).dtype)
    if bool(a.ndim) != bool(b.ndim):
        return np.dtype((a if a.ndim else b).dtype)
    return np.promote_types(a.dtype, b.dtype)
