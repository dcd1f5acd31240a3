"""Tensors of models: expressions, and arrays that stay arrays."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library

Tensor = Expression | Array


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


def broadcast(x: Tensor, shape: tuple[int, ...] | list[int]) -> Tensor:
    """Returns the tensor in a shape."""
    if tuple(x.shape) == tuple(shape):
        return x
    found: Tensor = made("BroadcastTo", x, shape=list(shape))
    return found


def axis_of(dim: int, x: Tensor) -> int:
    """Returns a place among the axes, counted from 0."""
    return dim % max(1, x.ndim)
