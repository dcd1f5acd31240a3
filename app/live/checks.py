"""The checks that a graph carries, tried after every run: what its author expects, and what was found instead."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.live.questions import Reply
from engine.contracts import Check, CheckResult, run_checks
from engine.evaluate import Evaluation
from engine.graph import Graph, same_value

if TYPE_CHECKING:
    from app.live.session import Session


@dataclass(frozen=True)
class TriedCheck:
    """A check with its outcome; None if it has not been tried yet."""

    check: Check
    result: CheckResult | None


@dataclass(frozen=True)
class ChecksQuestion:
    """Asks which checks of the graph hold."""

    @property
    def topic(self) -> Hashable:
        """There is one list of checks."""
        return ChecksQuestion

    def answer(self, run: Evaluation) -> tuple[TriedCheck, ...]:
        """Every check of the graph that was run, with its outcome."""
        return tuple(map(TriedCheck, run.graph.checks, run_checks(run.graph, run.snapshot)))


class Checks(QObject):
    """What became of the checks of a document. `changed()` comes with other checks and with other outcomes.

    `rows` has the checks of the graph as it is now; a check that was tried before keeps its outcome until the next run.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._tried: tuple[TriedCheck, ...] = ()
        self.rows: tuple[TriedCheck, ...] = tuple(TriedCheck(check, None) for check in session.graph.checks)
        session.results_changed.connect(self._ask)
        session.replied.connect(self._take)
        session.graph_changed.connect(self._follow)

    @property
    def holding(self) -> int:
        """How many checks hold."""
        return sum(row.result is not None and row.result.holds for row in self.rows)

    @property
    def is_known(self) -> bool:
        """Whether every check has been tried."""
        return all(row.result is not None for row in self.rows)

    def _ask(self) -> None:
        if self._session.graph.checks:
            self._session.ask(ChecksQuestion())

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.question, ChecksQuestion) and reply.answer is not None:
            self._tried = reply.answer
            self._show()

    def _follow(self, old: Graph, new: Graph) -> None:
        if old.checks is not new.checks:
            self._show()

    def _show(self) -> None:
        self.rows = tuple(TriedCheck(check, self._result_of(check)) for check in self._session.graph.checks)
        self.changed.emit()

    def _result_of(self, check: Check) -> CheckResult | None:
        return next((item.result for item in self._tried if same_value(dict(item.check), dict(check))), None)
