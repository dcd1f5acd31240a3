"""Small marks drawn as paths: ports by rank and dtype, the arrow of a value, and bars of components."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gradwire.app.look.drawing import filled, inked
from gradwire.app.look.theme import Theme
from gradwire.engine.base.tensor_spec import TensorSpec

HALO = 3.0
_DTYPE_TOKENS = {"f": "dtype.float", "i": "dtype.int", "u": "dtype.int", "b": "dtype.bool"}


def dtype_token(spec: TensorSpec | None) -> str:
    """Returns the colour token of a dtype; unknown is any."""
    return "dtype.any" if spec is None else _DTYPE_TOKENS.get(spec.dtype.kind, "dtype.any")


def draw_port(painter: QPainter, theme: Theme, at: QPointF, spec: TensorSpec | None, is_filled: bool) -> None:
    """Draws a port: its shape says the rank, its colour the dtype; a ring is open, a filled one connected."""
    color = theme.color(dtype_token(spec))
    inked(painter, QPen(theme.color("bg.canvas"), 2 * HALO), theme.color("bg.canvas"))
    _draw_rank(painter, at, spec)
    pen = QPen(color, 1.8)
    if spec is None:
        pen.setStyle(Qt.PenStyle.DotLine)
    inked(painter, pen, color if is_filled and spec is not None else theme.color("bg.raised"))
    _draw_rank(painter, at, spec)
    if spec is not None and spec.ndim == 2 and is_filled:
        painter.setPen(QPen(theme.color("bg.canvas"), 1.2))
        painter.drawLine(QLineF(at.x() - 4, at.y(), at.x() + 4, at.y()))
        painter.drawLine(QLineF(at.x(), at.y() - 4, at.x(), at.y() + 4))


def _draw_rank(painter: QPainter, at: QPointF, spec: TensorSpec | None) -> None:
    x, y = at.x(), at.y()
    rank = 0 if spec is None else spec.ndim
    if rank == 0:
        painter.drawEllipse(at, 4.2, 4.2)
    elif rank == 1:
        painter.drawRoundedRect(QRectF(x - 2.6, y - 5.6, 5.2, 11.2), 2, 2)
    elif rank == 2:
        painter.drawRoundedRect(QRectF(x - 4.4, y - 4.4, 8.8, 8.8), 1.5, 1.5)
    else:
        corners = [QPointF(x, y - 5.6), QPointF(x + 5.6, y), QPointF(x, y + 5.6), QPointF(x - 5.6, y)]
        painter.drawPolygon(QPolygonF(corners))


def draw_component_bars(painter: QPainter, box: QRectF, numbers: tuple[float, ...], color: QColor) -> None:
    """Draws up to 16 components as bars: up is positive, down is negative. Box: 22 by 11 px."""
    finite = [item for item in numbers if math.isfinite(item)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    top = max(-low, high)
    if top == 0:
        return
    has_both = low < 0 < high
    base = box.center().y() if has_both else (box.bottom() if high > 0 else box.top())
    reach = box.height() / 2 if has_both else box.height()
    each, left = box.width() / len(numbers), box.left()
    width, heights = max(each - 0.6, 0.8), [item / top * reach for item in numbers]
    bars = [
        QRectF(left + index * each, min(base, base - height), width, max(abs(height), 1.0))
        for index, height in enumerate(heights)
        if math.isfinite(height)
    ]
    filled(painter, color).drawRects(bars)
