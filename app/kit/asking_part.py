"""The base of parts of the card that have a heading, and ask each run a question."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.kit.controls.form_parts import plain_label, show_text
from gradwire.app.kit.inspection import Part, Place
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_column


class AskingPart(Part):
    """A part that asks about its place as long as it is seen; `body` takes what stands below its heading.

    A subclass says in `question` what it asks, and shows the answer in `take`.
    """

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget, title: str, name: str) -> None:
        super().__init__(current, appearance, parent)
        self.place: Place | None = None
        self._asked: tuple[Question, int] | None = None
        self._answer: Any = None
        self._title = plain_label(title, f"{name}_title", "section", self)
        self.body = make_column(self._title, inside=self, margins=(0, 8, 0, 4), spacing=6)
        current.replied.connect(self._take_reply)

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self.place = self._asked = self._answer = None

    def show_place(self, place: Place | None) -> None:
        """Asks about another place, or about a newer run."""
        self.place = place if self.is_about(place) else None
        self.setVisible(self.place is not None)
        self.ask()

    def is_about(self, place: Place | None) -> bool:
        """Returns whether there is something to say of a place."""
        return place is not None

    def question(self, place: Place) -> Question:
        """Returns what is asked about a place."""
        raise NotImplementedError

    def take(self, place: Place, answer: Any) -> None:  # Any: each question has an answer of its own type
        """Shows what is known of a place; the answer is None before it comes."""

    def set_title(self, title: str) -> None:
        """Shows another heading."""
        show_text(self._title, title)

    def showEvent(self, event: QShowEvent) -> None:  # Qt's name
        """Asks as soon as the part is seen."""
        super().showEvent(event)
        self.ask()

    def ask(self) -> None:
        """Shows what is known, and asks what the newest run has not been asked."""
        results = self.session.results
        if self.place is None or results is None or not self.isVisible():
            return
        asked = self.question(self.place), results.revision
        if self._asked is None or self._asked[0] != asked[0]:
            self._answer = None
        self.take(self.place, self._answer)
        if asked != self._asked:
            self._asked = asked
            self.session.ask(asked[0])

    def _take_reply(self, reply: Reply) -> None:
        if self._asked is not None and reply.question == self._asked[0]:
            self._answer = reply.answer
            if self.place is not None and self.isVisible():
                self.take(self.place, reply.answer)
