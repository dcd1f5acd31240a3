"""What the evaluator does with a message: it keeps the graph and its newest run, and answers with readings."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.live.comparison import Comparison
from app.live.console_line import ConsoleLine, Namespace
from app.live.deltas import Sender
from app.live.first_results import first_results, is_told_in_steps, is_very_large, values_of
from app.live.questions import Question, Reply
from app.live.quick_results import QuickResults
from app.live.readings import Results, results_of
from app.live.updates import Update, updated
from engine.errors import BlockError, told
from engine.evaluate import Evaluation, run_graph
from engine.graph import Graph
from engine.rerun import Rerun, Values, new_values

# Causes that are found faster than this belong to the answer; others follow when nothing else is to be done.
# Units: seconds.
SOON = 0.01
# Larger graphs are laid out for repeated runs only when the first such run is asked for: it takes as much memory again.
# Units: bytes.
PREPARED_SIZE = 2**28


@dataclass(frozen=True)
class Request:
    """A graph to evaluate, or what makes it out of the one before; `comparison` asks for another state of it too."""

    revision: int
    update: Update
    comparison: Comparison | None = None


class Worker:
    """The graph, its newest run, and what answers a message.

    With `is_quick` a graph of which only numbers change is not planned again; what an answer holds may then be changed
    by the next one, unless it has been copied, as on its way to another process. The values of a very large graph that
    it sees for the first time are told before the answer.
    """

    def __init__(self, is_quick: bool, tell_values: Callable[[Results], object] = lambda _: None) -> None:
        self._is_quick, self._tell_values = is_quick, tell_values
        self._graph = Graph(())
        self._revision = 0
        self._newest: Evaluation | None = None
        self._known: Results | None = None
        self._rerun: Rerun | None = None
        self._quick: QuickResults | None = None
        self._explaining = self._running = 0.0
        self._sender = Sender()
        self._console = Namespace()
        self.owes_causes = False
        # How many graphs have gone out of use: their expressions refer to each other in circles.
        self.structures_left = 0

    def run(self, request: Request) -> Results:
        """Evaluates; what is as in the answer before is left out."""
        start, before = time.perf_counter(), self._graph
        self._graph, self._revision = updated(before, request.update), request.revision
        self.owes_causes = False
        values = new_values(before, self._graph) if self._is_quick and request.comparison is None else None
        if values is None or not self._run_again(values):
            self._rerun = self._quick = None
            self.structures_left += 1
            self._newest = run_graph(self._graph, take_values=self._teller())
        self._running = time.perf_counter() - start
        if self._rerun is not None and self._explaining > SOON:
            return self._sender.delta(self._at_a_glance())
        if (
            self._is_quick
            and request.comparison is None
            and self._newest is not None
            and is_told_in_steps(self._newest)
        ):
            return self._sender.delta(self._first())
        results = self._with_causes()
        if request.comparison is not None and self._newest is not None:
            others = results_of(request.comparison.snapshot(self._newest), request.revision)
            results = dataclasses.replace(results, comparison=request.comparison, compared=others)
        return self._sender.delta(results)

    def explained(self) -> Results:
        """The results of the newest run with the causes that the last answer left out."""
        self.owes_causes = False
        return self._sender.delta(self._with_causes())

    def prepare(self) -> None:
        """Gets ready to run the graph again with other numbers, which takes a while in a large one."""
        if self._rerun is None and self._newest is not None and _size(self._newest) < PREPARED_SIZE:
            # What cannot be laid out is told when it is tried in earnest.
            with contextlib.suppress(BlockError, MemoryError):
                self._rerun = Rerun(self._newest)

    def answer(self, question: Question) -> Reply:
        """What a question finds in the newest run; a line of the console finds the names of those before too."""
        if isinstance(question, ConsoleLine):
            return Reply(question, self._revision, self._console.answer(question, self._newest))
        try:
            found = None if self._newest is None else question.answer(self._newest)
        except Exception as error:  # an explanation that fails is no reason to lose the run it was to explain
            return Reply(question, self._revision, None, told(error))
        return Reply(question, self._revision, found)

    def _run_again(self, values: Values) -> bool:
        """Runs with other numbers, if the newest run can be repeated at all."""
        if self._newest is None or self._known is None:
            return False
        try:
            if self._rerun is None:
                self._rerun = Rerun(self._newest)
            found = self._rerun.run(self._graph, values)
        except (BlockError, MemoryError):
            return False
        self._newest = self._newest if found is None else found
        return found is not None

    def _teller(self) -> Callable[[Evaluation], object] | None:
        """What takes the values alone, where there is nothing to be seen yet and gradients take long."""
        if not self._is_quick or self._newest is not None or not is_very_large(self._graph):
            return None
        return lambda run: self._tell_values(self._sender.delta(values_of(run, self._revision)))

    def _with_causes(self) -> Results:
        assert self._newest is not None
        start = time.perf_counter()
        self._known = results_of(self._newest.snapshot, self._revision, self._running, self._newest.results.passes)
        self._explaining = time.perf_counter() - start
        if self._quick is not None:
            self._quick.renew(self._known)
        return self._known

    def _first(self) -> Results:
        assert self._newest is not None
        self._known, self._explaining = first_results(self._newest, self._revision, self._running), math.inf
        self.owes_causes = True
        return self._known

    def _at_a_glance(self) -> Results:
        assert self._newest is not None and self._rerun is not None and self._known is not None
        if self._quick is None:
            self._quick = QuickResults(self._newest.structure, self._rerun.arena, self._known)
        self.owes_causes = True
        return self._quick.of(self._newest, self._revision, self._running)


def _size(run: Evaluation) -> int:
    """The memory that the arrays of a run would take if none shared it with another."""
    return sum(array.nbytes for array in run.results.values if array is not None)
