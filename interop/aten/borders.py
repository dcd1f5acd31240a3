"""Borders of other kinds than zeros, and windows whose elements become an axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, made

# Places along an axis from which a border is taken, by PyTorch's name of the mode; places may lie outside.
_PLACES: dict[str, Callable[[Array, int], Array]] = {
    "replicate": lambda places, size: np.clip(places, 0, size - 1),
    "circular": lambda places, size: places % size,
}


@operation("constant_pad_nd.default", "pad.default")
def padded(self: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = 0.0) -> Tensor:
    """Returns a tensor with borders; `pad` begins with the last axis."""
    pairs = [[pad[place], pad[place + 1]] for place in range(len(pad) - 2, -1, -2)]
    around = [[0, 0]] * (self.ndim - len(pairs)) + pairs
    if any(amount < 0 for pair in around for amount in pair):
        raise ModelRefusal("a padding below 0 cuts off; slice instead")
    if mode in _PLACES:
        return _taken(self, around, _PLACES[mode])
    if mode not in ("constant", "reflect"):
        raise ModelRefusal(f"padding by {mode} has no block")
    how = {"mode": "REFLECT"} if mode == "reflect" else {"constant_values": float(value or 0.0)}
    found: Tensor = made("Pad", self, paddings=around, **how)
    return found


@operation("replication_pad1d.default", "replication_pad2d.default", "replication_pad3d.default")
def _replicated(self: Tensor, padding: Sequence[int]) -> Tensor:
    return padded(self, padding, "replicate")


@operation("reflection_pad1d.default", "reflection_pad2d.default", "reflection_pad3d.default")
def _reflected(self: Tensor, padding: Sequence[int]) -> Tensor:
    return padded(self, padding, "reflect")


def _taken(x: Tensor, around: Sequence[Sequence[int]], place: Callable[[Array, int], Array]) -> Tensor:
    for axis, (before, after) in enumerate(around):
        if before or after:
            size = x.shape[axis]
            x = made("Gather", x, place(np.arange(-before, size + after), size), axis=axis)
    return x


@operation("unfold.default")
def _unfolded(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    axis = axis_of(dimension, self)
    if not self.ndim:
        return reshaped(self, [size])
    begins = np.arange(0, self.shape[axis] - size + 1, step)
    found: Any = made("Gather", self, begins[:, None] + np.arange(size), axis=axis)
    rest = [place for place in range(found.ndim) if place != axis + 1]
    result: Tensor = made("Transpose", found, perm=[*rest, axis + 1])
    return result


def _four(values: Sequence[int]) -> list[int]:
    return [1, *values, 1]


@operation("im2col.default")
def _patches(
    self: Tensor, kernel_size: Sequence[int], dilation: Sequence[int], padding: Sequence[int], stride: Sequence[int]
) -> Tensor:
    channels, taps = self.shape[-3], math.prod(kernel_size)
    pictures = self if self.ndim == 4 else made("ExpandDims", self, axis=0)
    around = [[0, 0], *([amount, amount] for amount in padding), [0, 0]]
    last = made("Pad", made("Transpose", pictures, perm=[0, 2, 3, 1]), paddings=around)
    how = {"sizes": _four(kernel_size), "strides": _four(stride), "rates": _four(dilation), "padding": "VALID"}
    found = made("ExtractPatches", last, **how)
    parts = reshaped(found, [pictures.shape[0], math.prod(found.shape[1:3]), taps, channels])
    moved = reshaped(made("Transpose", parts, perm=[0, 3, 2, 1]), [pictures.shape[0], channels * taps, parts.shape[1]])
    return moved if self.ndim == 4 else reshaped(moved, moved.shape[1:])


@operation("col2im.default")
def _pictures(
    self: Tensor, output_size: Sequence[int], kernel_size: Sequence[int], dilation: Sequence[int],
    padding: Sequence[int], stride: Sequence[int],
) -> Tensor:  # fmt: skip
    columns = self if self.ndim == 3 else made("ExpandDims", self, axis=0)
    count, rows, places = columns.shape
    taps = math.prod(kernel_size)
    whole = [size + 2 * amount for size, amount in zip(output_size, padding, strict=True)]
    counts = [
        (size - wide * (kernel - 1) - 1) // step + 1
        for size, wide, kernel, step in zip(whole, dilation, kernel_size, stride, strict=True)
    ]
    channels = rows // taps
    parts = made("Transpose", reshaped(columns, [count, channels, taps, places]), perm=[0, 3, 2, 1])
    patches = reshaped(parts, [count, *counts, taps * channels])
    how = {"sizes": _four(kernel_size), "strides": _four(stride), "rates": _four(dilation), "padding": "VALID"}
    found: Any = made("PatchesIntoImages", patches, shape=[count, *whole, channels], **how)
    found = made("Slice", found, begin=[0, *padding, 0], size=[count, *output_size, channels])
    result: Tensor = made("Transpose", found, perm=[0, 3, 1, 2])
    return result if self.ndim == 3 else reshaped(result, result.shape[1:])


@operation("pixel_shuffle.default")
def _shuffled(self: Tensor, upscale_factor: int) -> Tensor:
    *lead, channels, height, width = self.shape
    step = upscale_factor
    parts = reshaped(self, [math.prod(lead), channels // step**2, step, step, height, width])
    moved = made("Transpose", parts, perm=[0, 1, 4, 2, 5, 3])
    return reshaped(moved, [*lead, channels // step**2, height * step, width * step])


@operation("pixel_unshuffle.default")
def _unshuffled(self: Tensor, downscale_factor: int) -> Tensor:
    *lead, channels, height, width = self.shape
    step = downscale_factor
    parts = reshaped(self, [math.prod(lead), channels, height // step, step, width // step, step])
    moved = made("Transpose", parts, perm=[0, 1, 3, 5, 2, 4])
    return reshaped(moved, [*lead, channels * step**2, height // step, width // step])


@operation("channel_shuffle.default", "native_channel_shuffle.default")
def _channels_shuffled(self: Tensor, groups: int) -> Tensor:
    count, channels, *rest = self.shape
    parts = reshaped(self, [count, groups, channels // groups, math.prod(rest)])
    return reshaped(made("Transpose", parts, perm=[0, 2, 1, 3]), self.shape)
