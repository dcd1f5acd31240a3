"""One small state machine a gesture: what a drag shows while it lasts, and the one edit that it ends in.

Escape cancels every gesture; a cancelled one changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QCursor, QFontMetricsF, QPainter, QPen

from app.canvas.look import Look
from app.canvas.page_arrays import SNAP_REACH
from app.canvas.paths import rounded
from app.canvas.routing import Ends, route
from app.canvas.shapes import WIDTH_MAX, WIDTH_MIN, Body
from app.canvas.wire_painter import pen
from app.live import editing
from app.live.editing import Fit
from app.live.session import Selection
from app.look.theme import font
from engine import edits
from engine.graph import Port, Wire

if TYPE_CHECKING:
    from app.canvas.canvas import Canvas

GRID = 16
SCRUB_PX = 4.0
Modifiers = Qt.KeyboardModifier


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is. Units: `scene` in px at 100 %, `view` in px of the widget."""

    scene: QPointF
    view: QPointF
    modifiers: Modifiers

    def has(self, modifier: Modifiers) -> bool:
        """Whether a key is held."""
        return bool(self.modifiers & modifier)


class Gesture:
    """A drag under way."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, canvas: Canvas, start: Pointer) -> None:
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


class Pan(Gesture):
    """Moves the view."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, canvas: Canvas, start: Pointer) -> None:
        super().__init__(canvas, start)
        self._last = start.view

    def move(self, pointer: Pointer) -> None:
        """Scrolls by whole px."""
        moved = pointer.view - self._last
        dx, dy = round(moved.x()), round(moved.y())
        self._last += QPointF(dx, dy)
        self.canvas.pan(dx, dy)


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


