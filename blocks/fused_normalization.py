"""Normalization by the moments of the input itself, with a learned scale and offset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import Cast
from gradwire.blocks.elementwise import Rsqrt
from gradwire.blocks.normalization import Moments
from gradwire.blocks.reduce import ReduceMean, ReduceSum, axes_of
from gradwire.blocks.shape import Reshape
from gradwire.blocks.support.tensorflow_kernels import is_narrow
from gradwire.engine.base.errors import MissingInputError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.parameters import Sizes
from gradwire.engine.blocktypes.spelling import Spelling

Axes = tuple[int, ...]
Format = Literal["NHWC", "NCHW", "NDHWC", "NCDHW"]


def _wide(item: Any) -> Any:
    """Returns float16 as float32, which the squares need."""
    return Cast(item, dtype="float32") if item.dtype == np.float16 else item


def _alongside(item: Any, x: Any, axes: Axes) -> Any:
    """Returns one number for each element along `axes`, shaped so that it broadcasts against x."""
    sizes = (size if axis in axes else 1 for axis, size in enumerate(x.shape))
    return Reshape(_wide(item), shape=tuple(sizes))


def _others(x: Any, axes: Axes) -> Axes:
    return tuple(axis for axis in range(x.ndim) if axis not in axes)


def _unit(x: Any, moments: Sequence[Any], epsilon: float) -> tuple[Any, Any]:
    """Returns x less the mean, over the standard deviation, and one over that deviation."""
    mean, variance = moments
    root = Rsqrt(variance + epsilon)
    return (x - mean) * root, root


def _through_moments(g: Any, unit: Any, root: Any, axes: Axes) -> Any:
    """Returns the gradient of x where the mean and the deviation along `axes` are those of x."""
    along = unit * ReduceMean(g * unit, axis=axes, keepdims=True)
    return root * (g - ReduceMean(g, axis=axes, keepdims=True) - along)


def _shape_of_parts(x: TensorSpec, axes: Axes, **parts: TensorSpec | None) -> Shape:
    shape = tuple(x.shape[axis] for axis in axes)
    for name, part in parts.items():
        if part is not None and part.shape != shape:
            raise ShapeError(f"{name} has shape {list(part.shape)}, but the normalization of x needs {list(shape)}")
    return shape


def _axes(axis: int | Axes, ndim: int) -> Axes:
    return tuple(sorted(axes_of(axis, ndim)))


def _layer_spec(x: TensorSpec, gamma: TensorSpec, beta: TensorSpec, *, axis: int | Axes, epsilon: float) -> TensorSpec:
    _shape_of_parts(x, _axes(axis, x.ndim), gamma=gamma, beta=beta)
    return x


def _last_axes(axis: int | Axes) -> list[int] | None:
    """Returns the axes if they are the last ones, whatever the rank."""
    axes = sorted([axis] if isinstance(axis, int) else axis)
    return axes if axes == list(range(-len(axes), 0)) else None


def _layer_in_numpy(x: str, gamma: str, beta: str, axis: int | Axes, epsilon: float) -> str:
    """({x} - {x}.mean({axis}, keepdims=True)) / np.sqrt({x}.var({axis}, keepdims=True) + {epsilon}) * {gamma} \
