"""The checks that a graph carries, tried after every run: the expected and the found."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradwire.app.features.problems.advice_questions import ChecksQuestion, TriedCheck
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.session import Session
from gradwire.engine.explain.contracts import Check, CheckResult
from gradwire.engine.graph.graph import Graph, same_value


class Checks(QObject):
    """The checks of a document with their outcomes. `changed()` comes with other checks and with other outcomes.

    `tried` has the checks of the graph as it is now; one that was tried before keeps its outcome until the next run.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._opened = session, session.graph
        self._answers: tuple[TriedCheck, ...] = ()
        self.tried: tuple[TriedCheck, ...] = ()
        session.results_changed.connect(self._ask)
        session.replied.connect(self._take)
        session.edited.connect(self._take_edit)
        if session.results is not None:
            self._ask()

    @property
    def changed_blocks(self) -> tuple[str, ...]:
        """The names of the blocks whose parameters differ from those of the graph as it was opened."""
        graph = self._session.graph
        if self._opened is graph:
            return ()
        before = {(page.name, block.id): block for page in self._opened.pages for block in page.blocks.values()}
        now = ((block, before.get((page.name, block.id))) for page in graph.pages for block in page.blocks.values())
        kept = [(block, old) for block, old in now if old is not None]
        return tuple(block.id for block, old in kept if not same_value(old.parameters, block.parameters))

    def _take_edit(self, old: Graph, new: Graph) -> None:
        if old.checks is not new.checks:
            self._show()

    def _ask(self) -> None:
        if self._session.graph.checks:
            self._session.ask(ChecksQuestion())

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.question, ChecksQuestion) and reply.answer is not None:
            self._answers = reply.answer
            self._show()

    def _show(self) -> None:
        self.tried = tuple(TriedCheck(check, self._result_of(check)) for check in self._session.graph.checks)
        self.changed.emit()

    def _result_of(self, check: Check) -> CheckResult | None:
        return next((item.result for item in self._answers if same_value(dict(item.check), dict(check))), None)
