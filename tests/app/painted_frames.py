"""Frames of a window as they were painted: the texts on the canvas at the moment, however old their pictures are."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPixmap, QRegion

from gradwire.app.canvas.access.text_owners import OwnedText, TextOwners
from gradwire.app.canvas.access.text_recorder import DrawnText, TextRecorder
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting.cache import base_layer, sprites
from gradwire.app.canvas.painting.cache.base_layer import BaseLayer


class PaintedTexts:
    """The texts in each pixmap that the canvas keeps, followed from picture to picture.

    A picture that is copied carries its texts along; a part that is painted anew loses those that stood there.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: dict[int, list[DrawnText]] = {}
        follower = type("Follower", (_Follower,), {"texts_of": self.found})
        monkeypatch.setattr(sprites, "QPainter", follower)
        monkeypatch.setattr(base_layer, "QPainter", follower)
        paint = BaseLayer.paint

        def paint_parts(layer: BaseLayer, region: QRegion) -> None:
            parts = base_layer._parts(region)
            before = self.found.pop(id(layer._pixmap), [])
            kept = [item for item in before if not any(_is_in(part, item) for part in parts)]
            paint(layer, region)
            new = [item for item in self.found.get(id(layer._pixmap), []) if any(_is_in(part, item) for part in parts)]
            # Parts that touch each other share what stands on their edge.
            self.found[id(layer._pixmap)] = list(
                {(item.text, *item.rect.getRect()): item for item in kept + new}.values()
            )

        monkeypatch.setattr(BaseLayer, "paint", paint_parts)

    def on(self, canvas: Canvas) -> list[OwnedText]:
        """Returns the texts that the canvas shows, with what they belong to."""
        layer = canvas.painted._base
        assert layer.fits(canvas.camera)
        image = QImage(canvas.size(), QImage.Format.Format_RGB32)
        with TextRecorder(image) as painter:
            owners = TextOwners(canvas, canvas.painted.paint_plainly(painter))
        return [owners.find(item) for item in self.found[id(layer._pixmap)]]


class _Follower(TextRecorder):
    texts_of: dict[int, list[DrawnText]]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._device = arguments[0] if arguments else None
        if self._device is not None:
            self.texts_of[id(self._device)] = self.texts

    def drawPixmap(self, *arguments: Any) -> Any:  # Qt's name
        """Draws a picture, and notes the texts in it."""
        at, pixmap = arguments[0], next(item for item in arguments if isinstance(item, QPixmap))
        texts = self.texts_of.get(id(pixmap), [])
        if texts:
            # A ground fills its picture; a picture goes to a point.
            place = self.combinedTransform().map(at) if isinstance(at, QPointF) else QPointF()
            self.texts += [item._replace(rect=item.rect.translated(place)) for item in texts]
        return super().drawPixmap(*arguments)


def _is_in(part: QRect, item: DrawnText) -> bool:
    return QRectF(part).contains(item.rect.center())
