"""The drag that moves blocks, frames and notes, or copies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, Qt

from app.canvas.gestures.gesture import Gesture, Modifiers, Pointer
from app.canvas.page_arrays import GRID
from app.live import editing
from app.live.session import Selection

if TYPE_CHECKING:
    from app.canvas.canvas import Canvas


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
