"""The glyphs of statuses, causes and ties: their shapes alone say which, for all who draw them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from gradwire.app.look.statuses import TIE
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

Points = tuple[tuple[float, float], ...]


class Glyph(NamedTuple):
    """A glyph about 10 px wide: lines through points, circles (x, y, radius), a curve, and a wall of 2 px.

    Shapes: of the curve the four points of a cubic one, or the three of a quadratic one.
    """

    lines: tuple[Points, ...] = ()
    circles: tuple[tuple[float, float, float], ...] = ()
    curve: Points = ()
    has_wall: bool = False


_GLYPHS: dict[str, Glyph] = {
    Status.FLOW: Glyph((((0, 0), (8, 0)), ((0, 0), (3, -3)), ((0, 0), (3, 3)))),
    Status.ZERO: Glyph(circles=((4, 0, 3.2),)),
    Status.BLOCKED: Glyph((((4, 0), (9.5, 0)), ((4, 0), (6.5, -2.5)), ((4, 0), (6.5, 2.5))), has_wall=True),
    Status.NON_DIFFERENTIABLE: Glyph((((0, 3.5), (4.5, 3.5), (4.5, -3.5), (9, -3.5)),)),
    Status.NO_PATH: Glyph((((0, 0), (1.8, 0)), ((3.5, 0), (5.3, 0)), ((7, 0), (8.8, 0)))),
    Status.NONFINITE: Glyph((((4.5, -4), (9, 4), (0, 4), (4.5, -4)), ((4.5, -1), (4.5, 1)), ((4.5, 2.5), (4.5, 3)))),
    Status.UNKNOWN: Glyph((((4.5, 0), (4.5, -2.6)), ((4.5, 0), (6.4, 0))), ((4.5, 0, 4),)),
    Cause.CANCELLED: Glyph((((0, -3.5), (3.5, 0), (0, 3.5)), ((8.5, -3.5), (5, 0), (8.5, 3.5)))),
    Cause.NOT_SELECTED: Glyph((((0, 1.5), (2.5, 1.5), (6.5, -3)), ((6, 1.5), (8.5, 1.5)))),
    Cause.FLAT: Glyph((((0, 3.5), (8, 3.5)), ((4, 3.5), (4, -3.5)))),
    Cause.SATURATED: Glyph(curve=((0, 3.5), (5, 3.5), (2, -3.5), (8.5, -3.5))),
    Cause.ZERO_FACTOR: Glyph((((2.3, -1.7), (5.7, 1.7)), ((2.3, 1.7), (5.7, -1.7))), ((4, 0, 3.9),)),
    Cause.UNDERFLOW: Glyph((((4.5, -4.5), (4.5, 1.5)), ((1.8, -1), (4.5, 1.7), (7.2, -1)), ((0.5, 4.3), (8.5, 4.3)))),
    Cause.AT_OPTIMUM: Glyph((((0.5, 4.4), (7.5, 4.4)),), curve=((0, -4), (4, 8.5), (8, -4))),
    TIE: Glyph((((1, -2), (8, -2)), ((1, 2), (8, 2)))),
}  # fmt: skip
MARKS = tuple(_GLYPHS)


def draw_mark(painter: QPainter, at: QPointF, color: QColor, mark: str) -> None:
    """Draws the glyph of a status, cause or tie; `at` is its left middle. An integer's status has none."""
    glyph = _GLYPHS.get(mark, Glyph())
    painter.setPen(QPen(color, 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
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
