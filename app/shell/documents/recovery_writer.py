"""The window's side of the recovery writer: a process of low priority that writes copies of unsaved graphs.

It receives the changes since the last message in pieces of about a millisecond, and answers each copy with a line.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

from gradwire.app.base.log import logger
from gradwire.app.base.signals import call_on
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.live.process.updates import Update, update_between
from gradwire.app.shell.documents.recovery_writer_process import LENGTH, Blocks, Copy, Message, Release, Wires
from gradwire.engine.base.processes.python_process import helper_command
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.copied_training import CopiedTraining

_LOG = logger(__name__)
# Pickling this many blocks or wires takes about a millisecond.
PIECE = 200
# The size of one write into the pipe, and the limit of waiting data. Units: bytes.
SLICE, WAITING = 2**16, 2**18
# How long a copy may make no progress, and an answer may take once it is sent; each one that takes longer doubles this
# for the next. Units: ms.
PATIENCE = 5000
NO_TRAINING = CopiedTraining()
_SERVE = "gradwire.app.shell.documents.recovery_writer_process:serve"
Item = TypeVar("Item")
SharedLock = Callable[[], AbstractContextManager[None]]


class RecoveryWriter(QObject):
    """The sender of copies, one at a time; `kept(str)` carries the reason for a failure, "" for success.

    The process starts with the first graph, and again after it has died. One that makes no progress is killed.
    """

    kept = Signal(str)

    def __init__(self, parent: QObject | None = None, shared_lock: SharedLock = contextlib.nullcontext) -> None:
        """While `shared_lock` is entered, the process that starts inherits the lock of this run."""
        super().__init__(parent)
        self._shared_lock = shared_lock
        self._process: QProcess | None = None
        self._graph = Graph(())
        self._pieces: Iterator[bytes] = iter(())
        self.is_busy = self.is_sending = self._is_unsent = False
        self._timer = make_timer(self, self._send, repeats=True)
        self._silence = make_timer(self, self._take_silence, PATIENCE)

    def keep(self, graph: Graph, target: Path, training: CopiedTraining = NO_TRAINING) -> None:
        """Begins one copy. The previous one must have been answered."""
        self.is_busy = self._is_unsent = True
        self._silence.start()
        self._start_sending(graph, target, training, is_now=True)
        self._pieces = chain(self._pieces, self._note_sent())

    def hold(self, graph: Graph, target: Path, training: CopiedTraining = NO_TRAINING) -> None:
        """Sends a graph of which the process writes a copy if the window ends unexpectedly."""
        self._start_sending(graph, target, training, is_now=False)

    def release(self) -> None:
        """Takes care that the process writes no copy of its graph any more."""
        if self.is_busy or self.is_sending:
            self.close()
        elif self._process is not None:
            for piece in _packed(Release()):
                self._process.write(piece)

    def _start_sending(self, graph: Graph, target: Path, training: CopiedTraining, is_now: bool) -> None:
        if self._process is None:
            self._start()
        self.is_sending = True
        update = update_between(self._graph, graph)
        self._pieces = chain(self._pieces, _pieces(str(target), update, is_now, training))
        self._graph = graph
        self._timer.start(0)

    def close(self) -> None:
        """Kills the process and waits until it has gone; one that a dead disk holds ends later."""
        self._timer.stop()
        self._silence.stop()
        self.is_busy = self.is_sending = False
        self._pieces = iter(())
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            if process.waitForFinished(1000):
                process.deleteLater()
            else:
                # Qt waits for a process that it deletes.
                process.setParent(QCoreApplication.instance())
                process.finished.connect(process.deleteLater)

    def _start(self) -> None:
        self._graph = Graph(())
        process = self._process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read)
        process.bytesWritten.connect(self._go_on)
        call_on(self._take_end, process.finished, process.errorOccurred)
        program, *arguments = helper_command(_SERVE)
        with self._shared_lock():
            process.start(program, arguments)

    def _send(self) -> None:
        piece = None if self._process is None else next(self._pieces, None)
        if piece is not None and self._process is not None:
            self._process.write(piece)
        self.is_sending = piece is not None
        if piece is None or self._process is None or self._process.bytesToWrite() > WAITING:
            self._timer.stop()

    def _note_sent(self) -> Iterator[bytes]:
        """Yields nothing, behind the last piece of a copy: from now on only its answer is progress."""
        self._is_unsent = False
        yield from ()

    def _go_on(self) -> None:
        # Bytes of later messages that leave do not say that the oldest one will be answered.
        if self.is_busy and self._is_unsent:
            self._silence.start()
        if self.is_sending and not self._timer.isActive():
            self._timer.start(0)

    def _read(self) -> None:
        if self._process is not None and self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode()
            self.is_busy = False
            self._silence.stop()
            self._silence.setInterval(PATIENCE)
            self.kept.emit(line.strip())

    def _take_silence(self) -> None:
        # A slow disk must not be taken for a dead one again and again.
        self._silence.setInterval(2 * self._silence.interval())
        self.close()
        _LOG.warning("The process that writes copies did not answer, and was ended")
        self.kept.emit(tr("The process that writes copies does not answer."))

    def _take_end(self) -> None:
        if self._process is not None:
            was_busy = self.is_busy
            _LOG.warning("The process that writes copies ended: %s", self._process.errorString())
            self.close()
            if was_busy:
                self.kept.emit(tr("The process that writes copies has ended."))


def _pieces(target: str, update: Update, is_now: bool, training: CopiedTraining) -> Iterator[bytes]:
    """Yields the messages for one copy, long ones in slices."""
    for message in _messages_for(target, update, is_now, training):
        yield from _packed(message)


def _packed(message: Message) -> Iterator[bytes]:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    yield LENGTH.pack(len(data))
    view = memoryview(data)
    for start in range(0, len(data), SLICE):
        yield bytes(view[start : start + SLICE])


def _messages_for(target: str, update: Update, is_now: bool, training: CopiedTraining) -> Iterator[Message]:
    bare = []
    for number, page in enumerate(update.pages):
        for names in _batches(list(page.blocks)):
            yield Blocks(number, {name: page.blocks[name] for name in names})
        for wires in _batches(page.wires_added):
            yield Wires(number, tuple(wires))
        bare.append(replace(page, blocks={}, wires_added=()))
    yield Copy(target, replace(update, pages=tuple(bare)), is_now, training)


def _batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    source = iter(items)
    while batch := list(islice(source, PIECE)):
        yield batch
