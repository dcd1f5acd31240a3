"""Executor for training: buffers live only while they are in use, and large tensors are computed in tiles.

The arena of the editor keeps every wire. This one keeps only what the caller asks for and reuses all other memory after
its last read. Fused calls over the same rows of large tensors process a few rows at a time, on several threads.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import call_into
from gradwire.engine.executors.chosen import OWN_LOOPS, Program
from gradwire.engine.executors.ufunc_loops import MAX_OPERANDS, Call, Loop, Strided, contiguous, view_of
from gradwire.engine.training.buffer_allocation import ALIGNMENT, place_buffers
from gradwire.engine.training.call_list import CallList, PythonCall, Work, read_by, written_by
from gradwire.engine.training.fusion import Region, Walk, with_regions
from gradwire.engine.training.gather_matmul import PRODUCTS, gather_products
from gradwire.engine.training.recomputation import with_repeats

# Minimal number of element visits that justifies waking another thread.
SHARED = 1 << 19
# Dtypes with a native loop for sums.
SUMMED = ("float32", "float64")


@dataclass(frozen=True)
class _Tiled:
    """Region as instructions: `first` to `end` for a full tile, then as many for the last one."""

    region: Region
    first: int
    end: int
    pitches: Array


_Part = Array | PythonCall | _Tiled


class TiledArena:
    """Work of a call list in one piece of memory; only the buffers in `kept` survive a run.

    Sums over all rows of large tensors are added tile by tile: they differ from NumPy's by rounding, but neither
    between runs nor with the number of threads.
    """

    def __init__(self, calls: CallList, kept: Set[int], threads: int = 1) -> None:
        self._threads = threads
        # Without compiled code tiles do not pay: a tile takes less time than the call from Python.
        works: list[Work | Region] = list(calls.works)
        if hasattr(Program, "run_tiles"):
            gather_products(calls, PRODUCTS.intersection(OWN_LOOPS), kept)
            works = with_repeats(with_regions(calls), calls, calls.contents.keys() | kept)
        # Reads the keys again: regions add contents of their own.
        builder = _Builder(calls, works, calls.contents.keys() | kept, threads)
        self._memory, self._program, self._offsets = builder.memory, builder.program(), builder.offsets
        self._parts = [self._ready(part) for part in builder.parts]
        self._others = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    @property
    def bytes(self) -> int:
        """Total memory of all tensors. Units: bytes."""
        return self._memory.nbytes

    def array(self, place: Strided) -> Array:
        """Returns the array at a place, a view of memory that the next run overwrites."""
        return view_of(place._replace(offset=self._offsets[place.buffer] + place.offset), self._memory)

    def run(self) -> None:
        """Carries out all work.

        Raises: BlockError if a step fails.
        """
        for part in self._parts:
            part()

    def _ready(self, part: _Part) -> Callable[[], object]:
        """Returns a function that executes a part, with minimal overhead: some plans take less than a microsecond."""
        if isinstance(part, PythonCall):
            return functools.partial(self._call, part)
        return functools.partial(self._run_region, part) if isinstance(part, _Tiled) else self._program.only(part).run

    def _call(self, call: PythonCall) -> None:
        arguments = [None if item is None else self.array(item) for item in call.inputs]
        call_into(call.step, arguments, map(self.array, call.outputs))

    def _run_region(self, tiled: _Tiled) -> None:
        """Runs all tiles at once, or in chunks that idle threads fetch."""
        region = tiled.region
        if self._others is None or region.chunks == 1 or region.visits < SHARED:
            self._run_tiles(tiled, 0, region.tiles, 0)
            return
        chunks = iter(range(0, region.tiles, region.chunk))
        waiting = [self._others.submit(self._run_chunks, tiled, chunks, lane) for lane in range(1, self._threads)]
        self._run_chunks(tiled, chunks, 0)
        for future in waiting:
            future.result()

    def _run_chunks(self, tiled: _Tiled, chunks: Iterator[int], lane: int) -> None:
        for first in chunks:
            self._run_tiles(tiled, first, min(first + tiled.region.chunk, tiled.region.tiles), lane)

    def _run_tiles(self, tiled: _Tiled, first: int, end: int, lane: int) -> None:
        """Runs some tiles; the last tile of a region is short and has instructions of its own."""
        region, run, pitches = tiled.region, self._program.run_tiles, tiled.pitches
        full = min(end, region.tiles - 1)
        run(tiled.first, tiled.end, pitches, first, full, region.chunk, lane)
        if full < end:
            run(tiled.end, 2 * tiled.end - tiled.first, pitches, full, end, region.chunk, lane)


class _Builder:
    """Builder of a tiled arena: allocates every buffer and writes the instructions."""

    def __init__(self, calls: CallList, works: Sequence[Work | Region], kept: Set[int], lanes: int) -> None:
        self._sizes, self._works = calls.sizes, works
        self._own = _own_buffers(works, kept)
        touched = [[item for item in _touched_by(work) if item not in self._own] for work in works]
        self.offsets, self._top = place_buffers(touched, calls.sizes, kept)
        self._scratch = {index: self._scratch_of(work) for index, work in enumerate(works) if isinstance(work, Region)}
        self._lane = max((size for _, size in self._scratch.values()), default=0)
        self.memory = _memory(self._top + lanes * self._lane)
        for buffer, array in calls.contents.items():
            place = contiguous(array.shape, array.itemsize)
            item = Strided(0, self.offsets[buffer], array.shape, place, array.dtype)
            np.copyto(view_of(item, self.memory), array, casting="no")
        self._rows: list[tuple[int, ...]] = []
        self._loops: dict[Loop, int] = {}
        self._table: list[int] = []
        self._places: dict[tuple[int, ...], int] = {}
        self.parts = list(self._all_parts())

    def program(self) -> Program:
        """Returns the program of all instructions."""
        rows = np.array(self._rows, np.int64).reshape(len(self._rows), 5 + MAX_OPERANDS)
        made = Program(self.memory)
        made.add(np.array(self._table, np.int64), list(self._loops), rows)
        return made

    def _all_parts(self) -> Iterator[_Part]:
        for is_call, group in itertools.groupby(enumerate(self._works), lambda item: isinstance(item[1], Call)):
            first = len(self._rows)
            for index, work in group:
                if isinstance(work, Call):
                    self._write(work, work.sizes, [self.offsets[item.buffer] + item.offset for item in work.operands])
                else:
                    yield self._tiled(work, *self._scratch[index]) if isinstance(work, Region) else work
            if is_call:
                yield np.arange(first, len(self._rows), dtype=np.int32)

    def _tiled(self, region: Region, scratch: Mapping[int, int], _: int) -> _Tiled:
        first = len(self._rows)
        last = region.rows - (region.tiles - 1) * region.tile
        pitches = []
        for rows in (region.tile, last):
            for call, walk in zip(region.calls, region.walks, strict=True):
                operands = [
                    self._operand(region, item, step, scratch) for item, step in _with_steps(call, walk, region)
                ]
                offsets, found = zip(*operands, strict=True)
                sizes = (rows * (walk.length // region.rows), *call.sizes[1:])
                self._write(_in_lanes(call), sizes, offsets)
                pitches.append([*found, *[(0, 0, 0)] * (MAX_OPERANDS - len(found))])
        middle = first + len(region.calls)
        return _Tiled(region, first, middle, np.array(pitches[: len(region.calls)], np.int64))

    def _operand(
        self, region: Region, item: Strided, step: int, scratch: Mapping[int, int]
    ) -> tuple[int, tuple[int, int, int]]:
        """Returns the offset of an operand and its increments per tile, chunk and lane."""
        if item.buffer in scratch:
            return self._top + scratch[item.buffer] + item.offset, (0, 0, self._lane)
        if item.buffer in region.sums:
            return self.offsets[region.sums[item.buffer]] + item.offset, (0, self._sizes[item.buffer], 0)
        return self.offsets[item.buffer] + item.offset, (step, 0, 0)

    def _scratch_of(self, region: Region) -> tuple[dict[int, int], int]:
        """Returns the offsets of a region's buffers in the scratch memory of a lane, and their total size."""
        touched = [[item.buffer for item in call.operands if item.buffer in self._own] for call in region.calls]
        sizes = {buffer: self._sizes[buffer] // region.rows * region.tile for group in touched for buffer in group}
        return place_buffers(touched, sizes)

    def _write(self, call: Call, sizes: tuple[int, ...], offsets: Sequence[int]) -> None:
        loop = self._loops.setdefault(call.loop, len(self._loops))
        if sizes not in self._places:
            self._places[sizes] = len(self._table)
            self._table += sizes
        filled = (*offsets, *[0] * (MAX_OPERANDS - len(offsets)))
        self._rows.append((loop, self._places[sizes], len(offsets), call.rank, call.dimensions, *filled))


def _in_lanes(call: Call) -> Call:
    """Returns the call with a faster loop if it sums contiguous elements."""
    dtype = call.operands[-1].dtype
    is_sum = not isinstance(call.loop, str) and call.loop[0] is np.add and dtype.name in SUMMED
    return replace(call, loop=f"sum_{dtype.name}") if is_sum and call.sizes[-3:] == (0, dtype.itemsize, 0) else call


def _with_steps(call: Call, walk: Walk, region: Region) -> Iterable[tuple[Strided, int]]:
    """Returns the operands of a call, each with its increment per tile."""
    count = region.tile * (walk.length // region.rows)
    return ((item, count * step) for item, step in zip(call.operands, walk.steps, strict=True))


def _touched_by(work: Work | Region) -> list[int]:
    """Returns the buffers that a piece of work uses; for a sum over rows, those of its partial sums."""
    if isinstance(work, Region):
        found = dict.fromkeys(item.buffer for call in work.calls for item in call.operands)
        return [work.sums.get(buffer, buffer) for buffer in found]
    return [*read_by(work), *written_by(work)]


def _own_buffers(works: Sequence[Work | Region], kept: Set[int]) -> set[int]:
    """Returns the buffers that only one region touches; they hold one tile at a time."""
    users: dict[int, set[int]] = {}
    for moment, work in enumerate(works):
        for buffer in _touched_by(work):
            users.setdefault(buffer, set()).add(moment)
    single = {buffer: min(found) for buffer, found in users.items() if len(found) == 1 and buffer not in kept}
    return {buffer for buffer, moment in single.items() if isinstance(works[moment], Region)}


def _memory(size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    whole = np.zeros(size + ALIGNMENT, np.uint8)
    start = -whole.ctypes.data % ALIGNMENT
    return whole[start : start + size]
