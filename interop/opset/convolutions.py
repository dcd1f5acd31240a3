"""Convolutions of one, two and three axes, channels first, and their transposes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.grids import sampled
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped, sliced
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, operator
from gradwire.interop.opset.shapes import padded

_LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


@dataclass(frozen=True)
class Windows:
    """Windows that move over the axes behind the channels; `around` is the padding before and behind each axis."""

    sizes: list[int]
    strides: list[int]
    dilations: list[int]
    around: list[tuple[int, int]]

    @property
    def reach(self) -> list[int]:
        """How many elements of an axis a window spans."""
        return [step * (size - 1) + 1 for step, size in zip(self.dilations, self.sizes, strict=True)]

    @property
    def is_dilated(self) -> bool:
        """Whether elements inside a window are left out."""
        return max(self.dilations) > 1


def windows(
    x: Tensor, sizes: Sequence[int], strides: list[int] | None, dilations: list[int] | None, pads: list[int] | None,
    auto_pad: str, ceil_mode: int = 0,
) -> Windows:  # fmt: skip
    """Returns the windows over a tensor; with `ceil_mode` the last one may reach beyond the padding."""
    rank = x.ndim - 2
    if rank < 1 or len(sizes) != rank:
        raise ModelRefusal(f"windows of {len(sizes)} axes do not fit a tensor of {x.ndim} axes")
    steps, wide, amounts = strides or [1] * rank, dilations or [1] * rank, pads or [0] * (2 * rank)
    if min(*steps, *wide, *sizes) < 1:
        raise ModelRefusal("a window has a stride, a dilation or a size below 1")
    found = Windows(list(sizes), steps, wide, [(amounts[place], amounts[place + rank]) for place in range(rank)])
    rows = zip(x.shape[2:], found.reach, steps, found.around, strict=True)
    if auto_pad == "VALID":
        around = [(0, 0)] * rank
    elif auto_pad.startswith("SAME"):
        # The odd element stands behind, or before with SAME_LOWER.
        whole = [max(0, (-(-size // step) - 1) * step + reach - size) for size, reach, step, _ in rows]
        halves = [(total // 2, total - total // 2) for total in whole]
        around = halves if auto_pad == "SAME_UPPER" else [(last, first) for first, last in halves]
    elif ceil_mode:
        around = [_reaching(size, reach, step, pair) for size, reach, step, pair in rows]
    else:
        around = found.around
    return Windows(found.sizes, steps, wide, around)


def _reaching(size: int, reach: int, step: int, pair: tuple[int, int]) -> tuple[int, int]:
    """Returns the padding with which the last window, which has to begin inside, is whole."""
    before, behind = pair
    count = -(-(size + before + behind - reach) // step) + 1
    count -= int((count - 1) * step >= size + before)
    return before, max(behind, (count - 1) * step + reach - size - before)


def framed(x: Tensor, around: Sequence[tuple[int, int]], fill: float = 0.0) -> Tensor:
    """Returns a tensor with numbers around the axes behind the channels."""
    return padded(x, [(0, 0), (0, 0), *around], fill)


def _convolved(x: Tensor, filters: Tensor, how: Windows, group: int) -> Tensor:
    """Returns a convolution without padding. Shapes: filters (out, in / group, ...)."""
    rank = x.ndim - 2
    last = made("Transpose", filters, perm=[*range(2, rank + 2), 1, 0])
    wide = {"dilations": how.dilations} if how.is_dilated else {}
    if rank not in _LAYOUTS:
        raise ModelRefusal(f"a convolution over {rank} axes has no block")
    settings = {"stride" if rank == 1 else "strides": how.strides, "padding": "VALID", "data_format": _LAYOUTS[rank]}
    # Over pictures the block sees from the sizes how many groups there are.
    count = group if rank == 3 else 1
    parts = [list(made("Split", item, num_or_size_splits=count, axis=axis)) if count > 1 else [item]
             for item, axis in ((x, 1), (last, rank + 1))]  # fmt: skip
    found = [made(f"Conv{rank}D", *part, **settings, **wide) for part in zip(*parts, strict=True)]
    result: Tensor = made("Concat", *found, axis=1) if count > 1 else found[0]
    return result


def _with_bias(x: Tensor, bias: Tensor | None) -> Tensor:
    if bias is None:
        return x
    if x.ndim == 4:
        found: Tensor = made("BiasAdd", x, bias, data_format="NCHW")
    else:
        found = made("Add", x, reshaped(bias, [-1, *[1] * (x.ndim - 2)]))
    return found


@operator("Conv")
def _convolution(
    x: Tensor, w: Tensor, b: Tensor | None = None, *, kernel_shape: list[int] | None = None,
    strides: list[int] | None = None, dilations: list[int] | None = None, pads: list[int] | None = None,
    auto_pad: str = "NOTSET", group: int = 1,
) -> Tensor:  # fmt: skip
    how = windows(x, w.shape[2:], strides, dilations, pads, auto_pad)
    if w.shape[1] * group != x.shape[1]:
        raise ModelRefusal(f"{group} groups of {w.shape[1]} channels do not fit {x.shape[1]} channels")
    return _with_bias(_convolved(framed(x, how.around), w, how, group), b)


@operator("CausalConvWithState")
def _causal(
    x: Tensor, w: Tensor, b: Tensor | None = None, past: Tensor | None = None, *, activation: str = "none"
) -> tuple[Tensor, Tensor]:
    if x.ndim != 3 or tuple(w.shape[:2]) != (x.shape[1], 1):
        raise ModelRefusal("it takes (batch, channels, length) and filters (channels, 1, size)")
    if activation not in ("none", "silu", "swish"):
        raise ModelRefusal(f"its activation {activation[:20]} has no block")
    before = w.shape[2] - 1
    # Earlier elements, or zeros, stand before the first one.
    whole = framed(x, [(before, 0)]) if past is None else made("Concat", past, x, axis=2)
    found = _with_bias(_convolved(whole, w, windows(whole, w.shape[2:], None, None, None, "VALID"), x.shape[1]), b)
    if activation != "none":
        found = made("Silu", found)
    return found, sliced(whole, 2, whole.shape[2] - before, None)


@operator("DeformConv")
def _deformed(
    x: Tensor, w: Tensor, offset: Tensor, b: Tensor | None = None, mask: Tensor | None = None, *,
    kernel_shape: list[int] | None = None, strides: list[int] | None = None, dilations: list[int] | None = None,
    pads: list[int] | None = None, group: int = 1, offset_group: int = 1,
) -> Tensor:  # fmt: skip
    if x.ndim != 4 or w.shape[1] * group != x.shape[1] or w.shape[0] % group or x.shape[1] % offset_group:
        raise ModelRefusal(f"{group} groups and {offset_group} of offsets do not fit its pictures and filters")
    how = windows(x, w.shape[2:], strides, dilations, pads, "NOTSET")
    rows_of_axes = zip(x.shape[2:], how.around, how.reach, how.strides, strict=True)
    sizes = [(size + sum(pair) - reach) // step + 1 for size, pair, reach, step in rows_of_axes]
    if list(offset.shape[2:]) != sizes:
        raise ModelRefusal(f"its offsets are for {list(offset.shape[2:])} windows, and there are {sizes}")
    taps, batch = math.prod(how.sizes), x.shape[0] * offset_group
    refuse_large("DeformConv", [x.shape[0], x.shape[1], taps, *sizes], np.dtype(np.float64))
    moved = made("Unstack", reshaped(offset, [batch, taps, 2, *sizes]), axis=2)
    # From -1 to 1 are the places of a picture whose outer pixels are halves outside.
    columns = [
        made("Add", made("Multiply", item, number(2 / size, item)), number((2 * start + 1) / size - 1, item))
        for item, start, size in zip(moved, _starts(how, sizes), x.shape[2:], strict=True)
    ]
    grid = made("Stack", *columns[::-1], axis=-1)
    read = sampled(reshaped(x, [batch, -1, *x.shape[2:]]), grid, "linear", "zeros", False)
    if mask is not None:
        read = made("Multiply", read, reshaped(mask, [batch, 1, taps, *sizes]))
    rows = reshaped(read, [x.shape[0], group, w.shape[1] * taps, math.prod(sizes)])
    found = product(reshaped(w, [group, w.shape[0] // group, w.shape[1] * taps]), rows)
    return _with_bias(reshaped(found, [x.shape[0], w.shape[0], *sizes]), b)


def _starts(how: Windows, sizes: Sequence[int]) -> list[Array]:
    """Returns where a window's elements lie without offsets, by axis. Shapes: (elements of a window, *sizes)."""
    rank = len(sizes)
    found = []
    for axis, size in enumerate(sizes):
        inside = np.arange(how.sizes[axis]) * how.dilations[axis] - how.around[axis][0]
        inside = inside.reshape([-1 if place == axis else 1 for place in range(rank)] + [1] * rank)
        moves = np.arange(size) * how.strides[axis]
        whole = inside + moves.reshape([-1 if place == axis else 1 for place in range(rank)])
        found.append(np.broadcast_to(whole, [*how.sizes, *sizes]).reshape(-1, *sizes))
    return found


