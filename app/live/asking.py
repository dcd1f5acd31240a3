"""One question and the handling of its answer, for callers that do not listen all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.session import Session


# Any: the type of the answer depends on the question.
def ask_once(session: Session, question: Question, take: Callable[[Any], None]) -> None:
    """Asks a question about the newest run; `take` receives the answer once, or None if it cannot be known."""
    _Waiting(session, question, take)
    session.ask(question, is_once=True)


class _Waiting(QObject):
    """A listener that waits for the answer to one question and then deletes itself."""

    def __init__(self, session: Session, question: Question, take: Callable[[Any], None]) -> None:
        super().__init__(session)
        self._session, self._question, self._take = session, question, take
        session.replied.connect(self._hear)

    def _hear(self, reply: Reply) -> None:
        if reply.question == self._question:
            self._session.replied.disconnect(self._hear)
            self._take(reply.answer)
            self.deleteLater()
