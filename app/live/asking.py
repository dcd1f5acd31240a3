"""One question and what is done with its answer, for whoever does not listen all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from app.live.questions import Question, Reply
from app.live.session import Session


# Any: each question knows what it gives.
def ask_once(session: Session, question: Question, take: Callable[[Any], None]) -> None:
    """Asks something of the newest run; `take` gets the answer once, None if it cannot be known."""
    _Waiting(session, question, take)
    session.ask(question)


class _Waiting(QObject):
    """Waits for the answer to one question, then is no more."""

    def __init__(self, session: Session, question: Question, take: Callable[[Any], None]) -> None:
        super().__init__(session)
        self._session, self._question, self._take = session, question, take
        session.replied.connect(self._hear)

    def _hear(self, reply: Reply) -> None:
        if reply.question == self._question:
            self._session.replied.disconnect(self._hear)
            self._take(reply.answer)
            self.deleteLater()
