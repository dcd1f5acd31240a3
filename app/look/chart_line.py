"""Lines of a chart, with ways to draw them that stay quick where numbers are many and noisy."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen, QPolygonF

from gradwire.app.look.drawing import inked
from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.base.tensor_spec import Array

_SHADES = 255


def draw_series(painter: QPainter, x: Array, y: Array, pen: QPen) -> None:
    """Draws a line through points in the order of x.

    One with more points than columns of pixels is painted column by column on a screen, and in pieces elsewhere: one
    outline around it crosses itself everywhere, and filling it takes a hundred times as long.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    is_dense = x.size > 2 and x.size > float(x[-1] - x[0]) * painter.deviceTransform().m11()
    if x.size == 1:
        inked(painter, pen).drawEllipse(QPointF(float(x[0]), float(y[0])), 1.5, 1.5)
    elif is_dense and painter.paintEngine().type() == QPaintEngine.Type.Raster:
        _draw_columns(painter, x, y, pen)
    elif is_dense and pen.widthF() > 1:
        painter.setPen(QPen(pen.color(), pen.widthF()))
        pieces = zip(itertools.pairwise(_points(x, y)), _is_on(pen, x[:-1]), strict=True)
        painter.drawLines([QLineF(*ends) for ends, is_on in pieces if is_on])
    else:
        inked(painter, pen).drawPolyline(polygon(x, y))


def finite_runs(x: Array, y: Array) -> Iterator[tuple[Array, Array]]:
    """Yields the pieces of a line between the gaps, where one of both numbers is not finite."""
    is_known = np.isfinite(x) & np.isfinite(y)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_known, [False]]).astype(np.int8)))
    for start, end in edges.reshape(-1, 2).tolist():
        yield x[start:end], y[start:end]


def polygon(x: Array, y: Array) -> QPolygonF:
    """Returns points as Qt has them, read from their numbers: an object for each takes eight times as long."""
    numbers = np.stack([x, y], 1).astype(">f8")
    found = QPolygonF()
    QDataStream(QByteArray(struct.pack(">I", x.size) + numbers.tobytes())) >> found
    return found


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """Returns a share of a colour on a ground."""
    red, green, blue = (
        share * of(color) + (1 - share) * of(ground) for of in (QColor.redF, QColor.greenF, QColor.blueF)
    )
    return QColor.fromRgbF(red, green, blue)


class Coverage(NamedTuple):
    """Pixels that a line covers: in each column the first and the last row by a share, and all between. Units: px."""

    columns: Array
    first: Array
    last: Array
    first_share: Array
    last_share: Array


def covered(x: Array, y: Array, width: float) -> Coverage:
    """Returns what a line of some width covers.

    In each column that is all from its lowest to its highest point, and from the last point of the column before.
    Shapes: (points,), (points,). Units: px.
    """
    columns = np.floor(x).astype(np.int64)
    starts = starts_of_runs(columns)
    joined = np.append(y[:1], y[starts[1:] - 1])
    top = np.minimum(np.minimum.reduceat(y, starts), joined)
    bottom = np.maximum(np.maximum.reduceat(y, starts), joined)
    known = columns[starts]
    every = np.arange(known[0], known[-1] + 1)
    top, bottom = (np.interp(every, known, ends) for ends in (top - width / 2, bottom + width / 2))
    first, last = np.floor(top), np.ceil(bottom) - 1
    shares = np.minimum(bottom, first + 1) - top, bottom - np.maximum(top, last)
    return Coverage(every, first.astype(np.int64), last.astype(np.int64), *shares)


def _draw_columns(painter: QPainter, x: Array, y: Array, pen: QPen) -> None:
    """Paints a line as an image in the pixels of the screen; the painter only moves and scales."""
    place = painter.deviceTransform()
    ratio, left, top = place.m11(), place.dx(), place.dy()
    found = covered(x * ratio + left, y * ratio + top, pen.widthF() * ratio)
    column, row, height = int(found.columns[0]), int(found.first.min()), int(found.last.max() - found.first.min()) + 1
    color, places = pen.color(), np.arange(found.columns.size)
    # In 16 bits, which take a third of the time.
    rows = np.arange(height, dtype=np.int16)[:, None]
    above, below = ((ends - row).astype(np.int16) for ends in (found.first, found.last))
    parts = np.array([color.blue(), color.green(), color.red(), 255])
    # Premultiplied, as painting needs it.
    shades = np.rint(np.arange(_SHADES + 1)[:, None] / _SHADES * parts).astype(np.uint8).view("<u4")[:, 0]
    pixels = ((rows > above) & (rows < below)) * shades[-1]
    for at, shares in ((found.last, found.last_share), (found.first, found.first_share)):
        pixels[at - row, places] = shades[np.rint(shares * _SHADES).astype(np.int64)]
    if pen.dashPattern():
        pixels[:, ~_is_on(pen, (found.columns - left) / ratio)] = 0
    image = QImage(pixels.data, places.size, height, 4 * places.size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF((column - left) / ratio, (row - top) / ratio), image)


def _points(x: Array, y: Array) -> list[QPointF]:
    return [QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)]


def _is_on(pen: QPen, x: Array) -> Array:
    """Returns whether the dashes of a pen are drawn at places along x."""
    ends = np.cumsum(pen.dashPattern()) * pen.widthF()
    return np.ones(x.shape, bool) if not ends.size else np.searchsorted(ends, x % ends[-1], "right") % 2 == 0
