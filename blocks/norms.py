"""Lengths of vectors and matrices, clipping by them, the standard deviation, and the cross product."""

from __future__ import annotations

import functools
import math
import operator
from typing import Annotated, Any

import numpy as np

from gradwire.blocks.comparison import Greater, GreaterEqual, LessEqual, Where
from gradwire.blocks.elementwise import Abs, MultiplyNoNan, Sign, Sqrt, Square
from gradwire.blocks.powers import Pow, Reciprocal
from gradwire.blocks.reduce import (
    ReduceSum,
    axes_of,
    keep_axes,
    reduced_shape,
    shared_among_equals,
)
from gradwire.blocks.selection import Maximum
from gradwire.blocks.shape import Transpose
from gradwire.blocks.spectral import largest_singular_value_gradient
from gradwire.engine.base.errors import MissingInputError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.parameters import Axes, Kind
from gradwire.engine.blocktypes.spelling import Spelling


def _order(value: object) -> str | float:
    number = math.nan
    if isinstance(value, str | int | float | np.integer | np.floating) and not isinstance(value, bool):
        if value in ("euclidean", "fro"):
            return str(value)
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = math.nan
    if not number > 0:
        raise ParameterError("must be euclidean, fro, inf or a number above 0")
    return "inf" if math.isinf(number) else number


# The kind's name is that of text, since text is how it is typed.
Order = Annotated[str | float, Kind("text", _order)]


def _is_matrix(axis: Axes) -> bool:
    return isinstance(axis, tuple)


def _norm_spec(x: TensorSpec, *, ord: str | float, axis: Axes, keepdims: bool) -> TensorSpec:
    shape = reduced_shape(x.shape, axis, keepdims)
    if isinstance(axis, tuple) and len(axis) != 2:
        raise ParameterError("parameter axis must be one axis for vectors, two for matrices, or empty for everything")
    if _is_matrix(axis) and ord not in ("euclidean", "fro", "inf", 1, 2):
        raise ParameterError("parameter ord of a matrix norm must be euclidean, fro, 1, 2 or inf")
    if not _is_matrix(axis) and ord == "fro":
        raise ParameterError("parameter ord may be fro only with two axes, those of a matrix")
    return TensorSpec(shape, x.dtype)


def norm_steps(ord: str | float, axis: Axes) -> tuple[Axes, Axes]:
    """Returns the axes to add magnitudes over, and those to take the largest over; an empty tuple is no step."""
    if not isinstance(axis, tuple):
        return ((), axis) if ord == "inf" else (axis, ())
    return (axis[1], axis[0]) if ord == "inf" else (axis[0], axis[1])


def is_sum_of_squares(ord: str | float, axis: Axes) -> bool:
    """Returns whether the norm is the root of the sum of squares."""
    return ord in ("euclidean", "fro") or (ord == 2 and not isinstance(axis, tuple))


def largest_singular_value(x: Array, axis: tuple[int, ...]) -> Array:
    """Returns that of the matrices in two axes, which stay with size 1; NaN for one that is not finite."""
    matrices = np.moveaxis(x, axis, (-2, -1)).astype(np.promote_types(x.dtype, np.float32))
    is_finite = np.isfinite(matrices).all(axis=(-2, -1), keepdims=True)
    values = np.linalg.svd(np.where(is_finite, matrices, 0), compute_uv=False)
    largest = np.max(values, axis=-1, initial=-np.inf)[..., None, None]
    return np.moveaxis(np.where(is_finite, largest, np.nan), (-2, -1), axis).astype(x.dtype)


def _as_numpy(module: str, x: str, ord: str | float, axis: Axes, keepdims: bool) -> str:
    order = {"euclidean": "None", "fro": "'fro'", "inf": f"{module}.inf"}.get(str(ord), repr(ord))
    if axis is not None:
        return f"{module}.linalg.norm({x}, ord={order}, axis={axis}, keepdims={keepdims})"
    return "" if keepdims else f"{module}.linalg.norm({module}.ravel({x}), ord={order})"


def _in_numpy(x: Any, ord: Any, axis: Any, keepdims: Any) -> str:
    """np.linalg.norm({x}, ord={ord}, axis={axis}, keepdims={keepdims})"""
    return _as_numpy("np", x, ord, axis, keepdims)


def _in_jax(x: Any, ord: Any, axis: Any, keepdims: Any) -> str:
    """jnp.linalg.norm({x}, ord={ord}, axis={axis}, keepdims={keepdims})"""
    return _as_numpy("jnp", x, ord, axis, keepdims)


def _in_tensorflow(x: Any, ord: Any, axis: Any, keepdims: Any) -> str:
    """tf.norm({x}, ord={ord}, axis={axis}, keepdims={keepdims})"""
    order = "np.inf" if ord == "inf" else repr(ord)
    return f"tf.norm({x}, ord={order}, axis={axis}, keepdims={keepdims})"


