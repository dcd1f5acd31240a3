"""Normalization over batches, channels, groups and neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.interop.aten.shapes import reshaped, sliced
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, broadcast, cast, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Statistics, operator
from gradwire.interop.opset.shapes import padded


def _by_channel(x: Tensor, rank: int) -> Tensor:
    return reshaped(x, [1, -1, *[1] * (rank - 2)]) if rank > 1 else x


@operator("BatchNormalization")
def _of_batch(
    x: Tensor, scale: Tensor, shift: Tensor, mean: Statistics, variance: Statistics, *, epsilon: float = 1e-5,
    momentum: float = 0.9, training_mode: int = 0, spatial: int = 1, is_test: int = 1, count: int,
) -> Any:  # fmt: skip
    if not spatial and x.ndim > 2:
        raise ModelRefusal("batch normalization of each place alone (spatial 0) has no block")
    dtype = np.dtype(mean.dtype)

    def by_channel(item: Tensor) -> Tensor:
        return _by_channel(cast(item, np.dtype(x.dtype)), x.ndim)

    if not training_mode:
        items = [by_channel(item) for item in (mean, variance, shift, scale)]
        return made("BatchNormalization", x, *items, variance_epsilon=epsilon)
    found = made("Moments", x, axes=[0, *range(2, x.ndim)], keepdims=False)
    items = [by_channel(item) for item in (*found, shift, scale)]
    result = made("BatchNormalization", x, *items, variance_epsilon=epsilon)
    if count == 1:
        return result
    # The running ones move towards those of the batch.
    pairs = zip((mean, variance), (cast(item, dtype) for item in found), strict=True)
    return result, *(
        made("Add", made("Multiply", old, number(momentum, old)), made("Multiply", new, number(1 - momentum, new)))
        for old, new in pairs
    )


@operator("InstanceNormalization")
def _of_instance(x: Tensor, scale: Tensor, shift: Tensor, *, epsilon: float = 1e-5) -> Tensor:
    moments = made("Moments", x, axes=list(range(2, x.ndim)), keepdims=True)
    items = [_by_channel(item, x.ndim) for item in (shift, scale)]
    found: Tensor = made("BatchNormalization", x, *moments, *items, variance_epsilon=epsilon)
    return found


@operator("LayerNormalization")
def _of_layer(
    x: Tensor, scale: Tensor | None = None, shift: Tensor | None = None, *, axis: int = -1, epsilon: float = 1e-5,
    stash_type: int = 1, count: int,
) -> Any:  # fmt: skip
    axes = list(range(axis_of(axis, x), x.ndim))
    mean, variance = made("Moments", x, axes=axes, keepdims=True)
    found = made("BatchNormalization", x, mean, variance, shift, scale, variance_epsilon=epsilon)
    if count == 1:
        return found
    return found, mean, made("Rsqrt", made("Add", variance, number(epsilon, variance)))


@operator("RMSNormalization")
def _by_length(x: Tensor, scale: Tensor, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1) -> Tensor:
    axes = list(range(axis_of(axis, x), x.ndim))
    mean = made("ReduceMean", made("Square", x), axis=axes, keepdims=True)
    found = made("Multiply", x, made("Rsqrt", made("Add", mean, number(epsilon, mean))))
    result: Tensor = made("Multiply", found, scale)
    return result


@operator("GroupNormalization")
def _of_group(
    x: Tensor, scale: Tensor, shift: Tensor, *, num_groups: int, epsilon: float = 1e-5, stash_type: int = 1
) -> Tensor:
    channels = x.shape[1]
    parts = reshaped(x, [x.shape[0], num_groups, -1])
    moments = made("Moments", parts, axes=[2], keepdims=True)
    found = reshaped(made("BatchNormalization", parts, *moments, None, None, variance_epsilon=epsilon), x.shape)
    factors = [_by_channel(_for_channels(item, channels), x.ndim) for item in (scale, shift)]
    result: Tensor = made("Add", made("Multiply", found, factors[0]), factors[1])
    return result


def _for_channels(x: Tensor, channels: int) -> Tensor:
    """Returns numbers for each channel; the first version has them for each group."""
    if x.shape[0] == channels:
        return x
    each = channels // x.shape[0]
    return reshaped(broadcast(made("ExpandDims", x, axis=1), [x.shape[0], each]), [channels])


@operator("MeanVarianceNormalization")
def _standard(x: Tensor, *, axes: list[int] | None = None) -> Tensor:
    places = [axis_of(axis, x) for axis in ([0, 2, 3] if axes is None else axes)]
    mean, variance = made("Moments", x, axes=places, keepdims=True)
    small = number(1e-9, x)  # as ONNX's function has it
    found: Tensor = made("Divide", made("Subtract", x, mean), made("Add", made("Sqrt", variance), small))
    return found


@operator("LRN")
def _local(x: Tensor, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Tensor:
    if size % 2 and x.ndim == 4:
        last = made("Transpose", x, perm=[0, 2, 3, 1])
        found = made("LRN", last, depth_radius=size // 2, bias=bias, alpha=alpha / size, beta=beta)
        result: Tensor = made("Transpose", found, perm=[0, 3, 1, 2])
        return result
    if size > MOST_STEPS:
        raise ModelRefusal(f"a sum over {size} neighbours is unrolled, and {MOST_STEPS} are the limit")
    before = (size - 1) // 2
    around = [(before, size - 1 - before) if axis == 1 else (0, 0) for axis in range(x.ndim)]
    squares, channels = padded(made("Square", x), around), x.shape[1]
    total = sliced(squares, 1, 0, channels)
    for place in range(1, size):
        total = made("Add", total, sliced(squares, 1, place, place + channels))
    base = made("Add", made("Multiply", total, number(alpha / size, x)), number(bias, x))
    return made("Divide", x, made("Pow", base, number(beta, x)))  # type: ignore[no-any-return]


@operator("LpNormalization")
def _to_length(x: Tensor, *, axis: int = -1, p: int = 2) -> Tensor:
    if p == 2:
        length = made("ReduceEuclideanNorm", x, axis=[axis], keepdims=True)
    else:
        length = made("ReduceSum", made("Abs", x), axis=[axis], keepdims=True)
    found: Tensor = made("DivNoNan", x, length)
    return found
