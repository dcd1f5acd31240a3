"""The process that writes copies of unsaved graphs: it holds a graph and updates it before each copy.

It outlives its window: if the window ends unexpectedly, it writes the state that it holds.
It does not import Qt, which would take longer than all other imports.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import struct
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from gradwire.app.live.process.updates import PageUpdate, Update, updated
from gradwire.engine.graph.graph import Block, Graph, Wire
from gradwire.engine.training.copied_training import CopiedTraining, with_training

LENGTH = struct.Struct("<Q")
# The time for the last copy after the window has ended. Units: seconds.
LONGEST_END = 300


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
    """A request for a copy; the update lacks the parts that were sent before it.

    One that is not written now is written when the window ends without another word about it.
    """

    target: str
    update: Update
    is_now: bool
    training: CopiedTraining = field(default_factory=CopiedTraining)


@dataclass(frozen=True)
class Release:
    """The news that the document is saved or discarded: no copy of it is written any more."""


Message = Blocks | Wires | Copy | Release


def serve() -> None:
    """Writes copies until the window closes the pipe: the main function of the process."""
    warnings.simplefilter("ignore")
    if hasattr(os, "nice"):
        os.nice(5)
    from gradwire.engine.blocktypes.library import library

    # Unsaved work must not depend on the code of plug-ins.
    library.keeps_code_out = True
    import gradwire.blocks  # noqa: F401  # fills the library: parameters at their defaults are not written

    writer = _Writer()
    for message in _messages(sys.stdin.buffer):
        writer.take(message)
    if hasattr(signal, "alarm"):
        # The lock of the run must not be held for ever, should the disk not answer.
        signal.alarm(LONGEST_END)
    writer.end()


class _Writer:
    """The graph of the window as far as it was sent, and the file that still lacks it."""

    def __init__(self) -> None:
        self._graph = Graph(())
        self._blocks, self._wires = dict[int, dict[str, Block]](), dict[int, tuple[Wire, ...]]()
        self._due: str | None = None
        self._training = CopiedTraining()

    def take(self, message: Message) -> None:
        """Updates the graph, and writes a copy if that is asked for."""
        if isinstance(message, Blocks):
            self._blocks.setdefault(message.page, {}).update(message.blocks)
        elif isinstance(message, Wires):
            self._wires[message.page] = self._wires.get(message.page, ()) + message.wires
        elif isinstance(message, Release):
            self._due = None
        else:
            self._graph = updated(self._graph, _whole(message.update, self._blocks, self._wires))
            self._blocks, self._wires, self._due = {}, {}, message.target
            self._training = message.training
            if message.is_now:
                _answer(self._written())

    def end(self) -> None:
        """Writes the graph if its window has ended without a word about it."""
        if self._due is not None:
            self._written()

    def _written(self) -> str:
        """Writes the copy that is due; returns the reason if that is not possible."""
        from gradwire.engine.base.errors import FileError
        from gradwire.engine.files.files import save

        try:
            save(with_training(self._graph, self._training), self._due or "", by_content=True)
        except FileError as error:
            return " ".join(str(error).split())
        self._due = None
        return ""


def _answer(reason: str) -> None:
    # If the window has gone meanwhile, it may have sent more before that.
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(reason.encode() + b"\n")
        sys.stdout.buffer.flush()


def _messages(source: BinaryIO) -> Iterator[Message]:
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        data = source.read(length)
        if len(data) < length:  # the window was killed in the middle of a message
            return
        # Only this program starts this process and writes into the pipe, so unpickling is safe.
        yield pickle.loads(data)


def _whole(update: Update, blocks: dict[int, dict[str, Block]], wires: dict[int, tuple[Wire, ...]]) -> Update:
    pages = list[PageUpdate]()
    for number, page in enumerate(update.pages):
        pages.append(replace(page, blocks=blocks.get(number, {}), wires_added=wires.get(number, ())))
    return replace(update, pages=tuple(pages))
