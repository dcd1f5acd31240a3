"""Files that a graph wants to read; nothing is read before somebody allows it, and then by `given_files`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.data_kinds import has_labels_apart
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph, Page

FILE = "file"


class WantedFile(NamedTuple):
    """File that a block, by page and id, wants: its name, its labels, the sum that it had, and how gaps are filled."""

    block: str
    file: str
    label: str
    sha256: str
    missing: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files that are read: that of the labels too, where they have one of their own."""
        return (self.file, self.label) if self.label and has_labels_apart(self.file) else (self.file,)


def wanted_files(graph: Graph) -> tuple[WantedFile, ...]:
    """Returns the files that blocks of a graph name and whose content they do not hold; it touches no file."""
    return tuple(item for page in graph.pages for item in wanted_on(page))


def paths_read(graph: Graph, path: str | PathLike[str] | None) -> list[Path]:
    """Returns the paths of all that a graph is read from: its own file, if it has one, and the files that it names.

    Those lie beside its own file, or in the working directory.
    """
    folder = Path() if path is None else Path(path).parent
    names = [folder / name for item in wanted_files(graph) for name in item.names]
    return names if path is None else [Path(path), *names]


def without_files(graph: Graph, files: Iterable[WantedFile]) -> Graph:
    """Returns a graph without the content that some files gave it."""
    for wanted in files:
        graph = with_parameters(graph, wanted.block, {"inputs": None, "targets": None})
    return graph


def wanted_on(page: Page) -> Iterator[WantedFile]:
    """Yields the files that blocks of one page want."""
    for name, block in page.blocks.items():
        block_type = library.get(block.type)
        if block_type is None or block_type.draw is None or not block_type.draw.is_of_rows:
            continue
        given = block.parameters
        if given.get("set") == FILE and given.get(FILE) and given.get("inputs") is None:
            file, label, digest = (str(given.get(key, "")) for key in (FILE, "label", "sha256"))
            yield WantedFile(f"{page.name}/{name}", file, label, digest, str(given.get("missing", "refuse")))
