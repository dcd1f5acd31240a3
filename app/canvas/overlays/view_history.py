"""Places that were looked at: back and forward between them, and bookmarks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QSizeF, Signal

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import LARGEST, Camera
from gradwire.engine.graph.paths import first_rounds

KEPT = 100


@dataclass(frozen=True)
class Place:
    """A page (or one use of it), the point in the middle of the view, and the scale. Units: px at 100 %."""

    page: str
    prefix: str
    x: float
    y: float
    scale: float

    def camera(self, view: QSizeF, smallest: float) -> Camera:
        """Returns the camera that sees this place, from no farther away than the scale `smallest`."""
        return Camera(min(max(self.scale, smallest), LARGEST)).centred(QPointF(self.x, self.y), view)

    def is_on(self, other: Place) -> bool:
        """Returns whether the other place is on the same page; the round of a loop does not count."""
        return (self.page, first_rounds(self.prefix)) == (other.page, first_rounds(other.prefix))


class ViewHistory(QObject):
    """The places at which a canvas has looked, as a browser keeps pages.

    A jump (another page, fitting, finding, a bookmark) makes an entry; panning and zooming move the newest one.
    `changed` tells that there is another way back or forward.
    """

    changed = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._session: object = canvas.session
        self._is_travelling = False
        self._places = [self.here()]
        self._at = 0
        canvas.viewport.camera_changed.connect(self._moved)

    def here(self) -> Place:
        """Returns the place that the canvas shows, or will when its movement has ended."""
        canvas, session = self._canvas, self._canvas.session
        camera = canvas.viewport.destination
        middle = camera.to_scene(QPointF(canvas.width() / 2, canvas.height() / 2))
        return Place(session.page_name, session.prefix, middle.x(), middle.y(), camera.scale)

    def jump(self, go: Callable[[], object]) -> None:
        """Goes somewhere by a call, and remembers where that was from."""
        self._settle()
        before = self.here()
        self._travel(go)
        if self.here() != before:
            self._add()

    def go_to(self, place: Place) -> None:
        """Goes to a place; nothing happens if its page is gone."""
        self.jump(lambda: self._show(place))

    def can_turn(self, direction: int) -> bool:
        """Returns whether there is a place before this one (−1), or one that was gone back from (1)."""
        self._settle()
        return self._next(direction) is not None

    def turn(self, direction: int) -> None:
        """Goes to the place before (−1), or to the one that was gone back from (1)."""
        self._settle()
        at = self._next(direction)
        if at is not None:
            self._at, place = at, self._places[at]
            self._travel(lambda: self._show(place))
            self.changed.emit()

    def _next(self, direction: int) -> int | None:
        """Returns the next entry in a direction whose page is still there."""
        at = self._at + direction
        while 0 <= at < len(self._places):
            if self._canvas.session.graph.has_page(self._places[at].page):
                return at
            at += direction
        return None

    def _travel(self, go: Callable[[], object]) -> None:
        """Goes somewhere by a call; what is passed on the way makes no entry."""
        self._is_travelling = True
        try:
            go()
        finally:
            self._is_travelling = False

    def _show(self, place: Place) -> None:
        canvas, session = self._canvas, self._canvas.session
        if not session.graph.has_page(place.page):
            return
        is_here = (session.page_name, session.prefix) == (place.page, place.prefix)
        if not is_here:
            session.view.show(place.page, place.prefix)
        camera = place.camera(QSizeF(canvas.size()), canvas.viewport.smallest)
        canvas.viewport.fly_to(camera) if is_here else canvas.viewport.look_with(camera)

    def _moved(self) -> None:
        if self._is_travelling:
            return
        self._settle()
        here = self.here()
        if here.is_on(self._places[self._at]):
            self._places[self._at] = here
        else:
            self._add()

    def _settle(self) -> None:
        """Begins anew where another document is shown."""
        if self._session is not self._canvas.session:
            self._session = self._canvas.session
            self._places, self._at = [self.here()], 0

    def _add(self) -> None:
        self._places[self._at + 1 :] = [self.here()]
        del self._places[:-KEPT]
        self._at = len(self._places) - 1
        self.changed.emit()


def as_list(place: Place) -> list[object]:
    """Returns a place as plain values, to be written down."""
    return list(dataclasses.astuple(place))


def from_list(values: object) -> Place | None:
    """Returns the place that was written down; None for what is none."""
    if not isinstance(values, list) or len(values) != 5:
        return None
    page, prefix, *numbers = values
    if not isinstance(page, str) or not isinstance(prefix, str):
        return None
    if not all(isinstance(item, int | float) and item - item == 0 for item in numbers) or numbers[2] <= 0:
        return None
    return Place(page, prefix, *map(float, numbers))
