"""A lens that asks each run one question, and summarises the answer in a sentence above its table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLabel, QWidget

from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_column, make_label


class RunLens(Lens):
    """A lens that asks each run `question` while visible; subclasses implement `show_answer`."""

    question: Question

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._asked_of: Results | None = None
        super().__init__(current, appearance, parent)

    def refresh(self) -> None:
        """Asks the newest run, once."""
        if self.session.results is None:
            self.show_answer(None)
        elif self.session.results is not self._asked_of:
            self._asked_of = self.session.results
            self.ask(self.question)

    def take(self, reply: Reply) -> None:
        """Shows the answer."""
        self.show_answer(reply.answer)

    def show_answer(self, answer: Any) -> None:  # Any: each question has an answer of its own type
        """Shows an answer; None says that nothing has been evaluated yet."""

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Forgets the last question: a hidden lens takes no answers, and asks again when it is shown."""
        self._asked_of = None
        super().hideEvent(event)

    def lay_out(self, name: str, table: QWidget) -> QLabel:
        """Lays a sentence out above a table; returns the label of the sentence."""
        said = make_label("", self, name=name, wraps=True)
        said.setContentsMargins(8, 6, 8, 4)
        make_column((said, 0, Qt.AlignmentFlag.AlignTop), (table, 1), inside=self, margins=0, spacing=0)
        return said
