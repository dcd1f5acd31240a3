"""Operators that arrange elements: shapes, axes, parts, joints, padding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.shapes import reshaped, sliced
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, broadcast, kind, made, refuse_large
from gradwire.interop.opset.operators import Numbers, operator

_DEEPEST = 32


def integers(given: Numbers | Sequence[int] | None) -> list[int] | None:
    """Returns numbers as Python has them."""
    return None if given is None else [int(item) for item in np.asarray(given).reshape(-1)]


@operator("Reshape")
def _reshaped(x: Tensor, sizes: Numbers | None = None, *, shape: list[int] | None = None, allowzero: int = 0) -> Tensor:
    wanted = integers(shape if sizes is None else sizes) or []
    if not allowzero:
        wanted = [x.shape[place] if size == 0 else size for place, size in enumerate(wanted)]
    if wanted.count(-1) == 1:
        rest = math.prod(size for size in wanted if size != -1)
        wanted[wanted.index(-1)] = math.prod(x.shape) // max(1, rest)
    return reshaped(x, wanted)


@operator("Flatten")
def _flat(x: Tensor, *, axis: int = 1) -> Tensor:
    place = axis + x.ndim if axis < 0 else axis
    return reshaped(x, [math.prod(x.shape[:place]), math.prod(x.shape[place:])])


@operator("Squeeze")
def _squeezed(x: Tensor, places: Numbers | None = None, *, axes: list[int] | None = None) -> Tensor:
    chosen = integers(axes if places is None else places)
    if chosen == [] or (chosen is None and 1 not in x.shape):
        return x
    found: Tensor = made("Squeeze", x, axis=chosen)
    return found


@operator("Unsqueeze")
def _unsqueezed(x: Tensor, places: Numbers | None = None, *, axes: list[int] | None = None) -> Tensor:
    chosen = integers(axes if places is None else places) or []
    rank = x.ndim + len(chosen)
    if rank > _DEEPEST:
        raise ModelRefusal(f"a tensor of {rank} axes is not read")
    if len(chosen) == 1:
        found: Tensor = made("ExpandDims", x, axis=chosen[0])
        return found
    sizes = list(x.shape)
    for axis in sorted(axis % rank for axis in chosen):
        sizes.insert(axis, 1)
    return reshaped(x, sizes)


@operator("Transpose")
def _transposed(x: Tensor, *, perm: list[int] | None = None) -> Tensor:
    found: Tensor = made("Transpose", x, perm=perm)
    return found


@operator("Concat")
def _joined(*x: Tensor, axis: int = 1) -> Tensor:
    found: Tensor = made("Concat", *x, axis=axis)
    return found


@operator("Split")
def _split(
    x: Tensor, sizes: Numbers | None = None, *, axis: int = 0, split: list[int] | None = None,
    num_outputs: int | None = None, count: int,
) -> list[Tensor]:  # fmt: skip
    wanted = integers(split if sizes is None else sizes)
    length = x.shape[axis]
    if wanted is None:
        number = num_outputs or count
        width = -(-length // number)
        wanted = [max(0, min(width, length - place * width)) for place in range(number)]
    return [x] if len(wanted) == 1 else list(made("Split", x, num_or_size_splits=wanted, axis=axis))


@operator("Expand")
def _expanded(x: Tensor, shape: Numbers) -> Tensor:
    return broadcast(x, np.broadcast_shapes(tuple(x.shape), tuple(integers(shape) or ())))


@operator("Tile")
def _tiled(x: Tensor, repeats: Numbers, old_axis: Numbers | None = None) -> Tensor:
    times = integers(repeats) or []
    if old_axis is not None:
        # The first version repeats along one axis.
        times = [times[0] if axis == int(old_axis.flat[0]) else 1 for axis in range(x.ndim)]
    if all(item == 1 for item in times):
        return x
    found: Tensor = made("Tile", x, multiples=times)
    return found


@operator("Slice")
def _part(
    x: Tensor, begin: Numbers | None = None, end: Numbers | None = None, places: Numbers | None = None,
    steps: Numbers | None = None, *, starts: list[int] | None = None, ends: list[int] | None = None,
    axes: list[int] | None = None,
) -> Tensor:  # fmt: skip
    firsts, lasts = integers(starts if begin is None else begin), integers(ends if end is None else end)
    assert firsts is not None and lasts is not None
    chosen = integers(axes if places is None else places) or list(range(len(firsts)))
    widths = integers(steps) or [1] * len(firsts)
    rank = x.ndim
    begins, stops, strides, end_mask = [0] * rank, list(x.shape), [1] * rank, 0
    for axis, first, last, step in zip(chosen, firsts, lasts, widths, strict=True):
        place = axis % rank
        start, stop, _ = slice(first, last, step).indices(x.shape[place])
        count = len(range(start, stop, step))
        begins[place], strides[place], stops[place] = (start, step, stop) if count else (0, 1, 0)
        if stops[place] < 0:
            # Backwards to the first element: no number says so.
            end_mask, stops[place] = end_mask | 1 << place, 0
    if begins == [0] * rank and stops == list(x.shape) and strides == [1] * rank and not end_mask:
        return x
    if strides == [1] * rank:
        sizes = [max(0, stop - start) for start, stop in zip(begins, stops, strict=True)]
        found: Tensor = made("Slice", x, begin=begins, size=sizes)
    else:
        found = made("StridedSlice", x, begin=begins, end=stops, strides=strides, end_mask=end_mask)
    return found


@operator("Pad")
def _padded(
    x: Tensor, amounts: Numbers | None = None, fill: Numbers | None = None, places: Numbers | None = None, *,
    mode: str = "constant", pads: list[int] | None = None, paddings: list[int] | None = None, value: float = 0.0,
) -> Tensor:  # fmt: skip
    widths = integers(amounts if amounts is not None else pads if pads is not None else paddings) or []
    axes = integers(places)
    axes = list(range(x.ndim)) if axes is None else [axis % x.ndim for axis in axes]
    around = [(0, 0)] * x.ndim
    for place, axis in enumerate(axes):
        around[axis] = widths[place], widths[place + len(axes)]
    if any(width < 0 for pair in around for width in pair):
        for axis, (before, behind) in enumerate(around):
            x = sliced(x, axis, max(0, -before), x.shape[axis] - max(0, -behind))
        around = [(max(0, before), max(0, behind)) for before, behind in around]
    if not any(map(any, around)):
        return x
    refuse_large("Pad", [size + sum(pair) for size, pair in zip(x.shape, around, strict=True)], np.dtype(x.dtype))
    if mode == "constant":
        return padded(x, around, value if fill is None or not fill.size else fill.flat[0].item())
    if mode == "reflect":
        found: Tensor = made("Pad", x, paddings=[list(pair) for pair in around], mode="REFLECT")
        return found
    if mode not in ("edge", "wrap"):
        raise ModelRefusal(f"padding by {mode[:20]} has no block")
    for axis, (before, behind) in enumerate(around):
        length, places_read = x.shape[axis], np.arange(-before, x.shape[axis] + behind)
        read = places_read.clip(0, length - 1) if mode == "edge" else places_read % length
        x = made("Gather", x, read, axis=axis) if before or behind else x
    return x


def padded(x: Tensor, around: Sequence[tuple[int, int]], fill: float | bool = 0.0) -> Tensor:
    """Returns a tensor with numbers around it, as many before and behind each axis; they may be infinite."""
    if not any(map(any, around)):
        return x
    if kind(x) == "f" and math.isfinite(fill):
        found: Tensor = made("Pad", x, paddings=[list(pair) for pair in around], constant_values=float(fill))
        return found
    for axis, pair in enumerate(around):
        rims = [np.full([*x.shape[:axis], width, *x.shape[axis + 1 :]], fill, x.dtype) for width in pair]
        parts = [part for part in (rims[0], x, rims[1]) if part.shape[axis]]
        x = parts[0] if len(parts) == 1 else made("Concat", *parts, axis=axis)
    return x


@operator("CenterCropPad")
def _centred(x: Tensor, shape: Numbers, *, axes: list[int] | None = None) -> Tensor:
    around = [(0, 0)] * x.ndim
    for axis, size in zip(range(x.ndim) if axes is None else axes, integers(shape) or [], strict=True):
        place = axis % x.ndim
        more = size - x.shape[place]
        if more < 0:
            begin = -more // 2
            x = sliced(x, place, begin, begin + size)
        else:
            around[place] = more // 2, more - more // 2
    return padded(x, around, 0)


def _blocks(x: Tensor, parts: Sequence[int], order: Sequence[int], shape: Sequence[int]) -> Tensor:
    return reshaped(made("Transpose", reshaped(x, parts), perm=list(order)), shape)


@operator("DepthToSpace")
def _to_space(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    count, depth, height, width = x.shape
    step, kept = blocksize, depth // blocksize**2
    shape = [count, kept, height * step, width * step]
    if mode == "DCR":
        return _blocks(x, [count, step, step, kept, height, width], [0, 3, 4, 1, 5, 2], shape)
    return _blocks(x, [count, kept, step, step, height, width], [0, 1, 4, 2, 5, 3], shape)


@operator("SpaceToDepth")
def _to_depth(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    count, depth, height, width = x.shape
    step = blocksize
    shape = [count, depth * step**2, height // step, width // step]
    order = [0, 3, 5, 1, 2, 4] if mode == "DCR" else [0, 1, 3, 5, 2, 4]
    return _blocks(x, [count, depth, height // step, step, width // step, step], order, shape)


@operator("Trilu")
def _triangle(x: Tensor, diagonal: Numbers | None = None, *, upper: int = 1) -> Tensor:
    k = 0 if diagonal is None else int(diagonal.flat[0])
    rows, columns = np.indices(x.shape[-2:], sparse=True)
    kept: Array = np.asarray(columns - rows >= k if upper else columns - rows <= k)
    found: Tensor = made("Where", np.broadcast_to(kept, x.shape).copy(), x, np.zeros((), x.dtype))
    return found


@operator("ReverseSequence")
def _reversed(x: Tensor, lengths: Tensor, *, batch_axis: int = 1, time_axis: int = 0) -> Tensor:
    found: Tensor = made(
        "ReverseSequence", x, lengths, seq_axis=axis_of(time_axis, x), batch_axis=axis_of(batch_axis, x)
    )
    return found
