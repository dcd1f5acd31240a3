"""The evaluator's handling of messages: it keeps the graph and its newest run, and answers with readings."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from gradwire.app.live.parts import Parts
from gradwire.app.live.process.updates import Update, updated
from gradwire.app.live.questions.questions import Lasting, Question, Reply
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.readings.deltas import Sender
from gradwire.app.live.readings.first_results import (
    first_results,
    is_told_in_steps,
    is_very_large,
    renewed,
    values_of,
    whole_results,
)
from gradwire.app.live.readings.notes import note_of
from gradwire.app.live.readings.quick_results import QuickResults
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.engine.base.errors import BlockError, FileError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.mistakes import log_mistake
from gradwire.engine.blocktypes.progress import Watch, unwatched
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun, Values, new_values
from gradwire.engine.executors.rematerialization import Keeping, Rematerialization
from gradwire.engine.files.files import beside_of, loads
from gradwire.engine.graph.graph import Graph

# Causes that are found faster than this belong to the answer; others follow when the evaluator is idle.
# Units: seconds.
SOON = 0.01
# Larger graphs get an arena only when the first repeated run is requested, because it doubles the memory.
# Units: bytes.
PREPARED_SIZE = 2**28
# Runs of graphs with large tensors keep notes instead of tensors.
KEEPING = Keeping(note_of)

# After this many edits of blocks and wires the worker collects garbage.
EDITS_BETWEEN = 50


@dataclass(frozen=True)
class Text:
    """The content of a file, which window and evaluator read at once: the graph need not be sent."""

    content: bytes
    path: str


@dataclass(frozen=True)
class Request:
    """A graph to evaluate, or an update of the previous one; `comparison` requests another state of it too.

    With `is_of_text` the update applies to the graph that was read last.
    """

    revision: int
    update: Update
    comparison: Comparison | None = None
    is_of_text: bool = False


class Worker:
    """The graph, its newest run, and the answers to messages.

    With `is_quick` the worker does not plan a graph again if only numbers change. The next answer may then overwrite
    the arrays of an answer, unless they have been copied, as on the way to another process. `tell_values` receives the
    values of a very large new graph before the answer. `watch` is told which block is being computed. `keeping` limits
    how much of large arrays is kept. Explanations are computed inside `giving_way()`, which may give them up. `run`
    takes what `run_graph` takes, but for the stops that gradients pass.
    """

    def __init__(
        self,
        is_quick: bool,
        tell_values: Callable[[Results], object] = lambda _: None,
        watch: Watch = unwatched,
        keeping: Keeping | None = None,
        giving_way: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
        run: Callable[..., Evaluation] = run_graph,
    ) -> None:
        self._is_quick, self._tell_values, self._watch, self._keeping = is_quick, tell_values, watch, keeping
        self._giving_way, self._run_graph = giving_way, run
        self._graph = Graph(())
        self._read: Graph | None = None
        self._revision = 0
        self._newest: Evaluation | None = None
        self._known: Results | None = None
        self._rerun: Rerun | None = None
        self._quick: QuickResults | None = None
        self._explaining = self._running = 0.0
        self._sender = Sender()
        self._kept = Parts()
        self.owes_causes = False
        # The number of unused graphs, whose expressions refer to each other in cycles.
        self.structures_left = self._edits_followed = 0
        self._preparations: list[Callable[[], None]] = []

    def read(self, text: Text) -> None:
        """Reads a file for the next request; if it cannot be read, no request will refer to it."""
        with contextlib.suppress(FileError), collection_paused():
            self._read = loads(text.content, beside=beside_of(text.path)).graph

    def run(self, request: Request) -> Results:
        """Evaluates a request and returns its results without the parts that equal the previous answer."""
        start, before = time.perf_counter(), self._graph
        self._graph, self._revision = updated(self._base(request), request.update), request.revision
        self.owes_causes = False
        is_quick = self._is_quick and request.comparison is None
        if not (is_quick and self._run_edited(before)):
            self._rerun = self._quick = None
            self._preparations = [self._prepare_arena, self._prepare_edits, self._prepare_rows]
            self.structures_left += 1
            take_values = self._teller()
            self._newest = self._run_graph(
                self._graph, take_values=take_values, watch=self._watch, keeping=self._keeping, before=self._newest
            )
        self._running = time.perf_counter() - start
        if self._rerun is not None and self._explaining > SOON:
            return self._sender.delta(dataclasses.replace(self._without_causes(), owes_causes=True))
        if is_quick and self._newest is not None and is_told_in_steps(self._newest):
            return self._sender.delta(dataclasses.replace(self._first(), owes_causes=True))
        results = self._took(*self._explained_newest())
        if request.comparison is not None and self._newest is not None:
            others = results_of(request.comparison.snapshot(self._newest), request.revision)
            others = dataclasses.replace(others, problems=())
            results = dataclasses.replace(results, comparison=request.comparison, compared=others)
        return self._sender.delta(results)

    def explained(self) -> Results:
        """Returns the results of the newest run with the causes that the last answer left out.

        Raises: Interrupted, if a run is more urgent; then the causes are still owed.
        """
        with self._explanation():
            found = self._explained_newest()
        self.owes_causes = False
        return self._sender.delta(self._took(*found))

    @property
    def has_put_off(self) -> bool:
        """True if tasks are left for when the evaluator is idle."""
        return self.owes_causes or bool(self.structures_left or self._preparations)

    def catch_up(self) -> None:
        """Does one postponed task, apart from the causes: each may take some tenths of a second."""
        if self.structures_left:
            self.structures_left = 0
            gc.collect()
        elif self._preparations:
            # This is only preparation: a later run reports such an error.
            with contextlib.suppress(BlockError, MemoryError):
                self._preparations.pop(0)()

    def prepare(self) -> None:
        """Prepares to run the graph again after an edit, all at once."""
        while self._preparations:
            self.catch_up()

    def _prepare_arena(self) -> None:
        if self._rerun is None and self._newest is not None and _size(self._newest) < PREPARED_SIZE:
            self._rerun = Rerun(self._newest)

    def _prepare_edits(self) -> None:
        if self._rerun is not None:
            self._rerun.prepare()

    def _prepare_rows(self) -> None:
        """Prepares to write the rows of a large graph in bulk; small graphs are explained at once."""
        arena = None if self._rerun is None else self._rerun.arena
        if arena is not None and self._explaining > SOON and self._quick is None:
            assert self._newest is not None and self._known is not None
            self._quick = QuickResults(self._newest.structure, arena, self._known)

    def answer(self, question: Question) -> Reply:
        """Answers a question about the newest run.

        Raises: Interrupted, if a run is more urgent.
        """
        if isinstance(question, Lasting):
            return Reply(question, self._revision, question.answer_from(self._kept, self._newest))
        try:
            with self._explanation():
                found = None if self._newest is None else question.answer(self._newest)
        except Exception as error:  # a failed explanation is no reason to lose the run
            log_mistake("A question was not answered", error)
            return Reply(question, self._revision, None, is_failed=True)
        return Reply(question, self._revision, found)

    def _base(self, request: Request) -> Graph:
        """Returns the graph to which the update of a request applies."""
        read, self._read = self._read, None
        if request.is_of_text:
            assert read is not None
            return read
        return self._graph

    def _run_edited(self, before: Graph) -> bool:
        """Runs the graph as an update of the previous one, if that is possible."""
        values = new_values(before, self._graph)
        return self._follow() if values is None else self._run_again(values)

    def _follow(self) -> bool:
        """Runs with other blocks and wires, if everything is prepared for that."""
        if self._rerun is None or self._known is None:
            return False
        self._prepare_rows()
        try:
            found = self._rerun.update(self._graph)
        except (BlockError, MemoryError):
            return False
        if found is None:
            return False
        self._newest, index_diff = found
        if self._quick is not None:
            self._quick.update(self._newest, index_diff)
        self._edits_followed += 1
        self.structures_left += self._edits_followed % EDITS_BETWEEN == 0
        return True

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
        """Returns the function that sends the values of a very large graph ahead of its gradients, or None."""
        if not self._is_quick or self._newest is not None or not is_very_large(self._graph):
            return None
        return lambda run: self._tell_values(self._sender.delta(values_of(run, self._revision)))

    def _explanation(self) -> AbstractContextManager[None]:
        """Marks a part that is given up for a run, if it only reads what it explains.

        Large arrays that are computed again share a pool, whose accounts must not be left half done.
        """
        is_pooled = self._newest is not None and isinstance(self._newest.results.values, Rematerialization)
        return contextlib.nullcontext() if is_pooled else self._giving_way()

    def _explained_newest(self) -> tuple[Results, float]:
        """Returns the results of the newest run with all causes, and how long they took. Units: seconds."""
        assert self._newest is not None
        start = time.perf_counter()
        found = whole_results(self._newest, self._revision, self._running)
        return found, time.perf_counter() - start

    def _took(self, results: Results, seconds: float) -> Results:
        """Notes results with all causes, and returns them."""
        assert self._newest is not None
        self._known, self._explaining = results, seconds
        if self._quick is not None:
            self._quick.renew(self._newest, self._known)
        return self._known

    def _first(self) -> Results:
        assert self._newest is not None
        self._known, self._explaining = first_results(self._newest, self._revision, self._running), math.inf
        self.owes_causes = True
        return self._known

    def _without_causes(self) -> Results:
        self._prepare_rows()
        assert self._newest is not None and self._known is not None
        self.owes_causes = True
        if self._quick is None:
            return renewed(self._known, self._newest, self._revision, self._running)
        return self._quick.of(self._newest, self._revision, self._running)


def _size(run: Evaluation) -> int:
    """Returns the memory of a run's arrays if all were kept and none shared. Units: bytes."""
    return sum(item.spec.size * item.dtype.itemsize for item in run.structure.plan.slots)
