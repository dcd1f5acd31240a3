"""The pictures of a page's blocks and labels, which a screen copies instead of drawing them again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.page_arrays import BLOCK_REACH, box_rect
from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter, marks_of
from gradwire.app.canvas.painting.cache.sprites import Grain, Sprite, Sprites
from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_labels import label_scale
from gradwire.app.live.session import NOTHING
from gradwire.app.look.drawing import kept

BLOCK_PAD = BLOCK_REACH - 2


class PagePictures:
    """The pictures of one page's blocks and labels, each painted once for a look and zoom."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror

    def begin(self, sprites: Sprites, look: Look) -> None:
        """Forgets the pictures of another look, zoom or loss."""
        sprites.begin((_common(look), self._mirror.session.graph.loss), look.scale)

    def draw(
        self, sprites: Sprites, painter: QPainter | None, look: Look, blocks: Rows, labels: Mapping[int, Placed]
    ) -> Iterator[None]:
        """Makes the pictures of blocks and labels, a step each, and copies them if there is a painter."""
        self.begin(sprites, look)
        found = []
        for row in blocks.tolist():
            found.append(self._block_picture(sprites, look, row))
            yield
        scale = label_scale(look.reading_scale)
        for row, placed in labels.items():
            found.append(self._label_picture(sprites, look, row, placed, scale))
            yield
        if painter is None or not found:
            return
        middles = np.array([(placed.x, placed.y) for placed in labels.values()]).reshape(-1, 2)
        origins = Grain.of(painter).pixels(np.concatenate([self._mirror.rects[blocks, :2], middles]))
        with kept(painter):
            painter.resetTransform()
            sprites.copy(painter, found, origins)

    def _block_picture(self, sprites: Sprites, look: Look, row: int) -> Sprite:
        mirror = self._mirror
        name, shape = mirror.ids[row], mirror.shapes[row]
        key = int(mirror.block_stamps[row]), marks_of(mirror, look, row)
        known = sprites.known(name, key)
        if known is not None:
            return known
        box = QRectF(0, 0, shape.width, shape.height).adjusted(-BLOCK_PAD, -BLOCK_PAD, BLOCK_PAD, BLOCK_PAD)
        ground_key = "ground", *BlockPainter(QPainter(), mirror, look).ground_key(row)
        ground = sprites.get(ground_key, None, box, lambda on: BlockPainter(on, mirror, look).draw_ground(row))
        return sprites.get(name, key, box, lambda on: BlockPainter(on, mirror, look).draw_body(row), ground.pixmap)

    def _label_picture(self, sprites: Sprites, look: Look, row: int, placed: Placed, scale: float) -> Sprite:
        slot, key = ("label", row), (placed.label, placed.form, placed.pose, placed.apart)
        # Measuring its text would take as long as copying it.
        known = sprites.known(slot, key)
        if known is not None:
            return known
        still = placed._replace(x=0.0, y=0.0)
        box = box_rect(still.rect(scale)).adjusted(-1, -1, 1, 1)
        ground_key = "label ground", *placed.label.ground_key(placed.form), placed.widths, placed.pose, placed.apart
        ground = sprites.get(ground_key, None, box, lambda on: LabelPainter(on, look, scale).draw_ground(still))
        return sprites.get(slot, key, box, lambda on: LabelPainter(on, look, scale).draw_numbers(still), ground.pixmap)


def _common(look: Look) -> Look:
    """Returns the part of a look that all blocks and labels of a picture share."""
    return dataclasses.replace(look, selection=NOTHING, hovered=Target())
