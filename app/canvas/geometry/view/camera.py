"""The camera of a canvas: view = scene * scale + offset."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QRegion, QTransform

from gradwire.app.canvas.geometry.routing import Points
from gradwire.app.look.theme import tokens

LARGEST, STEP = float(tokens()["zoom"]["max"]), float(tokens()["zoom"]["step"])
FIT_MARGIN = 24
FARTHEST = 0.005
VIEW_MARGIN = 24.0
# Around what is painted anew; and what is so far out is not seen. Units: px of the view.
ROOM, FAR_OUT = 2, 1e6


@dataclass(frozen=True)
class Camera:
    """A scale and an offset. Units: the scene in px at 100 %, the view in px of the widget."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def to_scene(self, point: QPointF) -> QPointF:
        """Returns the scene point under a point of the view."""
        return QPointF((point.x() - self.x) / self.scale, (point.y() - self.y) / self.scale)

    def to_view(self, point: QPointF) -> QPointF:
        """Returns the point of the view at which a point of the scene is seen."""
        return QPointF(point.x() * self.scale + self.x, point.y() * self.scale + self.y)

    def rect_to_scene(self, rect: QRectF) -> QRectF:
        """Returns the part of the scene under a rectangle of the view."""
        return QRectF(self.to_scene(rect.topLeft()), self.to_scene(rect.bottomRight()))

    def rect_to_view(self, rect: QRectF) -> QRectF:
        """Returns the rectangle of the view in which a rectangle of the scene is seen."""
        return QRectF(self.to_view(rect.topLeft()), self.to_view(rect.bottomRight()))

    def region_of(self, areas: Points) -> QRegion:
        """Returns the region of the view in which areas of the scene are seen, with a little room around each.

        Shapes: `areas` (n, 4) as left, top, right, bottom.
        """
        seen = areas * self.scale + (self.x, self.y, self.x, self.y)
        low, high = np.floor(seen[:, :2]) - ROOM, np.ceil(seen[:, 2:]) + ROOM
        low, high = np.clip(low, -FAR_OUT, FAR_OUT), np.clip(high, -FAR_OUT, FAR_OUT)
        found = QRegion()
        for rect in np.concatenate([low, high - low], axis=1).astype(int).tolist():
            found += QRect(*rect)
        return found

    def transform(self) -> QTransform:
        """Returns the transform of a painter that draws scene coordinates."""
        return QTransform(self.scale, 0, 0, self.scale, self.x, self.y)

    def moved(self, dx: float, dy: float) -> Camera:
        """Returns the camera after the scene was dragged by some px of the view."""
        return Camera(self.scale, self.x + dx, self.y + dy)

    def snapped(self, ratio: float) -> Camera:
        """Returns the camera at whole device pixels, `ratio` of them a px: what is painted can then be scrolled."""
        return Camera(self.scale, round(self.x * ratio) / ratio, round(self.y * ratio) / ratio)

    def zoomed(self, scale: float, at: QPointF) -> Camera:
        """Returns the camera at another scale, the scene point under `at` staying where it is."""
        scale = min(scale, LARGEST)
        factor = scale / self.scale
        # Whole px keep text and lines crisp, and let a pan scroll what is painted.
        return Camera(scale, round(at.x() - (at.x() - self.x) * factor), round(at.y() - (at.y() - self.y) * factor))

    def centred(self, point: QPointF, view: QSizeF) -> Camera:
        """Returns the camera with a scene point in the middle of the view."""
        x, y = view.width() / 2 - point.x() * self.scale, view.height() / 2 - point.y() * self.scale
        return Camera(self.scale, round(x), round(y))


def fitted(rect: QRectF, view: QSizeF, largest: float = 1.0, smallest: float = FARTHEST) -> Camera:
    """Returns the camera that shows a whole rectangle with a margin, at most at scale `largest`.

    A large page may come out smaller than zooming goes.
    """
    if rect.isEmpty() or view.isEmpty():
        return Camera().centred(rect.center(), view)
    margin = min(FIT_MARGIN, view.width() / 8, view.height() / 8)
    across = (view.width() - 2 * margin) / rect.width()
    down = (view.height() - 2 * margin) / rect.height()
    return Camera(min(max(min(across, down), smallest), largest)).centred(rect.center(), view)


def fitted_into(area: QRectF, room: QRectF, largest: float = 1.0, smallest: float = FARTHEST) -> Camera:
    """Returns the camera that shows a rectangle inside a part of the view, with a margin."""
    return fitted(area, room.size(), largest, smallest).moved(room.left(), room.top())


def started_at(area: QRectF, start: QPointF, room: QRectF, scale: float) -> Camera:
    """Returns the camera of a scale that has a point in the middle of a part of the view.

    It leaves no more empty than the margins beside the area; along a side that fits the area is centred.
    """
    camera = Camera(scale).centred(start, room.size()).moved(room.left(), room.top())
    seen, inner = camera.rect_to_view(area), room.adjusted(FIT_MARGIN, FIT_MARGIN, -FIT_MARGIN, -FIT_MARGIN)
    dx = _filling(seen.left(), seen.right(), inner.left(), inner.right())
    return camera.moved(round(dx), round(_filling(seen.top(), seen.bottom(), inner.top(), inner.bottom())))


def _filling(low: float, high: float, start: float, end: float) -> float:
    """Returns how far a span has to move so that it fills another one, or stands in its middle."""
    if high - low <= end - start:
        return (start + end - low - high) / 2
    return min(start - low, 0.0) + max(end - high, 0.0)


def way_into_view(seen: QRectF, view: QSizeF) -> QPointF:
    """Returns how far the page has to move so that a rectangle of the view is seen; of a larger one its start."""
    return QPointF(_way(seen.left(), seen.right(), view.width()), _way(seen.top(), seen.bottom(), view.height()))


def _way(low: float, high: float, room: float) -> float:
    margin = min(VIEW_MARGIN, room / 8)
    if low < margin or high - low > room - 2 * margin:
        return margin - low if low < margin or low > room - margin else 0.0
    return min(room - margin - high, 0.0)
