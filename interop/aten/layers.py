"""Layers of networks: norms of layers, groups and batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.tensors import Tensor, made


def _by_channel(x: Tensor | None, rank: int) -> Tensor | None:
    return None if x is None else reshaped(x, [1, -1, *[1] * (rank - 2)])


@operation("layer_norm.default", "native_layer_norm.default")
def _layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    axes = list(range(input.ndim - len(normalized_shape), input.ndim))
    mean, variance = made("Moments", input, axes=axes, keepdims=True)
    found: Tensor = made("BatchNormalization", input, mean, variance, bias, weight, variance_epsilon=float(eps))
    return found


@operation("rms_norm.default")
def _rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    axes = list(range(input.ndim - len(normalized_shape), input.ndim))
    small = 1.1920929e-07 if eps is None else eps
    mean = made("ReduceMean", made("Square", input), axis=axes, keepdims=True)
    found: Tensor = made("Multiply", input, made("Rsqrt", made("Add", mean, number(small, mean))))
    return found if weight is None else made("Multiply", found, weight)


@operation("group_norm.default", "instance_norm.default")
def _group_norm(
    input: Tensor, num_groups: int = 0, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    **statistics: Any,
) -> Tensor:  # fmt: skip
    count, channels, *rest = input.shape
    groups = num_groups or channels
    parts = reshaped(input, [count, groups, channels // groups, *rest])
    mean, variance = made("Moments", parts, axes=list(range(2, parts.ndim)), keepdims=True)
    found: Any = made("BatchNormalization", parts, mean, variance, None, None, variance_epsilon=float(eps))
    found = reshaped(found, input.shape)
    if weight is not None:
        found = made("Multiply", found, _by_channel(weight, input.ndim))
    result: Tensor = found if bias is None else made("Add", found, _by_channel(bias, input.ndim))
    return result


@operation("_weight_norm.default")
def _weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    axes = [axis for axis in range(v.ndim) if dim < 0 or axis != dim]
    length = made("Sqrt", made("ReduceSum", made("Square", v), axis=axes, keepdims=True))
    scale = made("Divide", g, length if dim >= 0 else reshaped(length, g.shape))
    found: Tensor = made("Multiply", v, scale)
    return found


@operation("batch_norm.default")
def _batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None,
    running_var: Tensor | None, training: bool, momentum: float, eps: float,
) -> Tensor:  # fmt: skip
    rank = input.ndim
    if training or running_mean is None or running_var is None:
        mean, variance = made("Moments", input, axes=[0, *range(2, rank)], keepdims=True)
    else:
        mean, variance = _by_channel(running_mean, rank), _by_channel(running_var, rank)
    scale, shift = _by_channel(weight, rank), _by_channel(bias, rank)
    found: Tensor = made("BatchNormalization", input, mean, variance, shift, scale, variance_epsilon=float(eps))
    return found
