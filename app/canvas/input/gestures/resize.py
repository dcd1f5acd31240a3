"""The drag that changes the width of a block."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.geometry.shapes import WIDTH_MIN
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked
from gradwire.engine.edits import edits


class Resize(Gesture):
    """A drag of a block's edge, in steps of the grid."""

    cursor = Qt.CursorShape.SizeHorCursor

    def __init__(self, canvas: GestureHost, start: Pointer, block_id: str) -> None:
        super().__init__(canvas, start)
        self._block, self._from = block_id, canvas.mirror.rect(block_id).width()
        self._to = self._from
        self._widest = canvas.mirror.shapes[canvas.mirror.rows[block_id]].widest

    def move(self, pointer: Pointer) -> None:
        """Shows the new width."""
        wanted = self._from + (pointer.scene - self.start.scene).x()
        self._to = min(max(round(wanted / GRID) * GRID, WIDTH_MIN), self._widest)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Sets the width in one edit."""
        if self._to != self._from:
            session = self.canvas.session
            session.apply(tr("Resize"), edits.set_width, session.page_name, self._block, self._to)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the new outline."""
        rect = self.canvas.mirror.rect(self._block)
        inked(painter, QPen(look.theme.color("accent"), 1.5), Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect.topLeft(), rect.bottomRight() + QPointF(self._to - self._from, 0)), 8, 8)
