"""One question and the handling of its answer, for callers that do not listen all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.session import Session


# Any: the type of the answer depends on the question.
def ask_once(session: Session, question: Question, take: Callable[[Any], None]) -> None:
    """Asks a question about the newest run; `take` receives the answer once, or None if it cannot be known."""

    def hear(reply: Reply) -> None:
        if reply.question == question:
            session.replied.disconnect(hear)
            take(reply.answer)

    session.replied.connect(hear)
    session.ask(question, is_once=True)
