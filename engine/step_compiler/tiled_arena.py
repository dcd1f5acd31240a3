"""Executor for training: buffers live only while they are in use, and large tensors are computed in tiles.

The arena of the editor keeps every wire. This one keeps only what the caller asks for and reuses all other memory after
its last read. Fused calls over the same rows of large tensors process a few rows at a time, on several threads.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import call_into
from gradwire.engine.executors.chosen import OWN_LOOPS, Program
from gradwire.engine.executors.ufunc_loops import MAX_OPERANDS, Call, Loop, Strided, contiguous, view_of
from gradwire.engine.step_compiler.buffer_allocation import ALIGNMENT, place_buffers
from gradwire.engine.step_compiler.call_list import CallList, PythonCall, Work, read_by, written_by
from gradwire.engine.step_compiler.fusion import Region, Walk, with_regions
from gradwire.engine.step_compiler.gather_matmul import PRODUCTS, Split, gather_products, split
from gradwire.engine.step_compiler.recomputation import with_repeats
from gradwire.engine.step_compiler.sharing import Sharing, Trial

# Minimal number of element visits that justifies waking another thread.
SHARED = 1 << 19
_Task = Work | Region | Split
# Dtypes with a native loop for sums.
SUMMED = ("float32", "float64")


@dataclass(frozen=True)
class _Tiled:
    """Region as instructions: `first` to `end` for a full tile, then as many for the last one."""

    region: Region
    first: int
    end: int
    pitches: Array


@dataclass(frozen=True)
class _Pieces:
    """Calls that do not depend on each other, as instructions."""

    instructions: range


_Part = Array | PythonCall | _Tiled | _Pieces


class TiledArena:
    """Work of a call list in one piece of memory; only the buffers in `kept` survive a run.

    `commits` are carried out apart, after a run.
    Sums over all rows of large tensors are added tile by tile: they differ from NumPy's by rounding, but neither
    between runs nor with the number of threads.
    """

    def __init__(self, calls: CallList, kept: Set[int], threads: int = 1, commits: Sequence[Call] = ()) -> None:
        self._sharing, self._has_threads = Sharing(threads), threads > 1
        # Without compiled code tiles do not pay: a tile takes less time than the call from Python.
        works: list[_Task] = list(calls.works)
        if hasattr(Program, "run_tiles"):
            gather_products(calls, PRODUCTS.intersection(OWN_LOOPS), kept)
            fused = with_repeats(with_regions(calls), calls, calls.contents.keys() | kept)
            works = [split(work, calls, threads) for work in fused] if threads > 1 else list(fused)
        # Reads the keys again: regions add contents of their own.
        builder = _Builder(calls, works, calls.contents.keys() | kept, threads)
        committing = builder.whole(commits)
        self._memory, self._program, self._offsets = builder.memory, builder.program(), builder.offsets
        self._parts = [self._ready(part) for part in builder.parts]
        self.commit: Callable[[], object] = self._program.only(committing).run

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
        if isinstance(part, _Pieces):
            return self._ready_pieces(part)
        return self._ready_region(part) if isinstance(part, _Tiled) else self._program.only(part).run

    def _call(self, call: PythonCall) -> None:
        arguments = [None if item is None else self.array(item) for item in call.inputs]
        call_into(call.step, arguments, map(self.array, call.outputs))

    def _ready_region(self, tiled: _Tiled) -> Callable[[], object]:
        """Returns a function that runs all tiles of a region at once, or in chunks that idle threads fetch."""
        region = tiled.region
        alone = functools.partial(self._run_tiles, tiled, 0, region.tiles, 0)
        if not self._has_threads or region.chunks == 1 or region.visits < SHARED:
            return alone

        def shared() -> None:
            chunks = iter(range(0, region.tiles, region.chunk))
            self._sharing.run(functools.partial(self._run_chunks, tiled, chunks))

        return functools.partial(Trial().run, alone, shared)

    def _ready_pieces(self, part: _Pieces) -> Callable[[], object]:
        """Returns a function that runs the pieces of a product one by one, or lets idle threads fetch them."""
        programs = [self._program.only(np.array([place], np.int32)) for place in part.instructions]

        def run(waiting: Iterator[Program], _: int) -> None:
            for program in waiting:
                program.run()

        def shared() -> None:
            self._sharing.run(functools.partial(run, iter(programs)))

        alone = self._program.only(np.array(part.instructions, np.int32)).run
        return functools.partial(Trial().run, alone, shared)

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

    def __init__(self, calls: CallList, works: Sequence[_Task], kept: Set[int], lanes: int) -> None:
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

    def whole(self, calls: Iterable[Call]) -> Array:
        """Returns the places of further instructions, one for each call."""
        first = len(self._rows)
        for call in calls:
            self._write_whole(call)
        return np.arange(first, len(self._rows), dtype=np.int32)

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
                    self._write_whole(work)
                elif isinstance(work, Split):
                    yield self._pieces(work)
                else:
                    yield self._tiled(work, *self._scratch[index]) if isinstance(work, Region) else work
            if is_call:
                yield np.arange(first, len(self._rows), dtype=np.int32)

    def _pieces(self, split: Split) -> _Pieces:
        first = len(self._rows)
        for call in split.calls:
            self._write_whole(call)
        return _Pieces(range(first, len(self._rows)))

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

    def _write_whole(self, call: Call) -> None:
        self._write(call, call.sizes, [self.offsets[item.buffer] + item.offset for item in call.operands])

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
    is_sum = call.loop[0] is np.add and dtype.name in SUMMED
    return replace(call, loop=f"sum_{dtype.name}") if is_sum and call.sizes[-3:] == (0, dtype.itemsize, 0) else call


def _with_steps(call: Call, walk: Walk, region: Region) -> Iterable[tuple[Strided, int]]:
    """Returns the operands of a call, each with its increment per tile."""
    count = region.tile * (walk.length // region.rows)
    return ((item, count * step) for item, step in zip(call.operands, walk.steps, strict=True))


def _touched_by(work: _Task) -> list[int]:
    """Returns the buffers that a piece of work uses; for a sum over rows, those of its partial sums."""
    if isinstance(work, Split):
        return [item.buffer for call in work.calls for item in call.operands]
    if isinstance(work, Region):
        found = dict.fromkeys(item.buffer for call in work.calls for item in call.operands)
        return [work.sums.get(buffer, buffer) for buffer in found]
    return [*read_by(work), *written_by(work)]


def _own_buffers(works: Sequence[_Task], kept: Set[int]) -> set[int]:
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
