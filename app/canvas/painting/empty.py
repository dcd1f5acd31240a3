"""The words on an empty canvas."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.view.viewport import EMPTY
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import inked
from gradwire.app.look.theme import font


def draw_empty(painter: QPainter, look: Look, search_key: str) -> None:
    """Draws the words, which name the key that opens the search."""
    words = tr("Press {key} to add a block", key=search_key) if search_key else tr("Double-click to add a block")
    inked(painter, look.theme.color("text.secondary"), font=font("ui", 15))
    painter.drawText(EMPTY, Qt.AlignmentFlag.AlignCenter, words)
