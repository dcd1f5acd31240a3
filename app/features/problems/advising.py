"""Advice on the newest run, which the evaluator works out when it is idle."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.features.problems.advice_questions import AdviceWanted, CulpritsWanted
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.readings import Results
from gradwire.engine.advice.advice import Advice
from gradwire.engine.autodiff.explanation_errors import UNANSWERED
from gradwire.engine.base.problems import Problem
from gradwire.interop.models.graphs import is_imported

# The evaluator must be idle for this long before advice is requested, so that a dragged number does not wait.
IDLE_MS = 300


class Advisor(SessionView, QObject):
    """The advice on the newest run of a document, requested a moment after the run.

    `changed()` is emitted with new advice. `culprits` are what keeps the parameters of an imported model from learning,
    which is known before the advice. `faults` are the questions about that run, from any panel, that failed because of
    a mistake in the program.
    """

    changed = Signal()

    def __init__(self, current: CurrentSession, parent: QObject) -> None:
        super().__init__(parent)
        self._later = make_timer(self, self._ask, IDLE_MS)
        self.current = current
        current.changed.connect(self._begin_document)
        current.results_changed.connect(self._wait)
        current.replied.connect(self._take)
        self._begin_document()

    def hasten(self) -> None:
        """Requests the advice on the newest run now, if that is still to be done."""
        if self._later.isActive():
            self._later.stop()
            self._ask()

    def _begin_document(self, *_: object) -> None:
        self.advice, self.faults = Advice(), dict[Hashable, Problem]()
        self.culprits: tuple[Problem, ...] = ()
        if self.session.results is not None:
            self._wait(self.session.results)

    def _wait(self, _: Results) -> None:
        self.faults = {}
        self._later.start()

    def _ask(self) -> None:
        # The results of the run in progress will call `_wait` again.
        if not self.session.scheduler.is_busy:
            if is_imported(self.session.graph):
                self.session.ask(CulpritsWanted(), is_once=True)
            self.session.ask(AdviceWanted(), is_once=True)

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.answer, Advice):
            self.advice = reply.answer
        elif isinstance(reply.question, CulpritsWanted) and not reply.is_failed:
            self.culprits = reply.answer or ()
        elif reply.is_failed:
            self.faults[reply.question.topic] = UNANSWERED
        else:
            return
        self.changed.emit()
