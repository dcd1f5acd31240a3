"""Reductions along axes. Without an axis everything is reduced; an empty list of axes reduces nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, Equal
from gradwire.blocks.shape import Reshape
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.sums import added_up
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, Declaration, Differentiable, Dtypes, Observation, block
from gradwire.engine.blocktypes.parameters import Axes
from gradwire.engine.blocktypes.primitives import BroadcastTo
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


def axes_of(axis: Axes, ndim: int) -> tuple[int, ...]:
    """Returns the axes that `axis` names, counted from the front.

    Raises: ShapeError for an axis that is not there, or named twice.
    """
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(normalize_axis(item, ndim) for item in ((axis,) if isinstance(axis, int) else axis))
    if len(set(axes)) < len(axes):
        raise ShapeError(f"axis {list(axes)} names the same axis twice")
    return axes


def reduced_shape(shape: Shape, axis: Axes, keepdims: bool) -> Shape:
    """Returns the shape after reducing: the axes are gone, or of size 1 with `keepdims`."""
    axes = axes_of(axis, len(shape))
    if keepdims:
        return tuple(1 if index in axes else size for index, size in enumerate(shape))
    return tuple(size for index, size in enumerate(shape) if index not in axes)


def reduced(x: TensorSpec, *, axis: Axes, keepdims: bool) -> TensorSpec:
    """Infers the spec of reductions that keep the dtype."""
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), x.dtype)


def keep_axes(value: Any, x: Any, axis: Axes, keepdims: bool) -> Any:
    """Returns `value`, of reduced shape, with the reduced axes back as size 1 so that it broadcasts against `x`."""
    return value if keepdims else Reshape(value, shape=reduced_shape(x.shape, axis, keepdims=True))


def spelled(numpy: str, tensorflow: str, torch: str, jax: str = "") -> Spelling:
    """Returns a reduction under its name in each framework; PyTorch takes no empty list of axes."""
    jax = jax or numpy.replace("np.", "jnp.")
    return Spelling(reducing(numpy), reducing(f"tf.{tensorflow}"), in_torch(torch), reducing(jax))


def reducing(function: str) -> Callable[..., str]:
    """Spells a function that takes `axis` and `keepdims`, without those that are as by default."""

    @documented(f"{function}({{x}}, axis={{axis}}, keepdims={{keepdims}})")
    def write(x: str, axis: Axes, keepdims: bool) -> str:
        return call(function, x, axis=axis, keepdims=keepdims)

    return write


def in_torch(name: str, **more: object) -> Callable[..., str]:
    """Spells a function of PyTorch that takes `dim` and `keepdim`; an empty list of axes gives an empty text."""

    @documented(f"torch.{name}({{x}}, dim={{axis}}, keepdim={{keepdims}})")
    def write(x: str, axis: Axes, keepdims: bool, specs: Sequence[TensorSpec]) -> str:
        dim = tuple(range(specs[0].ndim)) if axis is None and (keepdims or name == "logsumexp") else axis
        return "" if dim == () else call(f"torch.{name}", x, dim=dim, keepdim=keepdims, **more)

    return write


@block(
    "Reduce",
    infer=reduced,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = \sum_{i \in \mathrm{axis}} x_i",
    gradient_formula=r"\bar x_i = \bar y",
    spelling=spelled("np.sum", "reduce_sum", "sum"),
)
def ReduceSum(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The sum along `axis`; the sum of nothing is 0."""
    return added_up(x, tuple(sorted(axes_of(axis, x.ndim))), keepdims)


@ReduceSum.gradient
def reduce_sum_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    return BroadcastTo(keep_axes(g, x, axis, keepdims), shape=x.shape)


def counted(shape: Shape, axis: Axes) -> int:
    """Returns the number of elements that go into one result."""
    return math.prod(shape[item] for item in axes_of(axis, len(shape)))


def reduction(
    formula: str,
    gradient_formula: str,
    spelling: Spelling,
    accepts: Dtypes = FLOAT,
    max_slope: float | None = None,
    differentiable: Differentiable = "twice",
) -> Declaration:
    """Returns the declaration that all reductions share; `max_slope` is for one that saturates."""
    return block(
        "Reduce",
        differentiable=differentiable,
        infer=reduced,
        accepts=accepts,
        formula=formula,
        gradient_formula=gradient_formula,
        spelling=spelling,
        max_slope=max_slope,
    )


