"""The common part of moving and copying: blocks follow the pointer, on the grid or along guides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.routing import Points
from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.guides import REACH, Guide, Surroundings, aligned
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.live.carrying import carried

LEAST_WAY = 3


class Carry(Gesture):
    """A drag of the selection and of the contents of selected frames; free while Alt is held."""

    def __init__(self, canvas: GestureHost, start: Pointer, anchor: QPointF) -> None:
        super().__init__(canvas, start)
        page, chosen = canvas.session.page, canvas.session.selection
        self._moving = carried(page, chosen)
        self._blocks = self._moving.blocks
        # Frames follow the blocks in them: where blocks move, these alone keep to guides.
        guided = replace(self._moving, frames=frozenset()) if self._blocks else self._moving
        self._anchor, self._rect = anchor, extent(canvas.mirror, guided)
        self._dx = self._dy = 0.0
        self._guides: list[Guide] = []

    @property
    def has_moved(self) -> bool:
        """Whether anything is elsewhere now."""
        return bool(self._dx or self._dy)

    def carry(self, pointer: Pointer, unmoved: frozenset[str], ends: Points) -> None:
        """Goes where the pointer is, aligned with all blocks but the `unmoved` ones.

        Shapes: `ends` (n, 2), the heights of wires' ends, that which moves first.
        """
        moved, canvas = pointer.scene - self.start.scene, self.canvas
        self._guides = []
        if moved.manhattanLength() * canvas.camera.scale < LEAST_WAY:
            self._dx = self._dy = 0.0
        elif pointer.has(Modifiers.AltModifier):
            self._dx, self._dy = float(round(moved.x())), float(round(moved.y()))
        else:
            around = Surroundings(self._seen(unmoved), ends)
            reach = REACH / canvas.camera.scale
            self._dx, self._dy, self._guides = aligned(self._rect, self._anchor, moved, around, reach)

    def _seen(self, unmoved: frozenset[str]) -> Points:
        """Returns the rectangles of the blocks in view, some left out."""
        mirror, canvas = self.canvas.mirror, self.canvas
        seen = mirror.visible_blocks(canvas.camera.rect_to_scene(QRectF(canvas.rect())), 0)
        own = [mirror.rows[name] for name in unmoved if name in mirror.rows]
        return mirror.rects[np.setdiff1d(seen, own).astype(int)]
