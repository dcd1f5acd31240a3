"""The process that writes copies of unsaved graphs: no frame waits for it, and it gives way to everything else.

It is sent what changed since the last copy, in pieces of about a millisecond, and answers each copy with a line.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.keeper_process import LENGTH, Blocks, Copy, Message, Wires
from app.live.updates import Update, update_between
from app.words import tr
from engine.graph import Graph

ROOT = Path(__file__).resolve().parent.parent
# So many blocks or wires are pickled in about a millisecond.
PIECE = 200
# What goes through the pipe at once, and how much may wait before it. Units: bytes.
SLICE, WAITING = 2**16, 2**18
Item = TypeVar("Item")


class Keeper(QObject):
    """Lets copies be written, one at a time; `kept(str)` says why one could not be, "" if it was.

    The process starts with the first copy and again when it has died.
    """

    kept = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._graph = Graph(())
        self._pieces: Iterator[bytes] = iter(())
        self.is_busy = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._send)

    @property
    def process_id(self) -> int:
        """The id of the process, 0 where there is none."""
        return 0 if self._process is None else int(self._process.processId())

    def keep(self, graph: Graph, target: Path) -> None:
        """Begins one copy. The one before has been answered."""
        if self._process is None:
            self._start()
        self.is_busy = True
        self._pieces = _pieces(str(target), update_between(self._graph, graph))
        self._graph = graph
        self._timer.start(0)

    def close(self) -> None:
        """Ends the process, at whatever it is, and waits until it has gone."""
        self._timer.stop()
        self.is_busy = False
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _start(self) -> None:
        self._graph = Graph(())
        process = self._process = QProcess(self)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read)
        process.bytesWritten.connect(self._go_on)
        process.finished.connect(self._take_end)
        process.errorOccurred.connect(self._take_end)
        # -c, not -m: the folder the user stands in must not be searched for packages of our names.
        script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.keeper_process import serve; serve()"
        process.start(sys.executable, ["-c", script])

    def _send(self) -> None:
        piece = None if self._process is None else next(self._pieces, None)
        if piece is not None and self._process is not None:
            self._process.write(piece)
        if piece is None or self._process is None or self._process.bytesToWrite() > WAITING:
            self._timer.stop()

    def _go_on(self) -> None:
        if self.is_busy and not self._timer.isActive():
            self._timer.start(0)

    def _read(self) -> None:
        if self._process is not None and self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode()
            self.is_busy = False
            self.kept.emit(line.strip())

    def _take_end(self) -> None:
        if self._process is not None:
            was_busy = self.is_busy
            self.close()
            if was_busy:
                self.kept.emit(tr("The process that writes copies has ended."))


def _pieces(target: str, update: Update) -> Iterator[bytes]:
    """The messages for one copy, long ones in slices."""
    for message in _messages_for(target, update):
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        yield LENGTH.pack(len(data))
        view = memoryview(data)
        for start in range(0, len(data), SLICE):
            yield bytes(view[start : start + SLICE])


def _messages_for(target: str, update: Update) -> Iterator[Message]:
    bare = []
    for number, page in enumerate(update.pages):
        for names in _batches(list(page.blocks)):
            yield Blocks(number, {name: page.blocks[name] for name in names})
        for wires in _batches(page.wires_added):
            yield Wires(number, tuple(wires))
        bare.append(replace(page, blocks={}, wires_added=()))
    yield Copy(target, replace(update, pages=tuple(bare)))


def _batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    source = iter(items)
    while batch := list(islice(source, PIECE)):
        yield batch
