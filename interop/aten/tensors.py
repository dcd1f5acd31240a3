"""Tensors as PyTorch combines them: expressions, and arrays that stay arrays; dtypes by its rules."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library

Tensor = Expression | Array
DEFAULT = np.dtype("float32")


def made(block: str, *inputs: Any, **parameters: Any) -> Any:  # Any: one tensor, or a tuple of them
    """Returns what a block makes of tensors; of arrays alone it computes at once."""
    return library[block](*inputs, **parameters)


def is_tensor(value: object) -> TypeGuard[Tensor]:
    """Returns whether a value is a tensor and no number."""
    return isinstance(value, Expression | np.ndarray)


def kind(x: Tensor) -> str:
    """Returns `f` for floating point, `i` and `u` for integers, `b` for truths."""
    return np.dtype(x.dtype).kind


def cast(x: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """Returns the tensor in a dtype, itself if it has that."""
    if x.dtype == dtype:
        return x
    found: Tensor = made("Cast", x, dtype=np.dtype(dtype).name)
    return found


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


def broadcast(x: Tensor, shape: tuple[int, ...] | list[int]) -> Tensor:
    """Returns the tensor in a shape."""
    if tuple(x.shape) == tuple(shape):
        return x
    found: Tensor = made("BroadcastTo", x, shape=list(shape))
    return found


def axis_of(dim: int, x: Tensor) -> int:
    """Returns a place among the axes, counted from 0."""
    return dim % max(1, x.ndim)


def _common(a: Tensor, b: Tensor) -> np.dtype[Any]:
    categories = ["biuf".index(kind(item)) for item in (a, b)]
    first, second = (category - (category == 2) for category in categories)  # signed or not, an integer is one
    if first != second:
        return np.dtype((a if first > second else b).dtype)
    if bool(a.ndim) != bool(b.ndim):
        return np.dtype((a if a.ndim else b).dtype)
    return np.promote_types(a.dtype, b.dtype)
