"""The drag that moves the view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Pointer


class Pan(Gesture):
    """A drag of the view."""

    cursor = Qt.CursorShape.ClosedHandCursor
    scrolls = False

    def __init__(self, canvas: GestureHost, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._last = start.view

    def move(self, pointer: Pointer) -> None:
        """Scrolls by whole px."""
        moved = pointer.view - self._last
        dx, dy = round(moved.x()), round(moved.y())
        self._last += QPointF(dx, dy)
        self.canvas.viewport.pan(dx, dy)
