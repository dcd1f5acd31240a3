"""The process that evaluates: it keeps a copy of the graph, runs it, and answers with readings.

Messages are pickled and go through the pipes of a child process, which only this program starts; large arrays of its
answers go through memory that both share.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from app.live.comparison import Comparison
from app.live.deltas import Receiver
from app.live.process import Started, start_process
from app.live.questions import Question, Reply
from app.live.readings import Results
from app.live.shared_memory import Handle, memory_at
from app.live.shelf import Shelf
from app.live.updates import update_between
from app.live.worker import KEEPING, Request, Worker
from engine.graph import Graph

# How long nothing must happen before the causes of a large graph are looked for.
# Units: seconds.
PATIENCE = 0.15
# How many graphs that are out of use may wait for the garbage collection: it must not wait for ever.
STRUCTURES_LEFT = 20
NEVER = 2**31 - 1


@dataclass(frozen=True)
class Died:
    """The evaluator has ended without being asked to."""

    code: int | None


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

    def close(self) -> None:
        """Nothing is left behind."""


class ProcessEvaluator:
    """Evaluates in a process of its own, perhaps one that has been started already.

    `answer` is called on a thread of its own, not on the main thread.
    """

    def __init__(self, answer: Callable[[Answer], None], started: Started | None = None) -> None:
        self._answer = answer
        self._graph = Graph(())
        self._outbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._is_closing = False
        self._process, memory = started or start_process()
        self._shelf = Shelf(memory)
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
        pipe, received = self._process.stdout, Receiver()
        while pipe is not None:
            try:
                message = self._shelf.open(pickle.load(pipe))
            except (EOFError, pickle.UnpicklingError, OSError, ValueError):
                break
            if isinstance(message, Results):
                message = received.whole(message)
            elif isinstance(message, Values | Explained):
                message = type(message)(received.whole(message.results))
            self._answer(message)
        self._outbox.put(None)
        if not self._is_closing:
            self._answer(Died(self._process.wait()))


class Spare:
    """Makes process evaluators, the next one started ahead: a document then opens without waiting for its process."""

    def __init__(self, started: Started | None = None) -> None:
        """With a process that has been started already, its evaluator is the first."""
        self._ready = None if started is None else ProcessEvaluator(_ignore, started)

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


def serve(handle: Handle) -> None:
    """The evaluator's main loop: answers each message until the window closes the pipe."""
    import blocks  # noqa: F401  # fills the library

    source, pipe = _own_pipes()
    target = _Target(pipe, Shelf(memory_at(handle)))
    # A run makes a hundred thousand objects; looking through all of them has to wait for a rest.
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)
    worker, inbox = (
        Worker(is_quick=True, tell_values=lambda results: target.send(Values(results)), keeping=KEEPING),
        queue.SimpleQueue[Any](),
    )
    threading.Thread(target=_receive, args=(source, inbox), daemon=True).start()
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # the window has gone
        while True:
            message = _next(inbox, worker, target)
            target.send(worker.run(message) if isinstance(message, Request) else worker.answer(message))


def _receive(source: BinaryIO, inbox: queue.SimpleQueue[Any]) -> None:
    """Hands on what arrives, and ends the process when the window has gone: what it is at may have no end."""
    while True:
        try:
            inbox.put(pickle.load(source))
        except EOFError:
            os._exit(0)


def _next(inbox: queue.SimpleQueue[Any], worker: Worker, target: _Target) -> Any:
    """The next message. If none comes for a while, what was put off is done."""
    patience = PATIENCE
    while worker.has_put_off:
        try:
            return inbox.get(timeout=patience if worker.structures_left < STRUCTURES_LEFT else 0)
        except queue.Empty:
            patience = 0
            if worker.owes_causes:
                target.send(Explained(worker.explained()))
            else:
                worker.catch_up()
    return inbox.get()


class _Target:
    """Where answers go."""

    def __init__(self, pipe: BinaryIO, shelf: Shelf) -> None:
        self._pipe, self._shelf = pipe, shelf

    def send(self, answer: Answer) -> None:
        """Sends one answer."""
        pickle.dump(self._shelf.pack(answer), self._pipe, pickle.HIGHEST_PROTOCOL)
        self._pipe.flush()


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
