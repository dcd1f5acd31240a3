"""What an empty window shows until it is furnished: its parts as bare grounds in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.look.appearance import Appearance
from app.look.theme import size


class Backdrop(QWidget):
    """The ground of menu bar and canvas. `painted` comes when it has been seen for the first time."""

    painted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("backdrop")
        self._appearance, self._has_painted = appearance, False
        appearance.changed.connect(self.update)

    def paintEvent(self, _: QPaintEvent) -> None:  # Qt's name
        """Fills both grounds; the line between them is that of the menu bar."""
        theme, height = self._appearance.theme, round(size("menubar"))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.canvas"))
            painter.fillRect(0, 0, self.width(), height, theme.color("bg.chrome"))
            painter.fillRect(0, height - 1, self.width(), 1, theme.color("border.subtle"))
        if not self._has_painted:
            self._has_painted = True
            self.painted.emit()
