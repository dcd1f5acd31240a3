"""Operators that draw numbers: they are drawn once, by a seed, when the model comes in."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.inputs import SEED
from gradwire.interop.models.tensors import Tensor, refuse_large
from gradwire.interop.opset.operators import operator

# The reader makes Inputs of what these give, and says so.
DRAWING = frozenset(("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"))
_SINGLE = np.dtype(np.float32)


def _normal(shape: tuple[int, ...] | list[int], dtype: np.dtype[Any], mean: float, scale: float) -> Array:
    refuse_large("RandomNormal", shape, np.dtype(float))
    return np.random.Generator(np.random.Philox(SEED)).normal(mean, scale, shape).astype(dtype)


def _uniform(shape: tuple[int, ...] | list[int], dtype: np.dtype[Any], low: float, high: float) -> Array:
    refuse_large("RandomUniform", shape, np.dtype(float))
    return np.random.Generator(np.random.Philox(SEED)).uniform(low, high, shape).astype(dtype)


@operator("RandomNormal")
def _random_normal(
    *, shape: list[int], dtype: np.dtype[Any] = _SINGLE, mean: float = 0.0, scale: float = 1.0, seed: float = 0.0
) -> Array:
    return _normal(shape, dtype, mean, scale)


@operator("RandomNormalLike")
def _random_normal_like(
    x: Tensor, *, dtype: np.dtype[Any] | None = None, mean: float = 0.0, scale: float = 1.0, seed: float = 0.0
) -> Array:
    return _normal(x.shape, dtype or np.dtype(x.dtype), mean, scale)


@operator("RandomUniform")
def _random_uniform(
    *, shape: list[int], dtype: np.dtype[Any] = _SINGLE, low: float = 0.0, high: float = 1.0, seed: float = 0.0
) -> Array:
    return _uniform(shape, dtype, low, high)


@operator("RandomUniformLike")
def _random_uniform_like(
    x: Tensor, *, dtype: np.dtype[Any] | None = None, low: float = 0.0, high: float = 1.0, seed: float = 0.0
) -> Array:
    return _uniform(x.shape, dtype or np.dtype(x.dtype), low, high)
