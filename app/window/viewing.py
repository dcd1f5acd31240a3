"""What the View menu does: where the canvas looks, what it shows of the gradients' ways, and its cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QWidget

from app.bookmarks import Bookmarks
from app.canvas.extent import extent
from app.canvas.hover_cards import HoverCards
from app.canvas.partners import Partners
from app.canvas.places import Places
from app.canvas.spotlight import Spotlight
from app.live.session import Selection
from app.navigation import go_to, go_to_wire
from app.panels.find_bar import FindBar
from app.panels.graph_search import Thing
from app.stepping import Stepping
from app.words import tr
from engine.expand import Link

if TYPE_CHECKING:
    from app.main_window import MainWindow

WHEEL_KEY = "wheel_pans"


class Viewing(QObject):
    """Everything about looking at a graph. Nothing of it is saved with the graph, or can be undone.

    `over` is the widget that holds the canvas: the bar that finds things lies on it.
    """

    def __init__(self, window: MainWindow, over: QWidget) -> None:
        super().__init__(window)
        self._window, self._canvas, self._over = window, window.canvas, over
        canvas, settings = window.canvas, window.settings
        self.places = Places(canvas)
        self.bookmarks = Bookmarks(self.places, settings)
        # Escape closes cards before it ends the light on a way.
        self.cards = HoverCards(canvas, window.appearance)
        self.spotlight = Spotlight(canvas)
        self.partners = Partners(canvas, self.spotlight)
        self.stepping = Stepping(window)
        self.find_bar = FindBar(window.appearance, lambda: window.session.graph, lambda: window.session.page_name, over)
        self.find_bar.chosen.connect(self._go_to_thing)
        self.find_bar.left.connect(self._leave_find_bar)
        canvas.turned.connect(self.turn)
        canvas.resized.connect(self._place_find_bar)
        canvas.wheel_pans = settings.flag(WHEEL_KEY)
        settings.changed.connect(self._take_setting)

    # Where the canvas looks

    def fit_page(self) -> None:
        """Shows the whole page."""
        self.places.jump(lambda: self._canvas.fly_to(self._canvas.page_camera()))

    def fit_selection(self) -> None:
        """Shows everything that is selected, or the whole page."""
        self.places.jump(lambda: self._canvas.fly_to(self._canvas.selection_camera()))

    def turn(self, direction: int) -> None:
        """Goes back (−1) or forward (1) between the places that were looked at."""
        if direction < 0:
            self.places.back()
        else:
            self.places.forward()

    def go_to(self, path: str) -> None:
        """Selects the block of a qualified path and brings it into view."""
        self.places.jump(lambda: go_to(self._canvas, path))

    def go_to_wire(self, link: Link) -> None:
        """Selects a wire of a run and brings it into view."""
        self.places.jump(lambda: go_to_wire(self._canvas, link))

    def set_bookmark(self, number: int) -> None:
        """Puts a bookmark here."""
        self.bookmarks.set(self._window.session, number)
        self._canvas.say(tr("Bookmark {number} is set. Alt+{number} goes there.", number=number))

    def go_to_bookmark(self, number: int) -> None:
        """Goes to a bookmark."""
        if not self.bookmarks.go(self._window.session, number):
            self._canvas.say(tr("There is no bookmark {number}. Ctrl+Alt+{number} sets it.", number=number))

    def find(self) -> None:
        """Opens the bar that finds blocks."""
        self._place_find_bar()
        self.find_bar.open()

    # Parts

    def _take_setting(self, key: str) -> None:
        if key == WHEEL_KEY:
            self._canvas.wheel_pans = self._window.settings.flag(WHEEL_KEY)

    def _go_to_thing(self, thing: Thing) -> None:
        session, canvas = self._window.session, self._canvas
        if not session.graph.has_page(thing.page):
            return
        chosen = _selection(thing)

        def go() -> None:
            if session.page_name != thing.page:
                session.show_page(thing.page)
            area = extent(canvas.mirror, chosen)
            if not area.isNull():
                session.select(chosen)
                canvas.bring_in(area)

        self.places.jump(go)

    def _leave_find_bar(self) -> None:
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_find_bar(self) -> None:
        canvas, bar = self._canvas, self.find_bar
        bar.move(canvas.mapTo(self._over, QPoint(canvas.width() - bar.width() - 12, 12)))


def _selection(thing: Thing) -> Selection:
    names = frozenset([thing.id])
    if thing.kind == "block":
        return Selection(names)
    return Selection(frames=names) if thing.kind == "frame" else Selection(notes=names)
