"""Loop fusion: a region is a sequence of calls that a few rows pass through at a time.

Buffers that only one region reads never hold more than those few rows, which stay in the cache. Rows are independent of
each other, so several threads can share them. A sum over the rows ends its dependants: each chunk has its own partial
sum, and these are added in order after the region.

Source: Kennedy and McKinley, Maximizing Loop Parallelism and Improving Data Locality via Loop Fusion and Distribution
(1993). The search is greedy: each region takes what it can, and skips at most `PATIENCE` calls for it. Cost: O(n) for
each region among n calls.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.executors.ufunc_loops import Call, Strided, by_element
from gradwire.engine.training.call_list import CallList, PythonCall, Work, read_by, written_by

# Below this number of elements fusion gains nothing: whole tensors stay in the cache.
SMALLEST = 1 << 14
# Rows wider than this do not profit from tiles.
WIDEST = 1 << 13
# Elements of a tile.
TILE = 1 << 11
MOST_CHUNKS, LEAST_TILES = 64, 8
# Neutral elements of reductions.
NEUTRAL: dict[np.ufunc, float] = {np.add: 0.0, np.maximum: -np.inf, np.minimum: np.inf}
# Number of postponed calls that the search skips for a fitting one.
PATIENCE = 512


class Walk(NamedTuple):
    """Traversal of a call's operands along its first axis.

    It takes `length` steps; a step advances operand i by `steps[i]` and touches the bytes between both ends of
    `spans[i]`. `size` is the total number of element visits.
    Units: bytes.
    """

    length: int
    size: int
    steps: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


def walk_of(call: Call) -> Walk:
    """Returns the walk of an elementwise call."""
    rank, operands = call.rank, len(call.operands)
    inner = rank + rank * operands
    sizes = (*call.sizes[:rank], call.sizes[inner])
    table = (*call.sizes[rank:inner], *call.sizes[inner + 1 :])
    strides = [table[axis * operands : (axis + 1) * operands] for axis in range(rank + 1)]
    spans = []
    for index, item in enumerate(call.operands):
        reach = [(size - 1) * axis[index] for size, axis in zip(sizes[1:], strides[1:], strict=True)]
        low, high = sum(step for step in reach if step < 0), sum(step for step in reach if step > 0)
        spans.append((item.offset + low, item.offset + high + item.dtype.itemsize))
    return Walk(sizes[0], math.prod(sizes), tuple(strides[0]), tuple(spans))


@dataclass(frozen=True)
class Region:
    """Calls with the same rows, in order; `sums` maps buffers of sums over rows to those of partial sums."""

    calls: tuple[Call, ...]
    walks: tuple[Walk, ...]
    rows: int
    sums: Mapping[int, int]

    @functools.cached_property
    def tile(self) -> int:
        """Number of rows in a tile."""
        return max(1, TILE * self.rows // max(walk.size for walk in self.walks))

    @property
    def tiles(self) -> int:
        """Number of tiles; the last may be short."""
        return -(-self.rows // self.tile)

    @functools.cached_property
    def chunk(self) -> int:
        """Number of tiles in a chunk; one thread computes it whole, with partial sums of its own."""
        return max(LEAST_TILES, -(-self.tiles // MOST_CHUNKS))

    @property
    def chunks(self) -> int:
        """Number of chunks; it depends on shapes alone, so sums do not depend on the number of threads."""
        return -(-self.tiles // self.chunk)

    @functools.cached_property
    def visits(self) -> int:
        """Total number of element visits."""
        return sum(walk.size for walk in self.walks)


def with_regions(calls: CallList) -> Iterator[Work | Region]:
    """Yields equivalent work with calls fused into regions where that pays."""
    waiting = list(calls.works)
    while waiting:
        early, region, waiting = _gathered(waiting, calls.sizes)
        yield from early
        if region is not None:
            yield from _with_sums(region, calls)


def _with_sums(region: Region, calls: CallList) -> Iterator[Work | Region]:
    """Yields a region, after the initialisation of its chunks' sums and before their addition in order."""
    targets = {call.operands[-1].buffer: call for call in region.calls if call.operands[-1].buffer in region.sums}
    parts, ends = {}, []
    for buffer, call in targets.items():
        item, loop = call.operands[-1], call.loop
        assert not isinstance(loop, str)
        width = item.dtype.itemsize
        whole = Strided(buffer, 0, (calls.sizes[buffer] // width,), (width,), item.dtype)
        part = calls.new(TensorSpec((region.chunks, *whole.shape), item.dtype))
        parts[buffer] = part.buffer
        yield from calls.copying(calls.keep(np.asarray(NEUTRAL[loop[0]], item.dtype)), part)
        ends.append(by_element(loop, [whole, part, whole], part.shape))
    yield replace(region, sums=parts)
    yield from (call for call in ends if call is not None)


def _gathered(works: Sequence[Work], sizes: Mapping[int, int]) -> tuple[list[Work], Region | None, list[Work]]:
    """Returns the first region of some work, with the work before and after it."""
    early: list[Work] = []
    late = _Waiting()
    region: _Growing | None = None
    for place, work in enumerate(works):
        if late.holds_up(work):
            late.add(place, work)
        elif region is None:
            region = _begun(work, sizes)
            early += [] if region else [work]
        elif region.takes(work, place):
            late.patience = PATIENCE
        elif region.holds_up(work):
            late.add(place, work)
        else:
            early.append(work)
        if not late.patience:
            break
    rest = works[place + 1 :] if works else ()
    if region is None:
        return early, None, []
    late.works |= region.without_strangers()
    return early, region.done(), [*(late.works[at] for at in sorted(late.works)), *rest]


def _begun(work: Work, sizes: Mapping[int, int]) -> _Growing | None:
    """Returns a region that begins with some work, or None if the work is too small."""
    if isinstance(work, PythonCall) or work.dimensions > 1 or walk_of(work).size < SMALLEST:
        return None
    region = _Growing(sizes)
    return region if region.takes(work, -1) else None


class _Touched:
    """Buffers that some work reads and writes."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        self.written: set[int] = set()

    def note(self, work: Work) -> None:
        self.read.update(read_by(work))
        self.written.update(written_by(work))

    def holds_up(self, work: Work) -> bool:
        """Returns whether other work must come after this (read-write or write-write dependence)."""
        writes = written_by(work)
        return not (
            self.written.isdisjoint(read_by(work)) and self.written.isdisjoint(writes) and self.read.isdisjoint(writes)
        )


class _Waiting(_Touched):
    """Work postponed until after the region, by its original place."""

    def __init__(self) -> None:
        super().__init__()
        self.works: dict[int, Work] = {}
        self.patience = PATIENCE

    def add(self, place: int, work: Work) -> None:
        self.note(work)
        self.works[place] = work
        self.patience -= 1


class _Growing(_Touched):
    """Region that may accept more calls."""

    def __init__(self, sizes: Mapping[int, int]) -> None:
        super().__init__()
        self._sizes = sizes
        self._calls: dict[int, tuple[Call, Walk]] = {}
        self._rows = self._size = 0
        # Buffers read outside the current row; no row may write to them.
        self._read_across: set[int] = set()
        self._sums: set[int] = set()

    def done(self) -> Region:
        """Returns the region as it is now."""
        calls, walks = zip(*self._calls.values(), strict=True)
        written = {call.operands[-1].buffer for call in calls}
        return Region(calls, walks, self._rows, dict.fromkeys(self._sums & written, 0))

    def without_strangers(self) -> dict[int, Work]:
        """Removes and returns the calls that share no tensor with the first one, directly or indirectly.

        The region would only compute them too early; later they may meet their readers.
        """
        groups = _Groups()
        for call, walk in self._calls.values():
            groups.join(self._rowwise(call, walk))
        own = {place: groups.of(self._rowwise(*item)[0]) for place, item in self._calls.items()}
        first = own[min(own)]
        others = {place: call for place, (call, _) in self._calls.items() if own[place] != first}
        self._calls = {place: item for place, item in self._calls.items() if place not in others}
        return dict(others)

    def _rowwise(self, call: Call, walk: Walk) -> list[int]:
        """Returns the buffers that a call traverses row by row."""
        return [item.buffer for item, step in zip(call.operands, walk.steps, strict=True) if step]

    def takes(self, work: Work, place: int) -> bool:
        """Adds a call if none of its rows depends on other rows of the region; returns whether it did."""
        if isinstance(work, PythonCall) or work.dimensions > 1:
            return False
        walk = walk_of(work)
        rows = self._common_rows(walk)
        # Calls that stay in one place, such as the sum of a number that is read again and again, have no rows.
        if not rows or not any(walk.steps):
            return False
        across = {
            item.buffer for index, item in enumerate(work.operands) if not self._is_local(work, walk, index, rows)
        }
        target = work.operands[-1].buffer
        is_sum = target in across
        others = across - {target}
        reads = {item.buffer for item in work.operands[1 if is_sum else 0 : -1]}
        if is_sum and not self._can_sum(work, walk):
            return False
        if not self._sums.isdisjoint({*reads, target}) or not self.written.isdisjoint(others):
            return False
        if target in self._read_across:
            return False
        self._add(place, work, walk, rows, others, is_sum)
        return True

    def _add(self, place: int, call: Call, walk: Walk, rows: int, across: Iterable[int], is_sum: bool) -> None:
        self.note(call)
        self._calls[place] = call, walk
        self._rows, self._size = rows, max(self._size, walk.size)
        self._read_across.update(across)
        if is_sum:
            self._sums.add(call.operands[-1].buffer)

    def _common_rows(self, walk: Walk) -> int:
        """Returns the number of rows of the region with such a call; 0 if they are incompatible."""
        if not self._calls or walk.length == self._rows:
            rows = walk.length
        elif walk.size == self._size and max(walk.length, self._rows) % min(walk.length, self._rows) == 0:
            rows = min(walk.length, self._rows)
        else:
            return 0
        return rows if max(walk.size, self._size) <= WIDEST * rows else 0

    def _is_local(self, call: Call, walk: Walk, index: int, rows: int) -> bool:
        """Returns whether each row of a call stays in the same row of an operand's buffer."""
        in_row = walk.length // rows
        low, high = walk.spans[index]
        row = self._sizes[call.operands[index].buffer] // rows
        is_whole = in_row * walk.steps[index] == row and row * rows == self._sizes[call.operands[index].buffer]
        return is_whole and low >= 0 and (in_row - 1) * walk.steps[index] + high <= row

    def _can_sum(self, call: Call, walk: Walk) -> bool:
        """Returns whether a call reduces rows into a buffer that nothing else in the region touches."""
        target = call.operands[-1]
        is_sum = len(call.operands) == 3 and call.operands[0] == target and walk.steps[-1] == 0
        is_known = not isinstance(call.loop, str) and call.loop[0] in NEUTRAL and target.dtype.kind == "f"
        is_read = call.operands[1].buffer == target.buffer
        return is_sum and is_known and not is_read and target.buffer not in self.read | self.written


class _Groups:
    """Union-find structure of buffers that share calls; each group has one leader."""

    def __init__(self) -> None:
        self._leaders: dict[int, int] = {}

    def join(self, buffers: Sequence[int]) -> None:
        """Merges the groups of these buffers."""
        leader = self.of(buffers[0])
        for buffer in buffers:
            self._leaders[self.of(buffer)] = leader

    def of(self, buffer: int) -> int:
        """Returns the leader of a buffer's group."""
        while buffer != (leader := self._leaders.get(buffer, buffer)):
            self._leaders[buffer] = buffer = self._leaders.get(leader, leader)
        return buffer
