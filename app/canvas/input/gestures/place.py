"""The drag that brings a new block from the palette."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.hit_tests import block_at, smallest
from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.geometry.shapes import HEADER
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.insertion import apply_with_room, finder_for_type, insert_new
from gradwire.app.canvas.input.gestures.marks import paint_frames, paint_wire
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live import editing
from gradwire.app.live.session import Selection
from gradwire.app.look.drawing import inked
from gradwire.blocks.layers.catalogue import title_of
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Wire

WIRE_REACH = 20.0
WIDTH, HEIGHT = 144, 64


class Place(Gesture):
    """A drag of a new block: into the wire under the pointer, unless Alt is held, and into a frame."""

    def __init__(self, canvas: GestureHost, start: Pointer, type_name: str) -> None:
        super().__init__(canvas, start)
        self._type = type_name
        self._finder = finder_for_type(canvas.mirror, type_name)
        self._at = place_under(start.scene)
        self._wire: Wire | None = None
        self._frame: str | None = None
        self.move(start)

    def move(self, pointer: Pointer) -> None:
        """Shows where the block would be."""
        canvas = self.canvas
        self._at = place_under(pointer.scene)
        reach = WIRE_REACH / canvas.camera.scale
        is_over_block = block_at(canvas.mirror, pointer.scene) is not None
        prevents = is_over_block or pointer.has(Modifiers.AltModifier)
        self._wire = None if prevents else self._finder.wire_at(pointer.scene, reach)
        frames = canvas.mirror.frames.items()
        self._frame = smallest({name: box for name, box in frames if box.contains(pointer.scene)})
        canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Places the block in one edit."""
        self.move(pointer)
        session = self.canvas.session
        if self._wire is not None:
            made = insert_new(self.canvas, self._type, self._at, self._wire)
        else:
            text = tr("Add {type}", type=title_of(self._type))
            made = apply_with_room(self.canvas, text, self._placed, session.page_name)
        if made is not None:
            session.select(Selection(frozenset([made])), is_made=True)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws an outline of the block, and what it would go into."""
        paint_wire(painter, look, self.canvas.mirror, self._wire)
        paint_frames(painter, look, self.canvas.mirror, [self._frame] if self._frame else [])
        inked(painter, QPen(look.theme.color("accent"), 1.5, Qt.PenStyle.DashLine), look.theme.color("accent.soft"))
        painter.drawRoundedRect(QRectF(*self._at, WIDTH, HEIGHT), 8, 8)

    def _placed(self, graph: Graph, page: str) -> tuple[Graph, str]:
        graph, made = editing.place_block(graph, page, self._type, self._at)
        return (graph if self._frame is None else edits.put_into_frame(graph, page, self._frame, [made])), made


def place_under(scene: QPointF) -> tuple[int, int]:
    """Returns the place on the grid for a block whose header lies under a point."""
    return round((scene.x() - WIDTH / 2) / GRID) * GRID, round((scene.y() - HEADER / 2) / GRID) * GRID
