"""Where everything on a page stood, to tell what stands elsewhere after an edit."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from app.canvas.page_arrays import PageArrays, Rows


class Footing:
    """Remembers where the blocks and wires of a page are, until the page changes."""

    def __init__(self, arrays: PageArrays) -> None:
        self._arrays, self._wires = arrays, arrays.wires
        self._rects, self._points, self._boxes = arrays.rects.copy(), arrays.points.copy(), arrays.wire_boxes.copy()
        self._annotations = arrays.frames, arrays.notes

    @property
    def is_comparable(self) -> bool:
        """Whether the rows still mean the same blocks and wires, and frames and notes are where they were."""
        arrays = self._arrays
        return arrays.wires is self._wires and (arrays.frames, arrays.notes) == self._annotations

    def moved(self) -> tuple[Rows, Rows]:
        """The rows of the blocks and of the wires that are elsewhere now."""
        blocks = (self._rects != self._arrays.rects).any(axis=1)
        wires = (self._points != self._arrays.points).any(axis=(1, 2))
        return np.flatnonzero(blocks), np.flatnonzero(wires)

    def areas(self, blocks: Rows, wires: Rows, seen: QRectF) -> list[QRectF]:
        """Where some blocks and wires were drawn, as far as that touches what is seen."""
        then = PageArrays()
        then.rects, then.points, then.wire_boxes = self._rects, self._points, self._boxes
        return then.areas(blocks.tolist(), wires.tolist(), seen)
