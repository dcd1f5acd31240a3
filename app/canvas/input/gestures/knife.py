"""The drag that cuts wires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.canvas.gestures.gesture import Gesture, Pointer
from app.canvas.look import Look
from app.words import tr
from engine import edits
from engine.graph import Wire

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView


class Knife(Gesture):
    """Cuts every wire that its line crosses."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureView, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._line = [start.scene]
        self._cut: dict[Wire, None] = {}

    def move(self, pointer: Pointer) -> None:
        """Marks the wires that the line crosses."""
        self._cut |= dict.fromkeys(self.canvas.mirror.wires_crossed(self._line[-1], pointer.scene))
        self._line.append(pointer.scene)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """One edit takes all of them off."""
        self.move(pointer)
        self.canvas.say("")
        if self._cut:
            session = self.canvas.session
            session.apply(tr("Cut wires"), edits.disconnect, session.page_name, *self._cut)

    def cancel(self) -> None:
        """No wire is cut."""
        self.canvas.say("")

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the line, and what it cuts."""
        mirror, color = self.canvas.mirror, look.theme.color("error")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 3))
        for wire in self._cut:
            if wire in mirror.wire_rows:
                painter.drawPath(mirror.path(mirror.wire_rows[wire]))
        painter.setPen(QPen(color, 1.5 / look.scale, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF([QPointF(point) for point in self._line]))
