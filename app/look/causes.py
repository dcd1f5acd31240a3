"""The look of the causes of zero gradients: a glyph and a colour for each, and their translated words."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gradwire.app.base.translation import tr
from gradwire.engine.blocktypes.cause import Cause

TIE = "tie"
CAUSES = frozenset(Cause)
# The causes that are usually traps, as opposed to harmless ones; glyphs differ in shape as well.
_TRAPS = (Cause.FLAT, Cause.SATURATED, Cause.ZERO_FACTOR, Cause.UNDERFLOW)
_LINES = {
    Cause.CANCELLED: (((0, -3.5), (3.5, 0), (0, 3.5)), ((8.5, -3.5), (5, 0), (8.5, 3.5))),
    Cause.NOT_SELECTED: (((0, 1.5), (2.5, 1.5), (6.5, -3)), ((6, 1.5), (8.5, 1.5))),
    Cause.FLAT: (((0, 3.5), (8, 3.5)), ((4, 3.5), (4, -3.5))),
    Cause.ZERO_FACTOR: (((2.3, -1.7), (5.7, 1.7)), ((2.3, 1.7), (5.7, -1.7))),
    Cause.UNDERFLOW: (((4.5, -4.5), (4.5, 1.5)), ((1.8, -1), (4.5, 1.7), (7.2, -1)), ((0.5, 4.3), (8.5, 4.3))),
    TIE: (((1, -2), (8, -2)), ((1, 2), (8, 2))),
}


def draw_mark(painter: QPainter, at: QPointF, color: QColor, mark: str) -> None:
    """Draws the glyph of a cause or of a tie, about 10 px wide; `at` is its left middle."""
    painter.setPen(QPen(color, 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for points in _LINES.get(mark, ()):
        corners = [at + QPointF(*point) for point in points]
        painter.drawLines([QLineF(a, b) for a, b in pairwise(corners)])
    if mark == Cause.ZERO_FACTOR:
        painter.drawEllipse(at + QPointF(4, 0), 3.9, 3.9)
    elif mark == Cause.SATURATED:
        way = QPainterPath(at + QPointF(0, 3.5))
        way.cubicTo(at + QPointF(5, 3.5), at + QPointF(2, -3.5), at + QPointF(8.5, -3.5))
        painter.drawPath(way)
    elif mark == Cause.AT_OPTIMUM:
        way = QPainterPath(at + QPointF(0, -4))
        way.quadTo(at + QPointF(4, 8.5), at + QPointF(8, -4))
        painter.drawPath(way)
        painter.drawLine(at + QPointF(0.5, 4.4), at + QPointF(7.5, 4.4))


def mark_token(mark: str) -> str:
    """Returns the colour token of a glyph."""
    return "warn" if mark in _TRAPS else "grad.text" if mark == TIE else "text.secondary"


def cause_word(cause: Cause) -> str:
    """Returns a cause in a word or two, for a label."""
    return tr(cause.word)


def cause_clause(cause: Cause, block: str) -> str:
    """Returns a cause and the block where it arises, as a clause."""
    return tr(cause.clause, block=block)
