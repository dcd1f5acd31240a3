"""Marks of points: a colour and a shape for each class, so that no class is known by its colour alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from gradwire.app.look.drawing import inked
from gradwire.app.look.theme import Theme

TOKENS = (
    "value", "cat.variable", "cat.reduce", "cat.monitor", "cat.linalg",
    "cat.shape", "text.primary", "cat.math", "ok", "alarm",
)  # fmt: skip
# A corner pointing up, its middle at 0, 0; the others of a shape follow. Units: its radius.
_SHAPES: tuple[Sequence[tuple[float, float]], ...] = (
    (),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
)


def token_of(number: int) -> str:
    """Returns the token of the colour of a class."""
    return TOKENS[number % len(TOKENS)]


def draw_marks(painter: QPainter, theme: Theme, at: Sequence[QPointF], radius: float, number: int | None) -> None:
    """Draws a mark at each place: that of a class, or a dot without one."""
    token = "text.secondary" if number is None else token_of(number)
    inked(painter, QPen(theme.color("bg.sunken"), radius / 4), theme.color(token))
    corners = _SHAPES[0 if number is None else number % len(_SHAPES)]
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for place in at:
        if corners:
            path.addPolygon(QPolygonF([place + QPointF(x, y) * radius for x, y in (*corners, corners[0])]))
        else:
            path.addEllipse(QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius))
    painter.drawPath(path)
