"""The way of a page out of the way: what opens beside or over it takes room, and what closes gives the view back."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QMarginsF, QPointF, QRectF

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.viewport import Viewport

REFIT_MS = 150
# What stays free around a page that gives way, for labels beside its wires, and below it, for names of blocks, at texts
# of 100 %. Units: px.
MARGIN, NAMES = 16.0, 24.0
EVEN = QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN)


class Home(NamedTuple):
    """A view to come back to, and the room that it was seen in. Units: px of the window."""

    room: QRectF
    camera: Camera


class Refit:
    """Holds the view of a canvas as it was before anything opened, `home`.

    Each room is met from that view, not from the one before, so what opens and closes in any order ends where it began,
    to the pixel. Whoever pans, zooms or turns the page takes over: what is seen then is the view to keep.
    """

    def __init__(self, viewport: Viewport, page: ShownPage) -> None:
        self._viewport, self._page = viewport, page
        self._origin, self._room = QPointF(), QRectF()
        self.home = Home(QRectF(), Camera())

    def note(self) -> Home:
        """Returns the view to keep: the present one if it is the user's, not one that the page was brought to."""
        viewport = self._viewport
        if viewport.destination != viewport.placed:
            self.home = Home(self._room, viewport.destination.moved(*self._origin.toTuple()))
        return self.home

    def take(self, origin: QPointF, room: QRectF, is_turning: bool = False) -> None:
        """Brings all that was seen into another room. Units: px of the window.

        `origin` is where the canvas begins, `room` the part of it that nothing lies over. While the page `is_turning`
        it is fitted by itself.
        """
        if (origin, room) == (self._origin, self._room):
            return
        (x, y), viewport = self._origin.toTuple(), self._viewport
        self.note()
        self._origin, self._room = origin, room
        if is_turning or self.home.room.isEmpty():
            viewport.placed = None
            return
        wanted = self.home.camera
        if not room.contains(self.home.room):
            mirror = self._page.mirror
            area = (mirror.block_bounds() | mirror.wire_bounds()) & wanted.rect_to_scene(self.home.room)
            free = QMarginsF(MARGIN, MARGIN * viewport.text_scale, MARGIN, NAMES * viewport.text_scale)
            wanted = given_way(wanted, area, self.home.room, room, free, viewport.smallest)
        viewport.look_with(viewport.camera.moved(x - origin.x(), y - origin.y()))
        viewport.fly_to(wanted.moved(-origin.x(), -origin.y()), REFIT_MS)
        viewport.placed = viewport.destination


def given_way(
    camera: Camera, area: QRectF, before: QRectF, room: QRectF, free: QMarginsF = EVEN, smallest: float = 0.0
) -> Camera:
    """Returns the camera that sees an area in another room: moved as little as possible, smaller only if it must be.

    `free` is what stays free at the sides, in px. It goes no farther away than the scale `smallest`.
    """
    seen = camera.rect_to_view(area)
    if seen.isEmpty():
        return camera
    # What stood closer to an edge than the margin may do so again.
    gaps = (seen.left() - before.left(), seen.top() - before.top(), before.right() - seen.right(),
            before.bottom() - seen.bottom())  # fmt: skip
    most = (free.left(), free.top(), free.right(), free.bottom())
    left, top, right, bottom = (min(max(gap, 0.0), largest) for gap, largest in zip(gaps, most, strict=True))
    inner = room.adjusted(left, top, -right, -bottom)
    share = min(inner.width() / seen.width(), inner.height() / seen.height())
    share = min(max(share, smallest / camera.scale), 1.0)
    if share < 1:
        middle = seen.center()
        x, y = (middle.x() * (1 - share) + camera.x * share, middle.y() * (1 - share) + camera.y * share)
        camera = Camera(camera.scale * share, x, y)
        seen = camera.rect_to_view(area)
    dx = _way(seen.left(), seen.right(), inner.left(), inner.right())
    return camera.moved(round(dx), round(_way(seen.top(), seen.bottom(), inner.top(), inner.bottom())))


def _way(low: float, high: float, start: float, end: float) -> float:
    """Returns how far a span must move to lie in another one that is not shorter."""
    return max(start - low, 0.0) + min(end - high, 0.0)
