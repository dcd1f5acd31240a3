"""Pictures of blocks and labels for one look and zoom: painted once, then copied at whole device pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform

from gradwire.app.canvas.geometry.routing import Points, Rows
from gradwire.app.canvas.painting.cache.wire_pictures import WirePictures
from gradwire.app.look.drawing import clear_pixmap

BYTES_AT_MOST = 48_000_000
_SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing


class Sprite(NamedTuple):
    """A picture and where its corner lies, seen from the origin of what it shows. Units: device pixels."""

    pixmap: QPixmap
    left: int
    top: int


@dataclass(frozen=True)
class Grain:
    """How the scene lies on the device pixels of a painter: `scale` device pixels a px, then moved by whole ones."""

    scale: float
    x: int
    y: int
    ratio: float

    @staticmethod
    def of(painter: QPainter) -> Grain:
        """Returns the grain of a painter that is in scene coordinates, neither rotated nor sheared."""
        to_view, ratio = painter.worldTransform(), painter.device().devicePixelRatio()
        return Grain(to_view.m11() * ratio, round(to_view.dx() * ratio), round(to_view.dy() * ratio), ratio)

    def pixels(self, points: Points) -> Rows:
        """Returns the device pixels of points of the scene; after a pan the same ones, moved. Shapes: (n, 2)."""
        # Rounding comes before the offset: a sum would round differently at another offset.
        scaled = points * self.scale
        scaled += 0.5
        found: Rows = np.floor(scaled, out=scaled).astype(np.int32)
        found += np.array([self.x, self.y], np.int32)
        return found

    def to_device(self) -> QTransform:
        """Returns the transform of a painter that draws device pixels."""
        return QTransform.fromScale(1 / self.ratio, 1 / self.ratio)


class Sprites:
    """Pictures by slot, each with the key that it was painted for; only for screens, files get real shapes.

    `ratio` is that of device pixels to px.
    """

    def __init__(self, ratio: float) -> None:
        self.ratio, self._scale = ratio, 0.0
        self._common: Hashable = None
        self._found: dict[Hashable, tuple[Hashable, Sprite]] = {}
        self._bytes = 0
        # The parts that the wires of the look and zoom are put together from.
        self.wires: dict[Hashable, WirePictures] = {}

    def begin(self, common: Hashable, scale: float) -> None:
        """Says what all pictures have in common; those of another look or zoom are forgotten."""
        if common != self._common or scale != self._scale or self._bytes > BYTES_AT_MOST:
            self._common, self._scale = common, scale
            self._found.clear()
            self.wires.clear()
            self._bytes = 0

    def begin_document(self) -> None:
        """Forgets what shows something of the document before: pictures without a key show the same in each one."""
        self._found = {slot: found for slot, found in self._found.items() if found[0] is None}
        self._bytes = sum(4 * sprite.pixmap.width() * sprite.pixmap.height() for _, sprite in self._found.values())
        self.wires.clear()

    def known(self, slot: Hashable, key: Hashable) -> Sprite | None:
        """Returns the picture of a slot if it shows `key`."""
        known = self._found.get(slot)
        return known[1] if known is not None and known[0] == key else None

    def get(
        self,
        slot: Hashable,
        key: Hashable,
        box: QRectF,
        paint: Callable[[QPainter], None],
        ground: QPixmap | None = None,
    ) -> Sprite:
        """Returns the picture of a slot, painted anew if it shows something else than `key`.

        `paint` draws with the origin at 0, 0 inside `box`, on top of the picture `ground` of the same box if there is
        one. Units: `box` in px at 100 %.
        """
        known = self._found.get(slot)
        if known is not None and known[0] == key:
            return known[1]
        grain = self._scale * self.ratio
        left, top = math.floor(box.left() * grain), math.floor(box.top() * grain)
        size = QSize(max(math.ceil(box.right() * grain) - left, 1), max(math.ceil(box.bottom() * grain) - top, 1))
        pixmap = self._paper(None if known is None else known[1].pixmap, size)
        pixmap.setDevicePixelRatio(1)
        if ground is None:
            pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            if ground is not None:
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.drawPixmap(QRect(QPoint(), size), ground)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            painter.setRenderHints(_SMOOTH)
            painter.setTransform(QTransform(grain, 0, 0, grain, -left, -top))
            paint(painter)
        pixmap.setDevicePixelRatio(self.ratio)
        found = Sprite(pixmap, left, top)
        self._found[slot] = (key, found)
        return found

    def _paper(self, used: QPixmap | None, size: QSize) -> QPixmap:
        """Returns the pixmap for a picture: the one before it if that is as large, for fresh memory is slow."""
        if used is not None and used.size() == size:
            return used
        self._bytes += 4 * (size.width() * size.height() - (0 if used is None else used.width() * used.height()))
        return clear_pixmap(size)

    def copy(self, painter: QPainter, sprites: list[Sprite], origins: Rows) -> None:
        """Draws pictures with their origins at some device pixels; the painter draws px of the view."""
        ratio = self.ratio
        for (pixmap, left, top), (x, y) in zip(sprites, origins.tolist(), strict=True):
            painter.drawPixmap(QPointF((x + left) / ratio, (y + top) / ratio), pixmap)
