"""The drags that select: a rectangle, and a line drawn around things."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from gradwire.app.canvas.geometry.hit_tests import blocks_in, wires_in
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.session import Selection
from gradwire.app.look.drawing import faded, inked

LEAST_WAY = 4


class _Choose(Gesture):
    """A selection of everything in an area that grows; with Shift in addition to what is selected."""

    def __init__(self, canvas: GestureHost, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._before = canvas.session.selection if start.has(Modifiers.ShiftModifier) else Selection()
        self._line = [start.scene]
        self._has_left = False

    @abstractmethod
    def found(self) -> Selection:
        """Returns everything in the area."""

    @abstractmethod
    def outline(self) -> QPolygonF:
        """Returns the edge of the area."""

    def move(self, pointer: Pointer) -> None:
        """Selects as the area grows."""
        self._has_left = self._has_left or (pointer.view - self.start.view).manhattanLength() >= LEAST_WAY
        self._line.append(pointer.scene)
        self.canvas.session.select(self._before | self.found())
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Selects nothing after a click on nothing."""
        if not self._has_left:
            self.canvas.session.select(self._before)

    def cancel(self) -> None:
        """Selects what was selected before."""
        self.canvas.session.select(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the area."""
        color = look.theme.color("accent")
        inked(painter, QPen(color, 1 / look.scale), faded(color, 28 / 255))
        painter.drawPolygon(self.outline(), Qt.FillRule.WindingFill)


class BoxSelect(_Choose):
    """A rectangle that selects the blocks it touches, and the wires, frames and notes that lie wholly in it."""

    def found(self) -> Selection:
        """Returns everything that the rectangle touches or holds."""
        box, mirror = self._box(), self.canvas.mirror
        notes = frozenset(name for name, rect in mirror.notes.items() if box.contains(rect))
        frames = frozenset(name for name, rect in mirror.frames.items() if box.contains(rect))
        return Selection(frozenset(blocks_in(mirror, box)), frozenset(wires_in(mirror, box)), frames, notes)

    def outline(self) -> QPolygonF:
        """Returns the rectangle."""
        return QPolygonF(self._box())

    def _box(self) -> QRectF:
        return QRectF(self._line[0], self._line[-1]).normalized()


class Lasso(_Choose):
    """A line that selects everything with its middle inside, and wires that lie wholly inside."""

    cursor = Qt.CursorShape.CrossCursor

    def found(self) -> Selection:
        """Returns everything that the line encloses."""
        around, mirror = self.outline().boundingRect(), self.canvas.mirror
        blocks = frozenset(name for name in blocks_in(mirror, around) if self._holds(mirror.rect(name)))
        paths = {wire: np.unique(mirror.points[mirror.wire_rows[wire]], axis=0) for wire in wires_in(mirror, around)}
        wires = frozenset(wire for wire, points in paths.items() if all(self._has(QPointF(x, y)) for x, y in points))
        notes = frozenset(name for name, rect in mirror.notes.items() if self._holds(rect))
        frames = frozenset(name for name, rect in mirror.frames.items() if self._holds(rect))
        return Selection(blocks, wires, frames, notes)

    def outline(self) -> QPolygonF:
        """Returns the line, closed."""
        return QPolygonF(self._line)

    def _holds(self, rect: QRectF) -> bool:
        return self._has(rect.center())

    def _has(self, point: QPointF) -> bool:
        return self.outline().containsPoint(point, Qt.FillRule.WindingFill)
