"""The process that evaluates: it keeps a copy of the graph, runs it, and answers with readings."""

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
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from app.live.evaluator import Answer, Explained, Values
from app.live.running_note import RunningNote
from app.live.shared_memory import Handle, memory_at
from app.live.shelf import Shelf
from app.live.worker import KEEPING, Request, Text, Worker
from engine.errors import told
from engine.library import library
from engine.plugins import load_plugins

# How long nothing must happen before the causes of a large graph are looked for.
# Units: seconds.
PATIENCE = 0.15
# How many graphs that are out of use may wait for the garbage collection: it must not wait for ever.
STRUCTURES_LEFT = 20
NEVER = 2**31 - 1


def serve_pipes(handle: Handle) -> None:
    """Evaluates for a window that has started this process."""
    source, target = _own_pipes()
    with faults_told():
        serve(source, target, memory_at(handle))


def serve(source: BinaryIO, pipe: BinaryIO, memory: mmap.mmap) -> NoReturn:
    """The evaluator's main loop: answers each message until the window closes the pipe."""
    # Lines of the console print and read here, and must not meet what goes to the window.
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    with faults_told():
        import blocks  # noqa: F401  # fills the library

        if library.keeps_code_out:  # a copy of a process in which no code of plug-ins runs
            library.keeps_code_out = False
            load_plugins(library)
        target, note = _Target(pipe, Shelf(memory)), RunningNote(memory)
        # A run makes a hundred thousand objects; looking through all of them has to wait for a rest.
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
    """Ends the process when something fails, with one line for who reads what the program prints."""
    try:
        yield
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window has gone
        os._exit(0)
    except BaseException as error:
        print(f"gradwire: the evaluation ended: {told(error)}", file=sys.stderr, flush=True)
        os._exit(1)


def _receive(source: BinaryIO, inbox: queue.SimpleQueue[Any]) -> None:
    """Hands on what arrives, and ends the process when the window has gone: what it is at may have no end."""
    with faults_told():
        while True:
            inbox.put(pickle.load(source))


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
    return source, target
