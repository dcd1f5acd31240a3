"""The drag that copies blocks, frames and notes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from gradwire.app.base.translation import tr
from gradwire.app.canvas.input.gestures.carry import Carry
from gradwire.app.canvas.input.gestures.insertion import apply_with_room
from gradwire.app.canvas.input.gestures.marks import paint_guides
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.painting.annotations import draw_frames, draw_notes
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live import carrying
from gradwire.app.look.drawing import kept

OPACITY = 0.75


class Copy(Carry):
    """A drag of copies of the selection to where they are dropped."""

    cursor = Qt.CursorShape.DragCopyCursor

    def move(self, pointer: Pointer) -> None:
        """Shows the copies where they would be."""
        self.carry(pointer, frozenset(), np.zeros((0, 2)))
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """Places the copies in one edit, and selects them."""
        if self.has_moved:
            session, offset = self.canvas.session, (self._dx, self._dy)
            args = session.page_name, self._moving, offset
            if made := apply_with_room(self.canvas, tr("Duplicate"), carrying.duplicate, *args):
                session.select(made, is_made=True)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the copies, paler than what is copied."""
        if not self.has_moved:
            return
        paint_guides(painter, look, self._guides)
        mirror = self.canvas.mirror
        with kept(painter):
            painter.translate(self._dx, self._dy)
            painter.setOpacity(OPACITY)
            draw_frames(painter, mirror, look, self._moving.frames)
            draw_notes(painter, mirror, look, self._moving.notes)
            blocks = BlockPainter(painter, mirror, look)
            for row in sorted(mirror.rows[name] for name in self._blocks if name in mirror.rows):
                blocks.draw(row)
