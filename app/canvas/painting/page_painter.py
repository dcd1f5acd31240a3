"""Draws a page into any painter: the canvas, thumbnails, PNG, SVG and PDF are the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.page_arrays import BLOCK_REACH, box_rect
from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.painting.annotations import draw_frames, draw_notes
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.cache.sprites import Sprites
from gradwire.app.canvas.painting.labels.block_names import REACH, Named, draw_names
from gradwire.app.canvas.painting.labels.label_layout import never
from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.layers import Layer, drawing_order, split
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.canvas.painting.page_labels import InView, PageLabels, label_scale
from gradwire.app.canvas.painting.page_pictures import PagePictures
from gradwire.app.canvas.painting.wires.branch_dots import BranchDots
from gradwire.app.canvas.painting.wires.wire_painter import WirePainter
from gradwire.app.canvas.painting.wires.wire_strokes import draw_in_groups, draw_strokes
from gradwire.app.live.session import Selection
from gradwire.engine.graph.graph import Wire

LABELS_A_STEP = 6


class PagePainter:
    """The painter of one page, which keeps the places of labels, and on a screen pictures of blocks and labels."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.sprites: Sprites | None = None
        self.labels, self._pictures = PageLabels(mirror), PagePictures(mirror)
        self._dots = BranchDots(mirror)

    def draw(
        self,
        painter: QPainter,
        look: Look,
        area: QRectF,
        hidden: frozenset[str] = frozenset(),
        shown: frozenset[str] | None = None,
        labels: Mapping[int, Placed] | None = None,
    ) -> dict[Wire, Placed]:
        """Draws what lies in an area of the scene, the painter being in scene coordinates; returns the labels.

        `hidden` blocks and their wires are left out (they are being dragged); with `shown` only those are drawn.
        `labels` are those that have been placed already, by the rows of their wires.
        """
        mirror = self._mirror
        blocks, wires = self._visible(look, area, hidden, shown)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        if labels is None:
            is_whole = self.sprites is None and shown is None
            seen = InView(look, wires, area, hidden)
            labels = self.labels.settle(seen, is_whole, is_moving=shown is not None)
        # In the order of their wires: however they were found, the same ones lie above others.
        labels = {row: labels[row] for row in wires.tolist() if row in labels}
        notes = mirror.frames.keys() | mirror.notes.keys() if shown is None else frozenset()
        names = self._names(look, area, hidden, shown)
        whole = Layer(blocks, wires, labels, names, notes)
        if look.lit is None:
            self._draw_layer(painter, look, whole, area)
        else:
            self._draw_dimmed(painter, look, look.lit, whole, area, has_veil=shown is None)
        return {mirror.wires[row]: placed for row, placed in labels.items()}

    def _draw_dimmed(
        self, painter: QPainter, look: Look, lit: Selection, whole: Layer, area: QRectF, has_veil: bool
    ) -> None:
        """Draws what is lit above all else, which is dimmed."""
        bright, rest = split(self._mirror, lit, whole)
        if look.rest > 0:
            self._draw_layer(painter, look, rest, area)
        if look.rest > 0 and has_veil:
            # A veil in the colour of the canvas is the opacity of all that lies under it, seen once.
            gradient_mask = QColor(look.theme.color("bg.canvas"))
            gradient_mask.setAlphaF(1 - look.rest)
            painter.fillRect(area, gradient_mask)
        self._draw_layer(painter, look, bright, area)

    def _draw_layer(self, painter: QPainter, look: Look, layer: Layer, area: QRectF) -> None:
        """Draws frames and notes, the wires over them, the blocks over those, and the labels over all."""
        draw_frames(painter, self._mirror, look, layer.notes)
        draw_notes(painter, self._mirror, look, layer.notes if look.has_notes else frozenset(), area)
        mirror, blocks, wires, labels, names = self._mirror, *layer[:4]
        sprites = self.sprites
        if sprites is not None:
            self._pictures.begin(sprites, look)
        if look.level is Level.SHAPE:
            draw_in_groups(painter, mirror, look, area, wires, {} if sprites is None else sprites.wires)
        elif sprites is None:
            wire_painter = WirePainter(painter, mirror, look)
            for row in drawing_order(mirror, look, wires):
                wire_painter.draw(row)
        else:
            draw_strokes(painter, mirror, look, area, drawing_order(mirror, look, wires), sprites.wires)
        self._dots.draw(painter, look, wires)
        if sprites is None:
            self._draw_shapes(painter, look, blocks)
            self._draw_texts(painter, look, labels, names)
        else:
            for _ in self._pictures.draw(sprites, painter, look, blocks, labels):
                pass
            draw_names(painter, look, names)

    def settle(
        self, look: Look, area: QRectF, hidden: frozenset[str] = frozenset(), is_late: Callable[[], bool] = never
    ) -> dict[int, Placed]:
        """Finds places for the names and labels in an area; returns the labels by the rows of their wires.

        When it `is_late`, labels that stood nowhere wait for the next call.
        """
        # Where no wire has a label, nothing else asks for names before what has moved is painted.
        self._names(look, area, hidden, None)
        wires = self._visible(look, area, hidden, None)[1]
        return self.labels.settle(InView(look, wires, area, hidden), is_late=is_late)

    def prepare(self, look: Look, area: QRectF) -> Iterator[None]:
        """Gets everything ready that `draw` will need for an area, in small steps."""
        if self.sprites is None:
            return
        blocks, wires = self._visible(look, area, frozenset(), None)
        for _ in self.labels.place(InView(look, wires, area), {}, LABELS_A_STEP):
            yield
        labels = self.settle(look, area)
        yield from self._pictures.draw(self.sprites, None, look, blocks, labels)

    def _visible(
        self, look: Look, area: QRectF, hidden: frozenset[str], shown: frozenset[str] | None
    ) -> tuple[Rows, Rows]:
        mirror = self._mirror
        if self.labels.update_rows():
            self._pictures.forget_states()
        blocks, wires = mirror.visible_blocks(area, BLOCK_REACH), mirror.visible_wires(area)
        if self.labels.layout.rows:
            # Not np.union1d, which would import a package of NumPy's that nothing else needs.
            wires = np.array(sorted({*wires.tolist(), *self.labels.layout.touching(area)}), np.int64)
        return self._chosen(blocks, wires, hidden, shown) if hidden or shown is not None else (blocks, wires)

    def _chosen(
        self, blocks: Rows, wires: Rows, hidden: frozenset[str], shown: frozenset[str] | None
    ) -> tuple[Rows, Rows]:
        group = hidden if shown is None else shown
        touching = np.zeros(len(self._mirror.wires), bool)
        touching[self._mirror.wires_of(group)] = True
        inside = np.zeros(len(self._mirror.ids), bool)
        inside[[self._mirror.rows[name] for name in group if name in self._mirror.rows]] = True
        if shown is None:
            return blocks[~inside[blocks]], wires[~touching[wires]]
        return blocks[inside[blocks]], wires[touching[wires]]

    def _names(self, look: Look, area: QRectF, hidden: frozenset[str], shown: frozenset[str] | None) -> list[Named]:
        """Returns the names in an area, also those of blocks that lie outside it."""
        near = self._mirror.visible_blocks(area, REACH / look.reading_scale)
        if hidden or shown is not None:
            near = self._chosen(near, np.zeros(0, np.int64), hidden, shown)[0]
        names = self.labels.names.place(look, near, bool(hidden) or shown is not None)
        # Letters may stand out of their line a little.
        return [item for item in names if box_rect(item.rect).adjusted(-2, -2, 2, 2).intersects(area)]

    def _draw_shapes(self, painter: QPainter, look: Look, blocks: Rows) -> None:
        block_painter = BlockPainter(painter, self._mirror, look)
        for row in blocks.tolist():
            block_painter.draw(row)

    def _draw_texts(self, painter: QPainter, look: Look, labels: Mapping[int, Placed], names: Sequence[Named]) -> None:
        label_painter = LabelPainter(painter, look, label_scale(look.reading_scale))
        for placed in labels.values():
            label_painter.draw(placed)
        draw_names(painter, look, names)
