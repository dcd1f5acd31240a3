"""Draws texts in blocks so that they can be read on the screen: where a block is small, a text grows in it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.shapes import font_metrics, text_width
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked, scaled
from gradwire.app.look.theme import font


class Style(NamedTuple):
    """A font of the program, with its size at 100 % and the token of its colour. Units: px."""

    kind: Literal["ui", "mono"]
    px: int
    weight: int = 400
    token: str = "text.secondary"

    def inked(self, token: str) -> Style:
        """Returns it in another colour."""
        return Style(self.kind, self.px, self.weight, token)

    def width(self, text: str, look: Look) -> float:
        """Returns how wide a text is drawn at a zoom. Units: px at 100 %."""
        return text_width(self.kind, self.px, self.weight, text) * look.growth(self.px)


def draw_text(painter: QPainter, look: Look, box: QRectF, flags: Qt.AlignmentFlag, text: str, style: Style) -> float:
    """Draws one line of text, shortened where the box is too narrow; returns its width.

    Units: px at 100 %.
    """
    grow = look.growth(style.px)
    room = box.width() / grow
    # Half a px of rounding must not shorten a text that was measured for its box.
    shown = font_metrics(*style[:3]).elidedText(text, Qt.TextElideMode.ElideRight, room + 0.5)
    with scaled(painter, box.topLeft(), grow):
        inked(painter, look.theme.color(style.token), font=font(*style[:3]))
        painter.drawText(QRectF(0, 0, room + 1, box.height() / grow), flags, shown)
    return style.width(shown, look)


def draw_number(painter: QPainter, look: Look, box: QRectF, flags: Qt.AlignmentFlag, text: str, style: Style) -> float:
    """Draws a number like a text, but leaves it out where it does not fit: a number is never cut."""
    fits = style.width(text, look) <= box.width() + 0.5
    return draw_text(painter, look, box, flags, text, style) if fits else 0.0
