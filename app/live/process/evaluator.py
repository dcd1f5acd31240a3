"""The window's side of the evaluator process: it sends graphs and questions and receives the answers.

Messages are pickled and go through the pipes of a child process, which only this program starts. Large arrays of the
answers go through shared memory.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from gradwire.app.live.process.orders import Desk, News, Order
from gradwire.app.live.process.process import FAULT, Started, Starter
from gradwire.app.live.process.running_note import RunningNote
from gradwire.app.live.process.shared_arrays import SharedArrays
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Text, Worker
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.readings import Results
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.files import Loaded, load
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class Died:
    """The end of the evaluator: by itself with an exit code, or stopped by the user (None).

    `running` is the path of the block that it was computing, "" if unknown. `reason` is what it has said last, or what
    the system says if it could not be started; "" if nothing was said.
    """

    code: int | None
    running: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Explained:
    """The results of the newest run again, now with the causes of all zeros."""

    results: Results


@dataclass(frozen=True)
class Values:
    """The first part of a run in progress: values without gradients."""

    results: Results


Answer = Results | Values | Explained | Reply | Died | News


class Evaluator:
    """The base of all evaluators: every answer goes to the function given at construction. It runs nothing itself, for
    pictures of graphs that must not be run.
    """

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer = answer

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Starts one run."""

    def ask(self, question: Question) -> None:
        """Asks a question about the newest run."""

    def order(self, order: Order) -> None:
        """Gives an order of a feature."""

    @property
    def running(self) -> str:
        """The path of the block that is being computed, if that may take long; otherwise ""."""
        return ""

    def kill(self) -> None:
        """Ends the evaluator at once, without waiting for it."""

    def close(self) -> None:
        """Ends the evaluator and waits until it has gone."""


class InlineEvaluator(Evaluator):
    """An evaluator that runs at once in this process, for tests and pictures."""

    def __init__(
        self,
        answer: Callable[[Answer], None],
        ignored_stops: Set[str] | None = frozenset(),
        run: Callable[..., Evaluation] = run_graph,
    ) -> None:
        """Gradients pass the `ignored_stops`, given by their paths; None means all.

        `run` takes what `run_graph` takes.
        """
        super().__init__(answer)
        self._received, self._graph = Receiver(), Graph(())
        self._worker = Worker(is_quick=False, run=partial(run, ignored_stops=ignored_stops))
        self._desk = Desk(answer)

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Runs the graph and answers before it returns."""
        request = Request(revision, update_between(self._graph, graph), comparison)
        self._graph = graph
        self._answer(self._received.whole(self._worker.run(request)))

    def ask(self, question: Question) -> None:
        """Answers before it returns."""
        self._answer(self._worker.answer(question))

    def order(self, order: Order) -> None:
        """Carries it out before it returns."""
        self._desk.take(order)


class ProcessEvaluator(Evaluator):
    """An evaluator in a process of its own, which may have been started already.

    It calls `answer` on a separate thread, not on the main thread.
    """

    def __init__(self, answer: Callable[[Answer], None], started: Started | None = None) -> None:
        super().__init__(answer)
        self._graph = Graph(())
        self._text_graph: Graph | None = None
        self._outbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._is_closing = self._has_ended = False
        self._ending = threading.Lock()
        self._process, memory, self._reason = started or Starter().start()
        self._shelf, self._note = SharedArrays(memory), RunningNote(memory)
        self._threads = [
            threading.Thread(target=target, name=f"evaluator {target.__name__}", daemon=True)
            for target in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        """The id of the process; None before it has started."""
        return self._process.pid

    def redirect(self, answer: Callable[[Answer], None]) -> bool:
        """Sends all further answers to another function; returns False if the process has ended, and no more come."""
        with self._ending:
            self._answer = answer
            return not self._has_ended

    def load(self, path: Path) -> Loaded:
        """Loads the graph in a file, while the process reads the same text: the graph need not be sent.

        Raises: FileError if it cannot be read.
        """
        self._text_graph = None
        loaded = load(path, lambda content: self._outbox.put(Text(content, str(path))))
        self._text_graph = loaded.graph
        return loaded

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Sends the changes since the last graph, or since the graph that was loaded; the answer comes later."""
        text_graph, self._text_graph = self._text_graph, None
        base = self._graph if text_graph is None else text_graph
        self._outbox.put(Request(revision, update_between(base, graph), comparison, text_graph is not None))
        self._graph = graph

    def ask(self, question: Question) -> None:
        """Asks a question about the newest run; the answer comes later."""
        self._outbox.put(question)

    def order(self, order: Order) -> None:
        """Gives an order, which ends the one under way; its news come later."""
        self._outbox.put(order)

    @property
    def running(self) -> str:
        """The path of the block that the process is computing."""
        return self._note.read()

    def kill(self) -> None:
        """Kills the process, which holds nothing that the window does not have. The threads then clean up."""
        self._is_closing = True
        self._process.kill()

    def close(self) -> None:
        """Kills the process and waits for it and its threads."""
        self.kill()
        for thread in self._threads:
            thread.join(2)

    def _write(self) -> None:
        assert self._process.stdin is not None
        with _closed_afterwards(self._process.stdin) as pipe, contextlib.suppress(OSError):
            # If the process is gone, this raises an error, and the reader reports the end.
            while (message := self._outbox.get()) is not None:
                pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
                pipe.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with _closed_afterwards(self._process.stdout) as pipe:
            self._take_answers(pipe)
        self._outbox.put(None)
        code = self._process.wait()
        with self._ending:
            self._has_ended, answer = True, self._answer
        if not self._is_closing:
            answer(Died(code, self._note.read(), _told_by(self._reason())))

    def _take_answers(self, pipe: IO[bytes]) -> None:
        received = Receiver()
        while True:
            try:
                message = self._shelf.open(pickle.load(pipe))
            except (EOFError, pickle.UnpicklingError, OSError, ValueError):
                return
            if self._is_closing:
                return
            if isinstance(message, Results):
                message = received.whole(message)
            elif isinstance(message, Values | Explained):
                message = type(message)(received.whole(message.results))
            self._answer(message)


