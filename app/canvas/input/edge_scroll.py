"""Scrolls the canvas while something is dragged near its edge."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QPoint, QPointF, QSize, Signal

from gradwire.app.base.timers import make_timer

MARGIN, FASTEST, EVERY_MS = 24.0, 18, 16


class EdgeScroll(QObject):
    """A clock that ticks while the pointer is near an edge: `scrolled(QPoint)` says how far the page is to move."""

    scrolled = Signal(QPoint)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("edge_scroll")
        self._way = QPoint()
        self._timer = make_timer(self, self._tick, EVERY_MS, repeats=True)

    def watch(self, pointer: QPointF, size: QSize) -> None:
        """Scrolls from now on if the pointer of a drag is near an edge, else no longer."""
        self._way = QPoint(_speed(pointer.x(), size.width()), _speed(pointer.y(), size.height()))
        if self._way.isNull():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """Scrolls no longer."""
        self._timer.stop()

    def _tick(self) -> None:
        self.scrolled.emit(self._way)


def _speed(at: float, length: int) -> int:
    """Returns how far the page moves in one tick, faster nearer to the edge. Units: px."""
    low, high = MARGIN - at, MARGIN - (length - at)
    depth = max(low, high)
    if depth <= 0:
        return 0
    speed = math.ceil(min(depth / MARGIN, 1.0) * FASTEST)
    return speed if low > high else -speed
