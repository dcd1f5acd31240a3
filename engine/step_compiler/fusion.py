"""Loop fusion: a region is a sequence of calls that a few rows pass through at a time.

Buffers that only one region reads never hold more than those few rows, which stay in the cache. Rows are independent of
each other, so several threads can share them. A sum over the rows ends its dependants: each chunk has its own partial
sum, and these are added in order after the region.

Source: Kennedy and McKinley, Maximizing Loop Parallelism and Improving Data Locality via Loop Fusion and Distribution
(1993). The search is greedy: each region takes what it can, and skips at most `PATIENCE` calls for it. Cost: each
region looks at the calls that it takes, passes by or postpones, at worst at all of them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.executors.ufunc_loops import Call, Strided, by_element
from gradwire.engine.step_compiler.call_list import CallList, PythonCall, Work, read_by, written_by

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
        low, high = sum(min(step, 0) for step in reach), sum(max(step, 0) for step in reach)
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


class _Item(NamedTuple):
    """Work in the queue by its original place, with the buffers that it touches; no walk if no region can take it."""

    place: int
    work: Work
    walk: Walk | None
    read: list[int]
    written: list[int]


def with_regions(calls: CallList) -> Iterator[Work | Region]:
    """Yields equivalent work with calls fused into regions where that pays."""
    queue = deque(itertools.starmap(_item, enumerate(calls.works)))
    while queue:
        early, region = _gathered(queue, calls.sizes)
        yield from early
        if region is not None:
            yield from _with_sums(region, calls)


def _item(place: int, work: Work) -> _Item:
    walk = None if isinstance(work, PythonCall) or work.dimensions > 1 else walk_of(work)
    return _Item(place, work, walk, read_by(work), written_by(work))


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


def _gathered(queue: deque[_Item], sizes: Mapping[int, int]) -> tuple[list[Work], Region | None]:
    """Takes the first region and all work before it from a queue, in which postponed work stays first."""
    early: list[Work] = []
    late = _Late()
    region: _Growing | None = None
    while queue and late.patience:
        item = queue.popleft()
        if late.holds_up(item):
            late.add(item)
        elif region is None:
            region = _begun(item, sizes)
            early += [] if region else [item.work]
        elif region.takes(item):
            late.patience = PATIENCE
        elif region.holds_up(item):
            late.add(item)
        else:
            early.append(item.work)
    if region is None:
        return early, None
    queue.extendleft(sorted([*late.items, *region.without_strangers()], reverse=True))
    return early, region.done()


def _begun(item: _Item, sizes: Mapping[int, int]) -> _Growing | None:
    """Returns a region that begins with some work, or None if the work is too small."""
    if item.walk is None or item.walk.size < SMALLEST:
        return None
    region = _Growing(sizes)
    return region if region.takes(item) else None


class _Touched:
    """Buffers that some work reads and writes."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        self.written: set[int] = set()

    def note(self, item: _Item) -> None:
        self.read.update(item.read)
        self.written.update(item.written)

    def holds_up(self, item: _Item) -> bool:
        """Returns whether other work must come after this (read-write or write-write dependence)."""
        return not (
            self.written.isdisjoint(item.read)
            and self.written.isdisjoint(item.written)
            and self.read.isdisjoint(item.written)
        )


class _Late(_Touched):
    """Work postponed until after the region."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[_Item] = []
        self.patience = PATIENCE

    def add(self, item: _Item) -> None:
        self.note(item)
        self.items.append(item)
        self.patience -= 1


class _Growing(_Touched):
    """Region that may accept more calls."""

    def __init__(self, sizes: Mapping[int, int]) -> None:
        super().__init__()
        self._sizes = sizes
        self._calls: list[tuple[_Item, Call, Walk]] = []
        self._rows = self._size = 0
        # Buffers read outside the current row; no row may write to them.
        self._read_across: set[int] = set()
        self._sums: set[int] = set()

    def done(self) -> Region:
        """Returns the region as it is now."""
        _, calls, walks = zip(*self._calls, strict=True)
        written = {call.operands[-1].buffer for call in calls}
        return Region(calls, walks, self._rows, dict.fromkeys(self._sums & written, 0))

    def without_strangers(self) -> list[_Item]:
        """Removes and returns the calls that share no tensor with the first one, directly or indirectly.

        The region would only compute them too early; later they may meet their readers.
        """
        groups = _Groups()
        rowwise = [self._rowwise(call, walk) for _, call, walk in self._calls]
        for buffers in rowwise:
            groups.join(buffers)
        first, *others = (groups.of(buffers[0]) for buffers in rowwise)
        is_own = [True, *(other == first for other in others)]
        strangers = [item for (item, *_), own in zip(self._calls, is_own, strict=True) if not own]
        self._calls = list(itertools.compress(self._calls, is_own))
        return strangers

    def _rowwise(self, call: Call, walk: Walk) -> list[int]:
        """Returns the buffers that a call traverses row by row."""
        return [item.buffer for item, step in zip(call.operands, walk.steps, strict=True) if step]

    def takes(self, item: _Item) -> bool:
        """Adds a call if none of its rows depends on other rows of the region; returns whether it did."""
        call, walk = item.work, item.walk
        if isinstance(call, PythonCall) or walk is None:
            return False
        rows = self._common_rows(walk)
        # Calls that stay in one place, such as the sum of a number that is read again and again, have no rows.
        if not rows or not any(walk.steps):
            return False
        across = {
            operand.buffer for index, operand in enumerate(call.operands) if not self._is_local(call, walk, index, rows)
        }
        target = call.operands[-1].buffer
        is_sum = target in across
        others = across - {target}
        reads = item.read[1:] if is_sum else item.read
        if is_sum and not self._can_sum(call, walk):
            return False
        if not self._sums.isdisjoint((*reads, target)) or not self.written.isdisjoint(others):
            return False
        if target in self._read_across:
            return False
        self._add(item, call, walk, rows, others, is_sum)
        return True

    def _add(self, item: _Item, call: Call, walk: Walk, rows: int, across: Iterable[int], is_sum: bool) -> None:
        self.note(item)
        self._calls.append((item, call, walk))
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
        is_known = call.loop[0] in NEUTRAL and target.dtype.kind == "f"
        is_read = call.operands[1].buffer == target.buffer or target.buffer in self.read
        return is_sum and is_known and not is_read and target.buffer not in self.written


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
