"""The content of the window before its widgets exist: plain areas in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import size
from gradwire.app.look.widgets import ThemedWidget


class Backdrop(ThemedWidget):
    """The background of menu bar and canvas. `painted` is emitted after its first paint."""

    painted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, name="backdrop")
        self._has_painted = False

    def paintEvent(self, _: QPaintEvent) -> None:  # Qt's name
        """Fills both areas; the line between them is the border of the menu bar."""
        theme, height = self._appearance.theme, round(size("menubar"))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.canvas"))
            painter.fillRect(0, 0, self.width(), height, theme.color("bg.chrome"))
            painter.fillRect(0, height - 1, self.width(), 1, theme.color("border.subtle"))
        if not self._has_painted:
            self._has_painted = True
            self.painted.emit()
