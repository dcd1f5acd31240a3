"""A box of choices as the panels use it."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QComboBox

from app.look.icons import draw_icon


class ChoiceBox(QComboBox):
    """A box of choices that the wheel scrolls past instead of changing it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to what lies around the box."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box, and the arrow that a style sheet takes away."""
        super().paintEvent(event)
        color = self.palette().color(QPalette.ColorRole.Text)
        with QPainter(self) as painter:
            draw_icon(painter, "chev-down", color, QRectF(self.width() - 20, self.height() / 2 - 6, 12, 12))
