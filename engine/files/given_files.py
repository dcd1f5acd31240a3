"""Graphs with the content of the files that they name; only such graphs need the readers of tables and archives."""

from __future__ import annotations

import os

from gradwire.engine.files.data_files import read_examples
from gradwire.engine.files.data_notes import line_of
from gradwire.engine.files.wanted_files import wanted_files
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph


def with_files(graph: Graph, folder: str | os.PathLike[str]) -> tuple[Graph, list[str]]:
    """Returns a graph with the content of its files, and a line about each: how it was read, and if it has changed.

    Raises: FileError if a file may not be read, or holds no examples.
    """
    notes = []
    for wanted in wanted_files(graph):
        found = read_examples(folder, wanted.file, wanted.options)
        notes.append(f"{wanted.block}: {line_of(found.notes)}")
        if wanted.sha256 and found.sha256 != wanted.sha256.lower():
            notes.append(f"{wanted.block}: {wanted.file} has changed since the graph was written.")
        graph = with_parameters(graph, wanted.block, found.parameters)
    return graph, notes
