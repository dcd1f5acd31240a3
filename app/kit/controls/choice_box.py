"""The combo box of the panels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QComboBox

from gradwire.app.look.icons import draw_icon

Value = TypeVar("Value", bound=str | None)


class ChoiceBox(QComboBox):
    """A combo box that ignores the wheel, so that a scroll past it changes nothing."""

    def offer(self, choices: Mapping[Value, str], chosen: Value) -> None:
        """Offers choices with their texts, the first if the chosen one is gone, and rebuilds only another list."""
        if [*choices] != [self.itemData(place) for place in range(self.count())]:
            self.clear()
            for choice, text in choices.items():
                self.addItem(text, choice)
        self.setCurrentIndex([*choices].index(chosen) if chosen in choices else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignores the wheel, so that the surrounding area scrolls."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the box and the arrow, which a style sheet removes."""
        super().paintEvent(event)
        color = self.palette().color(QPalette.ColorRole.Text)
        with QPainter(self) as painter:
            draw_icon(painter, "chev-down", color, QRectF(self.width() - 20, self.height() / 2 - 6, 12, 12))
