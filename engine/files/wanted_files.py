"""Files that a graph wants to read, and the graph with their content; nothing is read before somebody allows it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.data_files import read_examples
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph

FILE = "file"


@dataclass(frozen=True)
class WantedFile:
    """File that a block, by page and id, wants: its name, its labels, the sum that it had, and how gaps are filled."""

    block: str
    file: str
    label: str
    sha256: str
    missing: str


def wanted_files(graph: Graph) -> tuple[WantedFile, ...]:
    """Returns the files that blocks of a graph name and whose content they do not hold; it touches no file."""
    return tuple(_wanted(graph))


def with_files(graph: Graph, folder: str | os.PathLike[str]) -> tuple[Graph, list[str]]:
    """Returns a graph with the content of its files, and sentences about files that have changed or had gaps.

    Raises: FileError if a file may not be read, or holds no examples.
    """
    notes = []
    for wanted in wanted_files(graph):
        found = read_examples(folder, wanted.file, wanted.label, wanted.missing)
        if wanted.sha256 and found.sha256 != wanted.sha256.lower():
            notes.append(f"{wanted.block}: {wanted.file} has changed since the graph was written.")
        if found.filled:
            notes.append(f"{wanted.block}: {found.filled:,} missing numbers of {wanted.file} were filled in.")
        graph = with_parameters(graph, wanted.block, {"inputs": found.inputs, "targets": found.targets})
    return graph, notes


def without_files(graph: Graph, files: Iterable[WantedFile]) -> Graph:
    """Returns a graph without the content that some files gave it."""
    for wanted in files:
        graph = with_parameters(graph, wanted.block, {"inputs": None, "targets": None})
    return graph


def _wanted(graph: Graph) -> Iterator[WantedFile]:
    for page in graph.pages:
        for name, block in page.blocks.items():
            block_type = library.get(block.type)
            if block_type is None or block_type.draw is None or not block_type.draw.is_of_rows:
                continue
            given = block.parameters
            if given.get("set") == FILE and given.get(FILE) and given.get("inputs") is None:
                file, label, digest = (str(given.get(key, "")) for key in (FILE, "label", "sha256"))
                yield WantedFile(f"{page.name}/{name}", file, label, digest, str(given.get("missing", "refuse")))
