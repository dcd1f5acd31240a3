"""A bar that moves while something is under way whose end nobody knows."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QHideEvent, QPaintEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.look.drawing import filled, smooth
from gradwire.app.look.motion import moves

# Units: px, ms, and the share of the width that moves.
HEIGHT, STEP_MS, PART = 4, 40, 0.3
# Steps from one end to the other.
STEPS = 30


class BusyBar(QWidget):
    """A track on which a part goes from left to right and back; without motion it stands in the middle."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self._step = STEPS // 2
        self._timer = make_timer(self, self._go_on, STEP_MS, repeats=True)

    def showEvent(self, event: QShowEvent) -> None:
        """Begins to move."""
        super().showEvent(event)
        if moves():
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stops."""
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the track, and the part that moves."""
        palette, width = self.palette(), self.width() * PART
        left = (self.width() - width) * abs((self._step % (2 * STEPS)) / STEPS - 1)
        with smooth(self) as painter:
            filled(painter, palette.color(QPalette.ColorRole.Mid))
            painter.drawRoundedRect(QRectF(self.rect()), HEIGHT / 2, HEIGHT / 2)
            painter.setBrush(palette.color(QPalette.ColorRole.Highlight))
            painter.drawRoundedRect(QRectF(left, 0, width, HEIGHT), HEIGHT / 2, HEIGHT / 2)

    def _go_on(self) -> None:
        self._step += 1
        self.update()
