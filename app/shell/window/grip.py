"""The grip of a strip, in the middle of its upper edge: it drags the panel up and down."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_ring, filled, smooth
from gradwire.app.look.widgets import named

# What is drawn, and what takes the pointer. Units: px.
BAR, AREA = (36.0, 3.0), (60, 24)
TOP = 4.0
# A pull of so many px is none: a hand trembles.
LEAST = 6


class Grip(QAbstractButton):
    """A bar that a click turns; a pull emits `pulled(bool)`, upwards with True."""

    pulled = Signal(bool)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._pressed_at = appearance, 0.0
        named(self, "strip_grip", size=AREA, focus=Qt.FocusPolicy.TabFocus, cursor=Qt.CursorShape.SizeVerCursor)
        appearance.changed.connect(self.update)

    def show_state(self, is_there: bool, is_raised: bool) -> None:
        """Shows the grip, if there is a strip, and says what it does."""
        named(self, words=tr("Close the panel") if is_raised else tr("Open the panel"))
        self.setVisible(is_there)
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # Qt's name
        """Begins a pull."""
        self._pressed_at = event.globalPosition().y()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a pull, or a click."""
        way = event.globalPosition().y() - self._pressed_at
        if abs(way) >= LEAST:
            self.setDown(False)
            self.pulled.emit(way < 0)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the bar, and a ring with the keyboard's focus."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            bar = QRectF((self.width() - BAR[0]) / 2, TOP, *BAR)
            token = "text.secondary" if self.underMouse() or self.isDown() else "border.strong"
            filled(painter, theme.color(token)).drawRoundedRect(bar, BAR[1] / 2, BAR[1] / 2)
            if self.hasFocus():
                draw_ring(painter, theme, bar.adjusted(-3, -3, 3, 3), 3)
