"""Many lines or rectangles in one call, straight from an array's memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.routing import Points


def draw_lines(painter: QPainter, lines: Points) -> None:
    """Draws lines x1, y1, x2, y2; those of length 0 are left out. Shapes: (n, 4)."""
    lines = _for_qt(lines[np.abs(lines[:, :2] - lines[:, 2:]).sum(axis=1) > 0])
    if len(lines):
        painter.drawLines(_first(lines, QLineF), len(lines))


def draw_rects(painter: QPainter, rects: Points) -> None:
    """Draws rectangles left, top, width, height. Shapes: (n, 4)."""
    rects = _for_qt(rects)
    if len(rects):
        painter.drawRects(_first(rects, QRectF), len(rects))


def draw_lines_one_by_one(painter: QPainter, lines: Points) -> None:
    """The same as `draw_lines` without looking into memory; what the tests compare it with."""
    painter.drawLines([QLineF(*line) for line in lines.tolist() if line[:2] != line[2:]])


def draw_rects_one_by_one(painter: QPainter, rects: Points) -> None:
    """The same as `draw_rects` without looking into memory; what the tests compare it with."""
    painter.drawRects([QRectF(*rect) for rect in rects.tolist()])


def _for_qt(array: Points) -> Points:
    # QLineF and QRectF are four doubles in a row.
    return np.ascontiguousarray(array, np.float64)


def _first(array: Points, kind: type) -> Any:  # Any: a Qt object that lives in the array's memory
    return shiboken6.wrapInstance(array.ctypes.data, kind)
