"""Many lines or rectangles in one call, straight from an array's memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRect, QRectF
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.routing import Points


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


def draw_whole_rects(painter: QPainter, corners: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """Draws rectangles of whole pixels left, top, right, bottom, the last two excluded. Shapes: (n, 4)."""
    rects = _as_rects(corners)
    if len(rects):
        painter.drawRects(_first(rects, QRect), len(rects))


def _as_rects(corners: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int32]]:
    # QRect is four 32-bit integers in a row, its right and bottom included; far outside nothing is seen of them.
    found = np.ascontiguousarray(np.clip(corners, -32_000, 32_000), np.int32)
    found[:, 2:] -= 1
    return found


def _for_qt(array: Points) -> Points:
    # QLineF and QRectF are four doubles in a row.
    return np.ascontiguousarray(array, np.float64)


def _first(array: np.ndarray[Any, Any], kind: type) -> Any:  # Any: a Qt object that lives in the array's memory
    return shiboken6.wrapInstance(array.ctypes.data, kind)
