"""A painter that records the texts it draws, with their places in the picture."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QPainter

from gradwire.app.look.drawing import text_flags

# A text of more lines than this wraps: its ink is the whole rectangle.
ONE_LINE = 1.9


class DrawnText(NamedTuple):
    """A text as it was drawn, with the place of its ink, the size of its font and its colour. Units: px."""

    text: str
    rect: QRectF
    px: float
    color: QColor


class TextRecorder(QPainter):
    """A painter that draws as any other, and remembers each text.

    The code that paints a page calls `drawText` from Python, so this class sees every call.
    """

    def __init__(self, *arguments: Any) -> None:  # Any: the overloads of QPainter
        super().__init__(*arguments)
        self.texts: list[DrawnText] = []

    def drawText(self, *arguments: Any) -> Any:  # Qt's name; Any: its overloads
        """Draws a text and records where its ink is."""
        text = next(item for item in arguments if isinstance(item, str))
        to_device, font = self.combinedTransform(), self.font()
        if text.strip() and self.opacity() > 0:
            ink = _ink(QFontMetricsF(font), arguments, text)
            px = QFontInfo(font).pixelSize() * abs(to_device.m22())
            self.texts.append(DrawnText(text, to_device.mapRect(ink), px, QColor(self.pen().color())))
        return super().drawText(*arguments)


def _ink(metrics: QFontMetricsF, arguments: tuple[Any, ...], text: str) -> QRectF:
    """Returns the rectangle of a text's ink, in the coordinates of the call."""
    place, ink = arguments[0], metrics.tightBoundingRect(text)
    if isinstance(place, QPointF):
        return ink.translated(place)
    side, wraps = text_flags(arguments)
    around = metrics.boundingRect(QRectF(place), side | Qt.TextFlag.TextWordWrap if wraps else side, text)
    if around.height() > ONE_LINE * metrics.height():
        return around
    # The rectangle is as high as a line; the ink stands on the base line in it.
    return QRectF(around.left(), around.top() + metrics.ascent() + ink.top(), around.width(), ink.height())
