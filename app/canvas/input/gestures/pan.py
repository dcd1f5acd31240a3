"""The drag that moves the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.canvas.gestures.gesture import Gesture, Pointer

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView


class Pan(Gesture):
    """Moves the view."""

    cursor = Qt.CursorShape.ClosedHandCursor
    scrolls = False

    def __init__(self, canvas: GestureView, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._last = start.view

    def move(self, pointer: Pointer) -> None:
        """Scrolls by whole px."""
        moved = pointer.view - self._last
        dx, dy = round(moved.x()), round(moved.y())
        self._last += QPointF(dx, dy)
        self.canvas.pan(dx, dy)
