"""Tensors of models: expressions, and arrays that stay arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from gradwire.engine.base.limits import size_text
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.models.limits import MOST_OF_TENSOR
from gradwire.interop.models.refusals import ModelRefusal

Tensor = Expression | Array


def made(block: str, *inputs: Any, **parameters: Any) -> Any:  # Any: one tensor, or a tuple of them
    """Returns what a block makes of tensors; of arrays alone it computes at once.

    Raises: ModelRefusal for arrays that would be too large, before they are made.
    """
    block_type = library[block]
    if block_type.infer is not None and inputs and all(isinstance(item, np.ndarray | None) for item in inputs):
        specs = [None if item is None else spec_of(item) for item in inputs]
        for spec in block_type.infer_outputs(specs, block_type.normalize(parameters)):
            refuse_large(block, spec.shape, spec.dtype)
    found = block_type(*inputs, **parameters)
    return tuple(map(_kept, found)) if isinstance(found, tuple) else _kept(found)


def _kept(found: Any) -> Any:
    """Returns a result; NumPy makes a scalar of an array without axes, and numbers have other rules for dtypes."""
    return np.asarray(found) if isinstance(found, np.generic) else found


def refuse_large(what: str, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    """Refuses a tensor that would be too large, before it is made."""
    # An empty tensor is made of steps that are not.
    size = math.prod(max(1, length) for length in shape) * dtype.itemsize
    if size > MOST_OF_TENSOR:
        raise ModelRefusal(f"{what} wants {size:,} bytes, and {size_text(MOST_OF_TENSOR)} are the limit.")


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