def _in_torch(x: Any, ord: Any, axis: Any, keepdims: Any) -> str:
    """torch.linalg.vector_norm({x}, ord={ord}, dim={axis}, keepdim={keepdims})"""
    kind = "matrix_norm" if _is_matrix(axis) else "vector_norm"
    euclidean = "'fro'" if _is_matrix(axis) else "2"
    order = {"euclidean": euclidean, "fro": "'fro'", "inf": "math.inf"}.get(str(ord), repr(ord))
    return f"torch.linalg.{kind}({x}, ord={order}, dim={axis}, keepdim={keepdims})"


@block(
    "Reduce",
    infer=_norm_spec,
    formula=r"y = \big(\textstyle\sum |x_i|^p\big)^{1/p}",
    gradient_formula=r"\bar x_i = \mathrm{sign}(x_i)\,(|x_i| / y)^{p - 1}\,\bar y",
    source="tf.norm",
    spelling=Spelling(_in_numpy, _in_tensorflow, _in_torch, _in_jax)
    .noted("of zeros the gradient is 0, in Gradwire NaN unless the incoming gradient is 0", "torch")
    .noted("of zeros the gradient is NaN, in Gradwire 0 if the incoming gradient is 0", "jax"),
)
def Norm(x: Array, *, ord: Order = "euclidean", axis: Axes = None, keepdims: bool = False) -> Array:
    """The length of the vectors along `axis`, or of the matrices along two; without an axis, of all elements.

    A vector's `ord` is euclidean (or 2), inf for the largest magnitude, or the power p of the formula. A matrix's is
    euclidean (or fro) as if it were a vector, 1 for the largest sum of magnitudes of a column, inf for that of a row,
    2 for the largest singular value.

    At zero the gradient is NaN for a power above 1 (PyTorch gives 0), and 0 for 1 and inf. Equal largest magnitudes
    share the gradient. A matrix with NaN or infinity in it has no singular values: NaN.
    """
    if is_sum_of_squares(ord, axis):
        return np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims, dtype=x.dtype))
    if ord == 2:
        y = largest_singular_value(x, axes_of(axis, x.ndim))
    elif ord in ("inf", 1):
        added, compared = norm_steps(ord, axis)
        y = np.sum(np.abs(x), axis=added, keepdims=True, dtype=x.dtype)
        y = np.max(y, axis=compared, keepdims=True, initial=-np.inf)
    else:
        total = np.sum(np.abs(x) ** x.dtype.type(ord), axis=axis, keepdims=True, dtype=x.dtype)
        y = total ** x.dtype.type(1 / float(ord))
    return y.reshape(reduced_shape(x.shape, axis, keepdims))


@Norm.gradient
def norm_gradient(g: Any, x: Any, y: Any, *, ord: str | float, axis: Axes, keepdims: bool) -> Any:
    g, y = keep_axes(g, x, axis, keepdims), keep_axes(y, x, axis, keepdims)
    if is_sum_of_squares(ord, axis):
        return x * MultiplyNoNan(Reciprocal(y), g)
    if ord == 2:
        return _spectral_gradient(g, x, y, axes_of(axis, x.ndim))
    if ord in ("inf", 1):
        added, compared = norm_steps(ord, axis)
        sums = ReduceSum(Abs(x), axis=added, keepdims=True)
        shares = g if compared == () else shared_among_equals(g, sums, y, axis=compared, keepdims=True)
        return shares * Sign(x)
    power = float(ord)
    total = ReduceSum(Pow(Abs(x), power), axis=axis, keepdims=True)
    return g * Pow(total, 1 / power - 1) * (Pow(Abs(x), power - 1) * Sign(x))


def _spectral_gradient(g: Any, x: Any, y: Any, axes: tuple[int, ...]) -> Any:
    order = (*(axis for axis in range(x.ndim) if axis not in axes), *axes)
    g, matrices, y = (Transpose(item, perm=order) for item in (g, x, y))
    gradient = largest_singular_value_gradient(g, matrices, y)
    return Transpose(gradient, perm=tuple(order.index(axis) for axis in range(x.ndim)))


def _clipped(x: TensorSpec, *, clip_norm: float, axes: Axes) -> TensorSpec:
    axes_of(axes, x.ndim)
    return x


def _clipped_in_numpy(x: str, clip_norm: float, axes: Axes) -> str:
    """{x} * {clip_norm} / np.maximum(np.sqrt(np.sum(np.square({x}), axis={axes}, keepdims=True)), {clip_norm})"""
    limit = max(clip_norm, 0.0)
    return f"{x} * {limit} / np.maximum(np.sqrt(np.sum(np.square({x}), axis={axes}, keepdims=True)), {limit})"


