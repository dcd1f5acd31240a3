"""The drag that copies blocks."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from app.canvas.block_painter import BlockPainter
from app.canvas.gestures.carry import Carry
from app.canvas.gestures.gesture import Pointer
from app.canvas.gestures.marks import paint_guides
from app.canvas.look import Look
from app.live import editing
from app.live.session import Selection
from app.words import tr

OPACITY = 0.75


class Copy(Carry):
    """Places copies of the selected blocks where they are dropped; the blocks stay."""

    cursor = Qt.CursorShape.DragCopyCursor

    def move(self, pointer: Pointer) -> None:
        """Shows the copies where they would be."""
        self.carry(pointer, frozenset(), np.zeros((0, 2)))
        self.canvas.update()

    def finish(self, pointer: Pointer) -> None:
        """One edit places the copies, and they are selected."""
        if self.has_moved:
            session, offset = self.canvas.session, (self._dx, self._dy)
            ids = session.apply(tr("Duplicate"), editing.duplicate, session.page_name, self._blocks, offset)
            if ids:
                session.select(Selection(frozenset(ids.values())))

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the copies, paler than blocks."""
        if not self.has_moved:
            return
        paint_guides(painter, look, self._guides)
        mirror = self.canvas.mirror
        painter.save()
        painter.translate(self._dx, self._dy)
        painter.setOpacity(OPACITY)
        blocks = BlockPainter(painter, mirror, look)
        for row in sorted(mirror.rows[name] for name in self._blocks if name in mirror.rows):
            blocks.draw(row)
        painter.restore()
