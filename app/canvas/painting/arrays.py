"""Many lines or rectangles in one call, straight from an array's memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRect, QRectF
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.routing import Points, Rows


def draw_lines(painter: QPainter, lines: Points) -> None:
    """Draws lines x1, y1, x2, y2; those of length 0 are left out. Shapes: (n, 4)."""
    is_long = np.abs(lines[:, :2] - lines[:, 2:]).sum(axis=1) > 0
    # QLineF is four doubles in a row, as QRectF is.
    _draw(painter.drawLines, np.ascontiguousarray(lines[is_long], np.float64), QLineF)


def draw_rects(painter: QPainter, rects: Points) -> None:
    """Draws rectangles left, top, width, height. Shapes: (n, 4)."""
    _draw(painter.drawRects, np.ascontiguousarray(rects, np.float64), QRectF)


def draw_whole_rects(painter: QPainter, corners: Rows) -> None:
    """Draws rectangles of whole pixels left, top, right, bottom, the last two excluded. Shapes: (n, 4)."""
    # QRect is four 32-bit integers in a row, its right and bottom included; far outside nothing is seen of them.
    rects = np.ascontiguousarray(np.clip(corners, -32_000, 32_000), np.int32)
    rects[:, 2:] -= 1
    _draw(painter.drawRects, rects, QRect)


def _draw(draw: Callable[..., None], array: np.ndarray[Any, Any], kind: type) -> None:
    """Draws all rows of an array, which Qt reads as objects of its own."""
    if len(array):
        draw(shiboken6.wrapInstance(array.ctypes.data, kind), len(array))
