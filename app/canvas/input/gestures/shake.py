"""Tells a shake from a drag: quick turns, to and fro."""

from __future__ import annotations

from PySide6.QtCore import QPointF

TURNS, WITHIN_MS, LEAST_PX = 3, 600, 12.0


class Shake:
    """A watch for quick turns of the pointer. Units: view px, ms."""

    def __init__(self, start: QPointF) -> None:
        self._across, self._down = _Turns(start.x()), _Turns(start.y())

    def goes_on(self, to: QPointF, time: int) -> bool:
        """Returns whether the pointer has turned often enough, quickly enough, now that it is here."""
        across = self._across.count(to.x(), time)
        return max(across, self._down.count(to.y(), time)) >= TURNS


class _Turns:
    """The turns along one axis; a way too short to be meant is none."""

    def __init__(self, start: float) -> None:
        self._farthest, self._direction = start, 0
        self._times: list[int] = []

    def count(self, to: float, time: int) -> int:
        """Returns how many turns there were lately."""
        way = to - self._farthest
        if way * self._direction > 0:
            self._farthest = to
        elif abs(way) >= LEAST_PX:
            if self._direction:
                self._times.append(time)
            self._farthest, self._direction = to, 1 if way > 0 else -1
        self._times = [item for item in self._times if time - item <= WITHIN_MS]
        return len(self._times)
