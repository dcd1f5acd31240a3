"""The evaluator process: it keeps a copy of the graph, runs it, and answers with readings."""

from __future__ import annotations

import contextlib
import gc
import io
import mmap
import os
import pickle
import queue
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from gradwire.app.live.process.evaluator import Answer, Explained, Values
from gradwire.app.live.process.process import FAULT
from gradwire.app.live.process.running_note import RunningNote
from gradwire.app.live.process.shared_arrays import SharedArrays
from gradwire.app.live.process.shared_memory import Handle, memory_at
from gradwire.app.live.process.worker import KEEPING, Request, Text, Worker
from gradwire.engine.base.errors import told
from gradwire.engine.blocktypes.library import library
from gradwire.engine.plugins.plugins import load_plugins

# The process must be idle for this long before it searches the causes of a large graph.
# Units: seconds.
PATIENCE = 0.15
# The number of unused graphs that may wait for garbage collection, which must not wait for ever.
STRUCTURES_LEFT = 20
NEVER = 2**31 - 1


def serve_pipes(handle: Handle) -> None:
    """Evaluates for a window that has started this process."""
    source, target = _own_pipes()
    with faults_told():
        serve(source, target, memory_at(handle))


def serve(source: BinaryIO, pipe: BinaryIO, memory: mmap.mmap) -> NoReturn:
    """Answers each message until the window closes the pipe: the main loop of the evaluator."""
    # Console lines print and read here, and their output must not mix with the messages to the window.
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    # The answers carry what is wrong with numbers; lines of the console show their own warnings.
    warnings.simplefilter("ignore")
    with faults_told():
        import gradwire.blocks  # noqa: F401  # fills the library

        if library.keeps_code_out:  # this process was forked from one that does not run the code of plug-ins
            library.keeps_code_out = False
            load_plugins(library)
        target, note = _Target(pipe, SharedArrays(memory)), RunningNote(memory)
        # A run makes a hundred thousand objects; a full collection must wait until the process is idle.
        gc.set_threshold(*gc.get_threshold()[:2], NEVER)
        worker = Worker(
            is_quick=True,
            tell_values=lambda results: target.send(Values(results)),
            watch=note.write,
            keeping=KEEPING,
        )
        inbox = queue.SimpleQueue[Any]()
        threading.Thread(target=_receive, args=(source, inbox), daemon=True).start()
        while True:
            message = _next(inbox, worker, target)
            if isinstance(message, Text):
                worker.read(message)
            else:
                target.send(worker.run(message) if isinstance(message, Request) else worker.answer(message))


@contextlib.contextmanager
def faults_told() -> Iterator[None]:
    """Ends the process when something fails, with one line on its error output."""
    try:
        yield
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window has gone
        os._exit(0)
    except BaseException as error:
        print(f"{FAULT}{told(error)}", file=sys.stderr, flush=True)
        os._exit(1)


def _receive(source: BinaryIO, inbox: queue.SimpleQueue[Any]) -> None:
    """Puts incoming messages into the inbox, and ends the process when the window has gone.

    The computation in progress may never end by itself.
    """
    with faults_told():
        while True:
            inbox.put(pickle.load(source))


def _next(inbox: queue.SimpleQueue[Any], worker: Worker, target: _Target) -> Any:
    """Returns the next message; while none comes, the worker does its postponed tasks."""
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
