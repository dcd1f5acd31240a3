"""The drag that moves blocks, frames and notes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.annotation_places import Shift
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Points
from gradwire.app.canvas.input.gestures.carry import Carry
from gradwire.app.canvas.input.gestures.frames import HomeFinder, Homes
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.insertion import WireFinder, make_room
from gradwire.app.canvas.input.gestures.marks import paint_frames, paint_guides, paint_wire
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.shake import Shake
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live import carrying
from gradwire.app.live.session import Selection
from gradwire.app.look.drawing import kept
from gradwire.engine.edits import wire_edits
from gradwire.engine.graph.graph import Graph, Wire

LEAST_REACH = 12.0


class Move(Carry):
    """A drag of the selection, on the grid and along guides unless Alt is held.

    A single block with open ports can be dropped into a wire, anything into a frame; shaking takes the wires off.
    """

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, canvas: GestureHost, start: Pointer, anchor: QPointF) -> None:
        super().__init__(canvas, start, anchor)
        page, mirror, chosen = canvas.session.page, canvas.mirror, canvas.session.selection
        hollow = {frame.id for frame in page.frames if not (frame.blocks or frame.frames)}
        self._notes, self._hollow = self._moving.notes, self._moving.frames & hollow
        self._finder = HomeFinder(mirror, chosen)
        is_single = len(self._blocks) == 1 and chosen == Selection(self._blocks)
        self._single = next(iter(self._blocks)) if is_single else None
        self._wires = None if self._single is None else WireFinder(mirror, self._single)
        self._ends = _wire_ends(mirror, self._blocks)
        self._shake, self._key = Shake(start.view), object()
        self._has_detached = False
        self._wire: Wire | None = None
        self._homes = Homes()

    @property
    def hidden(self) -> frozenset[str]:
        """The moved blocks, once they move."""
        return self._blocks if self.has_moved else frozenset()

    def move(self, pointer: Pointer) -> None:
        """Shows the blocks where they would be, and what they would go into."""
        self.carry(pointer, self._blocks, self._ends)
        self._homes = self._finder.homes(self._dx, self._dy)
        self._show()
        self._wire = None if pointer.has(Modifiers.AltModifier) else self._wire_below()
        if self._shake.goes_on(pointer.view, pointer.time):
            self._detach()
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Moves everything in one edit, and puts it where it was dropped."""
        self.canvas.painted.show_moved(frozenset(), 0, 0)
        if not self.has_moved:
            return
        session, text = self.canvas.session, tr("Disconnect") if self._has_detached else tr("Move")
        if self._wire is None or self._single is None or self._single not in session.page.blocks:
            session.apply(text, self._moved_graph, session.page_name, merge_key=self._key)
            return
        text = tr("Insert {type}", type=session.page.blocks[self._single].type)
        session.apply(text, self._inserted_graph, session.page_name, self._single, self._wire, merge_key=self._key)
        make_room(self.canvas, self._single, text, self._key)

    def cancel(self) -> None:
        """Shows everything where it was."""
        self.canvas.painted.show_moved(frozenset(), 0, 0)
        if self._has_detached:
            self.canvas.session.withdraw(self._key)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws guides, the wire and the frames that the blocks would go into."""
        paint_guides(painter, look, self._guides)
        # Above the block, which may cover all of it.
        paint_wire(painter, look, self.canvas.mirror, self._wire)
        with kept(painter):
            painter.setClipPath(self._around())
            paint_frames(painter, look, self.canvas.mirror, self._homes.entered())

    def _around(self) -> QPainterPath:
        """Returns all that is seen but for a single block that moves, which lies above."""
        seen, rect = QPainterPath(), self._rect.translated(self._dx, self._dy)
        seen.addRect(self.canvas.camera.rect_to_scene(QRectF(self.canvas.rect())))
        if self._single is not None:
            seen.addRect(rect)
        return seen

    def _show(self) -> None:
        loose = frozenset(name for name, _ in self._homes.blocks)
        self.canvas.painted.show_moved(self._blocks, self._dx, self._dy, Shift(self._notes, self._hollow, loose))

    def _detach(self) -> None:
        """Takes the wires off that lead to other blocks; the drag goes on, and all is one entry in the history."""
        session, canvas = self.canvas.session, self.canvas
        before = session.graph
        canvas.painted.show_moved(frozenset(), 0, 0)
        session.apply(tr("Disconnect"), wire_edits.detach_blocks, session.page_name, self._blocks, merge_key=self._key)
        self._has_detached = self._has_detached or session.graph is not before
        self._shake = Shake(canvas.pointer.view)
        self._ends = np.zeros((0, 2))
        self._show()

    def _moved_graph(self, graph: Graph, page: str) -> Graph:
        return self._homes.applied(carrying.moved(graph, page, self._moving, (self._dx, self._dy)), page)

    def _inserted_graph(self, graph: Graph, page: str, block_id: str, wire: Wire) -> Graph:
        known = self.canvas.session.inferred
        return wire_edits.insert_block(self._moved_graph(graph, page), page, block_id, wire, known)

    def _wire_below(self) -> Wire | None:
        mirror = self.canvas.mirror
        if self._wires is None or not self.has_moved or self._single not in mirror.rows:
            return None
        rect = mirror.rect(self._single)
        return self._wires.wire_at(rect.center(), max(min(rect.width(), rect.height()) / 2, LEAST_REACH))


def _wire_ends(mirror: Mirror, blocks: frozenset[str]) -> Points:
    """Returns the heights of both ends, the moving one first, of the wires between what moves and what does not."""
    found = []
    for row in mirror.wires_of(blocks):
        wire, (start, end) = mirror.wires[row], (mirror.points[row, 0, 1], mirror.points[row, -1, 1])
        if (wire.source.block in blocks) != (wire.target.block in blocks):
            found.append((start, end) if wire.source.block in blocks else (end, start))
    return np.array(found, float).reshape(-1, 2)
