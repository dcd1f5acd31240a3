"""`.graph` files: load and save. JSON only: nothing in a file is ever run."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from os import PathLike

from engine.block_type import Role
from engine.errors import FileError
from engine.file_reading import Loaded, loads
from engine.file_writing import dumps
from engine.graph import Graph, Page
from engine.json_text import locate_items
from engine.limits import LIMITS
from engine.ports import role_of, used_page

__all__ = ["BlockPlaces", "Loaded", "dumps", "load", "loads", "save"]


def load(path: str | PathLike[str]) -> Loaded:
    """The graph in a file.

    Raises: FileError, with line and column where a place is to blame, if it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            # One byte above the limit is enough to refuse it.
            content = file.read(LIMITS.file_bytes + 1)
    except (OSError, ValueError) as error:
        raise FileError(f"{_name(path)} cannot be read: {_reason(error)}.") from error
    return loads(content)


def save(graph: Graph, path: str | PathLike[str]) -> None:
    """Writes the file whole or not at all; a file that exists keeps its permissions, and links are followed.

    Raises: FileError if it cannot be written; what was there is then unharmed.
    """
    content = dumps(graph).encode()
    try:
        target = os.path.realpath(path)
        permissions = _permissions(target)
        _replace(target, content, permissions)
    except (OSError, ValueError) as error:
        raise FileError(f"{_name(path)} cannot be written: {_reason(error)}.") from error


class BlockPlaces:
    """Where the blocks of a loaded file stand. Each page is searched once, however many blocks are asked for."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._pages: dict[str, dict[str, tuple[int, int]]] = {}

    def find(self, path: str) -> tuple[int, int]:
        """Line and column of the block at `page/id`, or at a path through used pages; (0, 0) if there is none.

        Units: lines and columns count from 1. A duplicate that was renamed is found by its new name.
        """
        page_name, *names = path.split("/")
        graph = self._loaded.graph
        page: Page | None = graph.page(page_name) if graph.has_page(page_name) else None
        found = (0, 0)
        for name in names:
            if page is None or name not in page.blocks:
                return 0, 0
            found = self._places(page)[name]
            block = page.blocks[name]
            page = used_page(graph, block) if role_of(block) is Role.PAGE else None
        return found

    def _places(self, page: Page) -> dict[str, tuple[int, int]]:
        if page.name not in self._pages:
            # Pages and blocks of a loaded graph stand in the order of the file.
            number = [item.name for item in self._loaded.graph.pages].index(page.name)
            places = locate_items(self._loaded.text, ("pages", number, "blocks"))
            self._pages[page.name] = dict(zip(page.blocks, places, strict=True))
        return self._pages[page.name]


def _permissions(target: str) -> int | None:
    """The permissions of the file to replace, None for a new one."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not an ordinary file")
    if not os.access(target, os.W_OK):
        raise PermissionError("it is read-only")
    return stat.S_IMODE(status.st_mode)


def _replace(target: str, content: bytes, permissions: int | None) -> None:
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f".gradwire-{secrets.token_hex(6)}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if permissions is not None:
            os.chmod(temporary, permissions)
        os.replace(temporary, target)
    finally:
        # After a success it has its new name; after a failure nothing may stay behind.
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Makes the new name last through a power cut, where folders can be opened (not on Windows)."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _name(path: str | PathLike[str]) -> str:
    return f'"{os.fspath(path)}"'


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return reason[:1].lower() + reason[1:]