@reduction(
    r"y = \tfrac1n \textstyle\sum x_i",
    r"\bar x_i = \bar y / n",
    spelled("np.mean", "reduce_mean", "mean"),
    NUMBER,
)
def ReduceMean(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The mean along `axis`. The mean of nothing is NaN; that of integers is cut to an integer, as in TensorFlow."""
    count = counted(x.shape, axis)
    if x.dtype.kind == "f":
        # float16 is too narrow for a sum or a count: only the mean has to fit it.
        wide = np.promote_types(x.dtype, np.float32)
        return (np.sum(x, axis=axis, keepdims=keepdims, dtype=wide) / wide.type(count)).astype(x.dtype)
    # Integers are added up in 64 bits, as in TensorFlow: only the mean has to fit the dtype.
    total, count = np.sum(x, axis=axis, keepdims=keepdims, dtype=np.int64), max(count, 1)
    mean: Array = ((total - np.fmod(total, count)) // count).astype(x.dtype)
    return mean


@ReduceMean.gradient
def reduce_mean_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    share = keep_axes(g, x, axis, keepdims) / float(max(counted(x.shape, axis), 1))
    return BroadcastTo(share, shape=x.shape)


def _least(dtype: np.dtype[Any]) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _greatest(dtype: np.dtype[Any]) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def shared_among_equals(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    """Returns the gradient of a maximum or minimum: the elements that equal it receive equal shares."""
    g, y = keep_axes(g, x, axis, keepdims), keep_axes(y, x, axis, keepdims)
    hit = Cast(Equal(x, y), dtype=g.dtype.name)
    return hit / ReduceSum(hit, axis=axis, keepdims=True) * g


def _tied(what: str) -> Callable[..., Observation | None]:
    def observe(x: Array, y: Array, *, axis: Axes, keepdims: bool) -> Observation | None:
        if x.dtype.kind != "f":
            return None
        kept = y if keepdims else y.reshape(reduced_shape(x.shape, axis, keepdims=True))
        counts = np.sum(x == kept, axis=axis)
        tied = int(counts[counts > 1].sum())
        return Observation("tie", f"{tied} equal {what} share the gradient.", tied) if tied else None

    return observe


@reduction(
    r"y = \max_i x_i",
    r"\bar x_i = [x_i = y]\,\bar y / \textstyle\sum_j [x_j = y]",
    spelled("np.max", "reduce_max", "amax"),
    NUMBER,
)
def ReduceMax(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The largest element along `axis`. Equal maxima share the gradient evenly, as in TensorFlow.

    The maximum of nothing is minus infinity. NaN wins over every number, and makes the gradient NaN.
    """
    return np.max(x, axis=axis, keepdims=keepdims, initial=_least(x.dtype))


@reduction(
    r"y = \min_i x_i",
    r"\bar x_i = [x_i = y]\,\bar y / \textstyle\sum_j [x_j = y]",
    spelled("np.min", "reduce_min", "amin"),
    NUMBER,
)
def ReduceMin(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The smallest element along `axis`. Equal minima share the gradient evenly, as in TensorFlow.

    The minimum of nothing is infinity. NaN wins over every number, and makes the gradient NaN.
    """
    return np.min(x, axis=axis, keepdims=keepdims, initial=_greatest(x.dtype))


for _type, _what in ((ReduceMax, "maxima"), (ReduceMin, "minima")):
    _type.gradient(shared_among_equals)
    _type.observe(_tied(_what))


@reduction(
    r"y = \tfrac1n \textstyle\sum (x_i - \mu)^2",
    r"\bar x_i = \tfrac2n (x_i - \mu)\,\bar y",
    Spelling(
        reducing("np.var"), reducing("tf.math.reduce_variance"), in_torch("var", correction=0), reducing("jnp.var")
    ),
)
def ReduceVariance(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The mean squared distance from the mean along `axis`, divided by n and not by n - 1. That of nothing is NaN."""
    distance = x - ReduceMean.function(x, axis=axis, keepdims=True)
    mean: Array = ReduceMean.function(distance * distance, axis=axis, keepdims=keepdims)
    return mean


@ReduceVariance.gradient
def reduce_variance_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    share = keep_axes(g, x, axis, keepdims) * (2.0 / max(counted(x.shape, axis), 1))
    part = share * (x - ReduceMean(x, axis=axis, keepdims=True))
    # The mean of the parts is zero; as in TensorFlow it is subtracted, which makes overflowing parts NaN.
    return part - ReduceMean(part, axis=axis, keepdims=True)


@reduction(
    r"y = \sqrt{\textstyle\sum x_i^2}",
    r"\bar x_i = x_i\,\bar y / y",
    Spelling(
        "np.sqrt(np.sum(np.square({x}), axis={axis}, keepdims={keepdims}))",
        reducing("tf.math.reduce_euclidean_norm"),
        in_torch("linalg.vector_norm"),
        "jnp.sqrt(jnp.sum(jnp.square({x}), axis={axis}, keepdims={keepdims}))",
    ).noted("of zeros the gradient is 0, in Gradwire NaN", "torch"),
    NUMBER,
)
def ReduceEuclideanNorm(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The length of the vector along `axis`; that of integers is cut to an integer, as in TensorFlow.

    At zero its gradient is NaN, even if the incoming gradient is 0.
    """
    squares = np.sum(x * x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    length: Array = np.sqrt(squares, dtype=np.float64).astype(x.dtype)
    return length


@ReduceEuclideanNorm.gradient
def reduce_euclidean_norm_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    return x * (keep_axes(g, x, axis, keepdims) / keep_axes(y, x, axis, keepdims))


def _exponentials(x: Array, axis: Axes) -> tuple[Array, Array]:
    """Returns the elements' exponentials over that of the shift, and the shift: the maximum if finite, else 0."""
    largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(largest), largest, x.dtype.type(0))
    return np.exp(x - shift), shift


@reduction(
    r"y = \ln \textstyle\sum e^{x_i}",
    r"\bar x_i = \bar y\, e^{x_i} / \textstyle\sum_j e^{x_j}",
    Spelling(
        "np.logaddexp.reduce({x}, axis={axis}, keepdims={keepdims})",
        reducing("tf.reduce_logsumexp"),
        in_torch("logsumexp"),
        reducing("jax.scipy.special.logsumexp"),
    ),
    max_slope=1.0,
)
def ReduceLogSumExp(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The logarithm of the sum of exponentials along `axis`, shifted by the maximum so that nothing overflows.

    Of nothing, or of nothing but minus infinity, it is minus infinity.
    """
    e, shift = _exponentials(x, axis)
    y = np.log(np.sum(e, axis=axis, keepdims=True, dtype=x.dtype)) + shift
    return y if keepdims else y.reshape(reduced_shape(x.shape, axis, keepdims=False))


@ReduceLogSumExp.gradient
def reduce_log_sum_exp_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    return keep_axes(g, x, axis, keepdims) * SoftmaxOverAxes(x, axis=axis)


def _unchanged(x: TensorSpec, *, axis: Axes) -> TensorSpec:
    axes_of(axis, x.ndim)
    return x


@block(
    "Gradient parts",
    infer=_unchanged,
    formula=r"y_i = e^{x_i} / \textstyle\sum_j e^{x_j}",
    gradient_formula=r"\bar x = y\,(\bar y - \textstyle\sum_j \bar y_j y_j)",
)
def SoftmaxOverAxes(x: Array, *, axis: Axes = None) -> Array:
    """The derivative of ReduceLogSumExp: positive numbers that add up to 1 over all of the axes together."""
    e, _ = _exponentials(x, axis)
    return e / np.sum(e, axis=axis, keepdims=True, dtype=x.dtype)


@SoftmaxOverAxes.gradient
def softmax_over_axes_gradient(g: Any, x: Any, y: Any, *, axis: Axes) -> Any:
    return (g - ReduceSum(g * y, axis=axis, keepdims=True)) * y
