"""Lines of a chart, with ways to draw them that stay quick where numbers are many and noisy."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

# Units: px.
DASH, DOT = 8, 3


def draw_series(painter: QPainter, points: list[QPointF], pen: QPen, is_dense: bool) -> None:
    """Draws a line through points; a dense one has more points than columns of pixels.

    One outline around a dense line crosses itself everywhere, and filling it takes a hundred times as long as its
    pieces do.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if len(points) == 1:
        painter.setPen(pen)
        painter.drawEllipse(points[0], 1.5, 1.5)
    elif is_dense and pen.widthF() > 1:
        painter.setPen(QPen(pen.color(), pen.widthF()))
        painter.drawLines([QLineF(a, b) for a, b in itertools.pairwise(points) if _is_on(a.x(), pen.style())])
    else:
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """Returns a share of a colour on a ground."""
    red, green, blue = (
        share * of(color) + (1 - share) * of(ground) for of in (QColor.redF, QColor.greenF, QColor.blueF)
    )
    return QColor.fromRgbF(red, green, blue)


def _is_on(x: float, style: Qt.PenStyle) -> bool:
    """Returns whether the pattern of a line is drawn at x."""
    match style:
        case Qt.PenStyle.DashLine:
            return x % (1.5 * DASH) < DASH
        case Qt.PenStyle.DotLine:
            return x % (2 * DOT) < DOT
        case Qt.PenStyle.DashDotLine:
            place = x % (1.5 * DASH + DOT)
            return place < DASH or place >= 1.25 * DASH + DOT / 2
        case _:
            return True
