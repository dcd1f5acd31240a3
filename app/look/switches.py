"""The drawing of a switch, for panels and blocks."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPen

from gradwire.app.look.drawing import filled, inked
from gradwire.app.look.theme import Theme

TRACK = QSize(26, 15)


def draw_switch(painter: QPainter, theme: Theme, track: QRectF, is_on: bool, is_enabled: bool = True) -> None:
    """Draws a track with its knob; the side of the knob and the fill of the track show the state."""
    is_filled, half, side = is_on and is_enabled, track.height() / 2, track.height() - 4
    edge, ground = ("accent", "accent") if is_filled else ("border.strong", "bg.sunken")
    inked(painter, QPen(theme.color(edge), 1), theme.color(ground))
    painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), half, half)
    knob = QRectF(track.right() - side - 2 if is_on else track.left() + 2, track.top() + 2, side, side)
    filled(painter, theme.color("text.on-accent" if is_filled else "border.strong")).drawEllipse(knob)
