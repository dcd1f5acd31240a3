"""The process that writes copies of unsaved graphs: no frame waits for it, and it gives way to everything else.

It is sent what changed since the last copy, in pieces of about a millisecond, and answers each copy with a line.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.live.updates import PageUpdate, Update, update_between, updated
from engine.graph import Block, Graph, Wire

ROOT = Path(__file__).resolve().parent.parent
# So many blocks or wires are pickled in about a millisecond.
PIECE = 200
# What goes through the pipe at once, and how much may wait before it. Units: bytes.
SLICE, WAITING = 2**16, 2**18
LENGTH = struct.Struct("<Q")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Blocks:
    """Some blocks of the page with this number in the update that follows."""

    page: int
    blocks: dict[str, Block]


@dataclass(frozen=True)
class Wires:
    """Some wires of the page with this number in the update that follows."""

    page: int
    wires: tuple[Wire, ...]


@dataclass(frozen=True)
class Copy:
    """Asks for a copy; the update lacks what was sent before it."""

    target: str
    update: Update


Message = Blocks | Wires | Copy


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
        script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.keeper import serve; serve()"
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
                self.kept.emit("The process that writes copies has ended.")


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


def serve() -> None:
    """The process: writes copies until the window closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(5)
    import blocks  # noqa: F401  # fills the library: parameters at their defaults are not written
    from engine.errors import FileError
    from engine.files import save

    graph, blocks_sent, wires_sent = Graph(()), dict[int, dict[str, Block]](), dict[int, tuple[Wire, ...]]()
    for message in _messages(sys.stdin.buffer):
        if isinstance(message, Blocks):
            blocks_sent.setdefault(message.page, {}).update(message.blocks)
        elif isinstance(message, Wires):
            wires_sent[message.page] = wires_sent.get(message.page, ()) + message.wires
        else:
            graph = updated(graph, _whole(message.update, blocks_sent, wires_sent))
            blocks_sent, wires_sent = {}, {}
            try:
                save(graph, message.target)
                answer = ""
            except FileError as error:
                answer = " ".join(str(error).split())
            sys.stdout.buffer.write(answer.encode() + b"\n")
            sys.stdout.buffer.flush()


def _messages(source: BinaryIO) -> Iterator[Message]:
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        data = source.read(LENGTH.unpack(head)[0])
        # Only this program starts this one, and nobody else writes into the pipe.
        yield pickle.loads(data)


def _whole(update: Update, blocks: dict[int, dict[str, Block]], wires: dict[int, tuple[Wire, ...]]) -> Update:
    pages = list[PageUpdate]()
    for number, page in enumerate(update.pages):
        pages.append(replace(page, blocks=blocks.get(number, {}), wires_added=wires.get(number, ())))
    return replace(update, pages=tuple(pages))
