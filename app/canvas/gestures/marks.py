"""What gestures show in common: the wire that a block goes into, the frame it comes to lie in, lines that align."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.guides import Guide
from app.canvas.look import Look
from app.canvas.mirror import Mirror
from app.live.forecast import Ghost
from app.look.theme import font
from app.words import tr
from engine.graph import Wire

_TICK = 4.0
_GHOST_GAP, _GHOST_HEIGHT = 6.0, 22.0


def paint_wire(painter: QPainter, look: Look, mirror: Mirror, wire: Wire | None) -> None:
    """Marks a wire that a block will be put into."""
    if wire is not None and wire in mirror.wire_rows:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.theme.color("accent"), 4))
        painter.drawPath(mirror.path(mirror.wire_rows[wire]))


def paint_frames(painter: QPainter, look: Look, mirror: Mirror, names: Iterable[str]) -> None:
    """Marks frames that something will come to lie in."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.theme.color("accent"), 2))
    for name in names:
        if name in mirror.frames:
            painter.drawRoundedRect(mirror.frames[name], 10, 10)


def paint_ghost(painter: QPainter, look: Look, loss: QRectF, ghost: Ghost) -> None:
    """Writes below a Loss what was predicted for it, in a frame of dashes: it is not what is."""
    theme, text = look.theme, tr("predicted {ghost}", ghost=ghost.ghost_text)
    painter.setFont(font("mono", 12))
    width = max(loss.width(), painter.fontMetrics().horizontalAdvance(text) + 20)
    box = QRectF(loss.center().x() - width / 2, loss.bottom() + _GHOST_GAP, width, _GHOST_HEIGHT)
    painter.setPen(QPen(theme.color("grad.text"), 1 / look.scale, Qt.PenStyle.DashLine))
    painter.setBrush(theme.color("bg.raised"))
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(theme.color("grad.text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


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
