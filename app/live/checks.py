"""The checks that a graph carries, tried after every run: the expected and the found."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.questions.run_questions import ChecksQuestion, TriedCheck
from gradwire.app.live.runs import Runs
from gradwire.engine.explain.contracts import Check, CheckResult, is_recorded
from gradwire.engine.graph.graph import Graph, same_value


class Checks(QObject):
    """The checks of a document with their outcomes. `changed()` comes with other checks and with other outcomes.

    `rows` has the checks of the graph as it is now; a check that was tried before keeps its outcome until the next run.
    """

    changed = Signal()

    def __init__(self, runs: Runs, graph: Graph) -> None:
        super().__init__(runs)
        self._runs, self._graph, self._opened = runs, graph, graph
        self._tried: tuple[TriedCheck, ...] = ()
        self.rows: tuple[TriedCheck, ...] = tuple(TriedCheck(check, None) for check in graph.checks)
        runs.results_changed.connect(self._ask)
        runs.replied.connect(self._take)

    @property
    def holding(self) -> int:
        """The number of checks that hold."""
        return sum(row.result is not None and row.result.holds for row in self.rows)

    @property
    def differs_from_record(self) -> bool:
        """Whether only recorded numbers differ, as after any change of an input."""
        failing = [row for row in self.rows if row.result is not None and not row.result.holds]
        return bool(failing) and all(is_recorded(row.check) for row in failing)

    @property
    def changed_blocks(self) -> tuple[str, ...]:
        """The names of the blocks whose parameters differ from those of the graph as it was opened."""
        if self._opened is self._graph:
            return ()
        before = {(page.name, block.id): block for page in self._opened.pages for block in page.blocks.values()}
        now = [(page.name, block) for page in self._graph.pages for block in page.blocks.values()]
        return tuple(
            block.id
            for page, block in now
            if (old := before.get((page, block.id))) is not None and not same_value(old.parameters, block.parameters)
        )

    @property
    def is_known(self) -> bool:
        """Whether every check has been tried."""
        return all(row.result is not None for row in self.rows)

    def set_graph(self, graph: Graph) -> None:
        """Takes the graph after an edit."""
        old, self._graph = self._graph, graph
        if old.checks is not graph.checks:
            self._show()

    def _ask(self) -> None:
        if self._graph.checks:
            self._runs.ask(ChecksQuestion())

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.question, ChecksQuestion) and reply.answer is not None:
            self._tried = reply.answer
            self._show()

    def _show(self) -> None:
        self.rows = tuple(TriedCheck(check, self._result_of(check)) for check in self._graph.checks)
        self.changed.emit()

    def _result_of(self, check: Check) -> CheckResult | None:
        return next((item.result for item in self._tried if same_value(dict(item.check), dict(check))), None)
