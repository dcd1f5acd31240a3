"""The evaluator process: it keeps a copy of the graph, runs it, and answers with readings."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import logging
import mmap
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from typing import BinaryIO, NoReturn

from gradwire.app.live.process.error_output import TraceHandler, print_trace
from gradwire.app.live.process.evaluator import Answer, Explained, Values
from gradwire.app.live.process.orders import Desk, Order
from gradwire.app.live.process.process import FAULT
from gradwire.app.live.process.running_note import RunningNote
from gradwire.app.live.process.shared_arrays import SharedArrays
from gradwire.app.live.process.shared_memory import memory_at
from gradwire.app.live.process.worker import KEEPING, Request, Text, Worker
from gradwire.app.live.questions.questions import CausesWanted, Question
from gradwire.engine.base.mistakes import ROOT, cause_of
from gradwire.engine.base.processes.interruption import INTERRUPTION, Interrupted

# The process must be idle for this long before it searches the causes of a large graph.
# Units: seconds.
PATIENCE = 0.15
# The number of unused graphs that may wait for garbage collection, which must not wait for ever.
STRUCTURES_LEFT = 20
NEVER = 2**31 - 1
_PR_SET_PDEATHSIG = 1


def serve_pipes(handle: str, window: str, *imports: str) -> None:
    """Evaluates for the process `window` that has started this one; `handle` is that of the memory, both as text."""
    source, target = _own_pipes()
    if sys.platform == "linux":
        # A line of the console may keep the interpreter from noticing that the window has gone.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(window):  # it has gone before
            os._exit(0)
    with faults_told():
        for name in imports:
            import_module(name)
        serve(source, target, memory_at(int(handle) if handle.isdecimal() else handle))


def serve(source: BinaryIO, pipe: BinaryIO, memory: mmap.mmap) -> NoReturn:
    """Answers each message until the window closes the pipe: the main loop of the evaluator."""
    # Console lines print and read here, and their output must not mix with the messages to the window.
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    # The answers carry what is wrong with numbers; lines of the console show their own warnings.
    warnings.simplefilter("ignore")
    logging.getLogger(ROOT).addHandler(TraceHandler())
    with faults_told():
        import gradwire.blocks  # noqa: F401  # fills the library

        target, note = _Target(pipe, SharedArrays(memory)), RunningNote(memory)
        # A run makes a hundred thousand objects; a full collection must wait until the process is idle.
        gc.set_threshold(*gc.get_threshold()[:2], NEVER)
        inbox = Inbox()
        worker = Worker(
            is_quick=True,
            tell_values=lambda results: target.send(Values(results)),
            watch=note.write,
            keeping=KEEPING,
            giving_way=inbox.giving_way,
        )
        desk = Desk(target.send, inbox.has_messages)
        INTERRUPTION.listen()
        threading.Thread(target=_receive, args=(source, inbox), daemon=True).start()
        while True:
            message = _next(inbox, worker, target)
            if isinstance(message, Text):
                worker.read(message)
            elif isinstance(message, Request):
                target.send(worker.run(message))
            elif isinstance(message, Order):
                desk.take(message)
            else:
                _answer(message, inbox, worker, target)


def _answer(question: Question, inbox: Inbox, worker: Worker, target: _Target) -> None:
    """Answers a question, unless a run overtakes it: then it is asked again behind that."""
    try:
        if isinstance(question, CausesWanted) and worker.owes_causes:
            target.send(Explained(worker.explained()))
        reply = worker.answer(question)
    except Interrupted:
        inbox.put_back(question)
    else:
        target.send(reply)


class Inbox:
    """Messages that wait for the evaluator: files and runs in their order, then questions in theirs.

    Questions are about the newest run, so that they can wait for one that is asked for later.
    """

    def __init__(self) -> None:
        self._runs, self._questions = deque[Text | Request](), deque[Order | Question]()
        self._count = queue.SimpleQueue[None]()

    def put(self, message: Text | Request | Order | Question) -> None:
        """Adds a message, and interrupts what gives way to it."""
        if isinstance(message, Text | Request):
            self._runs.append(message)
            INTERRUPTION.wish()
        else:
            self._questions.append(message)
        self._count.put(None)

    def has_messages(self) -> bool:
        """Returns whether a message waits."""
        return not self._count.empty()

    def put_back(self, question: Question) -> None:
        """Adds a question that a run has overtaken, before the other questions."""
        self._questions.appendleft(question)
        self._count.put(None)

    def get(self, timeout: float | None = None) -> Text | Request | Order | Question | None:
        """Returns the next message; None if there is none within the timeout. Units: seconds."""
        try:
            self._count.get(timeout=timeout)
        except queue.Empty:
            return None
        return self._runs.popleft() if self._runs else self._questions.popleft()

    def giving_way(self) -> AbstractContextManager[None]:
        """Marks a part that is given up for a run.

        Raises: Interrupted.
        """
        return INTERRUPTION.allowed(lambda: bool(self._runs))


@contextlib.contextmanager
def faults_told() -> Iterator[None]:
    """Ends the process when something fails, with its traceback for the log, and then one line on its error output."""
    try:
        yield
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window has gone
        os._exit(0)
    except BaseException as error:
        print_trace(traceback.format_exc())
        print(f"{FAULT}{cause_of(error)}", file=sys.stderr, flush=True)
        os._exit(1)


def _receive(source: BinaryIO, inbox: Inbox) -> None:
    """Puts incoming messages into the inbox, and ends the process when the window has gone.

    The computation in progress may never end by itself.
    """
    with faults_told():
        while True:
            inbox.put(pickle.load(source))


def _next(inbox: Inbox, worker: Worker, target: _Target) -> Text | Request | Order | Question:
    """Returns the next message; while none comes, the worker does its postponed tasks."""
    patience = PATIENCE
    while worker.has_put_off:
        message = inbox.get(timeout=patience if worker.structures_left < STRUCTURES_LEFT else 0)
        if message is not None:
            return message
        patience = 0
        if not worker.owes_causes:
            worker.catch_up()
            continue
        # A run that overtakes the causes has causes of its own.
        with contextlib.suppress(Interrupted):
            target.send(Explained(worker.explained()))
    message = inbox.get()
    assert message is not None
    return message


class _Target:
    """The stream for answers."""

    def __init__(self, pipe: BinaryIO, shared_arrays: SharedArrays) -> None:
        self._pipe, self._shelf = pipe, shared_arrays

    def send(self, answer: Answer) -> None:
        """Sends one answer."""
        pickle.dump(self._shelf.pack(answer), self._pipe, pickle.HIGHEST_PROTOCOL)
        self._pipe.flush()


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Returns the pipes from and to the window, hidden from code that prints or reads, and from child processes.

    Console lines run such code.
    """
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    return source, target
