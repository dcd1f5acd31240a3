"""Draws the field in which the main setting of a block is chosen: a switch, or a box with a choice."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.main_setting import field_of, value_of
from gradwire.app.canvas.geometry.shapes import BlockShape
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_text
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import LEFT, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.switches import TRACK, draw_switch
from gradwire.engine.graph.graph import Block

ARROW, RADIUS = 10.0, 5.0
# A box leaves the name of the setting so much of its row at least.
_SHARE_AT_MOST = 0.62


def draw_field(painter: QPainter, look: Look, block: Block, shape: BlockShape) -> None:
    """Draws the field of a block that has one: its name at the left, what is chosen at the right."""
    parameter = field_of(shape.type)
    if parameter is None or not shape.field:
        return
    row, value = shape.field_box, value_of(block, parameter)
    if parameter.kind.name == "boolean":
        wide, high = TRACK.width(), TRACK.height()
        right = QRectF(row.right() - wide, row.center().y() - high / 2, wide, high)
        draw_switch(painter, look.theme, right, value is True)
    else:
        right = _draw_choice(painter, look, row, choice_text(value))
    label = QRectF(row.left() + 1, row.top(), right.left() - row.left() - 7, row.height())
    draw_text(painter, look, label, LEFT, parameter.name, Style("ui", 11))


def choice_text(value: object) -> str:
    """Returns the words of a box for its choice."""
    return value if isinstance(value, str) else tr("choose")


def _draw_choice(painter: QPainter, look: Look, row: QRectF, text: str) -> QRectF:
    """Draws a box just wide enough for its text; gives where."""
    theme, style = look.theme, Style("mono", 11, token="text.primary")
    width = min(style.width(text, look) + ARROW + 18, row.width() * _SHARE_AT_MOST)
    box = QRectF(row.right() - width, row.top() + 1, width, row.height() - 2)
    inked(painter, QPen(theme.color("border.strong"), 1), theme.color("bg.sunken"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    arrow = QRectF(box.right() - ARROW - 5, box.center().y() - ARROW / 2, ARROW, ARROW)
    draw_icon(painter, "chev-down", theme.color("text.secondary"), arrow)
    inner = QRectF(box.left() + 7, box.top(), arrow.left() - box.left() - 9, box.height())
    draw_text(painter, look, inner, LEFT, text, style)
    return box
