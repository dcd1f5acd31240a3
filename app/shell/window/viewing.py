"""Commands of the View menu: camera, highlighted gradient paths, and cards."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSizeF

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.live_region import LiveRegion
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.canvas.input.navigation import go_to, go_to_wire
from gradwire.app.canvas.overlays.cards.hover_cards import HoverCards
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.overlays.partners import Partners
from gradwire.app.canvas.overlays.spotlight import Spotlight
from gradwire.app.canvas.overlays.view_history import ViewHistory
from gradwire.app.canvas.painting.annotations import note_is_readable
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.flow.flow_bars import FlowBars
from gradwire.app.features.steps.stepping import Stepping
from gradwire.app.kit.search.places import Thing
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window.bookmarks import Bookmarks
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.base.untrusted_text import plain

WHEEL_KEY = "wheel_pans"


class Viewing(QObject):
    """Everything about looking at a graph. Nothing of it is saved with the graph, or can be undone.

    `round_shown` tells the round of a training whose numbers are seen.
    """

    def __init__(
        self, canvas: Canvas, appearance: Appearance, settings: Settings, round_shown: Callable[[], int]
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._settings = canvas, settings
        self.live_region = LiveRegion(canvas)
        self.history = ViewHistory(canvas)
        self.bookmarks = Bookmarks(self.history, settings)
        # Escape closes cards before it ends the light on a way.
        self.cards = HoverCards(canvas, appearance)
        self.spotlight = Spotlight(canvas)
        self.partners = Partners(canvas, self.spotlight)
        self.stepping = Stepping(canvas, appearance, self.live_region)
        self.corner = Corner(canvas, appearance, round_shown)
        self.flow = FlowBars(canvas)
        canvas.mouse.turned.connect(self.history.turn)
        canvas.mouse.wheel_pans = settings.flag(WHEEL_KEY)
        settings.changed.connect(self._take_setting)

    # Where the canvas looks

    def fit_page(self) -> None:
        """Shows the page as far as its texts can be read; where that is shown already, the whole page."""
        viewport = self._canvas.viewport
        camera = viewport.page_camera()
        if viewport.destination == camera:
            camera = viewport.whole_camera(viewport.smallest)
        self.history.jump(lambda: viewport.fly_to(camera))

    def turn_zoom(self) -> None:
        """Fits the page, or shows it at 100 % where it is fitted already."""
        viewport = self._canvas.viewport
        if viewport.destination == viewport.page_camera():
            viewport.zoom_to_own()
        else:
            self.fit_page()

    def fit_selection(self) -> None:
        """Shows everything that is selected, or the whole page."""
        self.history.jump(lambda: self._canvas.viewport.fly_to(self._canvas.viewport.selection_camera()))

    def go_to(self, path: str) -> None:
        """Selects the block of a qualified path and brings it into view."""
        self.history.jump(lambda: go_to(self._canvas, path))

    def go_to_thing(self, thing: Thing) -> None:
        """Selects a block, frame or note of any page and brings it into view."""
        session, canvas = self._canvas.session, self._canvas
        if not session.graph.has_page(thing.page):
            return
        chosen = _selection(thing)

        def go() -> None:
            if session.page_name != thing.page:
                session.view.show(thing.page)
            area = extent(canvas.mirror, chosen)
            if not area.isNull():
                session.select(chosen)
                canvas.viewport.bring_in(area)

        self.history.jump(go)

    def unread_note(self) -> str:
        """Returns the first line of the first note on the page whose text has no room, "" if all can be read."""
        mirror, scale = self._canvas.mirror, self._canvas.viewport.reading_scale
        for note in self._canvas.session.page.notes:
            if note.id in mirror.notes and not note_is_readable(note.text, mirror.notes[note.id], scale):
                return plain(note.text.partition("\n")[0])
        return ""

    def read_note(self) -> None:
        """Brings the first note of the page into view at 100 %."""
        viewport, box = self._canvas.viewport, next(iter(self._canvas.mirror.notes.values()), None)
        if box is not None:
            camera = Camera(viewport.text_scale).centred(box.center(), QSizeF(self._canvas.size()))
            self.history.jump(lambda: viewport.fly_to(camera))

    def go_to_wire(self, link: Link) -> None:
        """Selects a wire of a run and brings it into view."""
        self.history.jump(lambda: go_to_wire(self._canvas, link))

    def set_bookmark(self, number: int) -> None:
        """Puts a bookmark here."""
        self.bookmarks.set(self._canvas.session, number)
        self._canvas.say(tr("Bookmark {number} is set. Alt+{number} goes there.", number=number))

    def go_to_bookmark(self, number: int) -> None:
        """Goes to a bookmark."""
        if not self.bookmarks.go(self._canvas.session, number):
            self._canvas.say(tr("There is no bookmark {number}. Ctrl+Alt+{number} sets it.", number=number))

    # Gradients

    def next_overlay(self, step: int) -> None:
        """Shows gradients in the next way."""
        look, order = self._canvas.page_look, list(Overlay)
        look.set_overlay(order[(order.index(look.overlay) + step) % len(order)])

    # Parts

    def _take_setting(self, key: str) -> None:
        if key == WHEEL_KEY:
            self._canvas.mouse.wheel_pans = self._settings.flag(WHEEL_KEY)


def _selection(thing: Thing) -> Selection:
    names = frozenset([thing.id])
    if thing.kind == "block":
        return Selection(names)
    return Selection(frames=names) if thing.kind == "frame" else Selection(notes=names)
