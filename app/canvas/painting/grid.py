"""The dots of the grid behind a page."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.painting.arrays import draw_whole_rects
from gradwire.app.canvas.painting.cache.sprites import Grain
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import clear_pixmap, filled, kept


def draw_grid(painter: QPainter, look: Look, area: QRectF) -> None:
    """Draws the dots of the grid, fewer where they would crowd."""
    step = GRID
    while step * look.scale < 12:
        step *= 2
    if not look.has_grid:
        return
    xs = np.arange(np.floor(area.left() / step) * step, area.right() + step, step)
    ys = np.arange(np.floor(area.top() / step) * step, area.bottom() + step, step)
    grain = Grain.of(painter)
    side = max(round(2.0 / max(look.scale, 0.5) * grain.scale), 1)
    across = grain.pixels(np.stack([xs, np.full(len(xs), ys[0])], axis=1))[:, 0] - side // 2
    down = grain.pixels(np.stack([np.full(len(ys), xs[0]), ys], axis=1))[:, 1] - side // 2
    left = int(across[0])
    row = _dots(across - left, side, look.theme.color("bg.grid"))
    with kept(painter):
        painter.setWorldTransform(grain.to_device())
        for top in down.tolist():
            painter.drawPixmap(left, top, row)


def _dots(lefts: Rows, side: int, color: QColor) -> QPixmap:
    """Returns one row of dots: the rows of a grid are alike, and copying one is much faster than drawing its dots."""
    row = clear_pixmap(QSize(int(lefts[-1]) + side, side))
    with QPainter(row) as painter:
        filled(painter, color)
        corners = np.stack([lefts, np.zeros_like(lefts), lefts + side, np.full_like(lefts, side)], axis=1)
        draw_whole_rects(painter, corners)
    return row
