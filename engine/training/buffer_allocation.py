"""Buffer allocation by liveness: memory is reused after the last read of its buffer."""

from __future__ import annotations

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
    Cost: O(n h) for n buffers and h holes.
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
    """Growing stretch of bytes with a sorted list of merged holes (free list)."""

    def __init__(self) -> None:
        self.top = 0
        self._holes: list[tuple[int, int]] = []

    def take(self, size: int) -> int:
        """Returns the start of a free piece: in the smallest hole that is large enough, else at the end."""
        size = _aligned(size)
        fitting = [hole for hole in self._holes if hole[1] - hole[0] >= size]
        if not fitting:
            return self._grow(size)
        start, end = min(fitting, key=lambda hole: hole[1] - hole[0])
        place = self._holes.index((start, end))
        self._holes[place : place + 1] = [(start + size, end)] if start + size < end else []
        return start

    def give_back(self, start: int, size: int) -> None:
        """Frees a piece and merges it with neighbouring holes."""
        end = start + _aligned(size)
        beside = [hole for hole in self._holes if hole[0] == end or hole[1] == start]
        start, end = min([start, *(hole[0] for hole in beside)]), max([end, *(hole[1] for hole in beside)])
        self._holes = sorted([*(hole for hole in self._holes if hole not in beside), (start, end)])

    def _grow(self, size: int) -> int:
        start = self.top
        if self._holes and self._holes[-1][1] == self.top:
            start = self._holes.pop()[0]
        self.top = start + size
        return start


def _aligned(size: int) -> int:
    """Rounds a size up; empty buffers get a place, too, so that no two begin at the same offset."""
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT
