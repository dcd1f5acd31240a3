"""The words on an empty canvas, its field, and the three blocks that a click makes real."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.starter_blocks import HEIGHT, STEP, TITLES, WIDTH, starter_box, text_box
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked
from gradwire.app.look.theme import font


def draw_empty(painter: QPainter, look: Look, search_key: str) -> None:
    """Draws the words and the starter blocks; the words name the key that opens the search."""
    theme = look.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    pen = QPen(theme.color("border.strong"), 1.4)
    pen.setDashPattern([4, 4])
    for index, title in enumerate(TITLES):
        box = QRectF(index * STEP, 0, WIDTH, HEIGHT)
        inked(painter, pen, theme.color("bg.frame")).drawRoundedRect(box, 8, 8)
        inked(painter, theme.color("text.secondary"), font=font("ui", 13, 600))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, title)
        if index:
            painter.setPen(pen)
            y = box.center().y()
            painter.drawLine(QLineF(QPointF(box.left() - STEP + WIDTH, y), QPointF(box.left(), y)))
    whole = starter_box()
    inked(painter, theme.color("text.primary"), font=font("ui", 15, 600))
    above = QRectF(whole.left() - 200, whole.top() - 72, whole.width() + 400, 24)
    words = tr("Press {key} to add a block, or open an example", key=search_key)
    if not search_key:
        words = tr("Double-click to add a block, or open an example")
    painter.drawText(above, Qt.AlignmentFlag.AlignCenter, words)
    _draw_field(painter, look)
    inked(painter, theme.color("text.tertiary"), font=font("ui", 12))
    below = QRectF(whole.left() - 200, whole.bottom() + 24, whole.width() + 400, 20)
    painter.drawText(below, Qt.AlignmentFlag.AlignCenter, tr("Click the three blocks to build them"))


def _draw_field(painter: QPainter, look: Look) -> None:
    """Draws the field that takes what is typed, with an example in it."""
    theme, box = look.theme, text_box()
    inked(painter, QPen(theme.color("border.strong"), 1.2), theme.color("bg.raised")).drawRoundedRect(box, 8, 8)
    inked(painter, theme.color("text.secondary"), font=font("ui", 13))
    words = tr("Type a formula, a layer or a block: p = softmax(x - stop(max(x)))")
    painter.drawText(box.adjusted(14, 0, -14, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
