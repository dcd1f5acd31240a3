"""How the causes of zero gradients look and what they are called: a small glyph, a word and a clause for each."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.words import tr
from engine.cause import Cause

TIE = "tie"
CAUSES = frozenset(Cause)
# What usually is a trap, beside what is as it should be; the shape of the glyph tells them apart too.
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
    """Draws the glyph of a cause, or that of a tie, about 10 px wide, `at` its left middle."""
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
    """The colour token of a glyph."""
    return "warn" if mark in _TRAPS else "grad.text" if mark == TIE else "text.secondary"


def cause_word(cause: Cause) -> str:
    """A cause in a word or two, for a label."""
    return {
        Cause.CANCELLED: tr("cancelled"),
        Cause.NOT_SELECTED: tr("not selected"),
        Cause.FLAT: tr("flat"),
        Cause.SATURATED: tr("saturated"),
        Cause.ZERO_FACTOR: tr("zero factor"),
        Cause.UNDERFLOW: tr("underflow"),
        Cause.AT_OPTIMUM: tr("at optimum"),
    }[cause]


def cause_clause(cause: Cause, block: str) -> str:
    """A cause and the block where it arises, as a clause."""
    return {
        Cause.CANCELLED: tr("terms cancel at {block}", block=block),
        Cause.NOT_SELECTED: tr("not selected by {block}", block=block),
        Cause.FLAT: tr("{block} is flat", block=block),
        Cause.SATURATED: tr("{block} is saturated", block=block),
        Cause.ZERO_FACTOR: tr("{block} multiplies by 0", block=block),
        Cause.UNDERFLOW: tr("too small a number for its dtype at {block}", block=block),
        Cause.AT_OPTIMUM: tr("{block} is at its optimum", block=block),
    }[cause]
