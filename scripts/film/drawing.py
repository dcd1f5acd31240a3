"""Draws the frames: a picture of the window with the pointer over it, and the caption below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPolygonF

from gradwire.app.look.theme import Theme, font
from gradwire.app.start.main_window import MainWindow
from scripts.film.acts import Scene
from scripts.film.player import Frame

# Units: px.
CAPTION_HEIGHT = 48
_MARGIN, _DASH, _DASH_GAP, _RING = 20.0, QSize(26, 4), 6.0, 15.0
# The outline of an arrow whose tip is at 0, 0.
_ARROW = QPolygonF(
    [QPointF(x, y) for x, y in ((0, 0), (0, 17), (3.9, 13.4), (6.5, 19.4), (9.1, 18.3), (6.6, 12.4), (12, 12.4))]
)
_ARROW_SIZE = 1.2


def drawn(window: MainWindow, frame: Frame, scenes: Sequence[Scene]) -> QImage:
    """Returns the picture of a frame."""
    theme = window.appearance.theme
    picture = window.grab().toImage()
    ratio = picture.devicePixelRatio()
    whole = QImage(picture.width(), picture.height() + round(CAPTION_HEIGHT * ratio), QImage.Format.Format_RGB32)
    whole.setDevicePixelRatio(ratio)
    with QPainter(whole) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawImage(QPointF(0, 0), picture)
        strip = QRectF(0, window.height(), window.width(), CAPTION_HEIGHT)
        painter.fillRect(strip, theme.color("bg.sunken"))
        painter.fillRect(QRectF(0, strip.top(), strip.width(), 1), theme.color("border.default"))
        _draw_caption(painter, theme, strip, scenes[frame.scene].caption)
        _draw_dashes(painter, theme, strip, frame.scene, len(scenes))
        _draw_pointer(painter, theme, frame)
    return whole


def _draw_pointer(painter: QPainter, theme: Theme, frame: Frame) -> None:
    painter.save()
    painter.translate(frame.at)
    if frame.is_pressed:
        painter.setPen(QPen(theme.color("accent"), 2.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(0, 0), _RING, _RING)
    painter.scale(_ARROW_SIZE, _ARROW_SIZE)
    painter.setPen(QPen(theme.color("bg.sunken"), 1.2, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(theme.color("stop"))
    painter.drawPolygon(_ARROW)
    painter.restore()


def _draw_caption(painter: QPainter, theme: Theme, strip: QRectF, text: str) -> None:
    painter.setFont(font("ui", 20, 600))
    painter.setPen(theme.color("text.primary"))
    painter.drawText(strip.adjusted(_MARGIN, 0, -_MARGIN, 0), Qt.AlignmentFlag.AlignVCenter, text)


def _draw_dashes(painter: QPainter, theme: Theme, strip: QRectF, current: int, count: int) -> None:
    """Draws a dash for each scene at the right end, the current one in the colour of gradients."""
    step = _DASH.width() + _DASH_GAP
    left, top = strip.right() - _MARGIN - count * step + _DASH_GAP, strip.center().y() - _DASH.height() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    for number in range(count):
        painter.setBrush(theme.color("grad.text" if number == current else "border.default"))
        painter.drawRoundedRect(QRectF(left + number * step, top, _DASH.width(), _DASH.height()), 2, 2)
