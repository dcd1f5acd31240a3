"""What moving and copying have in common: blocks that follow the pointer, on the grid or along guides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from app.canvas.gestures.gesture import Gesture, Modifiers, Pointer
from app.canvas.guides import REACH, Guide, Surroundings, aligned
from app.canvas.routing import Points
from app.live.carrying import carried
from app.live.session import Selection

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView

LEAST_WAY = 3


class Carry(Gesture):
    """Carries what is selected, and what lies in selected frames; freely while Alt is held."""

    def __init__(self, canvas: GestureView, start: Pointer, anchor: QPointF) -> None:
        super().__init__(canvas, start)
        page, chosen = canvas.session.page, canvas.session.selection
        self._moving = carried(page, chosen)
        self._blocks = self._moving.blocks
        self._anchor, self._rect = anchor, _bounds(canvas, self._moving)
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
        """The rectangles of the blocks in view, some left out."""
        mirror, canvas = self.canvas.mirror, self.canvas
        seen = mirror.visible_blocks(canvas.camera.rect_to_scene(QRectF(canvas.rect())), 0)
        own = [mirror.rows[name] for name in unmoved if name in mirror.rows]
        found: Points = mirror.rects[np.setdiff1d(seen, own).astype(int)]
        return found


def _bounds(canvas: GestureView, moving: Selection) -> QRectF:
    """The rectangle around everything that moves."""
    mirror = canvas.mirror
    rects = [mirror.rect(name) for name in moving.blocks if name in mirror.rows]
    rects += [mirror.notes[name] for name in moving.notes if name in mirror.notes]
    rects += [mirror.frames[name] for name in moving.frames if name in mirror.frames and not moving.blocks]
    whole = QRectF()
    for rect in rects:
        whole = whole.united(rect)
    return whole
