"""The camera of a canvas and all that moves it."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QMargins, QObject, QPointF, QRect, QRectF, QSizeF, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.camera import (
    FARTHEST,
    FIT_MARGIN,
    STEP,
    Camera,
    fitted,
    fitted_into,
    started_at,
    way_into_view,
)
from gradwire.app.canvas.geometry.view.extent import extent, is_used
from gradwire.app.canvas.geometry.view.first_look import first_look
from gradwire.app.canvas.geometry.view.flight import JUMP_MS, ZOOM_MS, Flight
from gradwire.app.canvas.geometry.view.readable_zoom import ENOUGH, least_whole_zoom, least_zoom, readable_zoom

READABLE = 0.75
# A page that grows stays wholly in view down to this scale: below it ports cannot be clicked.
GROWING = 0.5
# What stays free for a text beside the covered corner; what large texts take of the margin of a page. Units: px.
TEXT, GIVEN = 18, 16
# From this zoom on labels of the uppermost wires stand below the upper edges of their blocks.
LABELS_BELOW = 0.66
# The height of the corner in which the minimap appears when not all is in view.
MINIMAP = 150
# The room of the words on an empty page. Units: px at 100 %.
EMPTY = QRectF(-240, -20, 480, 40)


class Viewport(QObject):
    """The part of a page that a widget shows.

    `leaving()` comes before the camera moves, `camera_changed()` and `zoom_changed(float)` after it. `panned(Camera,
    int, int)` carries the camera before a pan and the device pixels that the page has moved by. `covered` is the
    rectangle over the lower corner that another widget covers, `beside` what a column covers at a side.
    Units: px of the view. `placed` is the camera that the program has chosen, so that another one is the
    user's. `text_scale` is the size of texts, 1 at 100 %: the larger they are, the closer a page is looked at.
    """

    leaving = Signal()
    camera_changed = Signal()
    zoom_changed = Signal(float)
    panned = Signal(object, int, int)

    def __init__(self, widget: QWidget, page: ShownPage) -> None:
        super().__init__(widget)
        self._widget, self._page = widget, page
        self.camera = Camera()
        self.covered, self.beside = QRect(), QMargins()
        self.placed: Camera | None = None
        self.text_scale = 1.0
        self._owed = QPointF()
        self._has_fitted = False
        self._known: dict[tuple[int, str], Camera] = {}
        self._flight = Flight(self._look_with, self)

    @property
    def seen(self) -> QRectF:
        """The part of the scene that is in view."""
        return self.camera.rect_to_scene(QRectF(self._widget.rect()))

    @property
    def room(self) -> QRectF:
        """The part of the scene that is in view and not behind a column, once the movement under way has ended."""
        return self.destination.rect_to_scene(self._widget.rect().marginsRemoved(self.beside).toRectF())

    @property
    def reading_scale(self) -> float:
        """The zoom beside the size of texts, which decides what has room in a block."""
        return self.camera.scale / self.text_scale

    @property
    def smallest(self) -> float:
        """The scale at which the page is seen from farthest away."""
        return least_zoom(self._page.mirror) * self.text_scale

    @property
    def destination(self) -> Camera:
        """The camera at the end of the movement under way, else the camera now."""
        return self._flight.end or self.camera

    # Documents and pages

    def begin_document(self) -> None:
        """Forgets where the pages of the document before were seen."""
        self._known.clear()
        self._has_fitted = False

    def show_page(self, name: str) -> None:
        """Shows another page of the document as it was last seen; fits it when it was not seen before."""
        self._flight.land()
        known = self._known.get((id(self._page.session), name))
        if known is None:
            self.fit_page()
        else:
            self._look_with(known)
        # The same camera on another page is another view.
        self.camera_changed.emit()

    def fit_first(self) -> None:
        """Fits the page once the widget has got its first size."""
        if not self._has_fitted and self._widget.width() > 1:
            self._has_fitted = True
            self.fit_page()

    # Moving the camera

    def look_with(self, camera: Camera) -> None:
        """Shows the page through another camera at once."""
        self._flight.land()
        self._look_with(camera)

    def _look_with(self, camera: Camera) -> None:
        camera = camera.snapped(self._widget.devicePixelRatioF())
        self._owed = QPointF()
        if camera != self.camera:
            has_zoomed = camera.scale != self.camera.scale
            self._take(camera)
            if has_zoomed:
                self.zoom_changed.emit(camera.scale)
            self.camera_changed.emit()
        self._widget.update()

    def _take(self, camera: Camera) -> None:
        self.camera = camera
        self._known[id(self._page.session), self._page.session.page_name] = camera
        self.leaving.emit()

    def fly_to(self, camera: Camera, milliseconds: int = JUMP_MS) -> None:
        """Brings the camera to another place, with a short movement where motion is wanted."""
        self._flight.go(self.camera, camera.snapped(self._widget.devicePixelRatioF()), milliseconds)

    def fit_page(self) -> None:
        """Shows the whole page at once."""
        # Before it is shown the widget has no size of its own yet.
        self._has_fitted |= self._widget.isVisible()
        self.look_with(self.page_camera())

    def page_camera(self) -> Camera:
        """Returns the camera that sees the whole page, but no farther away than its texts can be read.

        What does not fit then is out of view; it starts at the first problem or at the Loss.
        """
        whole, mirror = self.whole_camera(FARTHEST), self._page.mirror
        if mirror.is_empty or whole.scale >= ENOUGH * self.text_scale:
            return whole
        least, area, room = readable_zoom(mirror) * self.text_scale, mirror.bounds(), self._room()
        # Rather a text under the covered corner than blocks out of view.
        enough = least_whole_zoom(mirror) * self.text_scale
        fits = next((item for item in (whole, fitted_into(area, room, self.text_scale)) if item.scale >= enough), None)
        # What stands lowest must be able to rise above the minimap.
        return fits or started_at(area.adjusted(0, 0, 0, MINIMAP / least), first_look(mirror), room, least)

    def whole_camera(self, smallest: float) -> Camera:
        """Returns the camera that sees the whole page, above the covered corner if that would hide anything.

        It goes no farther away than `smallest`: of a very large page it sees the middle. Where large texts need the
        room, most of the margin and the notes give way: notes are out of view rather than texts of blocks.
        """
        mirror, room, own = self._page.mirror, self._room(), self.text_scale
        area = EMPTY if mirror.is_empty else mirror.bounds()
        camera = fitted_into(area, room, own, smallest)
        if own > 1 and camera.scale < own:
            # Large texts take most of the margin, and the room of the notes.
            is_near = camera.scale >= LABELS_BELOW * own
            room.adjust(-GIVEN, -GIVEN if is_near else FIT_MARGIN * (own - 1), GIVEN, GIVEN)
            if mirror.notes:
                area = mirror.block_bounds() | mirror.wire_bounds()
            camera = fitted_into(area, room, own, smallest)
        text = TEXT * own
        covered = camera.rect_to_scene(QRectF(self.covered).adjusted(0, -text, text, 0))
        if not self.covered.isEmpty() and is_used(mirror, covered):
            room.setBottom(self.covered.top() + FIT_MARGIN - text)
            camera = fitted_into(area, room, own, smallest)
        return camera

    def _room(self) -> QRectF:
        """Returns the part of the view that a page is fitted into, beside columns."""
        # The names below the lowest blocks are as much higher as texts are larger.
        room = QRectF(self._widget.rect()).adjusted(0, 0, 0, -TEXT * (self.text_scale - 1))
        return room.adjusted(self.beside.left(), 0, -self.beside.right(), 0)

    def selection_camera(self) -> Camera:
        """Returns the camera that sees everything that is selected, or the whole page."""
        area = extent(self._page.mirror, self._page.session.selection)
        return self.page_camera() if area.isNull() else fitted(area, self._size(), 2.0 * self.text_scale, self.smallest)

    def zoom_to(self, scale: float, at: QPointF | None = None) -> None:
        """Zooms to a scale; a point of the view, by default the middle, stays where it is."""
        middle = QPointF(self._widget.width() / 2, self._widget.height() / 2)
        self.fly_to(self.destination.zoomed(max(scale, self.smallest), at or middle), ZOOM_MS)

    def zoom_to_own(self, at: QPointF | None = None) -> None:
        """Zooms to 100 %: blocks have the size that belongs to that of texts."""
        self.zoom_to(self.text_scale, at)

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zooms in by some steps, out where they are negative."""
        self.zoom_to(self.destination.scale * STEP**steps, at)

    def centre_on(self, block_id: str) -> None:
        """Brings a block into the middle of the view, at a zoom at which it can be read."""
        self.bring_in(self._page.mirror.rect(block_id))

    def bring_in(self, area: QRectF) -> None:
        """Centres the view on a rectangle of the scene, at a zoom at which it is readable."""
        camera = dataclasses.replace(self.camera, scale=max(self.destination.scale, READABLE * self.text_scale))
        self.fly_to(camera.centred(area.center(), self._size()))

    def centre_at(self, point: QPointF) -> None:
        """Brings a point of the scene into the middle of the view at once."""
        self.look_with(self.camera.centred(point, self._size()))

    def show_rect(self, rect: QRectF, is_unasked: bool = False) -> None:
        """Moves the page as little as it takes to see a rectangle; where it stood before is kept if it `is_unasked`."""
        goal, is_placed = self.destination, is_unasked and self.destination == self.placed
        way = way_into_view(goal.rect_to_view(rect), self._size()).toPoint()
        if way:
            self.look_with(goal.moved(way.x(), way.y()))
        if is_placed:
            self.placed = self.destination

    def follow(self, rect: QRectF) -> None:
        """Brings something new into view: with the whole page where that can be read, else by itself."""
        whole = self.page_camera()
        if self.seen.contains(rect):
            return
        if GROWING <= whole.scale < self.destination.scale:
            self.fly_to(whole)
        else:
            self.show_rect(rect)

    def pan(self, dx: int, dy: int) -> None:
        """Moves the page by whole px; the rest of a device pixel is kept for the next pan."""
        if not dx and not dy:
            return
        self._flight.land()
        before, ratio = self.camera, self._widget.devicePixelRatioF()
        wanted = (self._owed + QPointF(dx, dy)) * ratio
        across, down = round(wanted.x()), round(wanted.y())
        self._owed = (wanted - QPointF(across, down)) / ratio
        self._take(before.moved(across / ratio, down / ratio).snapped(ratio))
        self.panned.emit(before, across, down)
        self._widget.update()
        self.camera_changed.emit()

    def _size(self) -> QSizeF:
        return QSizeF(self._widget.size())
