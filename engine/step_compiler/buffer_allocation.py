"""Buffer allocation by liveness: memory is reused after the last read of its buffer."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence, Set

ALIGNMENT = 64


def place_buffers(
    touched: Sequence[Iterable[int]], sizes: Mapping[int, int], kept: Set[int] = frozenset()
) -> tuple[dict[int, int], int]:
    """Returns the offset of each buffer and the total size; `touched` lists the buffers in use at each moment.

    Best fit, in order of first use. Two buffers that are in use at one moment never overlap, and those in `kept`
    overlap nothing.
    Units: bytes.
    Source: linear scan over live intervals (Poletto and Sarkar, Linear Scan Register Allocation, 1999), with best fit.
    Cost: O(n log h) comparisons for n buffers and h holes.
    """
    room = _Room()
    offsets = {buffer: room.take(sizes[buffer]) for buffer in sorted(kept)}
    last = {buffer: moment for moment, buffers in enumerate(touched) for buffer in buffers}
    for moment, buffers in enumerate(touched):
        now = [buffer for buffer in dict.fromkeys(buffers) if buffer not in kept]
        for buffer in now:
            if buffer not in offsets:
                offsets[buffer] = room.take(sizes[buffer])
        for buffer in now:
            if last[buffer] == moment:
                room.give_back(offsets[buffer], sizes[buffer])
    return offsets, room.top


class _Room:
    """Growing stretch of bytes with merged holes: by size, by start and by end (free list)."""

    def __init__(self) -> None:
        self.top = 0
        # Sizes and starts, sorted.
        self._holes: list[tuple[int, int]] = []
        self._ends: dict[int, int] = {}
        self._starts: dict[int, int] = {}

    def take(self, size: int) -> int:
        """Returns the start of a free piece: in the smallest hole that is large enough, else at the end."""
        size = _aligned(size)
        place = bisect_left(self._holes, (size, 0))
        if place == len(self._holes):
            return self._grow(size)
        whole, start = self._holes[place]
        self._close(start, start + whole)
        if whole > size:
            self._open(start + size, start + whole)
        return start

    def give_back(self, start: int, size: int) -> None:
        """Frees a piece and merges it with neighbouring holes."""
        end = start + _aligned(size)
        first, last = self._starts.get(start, start), self._ends.get(end, end)
        if first < start:
            self._close(first, start)
        if last > end:
            self._close(end, last)
        self._open(first, last)

    def _grow(self, size: int) -> int:
        start = self._starts.get(self.top, self.top)
        if start < self.top:
            self._close(start, self.top)
        self.top = start + size
        return start

    def _open(self, start: int, end: int) -> None:
        insort(self._holes, (end - start, start))
        self._ends[start], self._starts[end] = end, start

    def _close(self, start: int, end: int) -> None:
        del self._holes[bisect_left(self._holes, (end - start, start))], self._ends[start], self._starts[end]


def _aligned(size: int) -> int:
    """Rounds a size up; empty buffers get a place, too, so that no two begin at the same offset."""
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT
