"""The pointer of the film: mouse events through the window system, as a hand would send them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest

from scripts.film.acts import Button

_LEFT, _NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Pointer:
    """A pointer over one window: where it is, and whether it holds the button down."""

    def __init__(self, window: QWindow, at: QPointF) -> None:
        self._window = window
        self.at = at
        self.is_pressed = False

    def move_to(self, at: QPointF) -> None:
        """Moves there at once; what is under it learns of it."""
        self.at = at
        QTest.mouseMove(self._window, at.toPoint())

    def use(self, button: Button) -> None:
        """Presses or releases the left button."""
        self.is_pressed = button is Button.PRESS
        send = QTest.mousePress if self.is_pressed else QTest.mouseRelease
        send(self._window, _LEFT, _NO_KEYS, self.at.toPoint())


def eased(share: float) -> float:
    """Returns the share of a way at a share of its time: slow at both ends, as a hand moves."""
    return share * share * (3 - 2 * share)
