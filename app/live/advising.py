"""Advice on the newest run, worked out by the evaluator while nothing else is to do."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.live.questions import Reply
from app.live.readings import Results
from app.live.session import Session
from engine.evaluate import Evaluation
from engine.faults import unanswered
from engine.problems import Problem
from lint.advice import Advice, advise

# How long nothing must have been evaluated before advice is asked for: a dragged number must not wait for it.
IDLE_MS = 300


@dataclass(frozen=True)
class AdviceWanted:
    """Asks for all advice on the newest run."""

    @property
    def topic(self) -> Hashable:
        """One topic: the newest is wanted."""
        return "advice"

    def answer(self, run: Evaluation) -> Advice:
        """The advice."""
        return advise(run)


class Advisor(QObject):
    """Keeps the advice on a document: that on its newest run, a moment after it. `changed()` comes with new advice.

    `faults` are the questions about that run, of whomever, that could not be answered for a mistake in the program.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(IDLE_MS)
        self._later.timeout.connect(self._ask)
        self._session, self.advice, self.faults = session, Advice(), dict[Hashable, Problem]()
        self._listen()

    def set_session(self, session: Session) -> None:
        """Advises on another document."""
        self._session.results_changed.disconnect(self._wait)
        self._session.replied.disconnect(self._take)
        self._session, self.advice, self.faults = session, Advice(), {}
        self._listen()

    def _listen(self) -> None:
        self._session.results_changed.connect(self._wait)
        self._session.replied.connect(self._take)
        if self._session.results is not None:
            self._wait(self._session.results)

    def _wait(self, _: Results) -> None:
        self.faults = {}
        self._later.start()

    def _ask(self) -> None:
        # The results of the run under way will come here again.
        if not self._session.scheduler.is_busy:
            self._session.ask(AdviceWanted())

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.answer, Advice):
            self.advice = reply.answer
        elif reply.fault:
            self.faults[reply.question.topic] = unanswered(reply.fault)
        else:
            return
        self.changed.emit()