+ {beta}"""
    if _last_axes(axis) is None:
        return ""
    deviation = f"np.sqrt({x}.var({axis!r}, keepdims=True) + {epsilon!r})"
    return f"({x} - {x}.mean({axis!r}, keepdims=True)) / {deviation} * {gamma} + {beta}"


def _layer_in_tensorflow(x: str, gamma: str, beta: str, axis: int | Axes, epsilon: float) -> str:
    """tf.nn.batch_normalization({x}, *tf.nn.moments({x}, {axis}, keepdims=True), {beta}, {gamma}, {epsilon})"""
    axes = _last_axes(axis)
    moments = f"*tf.nn.moments({x}, {axes}, keepdims=True)"
    return f"tf.nn.batch_normalization({x}, {moments}, {beta}, {gamma}, {epsilon!r})" if axes else ""


def _layer_in_torch(x: str, gamma: str, beta: str, axis: int | Axes, epsilon: float) -> str:
    """torch.nn.functional.layer_norm({x}, {gamma}.shape, {gamma}, {beta}, {epsilon})"""
    if not _last_axes(axis):
        return ""
    return f"torch.nn.functional.layer_norm({x}, {gamma}.shape, {gamma}, {beta}, {epsilon!r})"


@block(
    "Normalization",
    infer=_layer_spec,
    formula=r"y = \gamma u + \beta,\quad u = (x - \mu) / \sqrt{v + \epsilon}",
    gradient_formula=(
        r"h = \gamma \bar y,\quad \bar x = (h - \mathrm{mean}(h) - u\,\mathrm{mean}(h u)) / \sqrt{v + \epsilon},\quad"
        r" \bar\gamma = \textstyle\sum u \bar y,\quad \bar\beta = \textstyle\sum \bar y"
    ),
    source="tf.keras.layers.LayerNormalization; Ba, Kiros and Hinton, 2016",
    spelling=Spelling(_layer_in_numpy, _layer_in_tensorflow, _layer_in_torch),
)
def LayerNormalization(x: Array, gamma: Array, beta: Array, *, axis: Sizes = -1, epsilon: float = 0.001) -> Array:
    """Each example brought to mean 0 and variance 1 along `axis`, then scaled by gamma and moved by beta.

    Gamma and beta have one number for each element along `axis`. float16 is computed in float32. Second derivatives
    are whole; TensorFlow drops terms of them.
    """
    axes, wide = _axes(axis, x.ndim), _wide(x)
    unit, _ = _unit(wide, Moments(wide, axes=axes, keepdims=True), epsilon)
    y: Array = unit * _alongside(gamma, x, axes) + _alongside(beta, x, axes)
    return y.astype(x.dtype)


@LayerNormalization.gradient
def layer_normalization_gradient(
    g: Any, x: Any, gamma: Any, beta: Any, y: Any, *, axis: int | Axes, epsilon: float
) -> Any:
    axes, name = _axes(axis, x.ndim), x.dtype.name
    wide, g = _wide(x), _wide(g)
    unit, root = _unit(wide, Moments(wide, axes=axes, keepdims=True), epsilon)
    of_x = _through_moments(g * _alongside(gamma, x, axes), unit, root, axes)
    parts = of_x, ReduceSum(g * unit, axis=_others(x, axes)), ReduceSum(g, axis=_others(x, axes))
    return tuple(Cast(part, dtype=name) for part in parts) if x.dtype == np.float16 else parts


# cuDNN refuses less, so TensorFlow raises smaller values to it everywhere.
SMALLEST_EPSILON = 1.001e-5


def _channel(x: Any, data_format: str) -> Axes:
    return (1,) if data_format.startswith("NC") else (x.ndim - 1,)


def _uses_given(is_training: bool, exponential_avg_factor: float) -> bool:
    """Returns whether the mean and the variance that are connected take part."""
    return not is_training or exponential_avg_factor != 1


def _fused_spec(
    x: TensorSpec,
    scale: TensorSpec,
    offset: TensorSpec,
    mean: TensorSpec | None,
    variance: TensorSpec | None,
    *,
    epsilon: float,
    data_format: str,
    is_training: bool,
    exponential_avg_factor: float,
) -> tuple[TensorSpec, ...]:
    if x.ndim != len(data_format):
        raise ShapeError(f"x {list(x.shape)} must have {len(data_format)} axes for the format {data_format}")
    if epsilon < 0:
        raise ParameterError(f"epsilon must be at least 0, not {epsilon:g}")
    if _uses_given(is_training, exponential_avg_factor) and (mean is None or variance is None):
        raise MissingInputError("connect mean and variance: outside training nothing else gives them")
    shape = _shape_of_parts(x, _channel(x, data_format), scale=scale, offset=offset, mean=mean, variance=variance)
    statistics = TensorSpec(shape, x.dtype)
    return x, statistics, statistics


def _fused_in_tensorflow(
    x: str, scale: str, offset: str, mean: str | None, variance: str | None, **parameters: object
) -> str:
    """tf.compat.v1.nn.fused_batch_norm({x}, {scale}, {offset}, {mean}, {variance}, {epsilon}, {data_format}, \
{is_training}, exponential_avg_factor={exponential_avg_factor})"""
    if not _uses_given(bool(parameters["is_training"]), float(str(parameters["exponential_avg_factor"]))):
        mean = variance = None
    settings = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return f"tf.compat.v1.nn.fused_batch_norm({x}, {scale}, {offset}, {mean}, {variance}, {settings})"


@block(
    "Normalization",
    infer=_fused_spec,
    outputs=("y", "batch_mean", "batch_variance"),
    formula=r"y = \gamma u + \beta,\quad u = (x - \mu) / \sqrt{v + \epsilon}",
    gradient_formula=(
        r"h = \gamma \bar y,\quad \bar x = (h - \mathrm{mean}(h) - u\,\mathrm{mean}(h u)) / \sqrt{v + \epsilon}"
        r" \text{ in training, else } h / \sqrt{v + \epsilon}"
    ),
    source="tf.compat.v1.nn.fused_batch_norm",
    spelling=Spelling(tensorflow=_fused_in_tensorflow).only_where("tensorflow", is_narrow),
)
def FusedBatchNorm(
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array | None = None,
    variance: Array | None = None,
    *,
    epsilon: float = 0.001,
    data_format: Format = "NHWC",
    is_training: bool = True,
    exponential_avg_factor: float = 1.0,
) -> tuple[Array, Array, Array]:
    """Batch normalization of images, channel by channel: in training by the batch, else by a given mean and variance.

    The mean and variance that come out are those of the batch, the variance divided by n - 1, mixed with the given
    ones by `exponential_avg_factor`; outside training they are the given ones. As in TensorFlow no gradient flows
    through them, nor to the given mean and variance. An `epsilon` below 1.001e-5 counts as that.
    """
    channel, dtype = _channel(x, data_format), x.dtype
    wide, others, epsilon = _wide(x), _others(x, channel), max(epsilon, SMALLEST_EPSILON)
    if is_training:
        moments = Moments(wide, axes=others, keepdims=False)
        count = x.size // max(x.shape[channel[0]], 1)
        statistics = [moments[0], moments[1] * (count / max(count - 1, 1))]
        if _uses_given(is_training, exponential_avg_factor):
            old, share = (_wide(mean), _wide(variance)), exponential_avg_factor
            statistics = [a * (1 - share) + b * share for a, b in zip(old, statistics, strict=True)]
    else:
        moments = statistics = [_wide(mean), _wide(variance)]
    unit, _ = _unit(wide, [_alongside(item, x, channel) for item in moments], epsilon)
    y = unit * _alongside(scale, x, channel) + _alongside(offset, x, channel)
    return y.astype(dtype), statistics[0].astype(dtype), statistics[1].astype(dtype)


@FusedBatchNorm.gradient
def fused_batch_norm_gradient(
    g: Any,
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    *outputs: Any,
    epsilon: float,
    data_format: str,
    is_training: bool,
    exponential_avg_factor: float,
) -> Any:
    channel, name = _channel(x, data_format), x.dtype.name
    wide, g, others = _wide(x), _wide(g[0]), _others(x, channel)
    if is_training:
        moments = Moments(wide, axes=others, keepdims=True)
    else:
        moments = tuple(_alongside(item, x, channel) for item in (mean, variance))
    unit, root = _unit(wide, moments, max(epsilon, SMALLEST_EPSILON))
    scaled = g * _alongside(scale, x, channel)
    of_x = _through_moments(scaled, unit, root, others) if is_training else scaled * root
    parts = of_x, ReduceSum(g * unit, axis=others), ReduceSum(g, axis=others)
    return *(Cast(part, dtype=name) if x.dtype == np.float16 else part for part in parts), None, None
