"""NumPy's functions, and ours, in operations that stand-ins for arrays record; importing it registers them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence, Set
from typing import Any, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gradwire.engine.base.tensor_spec import Shape, broadcast_shapes, normalize_axis
from gradwire.engine.executors.recordable import holds
from gradwire.engine.executors.traced_array import COPIES, FUNCTIONS, Recorder, TracedArray, Unrecordable
from gradwire.engine.executors.ufunc_loops import (
    Strided,
    along_axis,
    by_element,
    loop_of,
    memory_order,
    over_parts,
)
from gradwire.engine.executors.windows import first_greatest, put_into

GREATEST = frozenset(f"greatest_{name}" for name in ("float32", "float64", "int32", "int64"))
PUTS = frozenset(f"put_{size}" for size in (4, 8))
EXTREMES = frozenset(
    f"{kind}_{name}" for kind in ("argmax", "argmin") for name in ("float32", "float64", "int32", "int64")
)

_np: Any = np  # NumPy's types do not know tracers.
_Traced = TypeVar("_Traced", bound=Callable[..., Any])


def _replaces(*functions: Any) -> Callable[[_Traced], _Traced]:
    """Registers what tracers do in the place of some functions."""

    def register(traced: _Traced) -> _Traced:
        FUNCTIONS.update(dict.fromkeys(functions, traced))
        return traced

    return register


# -- views ------------------------------------------------------------------------------------------------------------


def _view(function: Callable[..., Any]) -> Callable[..., TracedArray]:
    def view(_: Recorder, x: TracedArray, *others: Any, **keywords: Any) -> TracedArray:
        return x.views(lambda array: (function(array, *others, **keywords),))[0]

    return view


for _function in (
    np.broadcast_to, np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.flip, np.diagonal,
    sliding_window_view,
):  # fmt: skip
    FUNCTIONS[_function] = _view(_function)


@_replaces(np.split)
def _split(_: Recorder, x: TracedArray, parts: Any, axis: int = 0) -> list[TracedArray]:
    return x.views(lambda array: np.split(array, parts, axis))


@_replaces(np.broadcast_arrays)
def _broadcast_arrays(recorder: Recorder, *arrays: Any) -> tuple[TracedArray, ...]:
    items = [TracedArray(recorder, recorder.strided(item)) for item in arrays]
    shape = broadcast_shapes([item.shape for item in items])
    return tuple(_np.broadcast_to(item, shape) for item in items)


@_replaces(np.reshape)
def _reshaped(_: Recorder, x: TracedArray, shape: Any) -> TracedArray:
    return x.reshape(shape)


@_replaces(np.ravel)
def _raveled(_: Recorder, x: TracedArray) -> TracedArray:
    return x.reshape(-1)


# -- copies -----------------------------------------------------------------------------------------------------------


def _filled_with(number: Any) -> Callable[..., TracedArray]:
    def filled(recorder: Recorder, x: TracedArray, dtype: Any = None, **how: Any) -> TracedArray:
        return _filled(recorder, x, number, dtype, **how)

    return filled


@_replaces(np.full_like)
def _filled(recorder: Recorder, x: TracedArray, value: Any, dtype: Any = None, **how: Any) -> TracedArray:
    made = _empty(recorder, x, dtype, **how)
    made[...] = value
    return made


@_replaces(np.empty_like)
def _empty(
    recorder: Recorder, x: TracedArray, dtype: Any = None, order: str = "K", *, shape: Shape | None = None
) -> TracedArray:
    size = x.shape if shape is None else tuple(shape)
    keeps_order = order == "K" and len(size) == x.ndim
    axes = memory_order([x.strided], x.shape) if keeps_order else None
    return TracedArray(recorder, recorder.new(size, np.dtype(x.dtype if dtype is None else dtype), axes))


FUNCTIONS |= {np.zeros_like: _filled_with(0), np.ones_like: _filled_with(1)}


@_replaces(np.concatenate)
def _concatenated(recorder: Recorder, arrays: Sequence[Any], axis: int = 0) -> TracedArray:
    first = arrays[0]
    place = normalize_axis(axis, first.ndim)
    sizes = [item.shape[place] for item in arrays]
    shape = (*first.shape[:place], sum(sizes), *first.shape[place + 1 :])
    out = TracedArray(recorder, recorder.new(shape, np.result_type(*(item.dtype for item in arrays))))
    ends = np.cumsum(sizes).tolist()
    for item, size, end in zip(arrays, sizes, ends, strict=True):
        out[(*(slice(None),) * place, slice(end - size, end))] = item
    return out


@_replaces(np.stack)
def _stacked(recorder: Recorder, arrays: Sequence[Any], axis: int = 0) -> TracedArray:
    return _concatenated(recorder, [_np.expand_dims(item, axis) for item in arrays], axis)


@_replaces(np.tile)
def _tiled(_: Recorder, x: TracedArray, reps: Any) -> TracedArray:
    times = tuple(reps) if isinstance(reps, tuple | list) else (reps,)
    rank = max(len(times), x.ndim)
    times, sizes = (1,) * (rank - len(times)) + times, (1,) * (rank - x.ndim) + x.shape
    apart = x.reshape(tuple(number for size in sizes for number in (1, size)))
    pairs = tuple(zip(times, sizes, strict=True))
    spread: TracedArray = _np.broadcast_to(apart, tuple(number for pair in pairs for number in pair))
    return spread.copy().reshape(tuple(math.prod(pair) for pair in pairs))


@_replaces(np.repeat)
def _repeated(_: Recorder, x: TracedArray, repeats: Any, axis: int) -> Any:
    place = normalize_axis(axis, x.ndim)
    if not isinstance(repeats, int):
        return _np.take(x, np.repeat(np.arange(x.shape[place]), repeats), place)
    head, size, tail = x.shape[:place], x.shape[place], x.shape[place + 1 :]
    apart = x.reshape((*head, size, 1, *tail))
    spread = _np.broadcast_to(apart, (*head, size, repeats, *tail))
    return spread.copy().reshape((*head, size * repeats, *tail))


@_replaces(np.roll)
def _rolled(recorder: Recorder, x: TracedArray, shift: Any, axis: Any) -> TracedArray:
    shifts, axes = ((item,) if isinstance(item, int) else tuple(item) for item in (shift, axis))
    # NumPy copies even where nothing moves.
    found = x if shifts and x.size else x.copy()
    for number, place in zip(shifts, axes, strict=True) if x.size else ():
        before = (slice(None),) * normalize_axis(place, x.ndim)
        cut = -number % x.shape[place]
        found = _concatenated(recorder, [found[(*before, slice(cut, None))], found[(*before, slice(cut))]], place)
    return found


@_replaces(np.pad)
def _padded(recorder: Recorder, x: TracedArray, borders: Any, mode: str = "constant") -> TracedArray:
    if mode not in ("constant", "reflect", "symmetric") or len(borders) != x.ndim:
        raise Unrecordable
    found = x if any(map(any, borders)) else x.copy()
    for axis, (before, after) in enumerate(borders):
        if before or after:
            lines, edge = _np.moveaxis(found, axis, 0), int(mode == "reflect")
            # Wider borders are mirrored several times.
            if mode != "constant" and max(before, after) > len(lines) - edge:
                raise Unrecordable
            parts = _borders(lines, before, after, edge) if mode != "constant" else _zeros(lines, before, after)
            found = _np.moveaxis(_concatenated(recorder, [parts[0], lines, parts[1]]), 0, axis)
    return found.copy()


def _borders(lines: TracedArray, before: int, after: int, edge: int) -> tuple[TracedArray, TracedArray]:
    size = len(lines)
    return lines[edge : edge + before][::-1], lines[size - edge - after : size - edge][::-1]


def _zeros(lines: TracedArray, *counts: int) -> list[np.ndarray[Any, Any]]:
    return [np.broadcast_to(lines.dtype.type(0), (count, *lines.shape[1:])) for count in counts]


# -- choices ----------------------------------------------------------------------------------------------------------


@_replaces(np.where)
def _where(recorder: Recorder, condition: Any, x: Any, y: Any) -> TracedArray:
    dtype = np.result_type(*(item if type(item) in (int, float) else item.dtype for item in (x, y)))
    operands = [recorder.strided(condition)]
    for item in (x, y):
        if isinstance(item, TracedArray):
            operands.append(item.astype(dtype, copy=False).strided)
        else:
            operands.append(recorder.strided(np.asarray(item, dtype)))
    if operands[0].dtype != np.bool_ or f"copy_{dtype.itemsize}" not in COPIES:
        raise Unrecordable
    return recorder.computed(f"choose_{dtype.itemsize}", operands, dtype)


@_replaces(np.take)
def _taken(recorder: Recorder, x: Any, indices: Any, axis: int) -> TracedArray:
    item = recorder.strided(x)
    place, picked = normalize_axis(axis, len(item.shape)), np.asarray(indices) if isinstance(indices, list) else indices
    size, step = item.shape[place], item.strides[place]
    chosen = recorder.indices(picked, size)
    rest = len(item.shape) - place - 1
    spread = chosen.reshape((*chosen.shape, *(1,) * rest))
    flat = item._replace(
        shape=(*item.shape[:place], *(1,) * chosen.ndim, *item.shape[place + 1 :]),
        strides=(*item.strides[:place], *(0,) * chosen.ndim, *item.strides[place + 1 :]),
    )
    return recorder.take(flat, spread.strided, size, step)


@_replaces(np.take_along_axis)
def _taken_along_axis(recorder: Recorder, x: Any, indices: Any, axis: int) -> TracedArray:
    item = recorder.strided(x)
    place = normalize_axis(axis, len(item.shape))
    size, step = item.shape[place], item.strides[place]
    chosen = recorder.indices(indices, size)
    if chosen.ndim != len(item.shape):
        raise Unrecordable
    flat = item._replace(
        shape=(*item.shape[:place], 1, *item.shape[place + 1 :]),
        strides=(*item.strides[:place], 0, *item.strides[place + 1 :]),
    )
    return recorder.take(flat, chosen.strided, size, step)


def _place_of(kind: str) -> Callable[..., TracedArray]:
    def place_of(recorder: Recorder, x: TracedArray, axis: int) -> TracedArray:
        place, loop = normalize_axis(axis, x.ndim), f"{kind}_{x.dtype.name}"
        rest = tuple(number for number in range(x.ndim) if number != place)
        lines = x.transpose(*rest, place).strided
        if loop not in EXTREMES or not lines.shape[-1]:
            raise Unrecordable
        out = recorder.new(lines.shape[:-1], np.dtype(np.int64))
        axis_of_lines = lines.shape[-1], lines.strides[-1]
        recorder.add(along_axis(loop, [lines, out], [lines.strides[:-1], out.strides], out.shape, axis_of_lines))
        return TracedArray(recorder, out)

    return place_of


FUNCTIONS |= {np.argmax: _place_of("argmax"), np.argmin: _place_of("argmin")}


# -- sums and the like ------------------------------------------------------------------------------------------------


def _reduction(ufunc: np.ufunc, start: Callable[[np.dtype[Any]], Any]) -> Callable[..., TracedArray]:
    def reduce(
        recorder: Recorder,
        x: TracedArray,
        axis: Any = None,
        dtype: Any = None,
        keepdims: bool = False,
        initial: Any = None,
    ) -> TracedArray:
        if dtype is not None:
            x = x.astype(dtype, copy=False)
        loop = loop_of(ufunc, (x.dtype,) * 3)
        if loop is None or (x.dtype.kind != "f" and dtype is None and ufunc in (np.add, np.multiply)):
            raise Unrecordable
        first = recorder.strided(x.dtype.type(start(x.dtype) if initial is None else initial))
        axes, order = _axes(axis, x.ndim), memory_order([x.strided], x.shape)
        kept = tuple(1 if place in axes else size for place, size in enumerate(x.shape))
        if _is_buffered(x, axes, order):
            x = recorder.copied(x.strided, recorder.new(x.shape, x.dtype, order))
        out = recorder.copied(first, recorder.new(kept, x.dtype, order))
        recorder.add(by_element(loop, [out.strided, x.strided, out.strided], x.shape, order))
        return out if keepdims else out.without(axes)

    return reduce


def _is_buffered(x: TracedArray, axes: tuple[int, ...], order: Sequence[int]) -> bool:
    """Returns whether NumPy copies operands of a reduction first, because its inner axes cannot be merged.

    Several such copies for one result would make parts of it, which loops do not express.
    """
    walked = [axis for axis in reversed(order) if x.shape[axis] != 1]
    inner = itertools.takewhile(lambda axis: axis in axes, walked)
    parts = [(x.shape[axis], x.strided.strides[axis]) for axis in inner]
    is_split = any(size * step != outer for (size, step), (_, outer) in itertools.pairwise(parts))
    if is_split and math.prod(size for size, _ in parts) > np.getbufsize():
        raise Unrecordable
    return is_split


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(normalize_axis(item, ndim) for item in (axis if isinstance(axis, tuple | list) else (axis,)))


def _unknown(_: np.dtype[Any]) -> Any:
    raise Unrecordable


FUNCTIONS |= {
    np.sum: _reduction(np.add, lambda _: 0),
    np.prod: _reduction(np.multiply, lambda _: 1),
    np.all: _reduction(np.logical_and, lambda _: True),
    np.any: _reduction(np.logical_or, lambda _: False),
    # Without an initial value the first element is the start, which loops cannot express.
    np.max: _reduction(np.maximum, _unknown),
    np.min: _reduction(np.minimum, _unknown),
}


def _running(ufunc: np.ufunc) -> Callable[..., TracedArray]:
    running: Any = ufunc.accumulate

    def accumulate(_: Recorder, x: TracedArray, axis: int, dtype: Any = None) -> TracedArray:
        found: TracedArray = running(x, axis=axis, dtype=dtype)
        return found

    return accumulate


FUNCTIONS |= {np.cumsum: _running(np.add), np.cumprod: _running(np.multiply)}


@_replaces(np.count_nonzero)
def _counted(_: Recorder, x: TracedArray, axis: Any = None) -> Any:
    return _np.sum(x.astype(np.bool_), axis=axis, dtype=np.int64)


@_replaces(np.trace)
def _traced(_: Recorder, x: TracedArray, axis1: int, axis2: int, dtype: Any) -> Any:
    return _np.diagonal(x, 0, axis1, axis2).sum(-1, dtype=dtype)


@_replaces(np.diff)
def _differences(_: Recorder, x: TracedArray, axis: int = -1) -> Any:
    before = (slice(None),) * normalize_axis(axis, x.ndim)
    if x.dtype == np.bool_:
        raise Unrecordable
    return x[(*before, slice(1, None))] - x[(*before, slice(None, -1))]


# -- element by element -----------------------------------------------------------------------------------------------


@_replaces(np.round)
def _rounded(_: Recorder, x: TracedArray, decimals: int = 0) -> Any:
    if decimals:
        raise Unrecordable
    return _np.rint(x) if x.dtype.kind == "f" else x.copy("K")


@_replaces(np.clip)
def _clipped(_: Recorder, x: TracedArray, low: Any, high: Any) -> Any:
    # NumPy's function is this ufunc behind checks of its arguments.
    return _np._core.umath.clip(x, low, high)


@_replaces(np.isposinf)
def _is_plus_infinity(_: Recorder, x: TracedArray) -> Any:
    return _np.isinf(x) & ~_np.signbit(x)


@_replaces(np.isneginf)
def _is_minus_infinity(_: Recorder, x: TracedArray) -> Any:
    return _np.isinf(x) & _np.signbit(x)


# -- our own functions ------------------------------------------------------------------------------------------------


@_replaces(holds)
def _assume(recorder: Recorder, condition: TracedArray) -> bool:
    recorder.assume(condition)
    return True


@_replaces(first_greatest)
def _first_greatest(recorder: Recorder, parts: Sequence[TracedArray]) -> TracedArray:
    first = parts[0].strided
    out = recorder.new(first.shape, np.dtype(np.int32))
    _over_parts(recorder, f"greatest_{first.dtype.name}", GREATEST, parts, [first, out])
    return TracedArray(recorder, out)


@_replaces(put_into)
def _put(recorder: Recorder, parts: Sequence[TracedArray], x: TracedArray, numbers: TracedArray) -> None:
    target = parts[0].strided
    if target.buffer not in recorder.sizes or x.dtype != target.dtype or numbers.dtype != np.int32:
        raise Unrecordable
    _over_parts(recorder, f"put_{x.dtype.itemsize}", PUTS, parts, [x.strided, numbers.strided, target])


def _over_parts(
    recorder: Recorder, loop: str, known: Set[str], parts: Sequence[TracedArray], operands: Sequence[Strided]
) -> None:
    """Records a loop over windows whose parts lie in one buffer and differ only in their offsets."""
    first, shape = parts[0].strided, operands[0].shape
    is_alike = all(part.strided == first._replace(offset=part.strided.offset) for part in parts)
    if loop not in known or not is_alike or len(shape) < 2 or any(item.shape != shape for item in operands):
        raise Unrecordable
    table = recorder.strided(np.array([part.strided.offset - first.offset for part in parts], np.int64))
    recorder.add(over_parts(loop, table, operands))