class Move(Gesture):
    """Moves what is selected, on the grid unless Alt is held; with Ctrl a copy of it."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, canvas: Canvas, start: Pointer, anchor: QPointF) -> None:
        super().__init__(canvas, start)
        self._anchor = anchor
        self._copies = start.has(Modifiers.ControlModifier)
        chosen, page = canvas.session.selection, canvas.session.page
        held = frozenset(name for frame in page.frames if frame.id in chosen.frames for name in frame.blocks)
        self._blocks = chosen.blocks | (held & page.blocks.keys())
        self._notes = chosen.notes
        self._empty = [frame.id for frame in page.frames if frame.id in chosen.frames and not frame.blocks]
        self._dx = self._dy = 0.0

    @property
    def hidden(self) -> frozenset[str]:
        """The moved blocks, once they move."""
        return self._blocks if (self._dx or self._dy) else frozenset()

    def move(self, pointer: Pointer) -> None:
        """Shows the blocks where they would be."""
        moved = pointer.scene - self.start.scene
        self._dx, self._dy = self._snapped(moved, pointer.has(Modifiers.AltModifier))
        self.canvas.show_moved(self._blocks, self._dx, self._dy)

    def finish(self, pointer: Pointer) -> None:
        """One edit moves, or copies, everything."""
        self.canvas.show_moved(frozenset(), 0, 0)
        if not (self._dx or self._dy):
            return
        session, page = self.canvas.session, self.canvas.session.page
        if self._copies:
            offset = (self._dx, self._dy)
            ids = session.apply("Duplicate", editing.duplicate, page.name, self._blocks, offset)
            if ids:
                session.select(Selection(frozenset(ids.values())))
            return
        places = {name: self._moved(page.blocks[name].at) for name in self._blocks}
        notes = {note.id: self._moved(note.at) for note in page.notes if note.id in self._notes}
        session.apply("Move", self._edit, page.name, places, notes)

    def cancel(self) -> None:
        """Everything is where it was."""
        self.canvas.show_moved(frozenset(), 0, 0)

    def _edit(self, graph: Any, page: str, places: Any, notes: Any) -> Any:  # Any: as `editing.move` takes them
        graph = editing.move(graph, page, places, notes)
        for frame in graph.page(page).frames:
            if frame.id in self._empty:
                graph = editing.move_empty_frame(graph, page, frame.id, self._moved(frame.at))
        return graph

    def _moved(self, at: tuple[int, int] | None) -> tuple[float, float]:
        x, y = at or (0, 0)
        return x + self._dx, y + self._dy

    def _snapped(self, moved: QPointF, is_free: bool) -> tuple[float, float]:
        """How far to move so that what was grabbed comes to lie on the grid."""
        if moved.manhattanLength() * self.canvas.camera.scale < 3:
            return 0.0, 0.0
        if is_free:
            return float(round(moved.x())), float(round(moved.y()))
        x, y = self._anchor.x(), self._anchor.y()
        return round((x + moved.x()) / GRID) * GRID - x, round((y + moved.y()) / GRID) * GRID - y


class Resize(Gesture):
    """Changes the width of a block in steps of the grid."""

    cursor = Qt.CursorShape.SizeHorCursor

    def __init__(self, canvas: Canvas, start: Pointer, block_id: str) -> None:
        super().__init__(canvas, start)
        self._block, self._from = block_id, canvas.mirror.rect(block_id).width()
        self._to = self._from

    def move(self, pointer: Pointer) -> None:
        """Shows the new width."""
        wanted = self._from + (pointer.scene - self.start.scene).x()
        self._to = min(max(round(wanted / GRID) * GRID, WIDTH_MIN), WIDTH_MAX)
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """One edit sets the width."""
        if self._to != self._from:
            session = self.canvas.session
            session.apply("Resize", edits.set_width, session.page_name, self._block, self._to)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the new outline."""
        rect = self.canvas.mirror.rect(self._block)
        painter.setPen(QPen(look.theme.color("accent"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect.topLeft(), rect.bottomRight() + QPointF(self._to - self._from, 0)), 8, 8)


class Scrub(Gesture):
    """Changes one number of an Input: by its slider, or sideways over the number itself."""

    def __init__(self, canvas: Canvas, start: Pointer, block_id: str, index: int, by_slider: bool) -> None:
        super().__init__(canvas, start)
        self._block, self._index, self._by_slider = block_id, index, by_slider
        value = canvas.session.page.blocks[block_id].parameters["value"]
        assert isinstance(value, np.ndarray)
        self._before = value
        self._number = float(value.reshape(-1)[index])
        self._is_integer = value.dtype.kind in "iu"
        self._range = canvas.mirror.slider_range(block_id)
        self._last = start.view
        self._key = object()
        self._has_changed = False
        self.cursor = Qt.CursorShape.PointingHandCursor if by_slider else Qt.CursorShape.SizeHorCursor
        if by_slider:
            self.move(start)

    def move(self, pointer: Pointer) -> None:
        """Sets the number at once; all steps of one drag are one entry in the history."""
        number = self._by_place(pointer) if self._by_slider else self._by_way(pointer)
        if number != self._number or not self._has_changed:
            self._number = number
            self._apply(editing.scaled(self._before, self._index, number))

    def cancel(self) -> None:
        """The number is what it was."""
        if self._has_changed:
            self.canvas.session.withdraw(self._key)

    def _apply(self, value: object) -> None:
        session = self.canvas.session
        before = session.graph
        text = f"Set {self._block}"
        session.apply(text, edits.set_parameter, session.page_name, self._block, "value", value, merge_key=self._key)
        self._has_changed = self._has_changed or session.graph is not before

    def _by_place(self, pointer: Pointer) -> float:
        """The number that belongs to the place of the knob, rounded to what a px can tell."""
        mirror = self.canvas.mirror
        shape, corner = mirror.shapes[mirror.rows[self._block]], mirror.rect(self._block).topLeft()
        track, at = shape.slider_track(self._index), pointer.scene - corner
        if shape.body is Body.SLIDER:
            share = (at.x() - track.left()) / track.width()
        else:
            share = (track.bottom() - at.y()) / track.height()
        low, high = self._range
        step = _round_step((high - low) / 100)
        number = low + min(max(share, 0.0), 1.0) * (high - low)
        if pointer.has(Modifiers.ControlModifier):
            step = _round_step((high - low) / 10)
        elif pointer.has(Modifiers.ShiftModifier):
            step /= 10
        return self._bounded(round(number / step) * step)

    def _by_way(self, pointer: Pointer) -> float:
        """A step for every 4 px sideways: Shift a tenth, Ctrl ten."""
        steps = (pointer.view.x() - self._last.x()) / SCRUB_PX
        if abs(steps) < 1:
            return self._number
        self._last = pointer.view
        low, high = self._range
        step = 1.0 if self._is_integer else _round_step((high - low) / 100)
        step *= 0.1 if pointer.has(Modifiers.ShiftModifier) else 10 if pointer.has(Modifiers.ControlModifier) else 1
        number = self._number + round(steps) * step
        if pointer.has(Modifiers.ControlModifier):
            number = round(number / step) * step
        return float(f"{number:.12g}")

    def _bounded(self, number: float) -> float:
        low, high = self._range
        return float(f"{min(max(number, low), high):.12g}")


class DrawWire(Gesture):
    """Draws a wire from a port, in either direction; `moved` is the wire whose end it takes along."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: Canvas, start: Pointer, port: Port, is_input: bool, moved: Wire | None = None) -> None:
        super().__init__(canvas, start)
        self._port, self._is_input, self._moved = port, is_input, moved
        self._end = start.scene
        self._target: Port | None = None
        self._fit = Fit()
        self._known: dict[Port, Fit] = {}
        self._has_left = False

    def move(self, pointer: Pointer) -> None:
        """Snaps to the nearest port of the other side and says whether it fits."""
        self._end, canvas = pointer.scene, self.canvas
        self._has_left = self._has_left or (pointer.view - self.start.view).manhattanLength() > 6
        reach = SNAP_REACH / canvas.camera.scale
        found = canvas.mirror.port_at(pointer.scene, reach, is_input=not self._is_input)
        self._target = found[0] if found is not None and self._has_left else None
        if self._target is None:
            self._fit = Fit()
        else:
            self._fit = self._known.get(self._target) or self._known.setdefault(self._target, self._fits(self._target))
            place = canvas.mirror.port_position(self._target, not self._is_input)
            self._end = place or self._end
        canvas.say(self._fit.reason)
        canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Connects, re-plugs, disconnects, or offers blocks where nothing is."""
        self.move(pointer)
        canvas, session = self.canvas, self.canvas.session
        if not self._has_left:
            canvas.update()
            return
        if self._target is not None:
            self._connect(self._target, pointer.has(Modifiers.ShiftModifier))
        elif self._moved is not None:
            session.apply("Disconnect", edits.disconnect, session.page_name, self._moved)
        elif canvas.mirror.block_at(pointer.scene) is None:
            canvas.request_search(pointer.scene, self._port, not self._is_input)
        canvas.say("" if self._fit else self._fit.reason)
        canvas.update()

    def cancel(self) -> None:
        """The wire that was taken along is where it was."""
        self.canvas.say("")

    def wire_to(self, target: Port) -> Wire:
        """The wire between the port of the start and another one."""
        return Wire(target, self._port) if self._is_input else Wire(self._port, target)

    def _connect(self, target: Port, is_forced: bool) -> None:
        session, wire = self.canvas.session, self.wire_to(target)
        if not self._fit and not (is_forced and self._fit.is_possible):
            hint = " Hold Shift to connect all the same." if self._fit.is_possible else ""
            session.refused.emit(self._fit.reason + hint)
        elif self._moved is not None:
            session.apply("Re-plug", editing.replug, session.page_name, self._moved, wire.target)
        else:
            session.apply("Connect", edits.connect, session.page_name, wire.source, wire.target)

    def _fits(self, target: Port) -> Fit:
        session = self.canvas.session
        wire = self.wire_to(target)
        return editing.fit_of(session.graph, session.page_name, session.prefix, session.inferred, wire, self._moved)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the wire, and at its end whether it fits, in a colour, a mark and words."""
        start = self.canvas.mirror.port_position(self._port, self._is_input)
        if start is None:
            return
        theme, fits = look.theme, bool(self._fit)
        color = theme.color("accent" if fits else "error")
        self._paint_ring(painter, color)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(color, 2.2) if fits else pen(color, 2.2, 4, 4))
        left, right = (self._end, start) if self._is_input else (start, self._end)
        painter.drawPath(rounded(_path(left, right)))
        if self._target is not None:
            painter.setPen(QPen(color, 1.5))
            painter.setBrush(theme.color("accent.soft" if fits else "error.bg"))
            painter.drawEllipse(self._end, 10, 10)
            if not fits:
                painter.drawLine(QLineF(self._end + QPointF(-4, -4), self._end + QPointF(4, 4)))
                painter.drawLine(QLineF(self._end + QPointF(-4, 4), self._end + QPointF(4, -4)))
            self._paint_words(painter, look, self._words(self._target))

    def _paint_ring(self, painter: QPainter, color: QColor) -> None:
        """Outlines the blocks on the circle that the wire would close, and the wires between them."""
        ring, mirror = self._fit.ring, self.canvas.mirror
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 2.5))
        for name in ring:
            if name in mirror.rows:
                painter.drawRoundedRect(mirror.rect(name).adjusted(-3, -3, 3, 3), 10, 10)
        steps = set(pairwise(ring))
        for row in mirror.wires_of(frozenset(ring)):
            wire = mirror.wires[row]
            if (wire.source.block, wire.target.block) in steps:
                painter.drawPath(mirror.path(row))

    def _words(self, target: Port) -> str:
        return self._fit.reason or f"{target}"

    def _paint_words(self, painter: QPainter, look: Look, text: str) -> None:
        theme, scale = look.theme, 1 / look.scale
        painter.save()
        painter.translate(self._end)
        painter.scale(scale, scale)
        metrics = QFontMetricsF(font("ui", 11))
        room = QRectF(0, 0, 300, 200)
        inner = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text)
        box = QRectF(18, 10, inner.width() + 18, inner.height() + 10)
        # To the other side where the words would leave the canvas.
        seen = self.canvas.camera.to_view(self._end)
        if seen.x() + box.right() > self.canvas.width():
            box.moveRight(-18)
        if seen.y() + box.bottom() > self.canvas.height():
            box.moveBottom(-10)
        painter.setPen(QPen(theme.color("error" if not self._fit else "border.default"), 1))
        painter.setBrush(theme.color("bg.overlay"))
        painter.drawRoundedRect(box, 6, 6)
        painter.setFont(font("ui", 11))
        painter.setPen(theme.color("error" if not self._fit else "ok"))
        painter.drawText(box.adjusted(9, 5, -6, -3), Qt.TextFlag.TextWordWrap, text)
        painter.restore()


def _path(left: QPointF, right: QPointF) -> Any:  # Any: corner points, (6, 2)
    def one(number: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.array([number])

    ends = Ends(
        one(left.x()), one(left.y()), one(right.x()), one(right.y()),
        one(left.y() - 20), one(left.y() + 20), one(right.y() - 20), one(right.y() + 20), np.array([False]),
    )  # fmt: skip
    return route(ends)[0]


def _round_step(step: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten that is not above."""
    exponent = 10.0 ** np.floor(np.log10(max(step, 1e-30)))
    return float(next(item * exponent for item in (5, 2, 1) if item * exponent <= step * (1 + 1e-9)))


def cursor_of(gesture: Gesture | None) -> QCursor:
    """The cursor that belongs to a gesture."""
    return QCursor(Qt.CursorShape.ArrowCursor if gesture is None else gesture.cursor)
