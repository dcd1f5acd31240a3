"""The drags that select: a rectangle, and a line drawn around things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from app.canvas.gestures.gesture import Gesture, Modifiers, Pointer
from app.canvas.look import Look
from app.live.session import Selection

if TYPE_CHECKING:
    from app.canvas.canvas import Canvas


class BoxSelect(Gesture):
    """Selects what a rectangle touches; with Shift in addition to what is selected."""

    def __init__(self, canvas: Canvas, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._before = canvas.session.selection if start.has(Modifiers.ShiftModifier) else Selection()
        self._end = start.scene

    def move(self, pointer: Pointer) -> None:
        """Selects as the rectangle grows."""
        self._end = pointer.scene
        box, mirror = self._box(), self.canvas.mirror
        notes = frozenset(name for name, rect in mirror.notes.items() if box.contains(rect))
        frames = frozenset(name for name, rect in mirror.frames.items() if box.contains(rect))
        found = Selection(frozenset(mirror.blocks_in(box)), frozenset(mirror.wires_in(box)), frames, notes)
        self.canvas.session.select(self._before | found)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """A click on nothing selects nothing."""
        if (pointer.view - self.start.view).manhattanLength() < 4:
            self.canvas.session.select(self._before)

    def cancel(self) -> None:
        """What was selected before is selected again."""
        self.canvas.session.select(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the rectangle."""
        fill = look.theme.color("accent")
        fill = type(fill)(fill.red(), fill.green(), fill.blue(), 28)
        painter.setPen(QPen(look.theme.color("accent"), 1 / look.scale))
        painter.setBrush(fill)
        painter.drawRect(self._box())

    def _box(self) -> QRectF:
        return QRectF(self.start.scene, self._end).normalized()