@contextlib.contextmanager
def _closed_afterwards(pipe: IO[bytes]) -> Iterator[IO[bytes]]:
    """Closes a pipe at the end, even if unsent data can no longer be delivered."""
    try:
        yield pipe
    finally:
        with contextlib.suppress(OSError):
            pipe.close()


class Spare:
    """A factory of process evaluators that starts the next one ahead.

    A document then opens without waiting for its process, and one whose evaluator dies has another at once. The factory
    calls `taken` when no evaluator is left.
    """

    def __init__(
        self, starter: Starter, started: Started | None = None, taken: Callable[[], object] = lambda: None
    ) -> None:
        """Uses a process that has already been started for the first evaluator."""
        self._starter = starter
        self._ready = None if started is None else ProcessEvaluator(_ignore, started)
        self._taken = taken

    def prepare(self) -> ProcessEvaluator | None:
        """Starts the process for the next evaluator, if there is none yet; returns None if the system cannot."""
        if self._ready is None:
            # The document that needs one will try again, and say why it is impossible.
            with contextlib.suppress(OSError):
                self._ready = ProcessEvaluator(_ignore, self._starter.start())
        return self._ready

    def load(self, path: Path) -> Loaded:
        """Loads the graph in a file, which the next evaluator reads too; see `ProcessEvaluator.load`."""
        ready = self.prepare()
        return load(path) if ready is None else ready.load(path)

    def __call__(self, answer: Callable[[Answer], None]) -> Evaluator:
        """Returns the prepared evaluator, or a new one.

        Raises: OSError if the system cannot start one.
        """
        made, self._ready = self._ready, None
        if made is not None and not made.redirect(answer):  # it died while it waited
            made.close()
            made = None
        if made is None:
            made = ProcessEvaluator(answer, self._starter.start())
        self._taken()
        return made

    def close(self) -> None:
        """Ends the process that no document has taken."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None


def _ignore(_: Answer) -> None:
    """Ignores an answer that arrives before a document has the process."""


def _told_by(line: str) -> str:
    """Returns the reason in the last line of a process; "" if the line is not ours, but of Python or a library."""
    return line.removeprefix(FAULT) if line.startswith(FAULT) else ""
