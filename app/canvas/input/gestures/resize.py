"""The drag that changes the width of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.gestures.gesture import Gesture, Pointer
from app.canvas.look import Look
from app.canvas.page_arrays import GRID
from app.canvas.shapes import WIDTH_MAX, WIDTH_MIN
from app.words import tr
from engine import edits

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView


class Resize(Gesture):
    """Changes the width of a block in steps of the grid."""

    cursor = Qt.CursorShape.SizeHorCursor

    def __init__(self, canvas: GestureView, start: Pointer, block_id: str) -> None:
        super().__init__(canvas, start)
        self._block, self._from = block_id, canvas.mirror.rect(block_id).width()
        self._to = self._from

    def move(self, pointer: Pointer) -> None:
        """Shows the new width."""
        wanted = self._from + (pointer.scene - self.start.scene).x()
        self._to = min(max(round(wanted / GRID) * GRID, WIDTH_MIN), WIDTH_MAX)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """One edit sets the width."""
        if self._to != self._from:
            session = self.canvas.session
            session.apply(tr("Resize"), edits.set_width, session.page_name, self._block, self._to)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the new outline."""
        rect = self.canvas.mirror.rect(self._block)
        painter.setPen(QPen(look.theme.color("accent"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect.topLeft(), rect.bottomRight() + QPointF(self._to - self._from, 0)), 8, 8)
