"""Draws the field in which the main setting of a block is chosen: a switch, or a box with a choice."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.main_setting import field_of, value_of
from gradwire.app.canvas.geometry.shapes import BlockShape
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.switches import TRACK, draw_switch
from gradwire.app.look.theme import font
from gradwire.engine.graph.graph import Block

LABEL_PX, CHOICE_PX, ARROW, RADIUS = 11, 11, 10.0, 5.0
# A box leaves the name of the setting so much of its row at least.
_SHARE_AT_MOST = 0.62
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def draw_field(painter: QPainter, look: Look, block: Block, shape: BlockShape) -> None:
    """Draws the field of a block that has one: its name at the left, what is chosen at the right.

    Far away a box would be empty, and is left out.
    """
    parameter = field_of(shape.type)
    if parameter is None or not shape.field:
        return
    row, value = shape.field_box, value_of(block, parameter)
    if parameter.kind.name == "boolean":
        right = QRectF(
            row.right() - TRACK.width(), row.center().y() - TRACK.height() / 2, TRACK.width(), TRACK.height()
        )
        draw_switch(painter, look.theme, right, value is True)
    elif not look.shows(CHOICE_PX):
        return
    else:
        right = _draw_choice(painter, look, row, choice_text(value))
    if look.shows(LABEL_PX):
        label = QRectF(row.left() + 1, row.top(), right.left() - row.left() - 7, row.height())
        painter.setFont(font("ui", LABEL_PX))
        painter.setPen(look.theme.color("text.secondary"))
        painter.drawText(label, _LEFT, _elided(QFontMetricsF(painter.font()), parameter.name, label.width()))


def choice_text(value: object) -> str:
    """Returns the words of a box for its choice."""
    return value if isinstance(value, str) else tr("choose")


def _draw_choice(painter: QPainter, look: Look, row: QRectF, text: str) -> QRectF:
    """Draws a box just wide enough for its text; gives where."""
    theme, metrics = look.theme, QFontMetricsF(font("mono", CHOICE_PX))
    width = min(metrics.horizontalAdvance(text) + ARROW + 18, row.width() * _SHARE_AT_MOST)
    box = QRectF(row.right() - width, row.top() + 1, width, row.height() - 2)
    painter.setPen(QPen(theme.color("border.strong"), 1))
    painter.setBrush(theme.color("bg.sunken"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    arrow = QRectF(box.right() - ARROW - 5, box.center().y() - ARROW / 2, ARROW, ARROW)
    draw_icon(painter, "chev-down", theme.color("text.secondary"), arrow)
    inner = QRectF(box.left() + 7, box.top(), arrow.left() - box.left() - 9, box.height())
    painter.setFont(font("mono", CHOICE_PX))
    painter.setPen(theme.color("text.primary"))
    painter.drawText(inner, _LEFT, _elided(metrics, text, inner.width() + 1))
    return box


def _elided(metrics: QFontMetricsF, text: str, width: float) -> str:
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
