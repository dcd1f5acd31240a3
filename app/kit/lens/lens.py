"""The base of all lenses: a visible lens tracks a document and refreshes once for simultaneous changes."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.pace import Pace
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName

_OF_DRAGS = ("graph_changed", "results_changed")
_SIGNALS = ("inferred_changed", "selection_changed", "page_changed", "mode_changed")


class Lens(SessionWidget):
    """A view of the newest run of a document. A hidden lens does nothing.

    A lens implements `refresh`, and `take` if it asks questions. `controls`, if there are any, stand beside its title.
    A lens with a `strip` belongs to a mode: the strip is seen, the lens itself is the panel that is dragged up.
    """

    controls: QWidget | None = None
    strip: QWidget | None = None
    # How high the strip is at texts of 100 %. Units: px.
    strip_height = 84
    # Whether it reveals gradients of the whole graph: it is covered while some gradients are hidden.
    tells_gradients = True

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent, look="panel", filled=True)
        self._asked: Question | None = None
        self._pace = Pace(self)
        self._pace.due.connect(self._refresh_if_seen)
        current.changed.connect(self.begin_document)
        for name in _SIGNALS:
            getattr(current, name).connect(self.refresh_soon)
        for name in _OF_DRAGS:
            getattr(current, name).connect(self._refresh_in_drag)
        current.replied.connect(self._take_reply)
        current.caught_up.connect(self._pace.flush)
        self.refresh_soon()

    @property
    def is_seen(self) -> bool:
        """Whether the lens or its strip is seen."""
        return self.isVisible() or (self.strip is not None and self.strip.isVisible())

    def begin_document(self) -> None:
        """Shows another document."""
        self._asked = None
        self.refresh_soon()

    def refresh(self) -> None:
        """Shows the present document; first asks the run for all that the readings lack."""

    def take(self, reply: Reply) -> None:
        """Shows the answer to the last question."""

    def ask(self, question: Question) -> None:
        """Asks the newest run a question; `take` receives the answer, unless a later question replaces it."""
        self._asked = question
        self.session.ask(question)

    def go_to(self, place: PortName | Link) -> None:
        """Has a wire shown, or the block of a port."""
        if isinstance(place, Link):
            self.current.requests.wire_chosen.emit(place)
        else:
            self.current.requests.place_chosen.emit(place.path)

    def refresh_soon(self, *_: object) -> None:
        """Refreshes a visible lens once for all simultaneous changes."""
        if self.is_seen:
            self._pace.next()

    def _refresh_in_drag(self, *_: object) -> None:
        if self.is_seen:
            self._pace.soon()

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Shows the present document."""
        super().showEvent(event)
        self.refresh_soon()

    def _refresh_if_seen(self) -> None:
        if self.is_seen and self.session.graph.has_page(self.session.page_name):
            self.refresh()

    def _take_reply(self, reply: Reply) -> None:
        if reply.question == self._asked and self.is_seen:
            self.take(reply)
