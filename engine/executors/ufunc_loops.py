"""Calls of NumPy's inner loops with the strides of their operands, independent of memory addresses."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array, Shape

MAX_OPERANDS = 4
# Native loop by name, or a ufunc with the index of one of its loops; True behind it means running totals.
Loop = str | tuple[np.ufunc, int] | tuple[np.ufunc, int, bool]


class Strided(NamedTuple):
    """Strided view of a buffer: its number, the offset of the first element, shape and strides.

    Units: bytes.
    """

    buffer: int
    offset: int
    shape: Shape
    strides: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Call:
    """One loop over some operands, the last of which is written.

    `sizes` is a flat list of numbers: the `rank` outer sizes, for each of them the strides of all operands, then
    `dimensions` sizes and the strides of the loop itself.
    """

    loop: Loop
    operands: tuple[Strided, ...]
    rank: int
    dimensions: int
    sizes: tuple[int, ...]


@functools.cache
def loop_of(ufunc: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> tuple[np.ufunc, int] | None:
    """Returns the loop of a ufunc for exactly these dtypes, results included; None if it has none."""
    kinds = [dtype.char for dtype in dtypes]
    wanted = f"{''.join(kinds[: ufunc.nin])}->{''.join(kinds[ufunc.nin :])}"
    same = [place for place, types in enumerate(ufunc.types) if _alike(types) == _alike(wanted)]
    return (ufunc, same[0]) if same else None


def _alike(types: str) -> str:
    """Returns types with one spelling for each dtype: C has two names for 64-bit integers."""
    return "".join(kind if kind in "->" else np.dtype(kind).str for kind in types)


def memory_order(operands: Sequence[Strided], shape: Shape) -> tuple[int, ...]:
    """Returns the axes in the order in which NumPy walks over operands that are broadcast to `shape`, outermost first.

    Rounding of sums depends on it. An axis moves inwards if all operands have smaller steps along it.
    Source: `npyiter_find_best_axis_ordering` of NumPy. Cost: O(operands * axes^2).
    """
    strides = [_spread(item, shape) for item in operands]
    inside_out: list[int] = []
    for axis in reversed(range(len(shape))):
        place = len(inside_out)
        for at in reversed(range(len(inside_out))):
            steps = [(abs(item[axis]), abs(item[inside_out[at]])) for item in strides]
            decisive = [step < inner for step, inner in steps if step and inner]
            if decisive and not all(decisive):
                break
            place = at if decisive else place
        inside_out.insert(place, axis)
    return tuple(reversed(inside_out))


def by_element(
    loop: Loop, operands: Sequence[Strided], shape: Shape, order: Sequence[int] | None = None
) -> Call | None:
    """Returns a loop over `shape`, to which all operands are broadcast; None if the shape is empty.

    The axes are walked over in this order, by default in NumPy's.
    """
    if 0 in shape:
        return None
    order = memory_order(operands, shape) if order is None else order
    spread = [_spread(item, shape) for item in operands]
    strides = [tuple(item[axis] for axis in order) for item in spread]
    sizes, merged = _merged(tuple(shape[axis] for axis in order), strides)
    outer, inner = sizes[:-1], sizes[-1]
    table = (*outer, *(step for axis in merged[:-1] for step in axis), inner, *merged[-1])
    return Call(loop, tuple(operands), len(outer), 1, table)


def product(loop: Loop, a: Strided, b: Strided, out: Strided) -> Call | None:
    """Returns a loop of np.matmul with broadcast leading axes; None if there is nothing to multiply."""
    if 0 in out.shape or 0 in a.shape:
        return None
    batch = (1, *out.shape[:-2])
    strides = [_spread(_leading(item), batch) for item in (a, b, out)]
    sizes, merged = _merged(batch, strides)
    cores = (*a.strides[-2:], *b.strides[-2:], *out.strides[-2:])
    dimensions = (sizes[-1], a.shape[-2], a.shape[-1], b.shape[-1])
    table = (*sizes[:-1], *(step for axis in merged[:-1] for step in axis), *dimensions, *merged[-1], *cores)
    return Call(loop, (a, b, out), len(sizes) - 1, len(dimensions), table)


def along_axis(
    loop: Loop, operands: Sequence[Strided], strides: Sequence[tuple[int, ...]], shape: Shape, axis: tuple[int, int]
) -> Call | None:
    """Returns a loop over `shape` that knows the size and the step of one more axis; None if the shape is empty.

    `strides` has those of all operands along `shape`.
    """
    if 0 in shape:
        return None
    sizes, merged = _merged(shape, strides)
    table = (*sizes[:-1], *(step for outer in merged[:-1] for step in outer), sizes[-1], axis[0], *merged[-1], axis[1])
    return Call(loop, tuple(operands), len(sizes) - 1, 2, table)


def accumulation(loop: tuple[np.ufunc, int], x: Strided, out: Strided, axis: int) -> Call | None:
    """Returns the loop of `ufunc.accumulate` behind the first elements along an axis; None if there are no others."""
    shape = tuple(size - (place == axis) for place, size in enumerate(x.shape))
    if 0 in shape:
        return None
    operands = (out, _behind(x, axis, shape), _behind(out, axis, shape))
    rest = [place for place in range(len(shape)) if place != axis]
    strides = [tuple(item.strides[place] for place in rest) for item in operands]
    sizes, merged = _merged(tuple(shape[place] for place in rest), strides)
    table = (*sizes, *(step for outer in merged for step in outer), shape[axis], 1)
    return Call((*loop, True), operands, len(sizes), 2, (*table, *(item.strides[axis] for item in operands)))


def _behind(item: Strided, axis: int, shape: Shape) -> Strided:
    """Returns the elements behind the first ones along an axis."""
    return item._replace(offset=item.offset + item.strides[axis], shape=shape)


def over_parts(loop: Loop, table: Strided, operands: Sequence[Strided]) -> Call | None:
    """Returns a loop over windows whose parts have the offsets in `table`; None if there is no window.

    Operands: all have the shape of one part; the last two axes are windows and channels.
    """
    *outer, windows, channels = operands[0].shape
    if 0 in operands[0].shape:
        return None
    strides = [(0,) * len(outer), *(item.strides[:-2] for item in operands)]
    sizes, merged = _merged(tuple(outer), strides)
    steps = (step for axis in (-2, -1) for step in (item.strides[axis] for item in operands))
    places = (*sizes, *(step for axis in merged for step in axis))
    return Call(loop, (table, *operands), len(sizes), 3, (*places, windows, table.shape[0], channels, *steps))


def _leading(item: Strided) -> Strided:
    return item._replace(shape=item.shape[:-2], strides=item.strides[:-2])


def broadcast(item: Strided, shape: Shape) -> Strided:
    """Returns the elements broadcast to a shape."""
    return item._replace(shape=shape, strides=_spread(item, shape))


def _spread(item: Strided, shape: Shape) -> tuple[int, ...]:
    """Returns the strides of an operand along the axes of the shape that it is broadcast to."""
    lead = len(shape) - len(item.shape)
    steps = (0 if size == 1 else step for size, step in zip(item.shape, item.strides, strict=True))
    return (*(0,) * lead, *steps)


def _merged(shape: Shape, strides: Sequence[tuple[int, ...]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Returns the fewest equivalent axes: drops those of size 1 and merges neighbours that are traversed as one."""
    sizes: list[int] = []
    steps: list[tuple[int, ...]] = []
    for size, *now in zip(shape, *strides, strict=True):
        if size == 1:
            continue
        if sizes and all(before == size * step for before, step in zip(steps[-1], now, strict=True)):
            sizes[-1] *= size
            steps[-1] = tuple(now)
        else:
            sizes.append(size)
            steps.append(tuple(now))
    return (sizes, steps) if sizes else ([1], [(0,) * len(strides)])


def view_of(item: Strided, memory: Array) -> Array:
    """Returns a view of the elements in the memory of their buffer."""
    return np.ndarray(item.shape, item.dtype, memory.data, item.offset, item.strides)


def contiguous(shape: Shape, itemsize: int, order: Sequence[int] | None = None) -> tuple[int, ...]:
    """Returns the strides of elements without gaps, with the axes in this order, by default in C order."""
    strides, step = [itemsize] * len(shape), itemsize
    for axis in reversed(range(len(shape)) if order is None else order):
        strides[axis] = step
        step *= max(shape[axis], 1)
    return tuple(strides)


def is_contiguous(item: Strided) -> bool:
    """Returns whether elements lie in C order without gaps, as NumPy's flag says."""
    steps = zip(item.shape, item.strides, contiguous(item.shape, item.dtype.itemsize), strict=True)
    return 0 in item.shape or all(size == 1 or step == whole for size, step, whole in steps)
