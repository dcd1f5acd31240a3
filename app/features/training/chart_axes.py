"""The axes of a chart of a training: rounds below, numbers at the left, and others of another kind at the right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.look.chart_scale import Scale, kind_text
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, inked
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.ticks import ticks
from gradwire.engine.base.tensor_spec import Array

# Room of the numbers below, above the lines, of the titles, and between. Units: px at texts of 100 %.
AXIS, TOP, TITLE, GAP = 18, 6, 20, 8
# Lines have no room to be drawn in below this width or height. Units: px.
SMALLEST = 20


@dataclass(frozen=True)
class Titles:
    """What the upright axes show, and the token of the colour of the right one."""

    left: str
    right: str = ""
    token: str = "text.secondary"


@dataclass(frozen=True)
class Frame:
    """A chart with the room of its lines, and the scales of its axes; `text_scale` is the size of its texts."""

    whole: QRectF
    room: QRectF
    rounds: Scale
    numbers: Scale
    others: Scale | None
    text_scale: float

    def points(self, scale: Scale, rounds: Array, numbers: Array) -> tuple[Array, Array]:
        """Returns the places of numbers on one of the upright scales."""
        x = self.room.left() + self.rounds.share(rounds) * self.room.width()
        y = self.room.bottom() - np.clip(scale.share(numbers), -0.1, 1.1) * self.room.height()
        return x, y

    @property
    def beside(self) -> float:
        """Width of the numbers at the right of the room."""
        return 0.0 if self.others is None else _column(self.others, self.whole, self.text_scale) + GAP


def frame_in(
    whole: QRectF, span: tuple[int, int], scales: tuple[Scale, Scale | None], names: float, text_scale: float
) -> Frame | None:
    """Returns the frame with two upright scales and room for names at the right; None where there is none for lines."""
    first, last = span
    left, right = (0.0 if scale is None else _column(scale, whole, text_scale) + GAP for scale in scales)
    counted = text_width("ui", 10 * text_scale, 400, tr("Round")) + GAP
    room = whole.adjusted(max(left, counted) + 4, (TITLE + TOP) * text_scale, -names - right, -AXIS * text_scale)
    if min(room.width(), room.height()) < SMALLEST:
        return None
    return Frame(whole, room, Scale(first, max(last, first + 1)), *scales, text_scale)


def draw_titles(
    painter: QPainter, theme: Theme, whole: QRectF, frame: Frame | None, titles: Titles, text_scale: float
) -> None:
    """Writes what each upright axis shows, and how its numbers lie on it."""
    inked(painter, theme.color("text.primary"), font=font("ui", 12 * text_scale, 600))
    box = QRectF(whole.left(), whole.top(), whole.width(), TITLE * text_scale)
    painter.drawText(box, LEFT, titles.left if frame is None else _titled(titles.left, frame.numbers))
    if frame is not None and frame.others is not None:
        painter.setPen(theme.color(titles.token))
        box.setRight(frame.room.right() + frame.beside)
        painter.drawText(box, RIGHT, _titled(titles.right, frame.others))


def draw_axes(painter: QPainter, theme: Theme, frame: Frame, token: str) -> None:
    """Writes the numbers of all axes; `token` is that of the colour of those at the right."""
    painter.setFont(font("mono", 10 * frame.text_scale))
    room, whole = frame.room, frame.whole
    left = QRectF(whole.left(), 0, room.left() - whole.left() - GAP, 0)
    _draw_ticks(painter, theme, frame, frame.numbers, left, theme.color("text.secondary"))
    if frame.others is not None:
        right = QRectF(room.right() + GAP / 2, 0, frame.beside - GAP, 0)
        _draw_ticks(painter, theme, frame, frame.others, right, theme.color(token))
    _draw_rounds(painter, theme, frame)


def _draw_ticks(painter: QPainter, theme: Theme, frame: Frame, scale: Scale, column: QRectF, color: QColor) -> None:
    """Writes the numbers of an upright axis into a column, those of the left one with lines through the room."""
    room, high = frame.room, 16 * frame.text_scale
    for tick in scale.ticks(_rows(frame.whole, frame.text_scale)):
        y = round(room.bottom() - float(scale.share(np.array(tick))) * room.height()) + 0.5
        if scale is frame.numbers:
            painter.fillRect(QRectF(room.left(), y - 0.5, room.width(), 1), theme.color("border.subtle"))
        painter.setPen(color)
        painter.drawText(QRectF(column.left(), y - high / 2, column.width(), high), RIGHT, fmt(tick))


def _draw_rounds(painter: QPainter, theme: Theme, frame: Frame) -> None:
    """Writes the numbers of the level axis, and before them what they count."""
    room, whole, high = frame.room, frame.whole, 16 * frame.text_scale
    painter.setPen(theme.color("text.secondary"))
    count = max(2, int(room.width() // (72 * frame.text_scale)))
    for tick in filter(float.is_integer, ticks(frame.rounds.low, frame.rounds.high, count)):
        text = f"{round(tick):,}"
        half = text_width("mono", 10 * frame.text_scale, 400, text) / 2 + 2
        x = room.left() + float(frame.rounds.share(np.array(tick))) * room.width()
        x = min(max(x, whole.left() + half), whole.right() - half)
        painter.drawText(QRectF(x - half, room.bottom() + 2, 2 * half, high), CENTRE, text)
    inked(painter, theme.color("text.tertiary"), font=font("ui", 10 * frame.text_scale))
    named = QRectF(whole.left(), room.bottom() + 2, room.left() - whole.left() - GAP, high)
    painter.drawText(named, RIGHT, tr("Round"))


def _titled(title: str, scale: Scale) -> str:
    return f"{title} · {kind_text(scale.kind)}"


def _rows(whole: QRectF, text_scale: float) -> int:
    return max(2, int((whole.height() - (AXIS + TITLE + TOP) * text_scale) // (26 * text_scale)))


def _column(scale: Scale, whole: QRectF, text_scale: float) -> float:
    """Returns the width of the numbers of an upright axis."""
    texts = [fmt(tick) for tick in (*scale.ticks(_rows(whole, text_scale)), scale.high)]
    return max(text_width("mono", 10 * text_scale, 400, text) for text in texts)