@block(
    "Normalization",
    infer=_clipped,
    formula=r"y = x\,c / \max(\|x\|, c)",
    gradient_formula=r"\bar x = \|x\| < c \,?\, \bar y : \frac{c}{\|x\|} (\bar y - x\,(x \cdot \bar y) / \|x\|^2)",
    source="tf.clip_by_norm",
    spelling=Spelling(
        _clipped_in_numpy,
        "tf.clip_by_norm({x}, {clip_norm}, axes={axes})",
    ),
)
def ClipByNorm(x: Array, *, clip_norm: float, axes: Axes = None) -> Array:
    """The tensor, shortened to the Euclidean length `clip_norm` if it is longer; with `axes`, each vector along them.

    A zero vector passes its gradient unchanged. A vector of exactly that length receives the gradient of a longer one.
    A `clip_norm` below 0 counts as 0.
    """
    limit = x.dtype.type(max(clip_norm, 0))
    length = np.sqrt(np.sum(x * x, axis=axes, keepdims=True, dtype=x.dtype))
    return x * limit / np.maximum(length, limit)


@ClipByNorm.gradient
def clip_by_norm_gradient(g: Any, x: Any, y: Any, *, clip_norm: float, axes: Axes) -> Any:
    clip_norm = max(clip_norm, 0.0)
    squares = ReduceSum(Square(x), axis=axes, keepdims=True)
    # Two choices, as in TensorFlow: the root never sees the zero whose slope is infinite.
    is_long = Greater(squares, 0)
    root = Sqrt(Where(is_long, squares, 1))
    length = Where(is_long, root, squares)
    divisor = Maximum(length, clip_norm)
    of_divisor = ReduceSum(g * (-(x * clip_norm) / divisor / divisor), axis=axes, keepdims=True)
    of_length = Where(GreaterEqual(length, clip_norm), of_divisor, 0)
    return g / divisor * clip_norm + x * Where(is_long, of_length / root, 0)


def _clipped_together(*values: TensorSpec, clip_norm: float) -> tuple[TensorSpec, ...]:
    if not values:
        raise MissingInputError("ClipByGlobalNorm needs at least one tensor to clip")
    return (*values, TensorSpec((), values[0].dtype))


@block(
    "Normalization",
    infer=_clipped_together,
    outputs=("y*",),
    formula=r"n = \sqrt{\textstyle\sum_i \|v_i\|^2},\quad y_i = v_i\,c \min(1 / n, 1 / c)",
    gradient_formula=r"\bar v_i = c \min(1 / n, 1 / c)\,\bar y_i + \bar n\,v_i / n",
    source="tf.clip_by_global_norm",
    spelling=Spelling("", "(lambda clipped, norm: [*clipped, norm])(*tf.clip_by_global_norm([{values}], {clip_norm}))"),
)
def ClipByGlobalNorm(*values: Array, clip_norm: float) -> tuple[Array, ...]:
    """The tensors, all shortened by one factor if their common length is above `clip_norm`; last, that length.

    If the length is infinite or NaN, every element becomes NaN. Where all are zero the gradient is NaN.
    """
    dtype = values[0].dtype.type
    half = sum(np.sum(value * value, dtype=value.dtype) / dtype(2) for value in values)
    norm = np.sqrt(half * dtype(2))
    scale = dtype(clip_norm) * np.minimum(dtype(1) / norm, dtype(1) / dtype(clip_norm)) + (norm - norm)
    return (*(value * scale for value in values), norm)


@ClipByGlobalNorm.gradient
def clip_by_global_norm_gradient(g: Any, values: Any, y: Any, *, clip_norm: float) -> Any:
    *of_values, of_norm = g
    norm, limit = y[-1], 1 / clip_norm if clip_norm else math.inf
    is_clipped = LessEqual(Reciprocal(norm), limit)
    scale = clip_norm * Where(is_clipped, Reciprocal(norm), limit) + (norm - norm)
    of_scale = functools.reduce(operator.add, map(_inner_product, of_values, values))
    # Zero times the infinite slope at a zero norm is NaN, as in TensorFlow.
    of_norm = of_norm + Where(is_clipped, of_scale * clip_norm, 0) * ((-1 / norm) / norm)
    share = MultiplyNoNan(Reciprocal(norm), of_norm)
    return [part * scale + value * share for part, value in zip(of_values, values, strict=True)]


def _inner_product(a: Any, b: Any) -> Any:
    return ReduceSum(a * b)


def _both_of_three(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a.shape != b.shape or a.shape[-1:] != (3,):
        raise ShapeError(f"a {list(a.shape)} and b {list(b.shape)} must have the same shape, with 3 as its last size")
    return a


@block(
    "Linear algebra",
    infer=_both_of_three,
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = a \times b",
    gradient_formula=r"\bar a = b \times \bar z,\quad \bar b = \bar z \times a",
    spelling=Spelling(
        "np.cross({a}, {b})", "tf.linalg.cross({a}, {b})", "torch.linalg.cross({a}, {b})", "jnp.cross({a}, {b})"
    ),
)
def Cross(a: Array, b: Array) -> Array:
    """The cross product of vectors of three elements along the last axis: at right angles to both."""
    return np.cross(a, b)


@Cross.gradient
def cross_gradient(g: Any, a: Any, b: Any, z: Any) -> Any:
    return Cross(b, g), Cross(g, a)
