"""Draws images and heat maps of a block."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_text
from gradwire.app.canvas.painting.blocks.heat_map import draw_heat, heat_colors
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.pictures import Heat, Images
from gradwire.app.look.drawing import CENTRE
from gradwire.engine.base.tensor_spec import Array

# Cells of a matrix up to so many are drawn one by one, with their signs.
FEW_CELLS = 160
LABEL, LABEL_ROW, GAP = Style("mono", 10), 13.0, 3.0
# An image smaller than this cannot be recognized. Units: px at 100 %.
SMALLEST = 26.0


def image_of(colors: Array) -> QImage:
    """Returns an image of its own memory. Shapes: (rows, columns, 4), from 0 to 255."""
    rows, columns = colors.shape[:2]
    data = np.rint(np.clip(colors, 0, 255)).astype(np.uint8).tobytes()
    return QImage(data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888).copy()


def draw_matrix(painter: QPainter, look: Look, box: QRectF, shown: Heat) -> None:
    """Draws a matrix as a heat map, colours symmetric around 0."""
    inner = box.adjusted(4, 4, -4, -4)
    if shown.cells.size <= FEW_CELLS:
        draw_heat(painter, look.theme, inner, shown.cells)
        return
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(inner, image_of(heat_colors(look.theme, shown.cells)))


def draw_images(painter: QPainter, look: Look, box: QRectF, shown: Images, has_labels: bool) -> None:
    """Draws images in rows, each with its label below, as many as can be recognized."""
    count, height, width = shown.pixels.shape[:3]
    below = LABEL_ROW * look.growth(LABEL.px) if has_labels and shown.labels else 0.0
    inner = box.adjusted(GAP, GAP, -GAP, -GAP)
    columns, each = _grid(inner, count, height / width, below)
    tall = each * height / width
    # A share of a px that rounding took must not cost a row.
    rows = max(1, int((inner.height() + GAP) / (tall + below + GAP) + 1e-6))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    for index in range(min(count, columns * rows)):
        row, column = divmod(index, columns)
        left, top = inner.left() + column * (each + GAP), inner.top() + row * (tall + below + GAP)
        painter.drawImage(QRectF(left, top, each, tall), image_of(_colors(shown.pixels[index])))
        if below:
            label = QRectF(left - GAP / 2, top + tall, each + GAP, below)
            draw_text(painter, look, label, CENTRE, shown.labels[index], LABEL)


def _grid(inner: QRectF, count: int, ratio: float, below: float) -> tuple[int, float]:
    """Returns the columns and the width of an image with which all fit, as large as possible.

    Where they could not be recognized, images have the smallest size, and the last ones are left out.
    """

    def width_in(columns: int) -> float:
        rows = math.ceil(count / columns)
        room = (inner.height() - rows * below - (rows - 1) * GAP) / rows / ratio
        return min(room, (inner.width() - (columns - 1) * GAP) / columns)

    columns = max(range(1, count + 1), key=width_in)
    if width_in(columns) >= SMALLEST:
        return columns, width_in(columns)
    columns = max(1, int((inner.width() + GAP) // (SMALLEST + GAP)))
    return columns, (inner.width() - (columns - 1) * GAP) / columns


def _colors(pixels: Array) -> Array:
    """Returns an image with all channels. Shapes: (height, width, 4)."""
    three = np.broadcast_to(pixels, (*pixels.shape[:2], 3)) * 255
    return np.concatenate([three, np.full((*pixels.shape[:2], 1), 255.0)], axis=2)
