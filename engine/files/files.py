"""Loading and saving of `.graph` files. They are pure JSON: Gradwire never executes anything in a file."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

from gradwire.engine.base.errors import FileError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.files.disk import Stamp, read_file, write_file
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.json_places import locate_items
from gradwire.engine.files.other_formats import other_format
from gradwire.engine.files.round_trip import check_reads_back
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.ports import role_of, used_page

__all__ = ["BlockPlaces", "Loaded", "dumps", "load", "loads", "save"]


def load(path: str | PathLike[str], tell: Callable[[bytes], object] = lambda _: None) -> Loaded:
    """Returns the graph in a file; passes the content to `tell` first, for another process that reads it in parallel.

    Raises: FileError, with line and column where a place is to blame, if it cannot be read.
    """
    content, stamp = read_file(path)
    tell(content)
    try:
        return loads(content)._replace(stamp=stamp)
    except FileError:
        if clause := other_format(path):
            raise FileError(f"{clause[:1].upper()}{clause[1:]}.") from None
        raise


def save(graph: Graph, path: str | PathLike[str], over: Stamp | None = None) -> Stamp:
    """Writes the file atomically and returns its stamp; keeps permissions and follows links.

    With `over`, writes only if the path holds the content of this stamp, or no file.
    Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`; the old file is
    then unharmed.
    """
    content = dumps(graph).encode()
    check_reads_back(graph, content)
    return write_file(path, content, over)


class BlockPlaces:
    """Positions of the blocks in a loaded file; each page is searched once, however many blocks are looked up."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._pages: dict[str, dict[str, tuple[int, int]]] = {}

    def find(self, path: str) -> tuple[int, int]:
        """Returns line and column of the block at `page/id` or at a path through used pages; else (0, 0).

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
            # Pages and blocks of a loaded graph keep the order of the file.
            number = [item.name for item in self._loaded.graph.pages].index(page.name)
            places = locate_items(self._loaded.text, ("pages", number, "blocks"))
            self._pages[page.name] = dict(zip(page.blocks, places, strict=True))
        return self._pages[page.name]
