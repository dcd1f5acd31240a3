"""The process that evaluates: it keeps a copy of the graph, runs it, and answers with readings.

Messages in both directions are pickled tuples through the pipes of a child process, which only this program starts.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from app.live.comparison import Comparison
from app.live.console_line import ConsoleLine, Namespace
from app.live.questions import Question, Reply
from app.live.readings import Results, results_of
from app.live.updates import Update, update_between, updated
from engine.evaluate import Evaluation, run_graph
from engine.graph import Graph

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Request:
    """A graph to evaluate, or what makes it out of the one before; `comparison` asks for another state of it too."""

    revision: int
    update: Update
    comparison: Comparison | None = None


@dataclass(frozen=True)
class Died:
    """The evaluator has ended without being asked to."""

    code: int | None


Answer = Results | Reply | Died


class Evaluator(Protocol):
    """What the scheduler needs: it sends, and every answer goes to the function given at the start."""

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Starts one run."""

    def ask(self, question: Question) -> None:
        """Asks something of the newest run."""

    def close(self) -> None:
        """Ends the evaluator and waits until it has gone."""


class Worker:
    """The evaluator's side: the graph, its newest run, and what answers a message."""

    def __init__(self) -> None:
        self._graph = Graph(())
        self._revision = 0
        self._newest: Evaluation | None = None
        self._sent: tuple[Any, Any] | None = None
        self._console = Namespace()

    def run(self, request: Request) -> Results:
        """Evaluates, with the names of ports and wires left out where they are those sent last."""
        self._graph, self._revision = updated(self._graph, request.update), request.revision
        start = time.perf_counter()
        self._newest = run_graph(self._graph)
        results = results_of(self._newest.snapshot, request.revision, time.perf_counter() - start)
        if request.comparison is not None:
            others = results_of(request.comparison.snapshot(self._newest), request.revision)
            others = dataclasses.replace(others, port_rows={}, wire_rows={})
            results = dataclasses.replace(results, comparison=request.comparison, compared=others)
        return self._without_known_names(results)

    def answer(self, question: Question) -> Reply:
        """What a question finds in the newest run; lines of the console find the names of those before too."""
        if isinstance(question, ConsoleLine):
            return Reply(question, self._revision, self._console.answer(question, self._newest))
        found = None if self._newest is None else question.answer(self._newest)
        return Reply(question, self._revision, found)

    def _without_known_names(self, results: Results) -> Results:
        names = (list(results.port_rows), list(results.wire_rows))
        if names == self._sent:
            return dataclasses.replace(results, port_rows={}, wire_rows={})
        self._sent = names
        return results


class Names:
    """Puts back the names that `Worker` leaves out."""

    def __init__(self) -> None:
        self._last: Results | None = None

    def restore(self, results: Results) -> Results:
        """The results with their names."""
        if self._last is not None and not results.port_rows and not results.wire_rows and len(results.port_status):
            results = dataclasses.replace(results, port_rows=self._last.port_rows, wire_rows=self._last.wire_rows)
        if results.compared is not None:
            others = dataclasses.replace(results.compared, port_rows=results.port_rows, wire_rows=results.wire_rows)
            results = dataclasses.replace(results, compared=others)
        self._last = results
        return results


class InlineEvaluator:
    """Evaluates at once in this process; for tests and for pictures."""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer, self._worker, self._names, self._graph = answer, Worker(), Names(), Graph(())

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Runs and answers before it returns."""
        request = Request(revision, update_between(self._graph, graph), comparison)
        self._graph = graph
        self._answer(self._names.restore(self._worker.run(request)))

    def ask(self, question: Question) -> None:
        """Answers before it returns."""
        self._answer(self._worker.answer(question))

    def close(self) -> None:
        """Nothing is left behind."""


class ProcessEvaluator:
    """Evaluates in a process of its own. `answer` is called on a thread of its own, not on the main thread."""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer = answer
        self._graph = Graph(())
        self._outbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._is_closing = False
        # -c, not -m: the folder the user stands in must not be searched for packages of our names.
        script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.live.evaluator import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self._threads = [
            threading.Thread(target=target, name=f"evaluator {target.__name__}", daemon=True)
            for target in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def redirect(self, answer: Callable[[Answer], None]) -> None:
        """Gives all further answers to another function."""
        self._answer = answer

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Sends what changed since the last graph; the answer comes later."""
        request = Request(revision, update_between(self._graph, graph), comparison)
        self._graph = graph
        self._outbox.put(request)

    def ask(self, question: Question) -> None:
        """Asks something of the newest run; the answer comes later."""
        self._outbox.put(question)

    def close(self) -> None:
        """Ends the process, by force: it holds nothing that is not here too. Waits for it and its threads."""
        self._is_closing = True
        self._process.kill()
        self._process.wait()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join(2)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                _close_quietly(pipe)

    def _write(self) -> None:
        pipe = self._process.stdin
        while pipe is not None and (message := self._outbox.get()) is not None:
            try:
                pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
                pipe.flush()
            except OSError:  # the process has gone, which the reader reports
                return
        if pipe is not None:
            _close_quietly(pipe)

    def _read(self) -> None:
        pipe, names = self._process.stdout, Names()
        while pipe is not None:
            try:
                message = pickle.load(pipe)
            except (EOFError, pickle.UnpicklingError, OSError, ValueError):
                break
            self._answer(names.restore(message) if isinstance(message, Results) else message)
        self._outbox.put(None)
        if not self._is_closing:
            self._answer(Died(self._process.wait()))


class Spare:
    """Makes process evaluators, the next one started ahead: a document then opens without waiting for its process."""

    def __init__(self) -> None:
        self._ready: ProcessEvaluator | None = None

    def prepare(self) -> None:
        """Starts a process that the next document will use."""
        if self._ready is None:
            self._ready = ProcessEvaluator(_ignore)

    def __call__(self, answer: Callable[[Answer], None]) -> Evaluator:
        """The prepared evaluator, or a new one."""
        made, self._ready = self._ready, None
        if made is not None and made._process.poll() is not None:  # it died while it waited
            made.close()
            made = None
        if made is None:
            return ProcessEvaluator(answer)
        made.redirect(answer)
        return made

    def close(self) -> None:
        """Ends the process that nobody has taken."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None


def _ignore(_: Answer) -> None:
    """What a process answers before a document has it."""


def serve() -> None:
    """The evaluator's main loop: answers each message until the window closes the pipe."""
    import blocks  # noqa: F401  # fills the library

    source, target = _own_pipes()
    worker = Worker()
    try:
        while True:
            message = pickle.load(source)
            answer = worker.run(message) if isinstance(message, Request) else worker.answer(message)
            pickle.dump(answer, target, pickle.HIGHEST_PROTOCOL)
            target.flush()
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass  # the window has gone


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes from and to the window, out of reach of whatever prints and reads here, and of programs started here.

    Lines of the console do both.
    """
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    return source, target


def _close_quietly(pipe: BinaryIO | Any) -> None:  # Any: subprocess gives IO of any kind
    with contextlib.suppress(OSError):
        pipe.close()
