"""Draws a page into any painter: the canvas, thumbnails, PNG, SVG and PDF are the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import NO_ROWS, Mirror
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
from gradwire.app.look.drawing import faded
from gradwire.engine.graph.graph import Wire

LABELS_A_STEP = 6


class Part(NamedTuple):
    """A part of a page: what lies in an area of the scene.

    `hidden` blocks and their wires are left out, as they are being dragged; with `shown` there are only those.
    """

    area: QRectF
    hidden: frozenset[str] = frozenset()
    shown: frozenset[str] | None = None

    @property
    def is_moving(self) -> bool:
        """Whether some of its blocks are being dragged."""
        return bool(self.hidden) or self.shown is not None


class PagePainter:
    """The painter of one page, which keeps the places of labels, and on a screen pictures of blocks and labels."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.sprites: Sprites | None = None
        self.labels, self._pictures = PageLabels(mirror), PagePictures(mirror)
        self._dots = BranchDots(mirror)

    def draw(
        self, painter: QPainter, look: Look, part: Part, labels: Mapping[int, Placed] | None = None
    ) -> dict[Wire, Placed]:
        """Draws a part of the page, the painter being in scene coordinates; returns the labels.

        `labels` are those that have been placed already, by the rows of their wires.
        """
        mirror, (area, hidden, shown) = self._mirror, part
        blocks, wires = self._visible(part)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        if labels is None:
            is_whole = self.sprites is None and shown is None
            labels = self.labels.settle(InView(look, wires, area, hidden, part.is_moving), is_whole)
        # In the order of their wires: however they were found, the same ones lie above others.
        labels = {row: labels[row] for row in wires.tolist() if row in labels}
        notes = mirror.frames.keys() | mirror.notes.keys() if shown is None else frozenset()
        layer = Layer(blocks, wires, labels, self._names(look, part), notes)
        if look.lit is not None:
            layer, rest = split(mirror, look.lit, layer)
            if look.rest > 0:
                self._draw_layer(painter, look, rest, area)
            if look.rest > 0 and shown is None:
                # A veil in the colour of the canvas is the opacity of all that lies under it, seen once.
                painter.fillRect(area, faded(look.theme.color("bg.canvas"), 1 - look.rest))
        self._draw_layer(painter, look, layer, area)
        return {mirror.wires[row]: placed for row, placed in labels.items()}

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
            block_painter = BlockPainter(painter, mirror, look)
            for row in blocks.tolist():
                block_painter.draw(row)
            label_painter = LabelPainter(painter, look, label_scale(look.reading_scale))
            for placed in labels.values():
                label_painter.draw(placed)
        else:
            for _ in self._pictures.draw(sprites, painter, look, blocks, labels):
                pass
        draw_names(painter, look, names)

    def settle(self, look: Look, part: Part, is_late: Callable[[], bool] = never) -> dict[int, Placed]:
        """Finds places for the names and labels in a part; returns the labels by the rows of their wires.

        When it `is_late`, labels that stood nowhere wait for the next call.
        """
        # Where no wire has a label, nothing else asks for names before what has moved is painted.
        self._names(look, part)
        wires = self._visible(part)[1]
        return self.labels.settle(InView(look, wires, part.area, part.hidden, part.is_moving, is_late))

    def prepare(self, look: Look, area: QRectF) -> Iterator[None]:
        """Gets everything ready that `draw` will need for an area, in small steps."""
        if self.sprites is None:
            return
        blocks, wires = self._visible(Part(area))
        for _ in self.labels.place(InView(look, wires, area), {}, LABELS_A_STEP):
            yield
        labels = self.settle(look, Part(area))
        yield from self._pictures.draw(self.sprites, None, look, blocks, labels)

    def _visible(self, part: Part) -> tuple[Rows, Rows]:
        mirror, area = self._mirror, part.area
        self.labels.update_rows()
        blocks, wires = mirror.visible_blocks(area, BLOCK_REACH), mirror.visible_wires(area)
        if self.labels.layout.rows:
            # Not np.union1d, which would import a package of NumPy's that nothing else needs.
            wires = np.array(sorted({*wires.tolist(), *self.labels.layout.touching(area)}), np.int64)
        return self._chosen(blocks, wires, part)

    def _chosen(self, blocks: Rows, wires: Rows, part: Part) -> tuple[Rows, Rows]:
        """Returns those of some rows that belong to a part."""
        if not part.is_moving:
            return blocks, wires
        mirror, group = self._mirror, part.hidden if part.shown is None else part.shown
        inside, touching = np.zeros(len(mirror.ids), bool), np.zeros(len(mirror.wires), bool)
        inside[[mirror.rows[name] for name in group if name in mirror.rows]] = True
        touching[mirror.wires_of(group)] = True
        if part.shown is None:
            return blocks[~inside[blocks]], wires[~touching[wires]]
        return blocks[inside[blocks]], wires[touching[wires]]

    def _names(self, look: Look, part: Part) -> list[Named]:
        """Returns the names in an area, also those of blocks that lie outside it."""
        near = self._mirror.visible_blocks(part.area, REACH / look.reading_scale)
        names = self.labels.names.place(look, self._chosen(near, NO_ROWS, part)[0], part.is_moving)
        # Letters may stand out of their line a little.
        return [item for item in names if box_rect(item.rect).adjusted(-2, -2, 2, 2).intersects(part.area)]
