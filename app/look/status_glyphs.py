"""The drawing of the glyphs of statuses, causes and ties: their shapes alone say which."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from gradwire.app.look.drawing import inked
from gradwire.app.look.statuses import MARKS


def draw_mark(painter: QPainter, at: QPointF, color: QColor, mark: str) -> None:
    """Draws the glyph of a status, cause or tie; `at` is its left middle. An integer's status has none."""
    glyph = MARKS[mark].glyph
    inked(painter, QPen(color, 1.4), Qt.BrushStyle.NoBrush)
    if glyph.has_wall:
        painter.fillRect(QRectF(at.x(), at.y() - 4.5, 2, 9), QBrush(color))
    for points in glyph.lines:
        corners = [at + QPointF(*point) for point in points]
        painter.drawLines([QLineF(a, b) for a, b in pairwise(corners)])
    for x, y, radius in glyph.circles:
        painter.drawEllipse(at + QPointF(x, y), radius, radius)
    if glyph.curve:
        start, *rest = (at + QPointF(*point) for point in glyph.curve)
        path = QPainterPath(start)
        path.cubicTo(*rest) if len(rest) == 3 else path.quadTo(*rest)
        painter.drawPath(path)
