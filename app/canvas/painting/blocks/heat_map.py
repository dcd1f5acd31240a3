"""Heat maps: a matrix as cells, colours symmetric around 0; a negative cell carries a notch in its corner."""

from __future__ import annotations

import functools

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPolygonF

from gradwire.app.look.drawing import filled, kept
from gradwire.app.look.theme import Theme
from gradwire.engine.base.tensor_spec import Array

# Space between cells, in px, and the size of a notch, as a share of its cell.
GAP, NOTCH = 1.0, 0.35
# Steps of the scale of colours on either side of 0.
_STEPS = 100
_OPAQUE = 255


def draw_heat(painter: QPainter, theme: Theme, box: QRectF, cells: Array) -> None:
    """Draws a matrix of cells; what is not finite has the alarm colour. Shapes: (rows, columns)."""
    if box.isEmpty():
        return
    if painter.paintEngine().type() == QPaintEngine.Type.Raster:
        _paint_pixels(painter, theme, box, cells)
    else:
        _draw_cells(painter, theme, box, cells)


def heat_colors(theme: Theme, cells: Array) -> Array:
    """Returns red, green, blue and alpha of each cell, from 0 to 255. Shapes: (rows, columns, 4)."""
    is_finite = np.isfinite(cells)
    top = float(np.abs(cells[is_finite]).max(initial=0.0)) or 1.0
    # Divided first: the largest numbers times the steps would overflow.
    steps = np.rint(np.where(is_finite, cells / top, 0.0) * _STEPS).astype(np.int64)
    colors: Array = _scale_colors(theme)[steps + _STEPS]
    colors[~is_finite] = _parts(theme.color("alarm"))
    return colors


@functools.cache
def _scale_colors(theme: Theme) -> Array:
    return np.array([_parts(theme.diverging(step / _STEPS)) for step in range(-_STEPS, _STEPS + 1)])


def _are_notched(cells: Array) -> Array:
    return np.isfinite(cells) & (cells < 0)


def _parts(color: QColor) -> tuple[float, float, float, float]:
    return float(color.red()), float(color.green()), float(color.blue()), float(_OPAQUE)


def _paint_pixels(painter: QPainter, theme: Theme, box: QRectF, cells: Array) -> None:
    """Paints the cells as one image in device pixels: drawing them one by one takes twenty times as long."""
    place, (rows, columns) = painter.deviceTransform(), cells.shape
    seen = place.mapRect(box)
    across = _Spans(seen.left(), seen.width() / columns, columns, GAP * place.m11())
    down = _Spans(seen.top(), seen.height() / rows, rows, GAP * place.m22())
    by_row = down.covered.T @ heat_colors(theme, cells).reshape(rows, -1)
    pixels = across.covered.T @ by_row.reshape(down.pixels, columns, 4)
    # How far each pixel lies inside the notch of the cell around it.
    inside = NOTCH * min(across.step, down.step) + 0.5 - down.from_start[:, None] - across.from_end
    is_negative = _are_notched(cells)[down.cells[:, None], across.cells]
    notch = np.clip(inside, 0, 1) * is_negative * down.share[:, None] * across.share
    pixels += notch[:, :, None] * (np.array(_parts(theme.color("bg.canvas"))) - pixels)
    data, layout = np.rint(pixels).astype(np.uint8), QImage.Format.Format_RGBA8888_Premultiplied
    image = QImage(data.data, across.pixels, down.pixels, 4 * across.pixels, layout)
    with kept(painter):
        painter.resetTransform()
        plain = painter.deviceTransform()
        image.setDevicePixelRatio(plain.m11())
        corner = QPointF((across.first - plain.dx()) / plain.m11(), (down.first - plain.dy()) / plain.m22())
        painter.drawImage(corner, image)


# The cells along an axis stay where they are while their numbers change.
@functools.lru_cache(maxsize=32)
class _Spans:
    """The cells along one axis, and the device pixels that they cover."""

    def __init__(self, start: float, step: float, count: int, gap: float) -> None:
        self.first, self.step = int(np.floor(start)), step
        self.pixels = max(int(np.ceil(start + count * step)) - self.first, 1)
        starts, left = start + step * np.arange(count), self.first + np.arange(self.pixels)
        ends = starts + max(step - gap, 0.0)
        # The share of each pixel that each cell covers, that all cells cover, and the cell that its middle lies in.
        self.covered = np.clip(np.minimum(ends[:, None], left + 1) - np.maximum(starts[:, None], left), 0, 1)
        self.share = self.covered.sum(axis=0)
        middles = left + 0.5
        self.cells = np.clip(np.floor((middles - start) / step), 0, count - 1).astype(np.int64)
        self.from_start, self.from_end = middles - starts[self.cells], ends[self.cells] - middles


def _draw_cells(painter: QPainter, theme: Theme, box: QRectF, cells: Array) -> None:
    """Draws each cell as a shape, for files that keep shapes."""
    rows, columns = cells.shape
    width, height = box.width() / columns, box.height() / rows
    notch = min(width, height) * NOTCH
    colors = heat_colors(theme, cells).astype(np.int64).tolist()
    filled(painter, theme.color("bg.canvas"))
    for row, line in enumerate(_are_notched(cells).tolist()):
        for column, is_notched in enumerate(line):
            cell = QRectF(box.left() + column * width, box.top() + row * height, width - GAP, height - GAP)
            painter.fillRect(cell, QColor(*colors[row][column]))
            if is_notched:
                corner = cell.topRight()
                painter.drawPolygon(QPolygonF([corner, corner - QPointF(notch, 0), corner + QPointF(0, notch)]))
