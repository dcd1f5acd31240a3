"""What every lens has in common: it follows a document while it is seen, and is refreshed once for all that happens."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.live.questions import Question, Reply
from app.live.session import Session
from app.look.appearance import Appearance
from app.words import tr

_SIGNALS = (
    "graph_changed",
    "results_changed",
    "inferred_changed",
    "selection_changed",
    "page_changed",
    "mode_changed",
)


class Lens(QWidget):
    """A view of the newest run of a document. It does nothing while nobody sees it.

    A lens fills in `refresh`, and `take` if it asks questions. `controls`, if it has any, stand in the strip above
    it. `place_chosen(str)` carries the qualified name of a block to go to, `wire_chosen(Link)` a wire,
    `command_chosen(str)` the id of a command to carry out; `path_lit(blocks, links)` a way to light on the canvas,
    by the names of a run, nothing to light none; `way_chosen(str, links)` a way to go to, and its first block.
    """

    place_chosen = Signal(str)
    wire_chosen = Signal(object)
    command_chosen = Signal(str)
    path_lit = Signal(object, object)
    way_chosen = Signal(str, object)
    controls: QWidget | None = None
    # Whether it tells gradients of the whole graph, so that it cannot be seen while some are hidden.
    tells_gradients = True

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.appearance = session, appearance
        self._asked: Question | None = None
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._refresh_if_seen)
        self._listen()

    def set_session(self, session: Session) -> None:
        """Shows another document from now on."""
        for name in _SIGNALS:
            getattr(self.session, name).disconnect(self.refresh_soon)
        self.session.replied.disconnect(self._take_reply)
        self.session, self._asked = session, None
        self._listen()

    def refresh(self) -> None:
        """Shows the document as it is now; asks first for what the readings do not say."""

    def take(self, reply: Reply) -> None:
        """Shows the answer to the question that was asked last."""

    def ask(self, question: Question) -> None:
        """Asks something of the newest run; `take` gets the answer, unless something else is asked meanwhile."""
        self._asked = question
        self.session.ask(question)

    @property
    def has_no_loss(self) -> bool:
        """Whether the newest run found no loss with a value."""
        results = self.session.results
        return results is None or results.loss is None or results.loss.value is None

    def no_loss(self) -> str:
        """What is said where no loss gets a value, so that nothing has a gradient."""
        if self.session.losses:
            return tr("No Loss gets a value, so nothing has a gradient. The problems say what is missing.")
        return tr("There is no loss, so nothing has a gradient. Add a Loss block.")

    def refresh_soon(self, *_: object) -> None:
        """Refreshes once for all that happens at once, and not what nobody sees."""
        if self.isVisible() and not self._later.isActive():
            self._later.start()

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Shows the document as it is now."""
        super().showEvent(event)
        self.refresh_soon()

    def _listen(self) -> None:
        for name in _SIGNALS:
            getattr(self.session, name).connect(self.refresh_soon)
        self.session.replied.connect(self._take_reply)
        self.refresh_soon()

    def _refresh_if_seen(self) -> None:
        if self.isVisible() and self.session.graph.has_page(self.session.page_name):
            self.refresh()

    def _take_reply(self, reply: Reply) -> None:
        if reply.question == self._asked and self.isVisible():
            self.take(reply)
