"""The painted page as one pixmap: scrolled by a pan, painted anew in parts, and shown scaled while a zoom is fresh."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap, QRegion, QTransform

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.look.drawing import kept

# How long one frame may get things ready for another zoom; what is not ready by then is shown scaled.
MOVING_SECONDS, RESTING_SECONDS = 0.005, 0.012
# The cost of starting to paint a piece, as the area that could be painted instead. Units: square px.
PIECE_COST = 100_000


class BaseLayer:
    """The page as painted with one camera; `is_whole` once everything is painted.

    `paint(painter, part)` paints a part of the view with the newest camera.
    """

    def __init__(self, paint: Callable[[QPainter, QRect], None]) -> None:
        self._paint = paint
        self._pixmap = QPixmap()
        self.is_whole = False
        self._camera = Camera()
        self._getting_ready: Iterator[None] | None = None
        self._ready_for = Camera()

    def discard(self) -> None:
        """Forgets the picture; its memory is kept, for fresh memory is slow."""
        self.is_whole, self._getting_ready = False, None

    def has_ratio(self, ratio: float) -> bool:
        """Returns whether what is painted has so many device pixels a px."""
        return self.is_whole and self._pixmap.devicePixelRatio() == ratio

    def fits(self, camera: Camera) -> bool:
        """Returns whether what is painted is what a camera sees."""
        return self.is_whole and camera == self._camera

    def is_ready(self, camera: Camera, prepare: Callable[[], Iterator[None]]) -> bool:
        """Gets ready for another camera for a short while; says whether all that `prepare` does is done."""
        is_resting = self._getting_ready is not None and camera == self._ready_for
        if self._getting_ready is None or not is_resting:
            self._getting_ready, self._ready_for = prepare(), camera
        until = time.perf_counter() + (RESTING_SECONDS if is_resting else MOVING_SECONDS)
        for _ in self._getting_ready:
            if time.perf_counter() > until:
                return False
        self._getting_ready = None
        return True

    def begin(self, camera: Camera, size: QSize, ratio: float) -> None:
        """Makes room for a whole picture, which is to be painted at once."""
        if self._pixmap.size() != size * ratio:
            self._pixmap = QPixmap(size * ratio)
        self._pixmap.setDevicePixelRatio(ratio)
        self._camera, self.is_whole, self._getting_ready = camera, True, None

    def paint(self, region: QRegion) -> None:
        """Paints parts of the view anew."""
        assert self.is_whole
        with QPainter(self._pixmap) as painter:
            for part in _parts(region):
                with kept(painter):
                    painter.setClipRect(part)
                    self._paint(painter, part)

    def scroll(self, camera: Camera, dx: int, dy: int) -> QRegion:
        """Moves what is painted by whole device pixels; gives the strips of the view that are to be painted."""
        assert self.is_whole
        self._pixmap.scroll(dx, dy, self._pixmap.rect())
        self._camera = camera
        whole, ratio = self._pixmap.rect(), self._pixmap.devicePixelRatio()
        strips = QRegion()
        for rect in QRegion(whole) - QRegion(whole.translated(dx, dy)):  # type: ignore[attr-defined]  # the stub lacks its iterator
            exact = QRectF(rect.x() / ratio, rect.y() / ratio, rect.width() / ratio, rect.height() / ratio)
            strips += exact.toAlignedRect()
        return strips

    def show(self, painter: QPainter, camera: Camera) -> QRect:
        """Draws what is painted as a camera would see it; gives the part of the view that it covers."""
        assert self.is_whole
        ratio = self._pixmap.devicePixelRatio()
        whole = QRectF(0, 0, self._pixmap.width() / ratio, self._pixmap.height() / ratio)
        if camera == self._camera:
            painter.drawPixmap(QPoint(), self._pixmap)
            return whole.toAlignedRect()
        factor = camera.scale / self._camera.scale
        dx, dy = camera.x - self._camera.x * factor, camera.y - self._camera.y * factor
        moved = QTransform(factor, 0, 0, factor, dx, dy)
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setTransform(moved)
            painter.drawPixmap(QPoint(), self._pixmap)
        return moved.mapRect(whole).toAlignedRect()


def _parts(region: QRegion) -> list[QRect]:
    """Returns the pieces of a region, or one rectangle around all of them if that is cheaper to paint."""
    pieces: list[QRect] = list(region)  # type: ignore[call-overload]  # the stub lacks its iterator
    whole = region.boundingRect()
    spared = whole.width() * whole.height() - sum(piece.width() * piece.height() for piece in pieces)
    return pieces if spared > (len(pieces) - 1) * PIECE_COST else [whole]
