"""Normalisation: moments, batch and L2 normalisation, and the deterministic core of dropout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, GreaterEqual, Where
from gradwire.blocks.elementwise import MultiplyNoNan, Rsqrt, Square
from gradwire.blocks.reduce import ReduceMean, ReduceSum, counted, keep_axes, reduced_shape
from gradwire.blocks.selection import Maximum
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import BOOLEAN, FLOAT, NUMBER, block
from gradwire.engine.blocktypes.parameters import Axes
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


def _moment_axes(x: Any, axes: Axes, keepdims: bool) -> Axes:
    """Returns the axes to reduce: as in TensorFlow, an empty list means those of size 1 if they are not kept."""
    return axes if axes != () or keepdims else tuple(axis for axis, size in enumerate(x.shape) if size == 1)


def _two_moments(x: TensorSpec, *, axes: Axes, keepdims: bool) -> tuple[TensorSpec, TensorSpec]:
    spec = TensorSpec(reduced_shape(x.shape, _moment_axes(x, axes, keepdims), keepdims), x.dtype)
    return spec, spec


def _moments_of(module: str) -> Callable[..., str]:
    @documented(f"({module}.mean({{x}}, axis={{axes}}), {module}.var({{x}}, axis={{axes}}))")
    def write(x: str, axes: Axes, keepdims: bool, specs: Sequence[TensorSpec]) -> str:
        axes = _moment_axes(specs[0], axes, keepdims)
        return f"({', '.join(call(f'{module}.{name}', x, axis=axes, keepdims=keepdims) for name in ('mean', 'var'))})"

    return write


def _moments_in_torch(x: str, axes: Axes, keepdims: bool) -> str:
    """torch.var_mean({x}, dim={axes}, correction=0, keepdim={keepdims})[::-1]"""
    if axes == () or (axes is None and keepdims):
        return ""
    return call("torch.var_mean", x, dim=axes, correction=0, keepdim=keepdims) + "[::-1]"


@block(
    "Normalization",
    infer=_two_moments,
    accepts=NUMBER,
    outputs=("mean", "variance"),
    formula=r"\mu = \tfrac1n \textstyle\sum x_i,\quad v = \tfrac1n \textstyle\sum (x_i - \mu)^2",
    gradient_formula=r"\bar x_i = \tfrac1n \bar\mu + \tfrac2n (x_i - \mu)\,\bar v",
    spelling=Spelling(
        _moments_of("np"),
        "tf.nn.moments({x}, axes={axes}, keepdims={keepdims})",
        _moments_in_torch,
        _moments_of("jnp"),
    ),
)
def Moments(x: Array, *, axes: Axes, keepdims: bool = False) -> tuple[Array, Array]:
    """The mean and the variance along `axes`, the variance divided by n and not by n - 1.

    An empty list of axes leaves out those of size 1, unless `keepdims` keeps them, as in TensorFlow. float16 is
    computed in float32, as in TensorFlow, so that squares do not overflow; integers are cut to integers. Second
    derivatives are whole; TensorFlow stops the gradient of the mean inside the variance, and drops terms of them.
    """
    if x.dtype == np.float16:
        wide = Moments.function(x.astype(np.float32), axes=axes, keepdims=keepdims)
        return wide[0].astype(x.dtype), wide[1].astype(x.dtype)
    axes = _moment_axes(x, axes, keepdims)
    mean = ReduceMean.function(x, axis=axes, keepdims=True)
    distance = x - mean
    variance = ReduceMean.function(distance * distance, axis=axes, keepdims=keepdims)
    return mean if keepdims else mean.reshape(variance.shape), variance


@Moments.gradient
def moments_gradient(g: Any, x: Any, mean: Any, variance: Any, *, axes: Axes, keepdims: bool) -> Any:
    if x.dtype == np.float16:
        wide, parts = Cast(x, dtype="float32"), [Cast(item, dtype="float32") for item in g]
        moments = Moments(wide, axes=axes, keepdims=keepdims)
        return Cast(moments_gradient(parts, wide, *moments, axes=axes, keepdims=keepdims), dtype="float16")
    axes = _moment_axes(x, axes, keepdims)
    g_mean, g_variance = (keep_axes(item, x, axes, keepdims) for item in g)
    distance = x - keep_axes(mean, x, axes, keepdims)
    return (g_mean + 2 * g_variance * distance) / float(max(counted(x.shape, axes), 1))


def _normalized(
    x: TensorSpec,
    mean: TensorSpec,
    variance: TensorSpec,
    offset: TensorSpec | None,
    scale: TensorSpec | None,
    *,
    variance_epsilon: float,
) -> TensorSpec:
    given = [item.shape for item in (x, mean, variance, offset, scale) if item is not None]
    return TensorSpec(broadcast_shapes(given), x.dtype)


@block(
    "Normalization",
    infer=_normalized,
    formula=r"y = \gamma (x - \mu) / \sqrt{v + \epsilon} + \beta",
    gradient_formula=r"\bar x = \gamma \bar y / \sqrt{v + \epsilon},\quad \bar\mu = -\bar x,\quad \bar\beta = \bar y",
    source="tf.nn.batch_normalization",
    spelling=Spelling(
        "({x} - {mean}) / np.sqrt({variance} + {variance_epsilon}) * {scale} + {offset}",
        "tf.nn.batch_normalization({x}, {mean}, {variance}, {offset}, {scale}, {variance_epsilon})",
        "({x} - {mean}) * torch.rsqrt({variance} + {variance_epsilon}) * {scale} + {offset}",
        "({x} - {mean}) * jax.lax.rsqrt({variance} + {variance_epsilon}) * {scale} + {offset}",
    ),
)
def BatchNormalization(
    x: Array,
    mean: Array,
    variance: Array,
    offset: Array | None = None,
    scale: Array | None = None,
    *,
    variance_epsilon: float = 0.001,
) -> Array:
    """The input less the mean, over the standard deviation; scaled and moved if scale and offset are connected.

    Mean and variance are inputs, with gradients of their own; connect Moments for those of the batch.
    """
    factor = 1 / np.sqrt(variance + x.dtype.type(variance_epsilon))
    if scale is not None:
        factor = factor * scale
    shift = -mean * factor if offset is None else offset - mean * factor
    return x * factor + shift


@BatchNormalization.gradient
def batch_normalization_gradient(
    g: Any, x: Any, mean: Any, variance: Any, offset: Any, scale: Any, y: Any, *, variance_epsilon: float
) -> Any:
    root = Rsqrt(variance + variance_epsilon)
    factor = root if scale is None else root * scale
    distance = x - mean
    of_variance = -0.5 * g * distance * factor * Square(root)
    of_scale = None if scale is None else g * distance * root
    return g * factor, -(g * factor), of_variance, None if offset is None else g, of_scale


def _same(x: TensorSpec, *, axis: Axes, epsilon: float) -> TensorSpec:
    reduced_shape(x.shape, axis, keepdims=True)
    return x


def _l2_in_torch(x: str, axis: Axes, epsilon: float) -> str:
    """{x} * torch.rsqrt(torch.clamp(torch.sum({x} ** 2, dim={axis}, keepdim=True), min={epsilon}))"""
    squares = f"torch.sum({x} ** 2)" if axis is None else f"torch.sum({x} ** 2, dim={axis}, keepdim=True)"
    return "" if axis == () else f"{x} * torch.rsqrt(torch.clamp({squares}, min={epsilon}))"


@block(
    "Normalization",
    infer=_same,
    formula=r"y = x / \sqrt{\max(\textstyle\sum x_i^2, \epsilon)}",
    gradient_formula=r"\bar x = (\bar y - y \textstyle\sum \bar y_i y_i) / \lVert x \rVert",
    spelling=Spelling(
        "{x} / np.sqrt(np.maximum(np.sum({x} ** 2, axis={axis}, keepdims=True), {epsilon}))",
        "tf.math.l2_normalize({x}, axis={axis}, epsilon={epsilon})",
        _l2_in_torch,
        "{x} * jax.lax.rsqrt(jnp.maximum(jnp.sum({x} ** 2, axis={axis}, keepdims=True), {epsilon}))",
    ),
)
def L2Normalize(x: Array, *, axis: Axes = None, epsilon: float = 1e-12) -> Array:
    """The vector along `axis` at length 1.

    Where the squared length is below `epsilon` the root of that divides instead: at zero the gradient is large, by
    default a million times the incoming gradient. In float16 the default `epsilon` is 0, as in TensorFlow: zero gives
    NaN.
    """
    squares = np.sum(x * x, axis=axis, keepdims=True, dtype=x.dtype)
    return x * (1 / np.sqrt(np.maximum(squares, x.dtype.type(epsilon))))


@L2Normalize.gradient
def l2_normalize_gradient(g: Any, x: Any, y: Any, *, axis: Axes, epsilon: float) -> Any:
    squares = ReduceSum(Square(x), axis=axis, keepdims=True)
    root = Rsqrt(Maximum(squares, epsilon))
    along = ReduceSum(g * x, axis=axis, keepdims=True)
    # As the rule of Rsqrt: with an epsilon of 0 (in float16 the default is 0) the root is infinite at zero.
    for _ in range(3):
        along = MultiplyNoNan(root, along)
    return g * root - Where(GreaterEqual(squares, epsilon), along, 0) * x


def _masked(x: TensorSpec, mask: TensorSpec, *, rate: float) -> TensorSpec:
    if not 0 <= rate < 1:
        raise ParameterError(f"rate must be at least 0 and below 1, not {rate:g}")
    return TensorSpec(broadcast_shapes((x.shape, mask.shape)), x.dtype)


@block(
    "Normalization",
    infer=_masked,
    accepts={"x": FLOAT, "mask": BOOLEAN},
    formula=r"y = m \,?\, x / (1 - r) : 0",
    gradient_formula=r"\bar x = m \,?\, \bar y / (1 - r) : 0",
    source="tf.nn.dropout with a given mask",
    spelling=Spelling(
        "np.where({mask}, {x} / (1 - {rate}), 0)",
        "tf.where({mask}, {x} / (1 - {rate}), 0)",
        "torch.where({mask}, {x} / (1 - {rate}), 0)",
        "jnp.where({mask}, {x} / (1 - {rate}), 0)",
    ),
)
def DropoutWithMask(x: Array, mask: Array, *, rate: float) -> Array:
    """Dropout whose mask is given: what is kept is scaled up by 1 / (1 - rate), the rest is 0."""
    return np.where(mask, x * x.dtype.type(1 / (1 - rate)), x.dtype.type(0))


@DropoutWithMask.gradient
def dropout_with_mask_gradient(g: Any, x: Any, mask: Any, y: Any, *, rate: float) -> Any:
    return Where(mask, g * (1 / (1 - rate)), 0), None