@operator("ConvTranspose")
def _transposed(
    x: Tensor, w: Tensor, b: Tensor | None = None, *, kernel_shape: list[int] | None = None,
    strides: list[int] | None = None, dilations: list[int] | None = None, pads: list[int] | None = None,
    auto_pad: str = "NOTSET", group: int = 1, output_padding: list[int] | None = None,
    output_shape: list[int] | None = None,
) -> Tensor:  # fmt: skip
    how = windows(x, w.shape[2:], strides, dilations, pads, "NOTSET")
    more = output_padding or [0] * len(how.sizes)
    whole = [(size - 1) * step + reach for size, step, reach in zip(x.shape[2:], how.strides, how.reach, strict=True)]
    cut, wanted = [first for first, _ in how.around], output_shape
    if wanted is None and auto_pad.startswith("SAME"):
        wanted = [size * step for size, step in zip(x.shape[2:], how.strides, strict=True)]
    if wanted is None:
        rows = zip(whole, how.around, more, strict=True)
        wanted = [size - sum(pair) + extra for size, pair, extra in rows]
    else:
        wanted = wanted[-len(whole) :]
        totals = [max(0, size + extra - want) for size, extra, want in zip(whole, more, wanted, strict=True)]
        cut = [total // 2 if auto_pad == "SAME_UPPER" else total - total // 2 for total in totals]
    found = _whole_transposed(x, w, how, group, whole)
    beyond = [(0, max(0, less + size - full)) for less, size, full in zip(cut, wanted, whole, strict=True)]
    found = framed(found, beyond)
    if cut != [0] * len(cut) or list(found.shape[2:]) != wanted:
        found = made("Slice", found, begin=[0, 0, *cut], size=[*found.shape[:2], *wanted])
    return _with_bias(found, b)


def _whole_transposed(x: Tensor, w: Tensor, how: Windows, group: int, whole: list[int]) -> Tensor:
    """Returns all that the transposed convolution reaches. Shapes: w (in, out / group, ...)."""
    rank = x.ndim - 2
    if rank == 2 and group == 1 and not how.is_dilated:
        filters = made("Transpose", w, perm=[2, 3, 1, 0])
        shape = [x.shape[0], w.shape[1], *whole]
        found: Tensor = made(
            "Conv2DTranspose", x, filters, output_shape=shape, strides=how.strides, padding="VALID", data_format="NCHW"
        )
        return found
    # Zeros between the elements, then a convolution with filters that are turned around.
    for axis, step in enumerate(how.strides, start=2):
        x = _spaced(x, axis, step)
    sizes = list(w.shape[2:])
    parts = reshaped(w, [group, w.shape[0] // group, w.shape[1], *sizes])
    parts = made("Transpose", parts, perm=[0, 2, 1, *range(3, rank + 3)])
    parts = reshaped(parts, [group * w.shape[1], w.shape[0] // group, *sizes])
    turned = made("Reverse", parts, axis=list(range(2, rank + 2)))
    plain = Windows(sizes, [1] * rank, how.dilations, [])
    return _convolved(framed(x, [(reach - 1, reach - 1) for reach in how.reach]), turned, plain, group)


def _spaced(x: Tensor, axis: int, step: int) -> Tensor:
    """Returns a tensor with `step - 1` zeros between the elements of an axis."""
    if step == 1:
        return x
    size, shape = x.shape[axis], list(x.shape)
    around = [(0, step - 1) if place == axis + 1 else (0, 0) for place in range(x.ndim + 1)]
    wide = reshaped(
        padded(made("ExpandDims", x, axis=axis + 1), around), [*shape[:axis], size * step, *shape[axis + 1 :]]
    )
    ends = [max(0, (size - 1) * step + 1) if place == axis else -1 for place in range(x.ndim)]
    found: Tensor = made("Slice", wide, begin=[0] * x.ndim, size=ends)
    return found


@operator("Col2Im")
def _images(
    x: Tensor, image_shape: Numbers, block_shape: Numbers, *, dilations: list[int] | None = None,
    pads: list[int] | None = None, strides: list[int] | None = None,
) -> Tensor:  # fmt: skip
    image, block = [int(size) for size in image_shape], [int(size) for size in block_shape]
    refuse_large("Col2Im", [*image, *block], np.dtype(np.int64))
    channels = x.shape[1] // int(np.prod(block))
    frame = np.zeros((1, 1, *image))
    how = windows(frame, block, strides, dilations, pads, "NOTSET")
    wide = [size + sum(pair) for size, pair in zip(image, how.around, strict=True)]
    refuse_large("Col2Im", wide, np.dtype(np.int64))
    places = np.arange(int(np.prod(wide))).reshape(wide)
    # The place in the padded image of each element, by its place in the block and the block's place.
    counts = [(size - reach) // step + 1 for size, reach, step in zip(wide, how.reach, how.strides, strict=True)]
    if math.prod(counts) != x.shape[2]:
        raise ModelRefusal(f"{math.prod(counts)} blocks fit its image, and it has {x.shape[2]}")
    for axis, count in enumerate(counts):
        inside = np.arange(block[axis])[:, None] * how.dilations[axis] + np.arange(count) * how.strides[axis]
        places = np.take(places, inside, axis=2 * axis)
    rank = len(block)
    order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    flat = places.transpose(order).reshape(-1, 1)
    rows = made("Transpose", reshaped(x, [x.shape[0] * channels, -1]), perm=[1, 0])
    summed = made("ScatterNd", flat, rows, shape=[int(np.prod(wide)), x.shape[0] * channels])
    found = reshaped(made("Transpose", summed, perm=[1, 0]), [x.shape[0], channels, *wide])
    begin = [first for first, _ in how.around]
    result: Tensor = made("Slice", found, begin=[0, 0, *begin], size=[x.shape[0], channels, *image])
    return result
