"""Blocks for sparse estimates: the soft threshold of the lasso, and squared distances between points."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.api import (
    Abs,
    Array,
    ExpandDims,
    MatMul,
    ParameterError,
    ReduceSum,
    ShapeError,
    Spelling,
    Target,
    TensorSpec,
    Where,
    block,
)

# The version of gradwire.api that this package was made for.
GRADWIRE_API = 1
# A target of the export: all lines for NumPy, with the names of CuPy, which computes on graphics cards.
CUPY = Target(
    key="cupy",
    title="CuPy",
    based_on="numpy",
    modules={"np": "cp", "scipy": "cupyx.scipy"},
    imports={"cp": "import cupy as cp"},
    packages=("cupyx.scipy",),
    array="cp.asarray({})",
    as_array="cp.asnumpy({})",
)


def _shrunk(x: TensorSpec, *, threshold: float) -> TensorSpec:
    if threshold < 0:
        raise ParameterError(f"threshold must be at least 0, not {threshold:g}")
    return x


@block(
    "Shrinkage",
    infer=_shrunk,
    formula=r"y = \mathrm{sign}(x) \max(|x| - \lambda, 0)",
    gradient_formula=r"\bar x = [|x| > \lambda]\,\bar y",
    source="Donoho, De-noising by soft-thresholding, 1995",
    spelling=Spelling(
        "np.sign({x}) * np.maximum(np.abs({x}) - {threshold}, 0)",
        "tf.sign({x}) * tf.maximum(tf.abs({x}) - {threshold}, 0)",
        "torch.nn.functional.softshrink({x}, {threshold})",
        "jnp.sign({x}) * jnp.maximum(jnp.abs({x}) - {threshold}, 0)",
    ),
)
def SoftThreshold(x: Array, *, threshold: float = 1.0) -> Array:
    """Each element moved towards zero by the threshold, and zero if it does not reach that far.

    The gradient is 0 up to the threshold, that distance included, and passes unchanged beyond.
    """
    return np.sign(x) * np.maximum(np.abs(x) - x.dtype.type(threshold), x.dtype.type(0))


@SoftThreshold.gradient
def soft_threshold_gradient(g: Any, x: Any, y: Any, *, threshold: float) -> Any:
    return Where(Abs(x) > threshold, g, g * 0)


def _all_pairs(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ShapeError(
            f"a {list(a.shape)} and b {list(b.shape)} must be lists of points with equally many coordinates"
        )
    return TensorSpec((a.shape[0], b.shape[0]), a.dtype)


@block(
    "Shrinkage",
    infer=_all_pairs,
    sums_products=True,
    formula=r"y_{i j} = \textstyle\sum_k (a_{i k} - b_{j k})^2",
    gradient_formula=r"\bar a_i = 2 \textstyle\sum_j \bar y_{i j} (a_i - b_j),"
    r"\quad \bar b_j = 2 \textstyle\sum_i \bar y_{i j} (b_j - a_i)",
    spelling=Spelling("np.sum(np.square({a}[:, None] - {b}[None]), axis=-1)"),
)
def PairwiseSquaredDistance(a: Array, b: Array) -> Array:
    """The squared distance from every point of one list to every point of the other; a point is a row."""
    difference = a[:, None] - b[None]
    return np.sum(difference * difference, axis=-1, dtype=a.dtype)


@PairwiseSquaredDistance.gradient
def pairwise_squared_distance_gradient(g: Any, a: Any, b: Any, y: Any) -> Any:
    of_a = ExpandDims(ReduceSum(g, axis=1), axis=1) * a - MatMul(g, b)
    of_b = ExpandDims(ReduceSum(g, axis=0), axis=1) * b - MatMul(g, a, transpose_a=True)
    return of_a * 2, of_b * 2
