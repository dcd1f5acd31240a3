"""Lines of a chart, with ways to draw them that stay quick where numbers are many and noisy."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF


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
        is_on = _pattern_of(pen)
        painter.drawLines([QLineF(a, b) for a, b in itertools.pairwise(points) if is_on(a.x())])
    else:
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """Returns a share of a colour on a ground."""
    red, green, blue = (
        share * of(color) + (1 - share) * of(ground) for of in (QColor.redF, QColor.greenF, QColor.blueF)
    )
    return QColor.fromRgbF(red, green, blue)


def _pattern_of(pen: QPen) -> Callable[[float], bool]:
    """Returns the function that says whether the dashes of a pen are drawn at x."""
    ends = list(itertools.accumulate(part * pen.widthF() for part in pen.dashPattern()))
    return lambda x: not ends or bisect.bisect_right(ends, x % ends[-1]) % 2 == 0
