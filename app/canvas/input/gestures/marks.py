"""The marks that gestures share: the wire and the frame that receive a block, and the lines that align."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.gestures.guides import Guide
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked
from gradwire.engine.graph.graph import Wire

_TICK = 4.0


def paint_wire(painter: QPainter, look: Look, mirror: Mirror, wire: Wire | None) -> None:
    """Marks a wire that a block will be put into."""
    if wire is not None and wire in mirror.wire_rows:
        inked(painter, QPen(look.theme.color("accent"), 4), Qt.BrushStyle.NoBrush)
        painter.drawPath(mirror.path(mirror.wire_rows[wire]))


def paint_frames(painter: QPainter, look: Look, mirror: Mirror, names: Iterable[str]) -> None:
    """Marks frames that something will come to lie in."""
    inked(painter, QPen(look.theme.color("accent"), 2), Qt.BrushStyle.NoBrush)
    for name in names:
        if name in mirror.frames:
            painter.drawRoundedRect(mirror.frames[name], 10, 10)


def paint_guides(painter: QPainter, look: Look, guides: Iterable[Guide]) -> None:
    """Draws lines that align, dashed, and equal gaps with an end mark on both sides."""
    color, px = look.theme.color("accent"), 1 / look.scale
    for guide in guides:
        line = guide.line
        painter.setPen(QPen(color, px, Qt.PenStyle.SolidLine if guide.is_gap else Qt.PenStyle.DashLine))
        painter.drawLine(line)
        if guide.is_gap:
            tick = QPointF(0, _TICK * px) if line.dy() == 0 else QPointF(_TICK * px, 0)
            for end in (line.p1(), line.p2()):
                painter.drawLine(QLineF(end - tick, end + tick))
