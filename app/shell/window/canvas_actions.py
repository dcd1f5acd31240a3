"""Parts of all actions on a canvas: its session, middle and grid, blocks on wires or beside, and their selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.gestures.insertion import apply_with_room, insert_new
from gradwire.app.live import editing
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.blocks.layers.catalogue import title_of
from gradwire.engine.graph.graph import Port, Wire


class CanvasActions:
    """Acts on the session of a canvas. Every method makes one entry in the history, or none."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    @property
    def session(self) -> Session:
        """The session of the canvas."""
        return self._canvas.session

    @property
    def middle(self) -> QPointF:
        """The point of the scene in the middle of the view."""
        return self._canvas.camera.to_scene(self._canvas.rect().center().toPointF())

    def select_made(self, made: str | Iterable[str] | None) -> None:
        """Selects the blocks that an edit has made, if it has made some."""
        if made:
            self.session.select(Selection(frozenset([made] if isinstance(made, str) else made)), is_made=True)

    def insert_on(self, wire: Wire, new: editing.NewBlock) -> None:
        """Puts a block on a wire, in the middle of its ends."""
        mirror = self._canvas.mirror
        start, end = mirror.port_position(wire.source, False), mirror.port_position(wire.target, True)
        at = (0, 0) if start is None or end is None else on_grid((start + end) / 2 - QPointF(72, 40))
        self.select_made(insert_new(self._canvas, new, at, wire))

    def add_connected(self, new: editing.NewBlock, corner: QPointF, ends: Sequence[Port], are_outputs: bool) -> None:
        """Places a block whose ports are joined to some ports, in their order, and selects it."""
        text = tr("Add {type}", type=title_of(new.type_name))
        args = self.session.page_name, new, on_grid(corner), ends, are_outputs, self.session.spec
        made = apply_with_room(self._canvas, text, editing.place_connected, *args)
        if made is not None:
            self.select_made(made)
            self._canvas.viewport.follow(self._canvas.mirror.rect(made))
            self._canvas.keyboard.show(self._canvas.keyboard.is_shown)


def on_grid(point: QPointF) -> tuple[int, int]:
    """Returns the point of the grid next to a point of the scene."""
    return round(point.x() / 16) * 16, round(point.y() / 16) * 16
