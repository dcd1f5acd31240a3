"""`.graph` files: load and save. JSON only: nothing in a file is ever run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from os import PathLike

from engine.block_type import Role
from engine.disk import Stamp, read_file, write_file
from engine.file_reading import Loaded, loads
from engine.file_writing import dumps
from engine.graph import Graph, Page
from engine.json_text import locate_items
from engine.ports import role_of, used_page
from engine.read_back import check_reads_back

__all__ = ["BlockPlaces", "Loaded", "dumps", "load", "loads", "save"]


def load(path: str | PathLike[str], tell: Callable[[bytes], object] = lambda _: None) -> Loaded:
    """The graph in a file. `tell` is given the content first, for whoever reads it at the same time.

    Raises: FileError, with line and column where a place is to blame, if it cannot be read.
    """
    content, stamp = read_file(path)
    tell(content)
    return dataclasses.replace(loads(content), stamp=stamp)


def save(graph: Graph, path: str | PathLike[str], over: Stamp | None = None) -> Stamp:
    """Writes the file whole or not at all, and gives its stamp; permissions stay, and links are followed.

    With `over` only in place of the content that this stamp tells, or of nothing.
    Raises: FileError if it cannot be written, FileChangedError if there is something else than `over`; what was there
    is then unharmed.
    """
    content = dumps(graph).encode()
    check_reads_back(graph, content)
    return write_file(path, content, over)


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
