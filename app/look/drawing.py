"""Painters with their ink in one call, for all that draws."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPaintDevice, QPainter, QPen, QPixmap, QTextOption

from gradwire.app.look.theme import Theme

Pen = QPen | QColor | Qt.PenStyle | Qt.GlobalColor
Brush = QBrush | QColor | Qt.BrushStyle | Qt.GlobalColor

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


def smooth(device: QPaintDevice) -> QPainter:
    """Returns a painter whose lines have smooth edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


class kept:  # noqa: N801  # called as a function is; as a generator it would take twice as long
    """Gives a painter back the pen, brush, font, place and clip that it has now, even after a mistake."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter

    def __enter__(self) -> None:
        self._painter.save()

    def __exit__(self, *_: object) -> None:
        self._painter.restore()


class scaled(kept):  # noqa: N801  # as above
    """Lets a painter draw in other units from a point on, and gives it back all that it has now."""

    def __init__(self, painter: QPainter, origin: QPointF, factor: float) -> None:
        super().__init__(painter)
        self._origin, self._factor = origin, factor

    def __enter__(self) -> None:
        super().__enter__()
        self._painter.translate(self._origin)
        self._painter.scale(self._factor, self._factor)


def faded(color: QColor, opacity: float) -> QColor:
    """Returns a colour that lets what lies below shine through."""
    made = QColor(color)
    made.setAlphaF(opacity)
    return made


def inked(painter: QPainter, pen: Pen | None = None, brush: Brush | None = None, font: QFont | None = None) -> QPainter:
    """Returns a painter after it has taken another pen, brush or font."""
    if font is not None:
        painter.setFont(font)
    if pen is not None:
        painter.setPen(pen)
    if brush is not None:
        painter.setBrush(brush)
    return painter


def filled(painter: QPainter, brush: Brush) -> QPainter:
    """Returns a painter that fills shapes without an outline."""
    return inked(painter, Qt.PenStyle.NoPen, brush)


def draw_elided(
    painter: QPainter,
    room: QRect,
    text: str,
    flags: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draws one line of text in the painter's font and pen, shortened where it is too long."""
    painter.drawText(room, flags, painter.fontMetrics().elidedText(text, mode, room.width()))


def text_flags(arguments: tuple[Any, ...]) -> tuple[Qt.AlignmentFlag, bool]:  # Any: those of `QPainter.drawText`
    """Returns the alignment of a text that is drawn in a rectangle, and whether its lines wrap."""
    found = next((item for item in arguments[1:] if not isinstance(item, str)), Qt.AlignmentFlag.AlignLeft)
    if isinstance(found, QTextOption):
        return found.alignment(), found.wrapMode() != QTextOption.WrapMode.NoWrap
    return Qt.AlignmentFlag(int(found) & 0x1FF), bool(int(found) & Qt.TextFlag.TextWordWrap)


def draw_cross(painter: QPainter, at: QPointF, reach: float) -> None:
    """Draws two slanted lines that cross at a point."""
    for rise in (reach, -reach):
        painter.drawLine(QLineF(at - QPointF(reach, rise), at + QPointF(reach, rise)))


def clear_pixmap(size: QSize, ratio: float = 1.0) -> QPixmap:
    """Returns a pixmap with nothing on it; `ratio` device pixels a px."""
    made = QPixmap(size * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    return made


def draw_panel(
    painter: QPainter, theme: Theme, box: QRectF, border: str = "border.default", radius: float = 8.0
) -> None:
    """Draws the ground and the border of a small panel that lies over something."""
    inked(painter, QPen(theme.color(border), 1), theme.color("bg.overlay"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def draw_ring(painter: QPainter, theme: Theme, rect: QRectF, radius: float) -> None:
    """Draws the ring of the keyboard focus just inside a rectangle."""
    inked(painter, QPen(theme.color("focus"), 2), Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)
