"""Draws what a block shows of tensors, and the legend above it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import grouped, tr, tr_sentence
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.canvas.painting.monitors.markers import draw_marks
from gradwire.app.canvas.painting.monitors.pictures import (
    Boundary,
    Curves,
    Heat,
    Histogram,
    Images,
    Picture,
    Points,
    Rounds,
    Said,
)
from gradwire.app.canvas.painting.monitors.pixels import draw_images, draw_matrix
from gradwire.app.canvas.painting.monitors.plots import (
    COMPARED,
    LINE,
    MARK,
    draw_boundary,
    draw_curves,
    draw_histogram,
    draw_points,
    draw_rounds,
    rounds_scale,
)
from gradwire.app.look.chart_scale import LOG, kind_text
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, inked
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font

LEGEND_ROW, WORD = 16.0, Style("ui", 10)
_SIGN, _GAP = 14.0, 10.0
# A narrower picture has neither axes nor legend. Units: px at 100 %.
LARGE = 180.0
_GRADIENT = "grad.text"


def draw_picture(painter: QPainter, look: Look, box: QRectF, picture: Picture | None, token: str = "value") -> None:
    """Draws a picture into a box, with a legend above where it needs one and there is room to read it."""
    is_read = look.level >= Level.FULL
    is_large = is_read and box.width() >= LARGE
    if is_large and isinstance(picture, Rounds) and picture.rounds.size:
        _write_newest(painter, look, QRectF(box.left(), box.top(), box.width(), LEGEND_ROW), picture)
        box = box.adjusted(0, LEGEND_ROW, 0, 0)
    entries = legend_of(picture, token) if is_large else ()
    if entries:
        _draw_legend(painter, look, QRectF(box.left(), box.top(), box.width(), LEGEND_ROW), entries)
        box = box.adjusted(0, LEGEND_ROW, 0, 0)
    painter.fillRect(box, look.theme.color("bg.sunken"))
    if isinstance(picture, Points):
        draw_points(painter, look, box, picture, is_large)
    elif isinstance(picture, Curves):
        draw_curves(painter, look, box, picture, token, is_large)
    elif isinstance(picture, Histogram):
        draw_histogram(painter, look, box, picture, token, is_large)
    elif isinstance(picture, Boundary):
        draw_boundary(painter, look, box, picture, is_large)
    elif isinstance(picture, Heat):
        draw_matrix(painter, look, box, picture)
    elif isinstance(picture, Images):
        draw_images(painter, look, box, picture, is_read)
    elif isinstance(picture, Rounds) and picture.rounds.size:
        draw_rounds(painter, look, box, picture, _GRADIENT if picture.is_gradient else token, is_large)
    elif isinstance(picture, Rounds) and is_large:
        _write(painter, look, box, tr("Train, and its curve over the rounds appears here."))
    elif isinstance(picture, Said) and is_large:
        _write(painter, look, box, tr_sentence(picture.sentence))


def _write(painter: QPainter, look: Look, box: QRectF, sentence: str) -> None:
    inked(painter, look.theme.color("text.secondary"), font=font("ui", 11 * look.growth(11)))
    painter.drawText(box.adjusted(10, 4, -10, -4), CENTRE | Qt.TextFlag.TextWordWrap, sentence)


# The number of a class, or None for a dot or a line; the colour of a line, and its word.
Entry = tuple[int | None, str, str]


def legend_of(picture: Picture | None, token: str) -> Sequence[Entry]:
    """Returns the entries of a legend: classes, data and network, or a histogram and what it is compared with."""
    if isinstance(picture, Curves) and picture.dots is not None:
        return (None, "", tr("data")), (None, token, tr("network"))
    if isinstance(picture, Histogram) and picture.others is not None:
        return (None, token, "y"), (None, COMPARED, "target")
    points = picture.points if isinstance(picture, Boundary) else picture
    if isinstance(points, Points) and points.classes is not None:
        return [(number, "", str(number)) for number in np.unique(points.classes).tolist()]
    return ()


def _write_newest(painter: QPainter, look: Look, row: QRectF, shown: Rounds) -> None:
    """Writes the newest number at the left, and its round at the right."""
    inner, style = row.adjusted(2, 0, -2, -2), Style("mono", 11, 500, _GRADIENT if shown.is_gradient else "value")
    used = draw_number(painter, look, inner, LEFT, fmt(float(shown.numbers[-1])), style) + 8
    text = tr("round {round}", round=grouped(int(shown.rounds[-1])))
    kind = rounds_scale(shown).kind
    if shown.is_log and kind != LOG:
        # The scale has chosen by itself.
        text = f"{text} · {kind_text(kind)}"
    draw_text(painter, look, inner.adjusted(used, 0, 0, 0), RIGHT, text, WORD.inked("text.tertiary"))


def _draw_legend(painter: QPainter, look: Look, row: QRectF, entries: Sequence[Entry]) -> None:
    """Draws the entries from the right, as many as fit."""
    right, middle = row.right() - 2, row.center().y() - 1
    for number, color, word in reversed(entries):
        width = WORD.width(word, look)
        left = right - width - _SIGN - 4
        if left < row.left():
            return
        if color:
            painter.setPen(QPen(look.theme.color(color), LINE))
            painter.drawLine(QLineF(left, middle, left + _SIGN, middle))
        else:
            draw_marks(painter, look.theme, [QPointF(left + _SIGN / 2, middle)], MARK + 0.4, number)
        draw_text(painter, look, QRectF(left + _SIGN + 4, row.top(), width, LEGEND_ROW - 2), LEFT, word, WORD)
        right = left - _GAP
