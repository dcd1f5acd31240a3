"""Executor without compiled code: each instruction over an arena becomes a NumPy call with bound arrays."""

from __future__ import annotations

import functools
from array import array as numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.array_statistics import KINDS, survey_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.loop_dtypes import INCREMENT, TAKE, operand_dtypes
from gradwire.engine.executors.ufunc_loops import Loop
from gradwire.engine.executors.windows import first_greatest, put_into

# Empty: every loop here is one of NumPy's own.
OWN_LOOPS: list[str] = []
BoundCall = Callable[[], object]
# All other ufuncs take their result as the last positional argument; a keyword costs as much time as sixteen elements.
_OUT_BY_NAME = {np.maximum, np.minimum}


class Program:
    """Counterpart of the compiled program, with the same instructions and the same results."""

    def __init__(self, memory: Array, calls: Sequence[BoundCall] = ()) -> None:
        self._memory, self._calls = memory, list(calls)

    def add(self, table: Array, loops: Sequence[Loop], rows: Array) -> None:
        """Appends instructions to the program."""
        self._table = table
        self._calls += [self._bound(loops[row[0]], row[1:5], row[5:]) for row in rows.tolist()]

    def only(self, places: Array) -> Program:
        """Returns the program of the instructions at these places, in order."""
        return Program(self._memory, [self._calls[place] for place in places.tolist()])

    def run(self) -> None:
        """Executes all instructions."""
        with np.errstate(all="ignore"):
            for call in self._calls:
                call()

    def _bound(self, loop: Loop, counts: Sequence[int], offsets: Sequence[int]) -> BoundCall:
        place, count, rank, dimensions = counts
        outer = self._table[place : place + rank]
        place += rank
        strides = self._table[place : place + rank * count].reshape(rank, count)
        place += rank * count
        sizes, steps = self._table[place : place + dimensions], self._table[place + dimensions :]
        if dimensions == 2:
            return self._along_axis(loop, outer, strides, sizes.tolist(), steps[: count + 1].tolist(), offsets)
        if dimensions > 1 and isinstance(loop, str):
            return self._over_parts(loop, outer, strides, sizes, steps, offsets)
        if dimensions > 1:
            return self._product(loop, outer, strides, sizes, steps, offsets)
        shape = (*outer, *sizes)
        walks = [(*strides[:, index], steps[index]) for index in range(count)]
        dtypes = operand_dtypes(loop)
        views = [self._view(*item) for item in zip(offsets, [shape] * count, walks, dtypes, strict=False)]
        if offsets[0] == offsets[2] and count == 3 and 0 in walks[0]:
            return _reduction(loop, views[1], views[0], walks[0])
        return _elementwise(loop, views)

    def _view(self, offset: int, shape: Sequence[int], strides: Sequence[int], dtype: np.dtype[Any]) -> Array:
        return np.ndarray(tuple(shape), dtype, self._memory.data, offset, tuple(strides))

    def _along_axis(
        self, loop: Loop, outer: Array, strides: Array, sizes: list[int], steps: list[int], offsets: Sequence[int]
    ) -> BoundCall:
        """Returns a call whose last axis is the one that the loop goes along."""
        if not isinstance(loop, str):
            # The loop starts behind the first elements; NumPy's function writes them as well.
            starts, size = (offsets[1] - steps[1], offsets[0]), sizes[0] + 1
            x, out = (
                self._view(start, (*outer, size), (*strides[:, index], steps[index]), operand_dtypes(loop)[index])
                for index, start in zip((1, 0), starts, strict=True)
            )
            return functools.partial(loop[0].accumulate, x, -1, None, out)
        shape = (*outer, sizes[0])
        walks = [(*strides[:, index], steps[index]) for index in range(strides.shape[1])]
        x = self._view(offsets[0], (*shape, sizes[1]), (*walks[0], steps[-1]), operand_dtypes(loop)[0])
        others = [
            self._view(offset, shape, walk, dtype)
            for offset, walk, dtype in zip(offsets[1:], walks[1:], operand_dtypes(loop)[1:], strict=False)
        ]
        kind = loop.partition("_")[0]
        if kind == INCREMENT:
            (memory, firsts), (added, indices, _) = self._numbered(x, offsets[0]), others
            return functools.partial(_increment, memory, firsts, added, indices, (sizes[1], steps[-1] // x.itemsize))
        return functools.partial(_take if kind == TAKE else _EXTREMES[kind], x, *others)

    def _numbered(self, x: Array, offset: int) -> tuple[Array, Array]:
        """Returns the memory from the first element on, and where in it the first elements along the last axis lie."""
        flat = self._memory[offset : len(self._memory) - (len(self._memory) - offset) % x.itemsize].view(x.dtype)
        axes = np.ogrid[tuple(slice(size) for size in x.shape[:-1])]
        steps = (axis * (step // x.itemsize) for axis, step in zip(axes, x.strides, strict=False))
        return flat, np.broadcast_to(sum(steps), x.shape[:-1])

    def _over_parts(
        self, loop: str, outer: Array, strides: Array, sizes: Array, steps: Array, offsets: Sequence[int]
    ) -> BoundCall:
        dtypes, shape = operand_dtypes(loop), (*outer, sizes[0], sizes[2])
        count, table = len(dtypes), self._view(offsets[0], sizes[1:2].tolist(), (8,), np.dtype(np.int64))

        def view(index: int, offset: int = 0) -> Array:
            walk = (*strides[:, index + 1], steps[index], steps[count + index])
            return self._view(offsets[index + 1] + offset, shape, walk, dtypes[index])

        if count == 2:
            parts = [view(0, offset) for offset in table.tolist()]
            return functools.partial(_find_greatest, parts, view(1))
        return functools.partial(put_into, [view(2, offset) for offset in table.tolist()], view(0), view(1))

    def _product(
        self, loop: Loop, outer: Array, strides: Array, sizes: Array, steps: Array, offsets: Sequence[int]
    ) -> BoundCall:
        batch, rows, inner, columns = sizes
        cores = [(rows, inner), (inner, columns), (rows, columns)]
        views = []
        for index, (core, dtype) in enumerate(zip(cores, operand_dtypes(loop), strict=True)):
            walk = (*strides[:, index], steps[index], *steps[3 + 2 * index : 5 + 2 * index])
            views.append(self._view(offsets[index], (*outer, batch, *core), walk, dtype))
        return functools.partial(np.matmul, *views)


def _elementwise(loop: Loop, views: Sequence[Array]) -> BoundCall:
    *operands, out = views
    if isinstance(loop, str):
        if len(operands) == 1:
            return functools.partial(np.copyto, out, operands[0], casting="unsafe")
        return functools.partial(_choose, out, *operands)
    if loop[0] in _OUT_BY_NAME:
        return functools.partial(loop[0], *operands, out=out)
    return functools.partial(loop[0], *views)


def _checked(indices: Array, size: int) -> Array:
    """Returns indices from 0 on; wrong ones are 0 until somebody checks them."""
    places = np.where(indices < 0, indices + size, indices)
    places[(places < 0) | (places >= size)] = 0
    return places


def _take(x: Array, indices: Array, out: Array) -> None:
    out[...] = np.take_along_axis(x, _checked(indices, x.shape[-1])[..., None], -1)[..., 0]


def _increment(memory: Array, starts: Array, x: Array, indices: Array, axis: tuple[int, int]) -> None:
    size, step = axis
    np.add.at(memory, (starts + _checked(indices, size) * step).ravel(), x.ravel())


def _place_of_largest(x: Array, out: Array) -> None:
    np.argmax(x, -1, out)


def _place_of_smallest(x: Array, out: Array) -> None:
    np.argmin(x, -1, out)


_EXTREMES = {"argmax": _place_of_largest, "argmin": _place_of_smallest}


def _find_greatest(parts: Sequence[Array], out: Array) -> None:
    out[...] = first_greatest(parts)


def _choose(out: Array, condition: Array, x: Array, y: Array) -> None:
    np.copyto(out, y)
    np.copyto(out, x, where=condition)


def _reduction(loop: Loop, x: Array, out: Array, walk: Sequence[int]) -> BoundCall:
    """Returns a reduction of x along the axes on which the result does not move.

    The result already holds the initial value.
    """
    assert not isinstance(loop, str)
    axes = tuple(axis for axis, step in enumerate(walk) if not step)
    target = out[(*(0 if axis in axes else slice(None) for axis in range(out.ndim)), Ellipsis)]
    return functools.partial(_reduce, loop[0], x, axes, target)


def _reduce(ufunc: np.ufunc, x: Array, axes: tuple[int, ...], out: Array) -> None:
    ufunc.reduce(x, axis=axes, out=out, initial=out.flat[0])


def spread(order: Array, steps: Array, links: Array, hit: Array, marked: Array) -> None:
    """Marks, in topological order, the steps that read a marked slot and the slots that those steps write.

    `order` names the row of `steps`, a StepTable's, for each step.
    """
    starts, middles, ends = steps[order, -3:].T.tolist()
    slots = links.tolist()
    found = set(np.flatnonzero(marked).tolist())
    is_hit = hit.tolist()
    for place, (start, middle, end) in enumerate(zip(starts, middles, ends, strict=True)):
        if is_hit[place] or not found.isdisjoint(slots[start:middle]):
            is_hit[place] = True
            found.update(slots[middle:end])
    hit[:] = is_hit
    marked[list(found)] = True


def survey(
    memory: Array, slots: Array, offsets: numbers[int], layouts: numbers[int], looks: numbers[int], found: Array
) -> None:
    """Writes the statistics of some contiguous slots; see `Places`."""
    chosen = np.array(looks).reshape(-1, 3)[np.array(layouts)[slots]]
    pieces = zip(np.array(offsets)[slots].tolist(), *chosen[:, :2].T.tolist(), strict=True)
    rows = survey_of([np.ndarray(count, KINDS[kind], memory.data, offset) for offset, count, kind in pieces])
    with np.errstate(over="ignore"):
        for name in ("nan", "infinite", "total"):
            rows[name] *= chosen[:, 2]
        rows["norm"] *= np.sqrt(chosen[:, 2])
    found[slots] = rows.view(np.float64).reshape(len(slots), -1)
