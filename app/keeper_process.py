"""What the process does that writes copies of unsaved graphs: it keeps a graph, and brings it up to date before each.

It knows nothing of Qt, which would take it longer to import than all the rest.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from app.live.updates import PageUpdate, Update, updated
from engine.graph import Block, Graph, Wire

LENGTH = struct.Struct("<Q")


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


def serve() -> None:
    """The process: writes copies until the window closes the pipe."""
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # the window has gone
        _serve()


def _serve() -> None:
    from engine.library import library

    # Unsaved work does not depend on code of others.
    library.keeps_code_out = True
    import blocks  # noqa: F401  # fills the library: parameters at their defaults are not written
    from engine.errors import FileError
    from engine.files import save

    # Only now: on a busy machine the first copy would have to wait long for what is imported.
    if hasattr(os, "nice"):
        os.nice(5)
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
        (length,) = LENGTH.unpack(head)
        data = source.read(length)
        if len(data) < length:  # the window was killed in the middle of a message
            return
        # Only this program starts this one, and nobody else writes into the pipe.
        yield pickle.loads(data)


def _whole(update: Update, blocks: dict[int, dict[str, Block]], wires: dict[int, tuple[Wire, ...]]) -> Update:
    pages = list[PageUpdate]()
    for number, page in enumerate(update.pages):
        pages.append(replace(page, blocks=blocks.get(number, {}), wires_added=wires.get(number, ())))
    return replace(update, pages=tuple(pages))
