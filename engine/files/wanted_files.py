"""Files that a graph wants to read; nothing is read before somebody allows it, and then by `given_files`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.data_kinds import DataOptions, has_labels_apart
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Block, Graph, Page

FILE = "file"


class WantedFile(NamedTuple):
    """File that a block, by page and id, wants: its name, the sum that it had, and how it is to be read."""

    block: str
    file: str
    sha256: str
    options: DataOptions

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files that are read: that of the labels too, where they have one of their own."""
        return (self.file, *self.options.labels) if has_labels_apart(self.file) else (self.file,)


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
        graph = with_parameters(graph, wanted.block, {"inputs": None, "targets": None, "held": 0})
    return graph


def wanted_on(page: Page) -> Iterator[WantedFile]:
    """Yields the files that blocks of one page want."""
    for name, block in page.blocks.items():
        block_type = library.get(block.type)
        if block_type is None or block_type.draw is None or not block_type.draw.is_of_rows:
            continue
        given = _texts(block, block_type)
        if given is not None and given["set"] == FILE and given[FILE] and block.parameters.get("inputs") is None:
            options = DataOptions(**{key: given[key] for key in DataOptions._fields})
            yield WantedFile(f"{page.name}/{name}", given[FILE], given["sha256"], options)


def _texts(block: Block, block_type: BlockType) -> dict[str, Any] | None:  # Any: as their kinds decide
    """Returns the parameters that say which file is read and how; None if one is wrong, which the run tells.

    A type of rows that is no Data block reads no file.
    """
    names = (*DataOptions._fields, "set", FILE, "sha256")
    kinds = block_type.parameters
    if not kinds.keys() >= set(names):
        return None
    try:
        return {name: kinds[name].normalize(block.parameters.get(name, kinds[name].default)) for name in names}
    except BlockError:
        return None
