"""What the window has of the process that evaluates: it sends graphs and questions there, and takes the answers.

Messages are pickled and go through the pipes of a child process, which only this program starts; large arrays of its
answers go through memory that both share.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from app.live.comparison import Comparison
from app.live.deltas import Receiver
from app.live.process import FreshStarter, Started, Starter
from app.live.questions import Question, Reply
from app.live.readings import Results
from app.live.running_note import RunningNote
from app.live.shelf import Shelf
from app.live.updates import update_between
from app.live.worker import Request, Text, Worker
from engine.files import Loaded, load
from engine.graph import Graph


@dataclass(frozen=True)
class Died:
    """The evaluator has ended: by itself with an exit code, or stopped by the user (None).

    `running` is the path of the block that it was computing, "" if that is not known.
    """

    code: int | None
    running: str = ""


@dataclass(frozen=True)
class Explained:
    """The results of the newest run once more, now with the causes of all zeros."""

    results: Results


@dataclass(frozen=True)
class Values:
    """What is known already of a run under way: values without gradients."""

    results: Results


Answer = Results | Values | Explained | Reply | Died


class Evaluator(Protocol):
    """What the scheduler needs: it sends, and every answer goes to the function given at the start."""

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Starts one run."""

    def ask(self, question: Question) -> None:
        """Asks something of the newest run."""

    @property
    def running(self) -> str:
        """The path of the block that is being computed, if that may take long; else ""."""

    def kill(self) -> None:
        """Ends the evaluator, whatever it is at, and waits for nothing."""

    def close(self) -> None:
        """Ends the evaluator and waits until it has gone."""


class InlineEvaluator:
    """Evaluates at once in this process; for tests and for pictures."""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer, self._worker, self._received, self._graph = answer, Worker(is_quick=False), Receiver(), Graph(())

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Runs and answers before it returns."""
        request = Request(revision, update_between(self._graph, graph), comparison)
        self._graph = graph
        self._answer(self._received.whole(self._worker.run(request)))

    def ask(self, question: Question) -> None:
        """Answers before it returns."""
        self._answer(self._worker.answer(question))

    @property
    def running(self) -> str:
        """Nothing: who could ask waits until it is over."""
        return ""

    def kill(self) -> None:
        """Nothing is left behind."""

    def close(self) -> None:
        """Nothing is left behind."""


class NoEvaluator:
    """Never answers: for pictures of what must not be run."""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        """Takes what would be given answers."""

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Runs nothing."""

    def ask(self, question: Question) -> None:
        """Answers nothing."""

    @property
    def running(self) -> str:
        """Nothing ever is."""
        return ""

    def kill(self) -> None:
        """Nothing has to end."""

    def close(self) -> None:
        """Nothing is left behind."""


class ProcessEvaluator:
    """Evaluates in a process of its own, perhaps one that has been started already.

    `answer` is called on a thread of its own, not on the main thread.
    """

    def __init__(self, answer: Callable[[Answer], None], started: Started | None = None) -> None:
        self._answer = answer
        self._graph = Graph(())
        self._text_graph: Graph | None = None
        self._outbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._is_closing = False
        self._process, memory = started or FreshStarter().start()
        self._shelf, self._note = Shelf(memory), RunningNote(memory)
        self._threads = [
            threading.Thread(target=target, name=f"evaluator {target.__name__}", daemon=True)
            for target in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        """The id of the process; None before it has begun."""
        return self._process.pid

    def redirect(self, answer: Callable[[Answer], None]) -> None:
        """Gives all further answers to another function."""
        self._answer = answer

    def load(self, path: Path) -> Loaded:
        """The graph in a file, which the process reads at the same time: when it is evaluated it need not be sent.

        Raises: FileError if it cannot be read.
        """
        self._text_graph = None
        loaded = load(path, lambda content: self._outbox.put(Text(content)))
        self._text_graph = loaded.graph
        return loaded

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        """Sends what changed since the last graph, or since the one that was read; the answer comes later."""
        text_graph, self._text_graph = self._text_graph, None
        base = self._graph if text_graph is None else text_graph
        self._outbox.put(Request(revision, update_between(base, graph), comparison, text_graph is not None))
        self._graph = graph

    def ask(self, question: Question) -> None:
        """Asks something of the newest run; the answer comes later."""
        self._outbox.put(question)

    @property
    def running(self) -> str:
        """The path of the block that the process is computing."""
        return self._note.read()

    def kill(self) -> None:
        """Ends the process, by force: it holds nothing that is not here too. Its threads clear away what is left."""
        self._is_closing = True
        self._process.kill()

    def close(self) -> None:
        """Ends the process likewise, and waits for it and its threads."""
        self.kill()
        for thread in self._threads:
            thread.join(2)

    def _write(self) -> None:
        assert self._process.stdin is not None
        with _closed_afterwards(self._process.stdin) as pipe, contextlib.suppress(OSError):
            # Where the process has gone there is an error, and the reader reports it.
            while (message := self._outbox.get()) is not None:
                pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
                pipe.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with _closed_afterwards(self._process.stdout) as pipe:
            self._take_answers(pipe)
        self._outbox.put(None)
        code = self._process.wait()
        if not self._is_closing:
            self._answer(Died(code, self._note.read()))

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
    """A pipe that is closed then, though what was not sent has nowhere to go."""
    try:
        yield pipe
    finally:
        with contextlib.suppress(OSError):
            pipe.close()


class Spare:
    """Makes process evaluators, the next one started ahead: a document then opens without waiting for its process, and
    one whose evaluator dies has another at once. `taken` is called when there is none left.
    """

    def __init__(
        self, starter: Starter, started: Started | None = None, taken: Callable[[], object] = lambda: None
    ) -> None:
        """With a process that has been started already, its evaluator is the first."""
        self._starter = starter
        self._ready = None if started is None else ProcessEvaluator(_ignore, started)
        self._taken = taken

    def prepare(self) -> ProcessEvaluator:
        """Starts a process that will be used next, if there is none."""
        if self._ready is None:
            self._ready = ProcessEvaluator(_ignore, self._starter.start())
        return self._ready

    def load(self, path: Path) -> Loaded:
        """The graph in a file, which the evaluator that will be used next reads too; see `ProcessEvaluator.load`."""
        return self.prepare().load(path)

    def __call__(self, answer: Callable[[Answer], None]) -> Evaluator:
        """The prepared evaluator, or a new one."""
        made, self._ready = self._ready, None
        self._taken()
        if made is not None and made._process.poll() is not None:  # it died while it waited
            made.close()
            made = None
        if made is None:
            return ProcessEvaluator(answer, self._starter.start())
        made.redirect(answer)
        return made

    def close(self) -> None:
        """Ends the process that nobody has taken."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None


def _ignore(_: Answer) -> None:
    """What a process answers before a document has it."""
