"""The drag that draws a wire, or takes the end of one elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.curves import routed
from gradwire.app.canvas.geometry.hit_tests import PORT_REACH, SNAP_REACH, block_at, port_at
from gradwire.app.canvas.geometry.routing import Ends, Points
from gradwire.app.canvas.geometry.wire_paths import path_of
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.insertion import connect_with_room
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live import editing
from gradwire.app.live.editing import Fit
from gradwire.app.look.drawing import draw_cross, inked, scaled
from gradwire.app.look.theme import font
from gradwire.app.look.wire_pens import pen
from gradwire.blocks.layers import layer_edits
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Port, Wire


class DrawWire(Gesture):
    """A wire that is drawn from a port, in either direction; `moved` is the wire whose end it takes along."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(
        self, canvas: GestureHost, start: Pointer, port: Port, is_input: bool, moved: Wire | None = None
    ) -> None:
        super().__init__(canvas, start)
        self._port, self._is_input, self._moved = port, is_input, moved
        self._end = start.scene
        self._target: Port | None = None
        self._partner: Port | None = None
        self._block: str | None = None
        self._fit = Fit()
        self._known: dict[Port, Fit] = {}
        self._has_left = False

    def move(self, pointer: Pointer) -> None:
        """Snaps to the nearest port of the other side, or to that of the block there, and says whether it fits."""
        self._end, canvas = pointer.scene, self.canvas
        self._has_left = self._has_left or (pointer.view - self.start.view).manhattanLength() > 6
        self._target, self._partner, self._block, self._fit = None, None, None, Fit()
        if self._has_left:
            self._aim(pointer.scene)
        if self._target is not None:
            self._end = canvas.mirror.port_position(self._target, not self._is_input) or self._end
        canvas.say(self._fit.reason)
        canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Connects, re-plugs, disconnects, or offers blocks: after a click, on another output, and on nothing."""
        self.move(pointer)
        canvas, session = self.canvas, self.canvas.session
        if not self._has_left:
            if self._moved is None and pointer.modifiers == Modifiers.NoModifier:
                canvas.request_search(pointer.scene, self._port, are_outputs=not self._is_input, is_beside=True)
        elif self._target is not None:
            self._connect(self._target, pointer.has(Modifiers.ShiftModifier))
        elif self._partner is not None:
            canvas.request_search(pointer.scene, self._port, self._partner, is_beside=True)
        elif self._block is not None:
            session.refused.emit(self._fit.reason)
        elif self._moved is not None:
            session.apply(tr("Disconnect"), edits.disconnect, session.page_name, self._moved)
        elif block_at(canvas.mirror, pointer.scene) is None:
            canvas.request_search(pointer.scene, self._port, are_outputs=not self._is_input)
        canvas.say("" if self._fit else self._fit.reason)
        canvas.update()

    def cancel(self) -> None:
        """Leaves the wire that was taken along where it was."""
        self.canvas.say("")

    def _aim(self, scene: QPointF) -> None:
        """Finds the port near a point, else an output to combine with, else the port of the block there."""
        mirror, scale = self.canvas.mirror, self.canvas.camera.scale
        found = port_at(mirror, scene, SNAP_REACH / scale, is_input=not self._is_input)
        if found is not None:
            self._target, self._fit = found[0], self._fits(found[0])
            return
        self._partner = self._partner_at(scene, PORT_REACH / scale)
        block = block_at(mirror, scene)
        if self._partner is None and block is not None and block != self._port.block:
            self._block = block
            self._target, self._fit = self._port_of(block)

    def _partner_at(self, scene: QPointF, reach: float) -> Port | None:
        """Returns the other output there, with which a new block may combine the one of the start."""
        if self._is_input or self._moved is not None:
            return None
        found = port_at(self.canvas.mirror, scene, reach, is_input=False)
        return found[0] if found is not None and found[0] != self._port else None

    def _port_of(self, block: str) -> tuple[Port | None, Fit]:
        """Returns the first free port of a block that the wire fits, else its first free one; and whether it fits."""
        mirror, session = self.canvas.mirror, self.canvas.session
        taken = set(session.page.wires) if not self._is_input else set()
        if self._moved is not None:
            taken.discard(self._moved.target)
        shape = mirror.shapes[mirror.rows[block]]
        ports = [Port(block, port.name) for port in shape.ports if port.is_input is not self._is_input]
        found = [(port, self._fits(port)) for port in ports if port not in taken]
        if found:
            return next((item for item in found if item[1]), found[0])
        if self._is_input:
            return None, Fit(tr("{block} has no output.", block=block), is_possible=False)
        return None, Fit(tr("{block} has no free input.", block=block), is_possible=False)

    def wire_to(self, target: Port) -> Wire:
        """Returns the wire between the port of the start and another one."""
        return Wire(target, self._port) if self._is_input else Wire(self._port, target)

    def _connect(self, target: Port, is_forced: bool) -> None:
        session, wire = self.canvas.session, self.wire_to(target)
        if not self._fit and not (is_forced and self._fit.is_possible):
            hint = f" {tr('Hold Shift to connect anyway.')}" if self._fit.is_possible else ""
            session.refused.emit(self._fit.reason + hint)
        elif self._moved is not None:
            ends = self._moved, wire.target, session.spec(wire.source)
            connect_with_room(self.canvas, tr("Re-plug"), editing.replug, wire.source.block, *ends)
        else:
            joined = *wire, session.spec(wire.source)
            connect_with_room(self.canvas, tr("Connect"), layer_edits.connect, wire.source.block, *joined)

    def _fits(self, target: Port) -> Fit:
        if target not in self._known:
            session = self.canvas.session
            page = session.graph, session.page_name, session.prefix, session.inferred
            self._known[target] = editing.fit_of(*page, self.wire_to(target), self._moved)
        return self._known[target]

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the wire, and at its end whether it fits, in a colour, a mark and words."""
        start = self.canvas.mirror.port_position(self._port, self._is_input)
        if start is None:
            return
        theme, fits = look.theme, bool(self._fit)
        color = theme.color("accent" if fits else "error")
        self._paint_ring(painter, color)
        if self._block is not None:
            self._paint_outlines(painter, color, [self._block])
        inked(painter, pen(color, 2.2) if fits else pen(color, 2.2, 4, 4), Qt.BrushStyle.NoBrush)
        left, right = (self._end, start) if self._is_input else (start, self._end)
        painter.drawPath(path_of(_points(left, right, self.canvas.mirror.is_curved)))
        if self._partner is not None:
            self._paint_words(painter, look, tr("Combine {one} with {other}", one=self._port, other=self._partner))
        if self._target is not None:
            inked(painter, QPen(color, 1.5), theme.color("accent.soft" if fits else "error.bg"))
            painter.drawEllipse(self._end, 10, 10)
            if not fits:
                draw_cross(painter, self._end, 4)
            self._paint_words(painter, look, self._fit.reason or str(self._target))
        elif self._block is not None:
            self._paint_words(painter, look, self._fit.reason)

    def _paint_ring(self, painter: QPainter, color: QColor) -> None:
        """Outlines the blocks on the circle that the wire would close, and the wires between them."""
        ring, mirror = self._fit.ring, self.canvas.mirror
        self._paint_outlines(painter, color, ring)
        steps = set(pairwise(ring))
        for row in mirror.wires_of(frozenset(ring)):
            wire = mirror.wires[row]
            if (wire.source.block, wire.target.block) in steps:
                painter.drawPath(mirror.path(row))

    def _paint_outlines(self, painter: QPainter, color: QColor, blocks: Iterable[str]) -> None:
        mirror = self.canvas.mirror
        inked(painter, QPen(color, 2.5), Qt.BrushStyle.NoBrush)
        for name in blocks:
            if name in mirror.rows:
                painter.drawRoundedRect(mirror.rect(name).adjusted(-3, -3, 3, 3), 10, 10)

    def _paint_words(self, painter: QPainter, look: Look, text: str) -> None:
        theme, metrics = look.theme, QFontMetricsF(font("ui", 11))
        with scaled(painter, self._end, 1 / look.scale):
            inner = metrics.boundingRect(QRectF(0, 0, 300, 200), Qt.TextFlag.TextWordWrap, text)
            box = QRectF(18, 10, inner.width() + 18, inner.height() + 10)
            # To the other side where the words would leave the canvas.
            seen = self.canvas.camera.to_view(self._end)
            if seen.x() + box.right() > self.canvas.width():
                box.moveRight(-18)
            if seen.y() + box.bottom() > self.canvas.height():
                box.moveBottom(-10)
            edge, ink = ("border.default", "ok") if self._fit else ("error", "error")
            inked(painter, QPen(theme.color(edge), 1), theme.color("bg.overlay")).drawRoundedRect(box, 6, 6)
            inked(painter, theme.color(ink), font=font("ui", 11))
            painter.drawText(box.adjusted(9, 5, -6, -3), Qt.TextFlag.TextWordWrap, text)


def _points(left: QPointF, right: QPointF, is_curved: bool) -> Points:
    (x1, y1), (x2, y2) = left.toTuple(), right.toTuple()
    numbers = np.array([[x1], [y1], [x2], [y2], [y1 - 20], [y1 + 20], [y2 - 20], [y2 + 20]])
    ends = Ends._make([*numbers, np.array([False])])
    return routed(ends, is_curved)[0]
