"""What every gesture is: a drag under way, what it shows while it lasts, and the one edit that it ends in.

Escape cancels every gesture; a cancelled one changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QCursor, QPainter

from app.canvas.look import Look

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView

Modifiers = Qt.KeyboardModifier


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is and when. Units: `scene` in px at 100 %, `view` in px of the widget, `time` in ms."""

    scene: QPointF
    view: QPointF
    modifiers: Modifiers
    time: int = 0

    def has(self, modifier: Modifiers) -> bool:
        """Whether a key is held."""
        return bool(self.modifiers & modifier)


class Gesture:
    """A drag under way."""

    cursor = Qt.CursorShape.ArrowCursor
    # Whether the view follows when the pointer comes to the edge.
    scrolls = True

    def __init__(self, canvas: GestureView, start: Pointer) -> None:
        self.canvas, self.start = canvas, start

    def move(self, pointer: Pointer) -> None:
        """The pointer has moved."""

    def finish(self, pointer: Pointer) -> None:
        """The button was released."""

    def cancel(self) -> None:
        """Escape was pressed, or the window lost the pointer."""

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws above the page, in scene coordinates."""

    @property
    def hidden(self) -> frozenset[str]:
        """The blocks that the gesture draws itself."""
        return frozenset()


def cursor_of(gesture: Gesture | None) -> QCursor:
    """The cursor that belongs to a gesture."""
    return QCursor(Qt.CursorShape.ArrowCursor if gesture is None else gesture.cursor)
