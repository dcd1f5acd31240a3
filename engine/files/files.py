"""Loading and saving of `.graph` files. They are pure JSON: Gradwire never executes anything in a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from os import PathLike

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.beside.reading import Beside, WeightsIn
from gradwire.engine.files.beside.weights import Weights
from gradwire.engine.files.beside.writing import write_beside
from gradwire.engine.files.disk import Stamp, read_file, write_file
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.json_places import locate_items
from gradwire.engine.files.other_formats import foreign_sentence, other_format_sentence
from gradwire.engine.files.outputs import Output
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.paths import split_path
from gradwire.engine.graph.ports import pages_along

__all__ = ["BlockPlaces", "Loaded", "beside_of", "dumps", "load", "loads", "save", "save_output", "size_of"]


def load(
    path: str | PathLike[str], tell: Callable[[bytes], object] = lambda _: None, beside: Beside | None = None
) -> Loaded:
    """Returns the graph in a file; passes the content to `tell` first, for another process that reads it in parallel.

    The weights that it names come from its folder, unless `beside` gives others.

    Raises: FileError, with line and column where a place is to blame, if it cannot be read.
    """
    content = b""
    try:
        content, stamp = read_file(path)
        tell(content)
        return loads(content, beside=beside or beside_of(path))._replace(stamp=stamp)
    except FileError as error:
        # Without a place to blame, the error says already what the file is.
        foreign = foreign_sentence(os.path.basename(path), content) if error.line else ""
        if sentence := other_format_sentence(path) or foreign:
            raise FileError(sentence) from None
        raise


def beside_of(path: str | PathLike[str]) -> WeightsIn:
    """Returns the files of weights beside a graph's file, which may be a link to one elsewhere."""
    return WeightsIn(os.path.dirname(os.path.realpath(path)))


def save(graph: Graph, path: str | PathLike[str], over: Stamp | None = None, *, by_content: bool = False) -> Stamp:
    """Writes the file atomically, and its weights beside it; returns its stamp; keeps permissions and follows links.

    With `over`, writes only if the path holds the content of this stamp, or no file. With `by_content`, for folders of
    the program's own, graphs share equal weights.
    Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`; the old file is
    then unharmed.
    """
    return write_beside(graph, path, lambda content: write_file(path, content, over), by_content)


def save_output(graph: Graph, output: Output) -> None:
    """Writes a graph as an output of a command; a stream has the weights in the text.

    Raises: FileError if it cannot be written.
    """
    if output.is_stream:
        output.write(dumps(graph).encode())
    else:
        write_beside(graph, output.path, output.write)


def size_of(graph: Graph, output: Output) -> int:
    """Returns how many bytes `save_output` would write."""
    weights = None if output.is_stream else Weights(graph)
    text = dumps(graph, weights=weights)
    return len(text.encode()) + (0 if weights is None else weights.size)


class BlockPlaces:
    """Positions of the blocks in a loaded file; each page is searched once, however many blocks are looked up."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._pages: dict[str, dict[str, tuple[int, int]]] = {}

    def find(self, path: str) -> tuple[int, int]:
        """Returns line and column of the block at `page/id` or at a path through used pages; else (0, 0).

        Units: lines and columns count from 1. A duplicate that was renamed is found by its new name.
        """
        prefix, name = split_path(path)
        pages = pages_along(self._loaded.graph, prefix)
        return self._places(pages[-1]).get(name, (0, 0)) if pages else (0, 0)

    def _places(self, page: Page) -> dict[str, tuple[int, int]]:
        if page.name not in self._pages:
            # Pages and blocks of a loaded graph keep the order of the file.
            number = [item.name for item in self._loaded.graph.pages].index(page.name)
            places = locate_items(self._loaded.text, ("pages", number, "blocks"))
            self._pages[page.name] = dict(zip(page.blocks, places, strict=True))
        return self._pages[page.name]
