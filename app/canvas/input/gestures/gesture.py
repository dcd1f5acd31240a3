"""The base of all gestures: a drag under way that shows something while it lasts and ends in one edit.

Escape cancels every gesture; a cancelled one changes nothing.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.painting.look import Look


class Gesture:
    """A drag under way."""

    cursor = Qt.CursorShape.ArrowCursor
    # Whether the view follows when the pointer comes to the edge.
    scrolls = True

    def __init__(self, canvas: GestureHost, start: Pointer) -> None:
        self.canvas, self.start = canvas, start

    def move(self, pointer: Pointer) -> None:
        """Follows the pointer."""

    def finish(self, pointer: Pointer) -> None:
        """Makes the edit, as the button was released."""

    def cancel(self) -> None:
        """Changes nothing: Escape was pressed, or the window lost the pointer."""

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws above the page, in scene coordinates."""

    @property
    def hidden(self) -> frozenset[str]:
        """The blocks that the gesture draws itself."""
        return frozenset()
