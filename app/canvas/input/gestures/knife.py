"""The drag that cuts wires."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.hit_tests import wires_crossed
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Wire


class Knife(Gesture):
    """A line that cuts every wire it crosses."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureHost, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._line = [start.scene]
        self._cut: dict[Wire, None] = {}

    def move(self, pointer: Pointer) -> None:
        """Marks the wires that the line crosses."""
        self._cut |= dict.fromkeys(wires_crossed(self.canvas.mirror, self._line[-1], pointer.scene))
        self._line.append(pointer.scene)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Takes all of them off in one edit."""
        self.move(pointer)
        self.canvas.say("")
        if self._cut:
            session = self.canvas.session
            session.apply(tr("Cut wires"), edits.disconnect, session.page_name, *self._cut)

    def cancel(self) -> None:
        """Cuts no wire."""
        self.canvas.say("")

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the line, and what it cuts."""
        mirror, color = self.canvas.mirror, look.theme.color("error")
        inked(painter, QPen(color, 3), Qt.BrushStyle.NoBrush)
        for wire in self._cut:
            if wire in mirror.wire_rows:
                painter.drawPath(mirror.path(mirror.wire_rows[wire]))
        painter.setPen(QPen(color, 1.5 / look.scale, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF([QPointF(point) for point in self._line]))
