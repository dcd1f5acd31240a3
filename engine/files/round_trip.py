"""Round-trip check: reads the text of a file and compares it with the original graph, part by part."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator, Mapping
from itertools import zip_longest

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.files.beside.reading import Beside
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import parameters_to_save
from gradwire.engine.graph.graph import Block, Graph, Page, Wire, same_value

_FACTS = operator.attrgetter("id", "type", "label", "at", "width", "is_collapsed", "is_muted")


def check_reads_back(graph: Graph, content: bytes, beside: Beside | None = None) -> None:
    """Checks that a file with this content, and with these weights beside it, opens as the graph.

    Raises: FileError that names the first part that would be lost or changed.
    """
    try:
        with collection_paused():
            read = loads(content, beside=beside).graph
    except FileError as error:
        raise FileError(f"The graph cannot be saved, for what was written could not be read: {error}") from error
    lost = next(_lost(graph, read), None)
    if lost is not None:
        raise FileError(f"The graph cannot be saved: {lost} would not be the same when read from the file.")


def _lost(graph: Graph, read: Graph) -> Iterator[str]:
    """Yields the parts that differ between a graph and its reading, by name."""
    written = dataclasses.replace(graph, pages=read.pages)
    if not _is_same(written, read):
        yield "what belongs to no page"
    for page, other in zip_longest(graph.pages, read.pages):
        if page is None or other is None or page.name != other.name:
            yield f'page "{(page or other).name}"'
        else:
            yield from _lost_on(page, other)


def _lost_on(page: Page, read: Page) -> Iterator[str]:
    for name, block in page.blocks.items():
        other = read.blocks.get(name)
        if other is None or not (_is_equal(block, other) or _is_same(_as_saved(block), other)):
            yield f'block "{name}" of page "{page.name}"'
    written = dataclasses.replace(page, blocks=read.blocks, surplus=tuple(sorted(page.surplus)))
    if not _is_same(written, dataclasses.replace(read, surplus=tuple(sorted(read.surplus)))):
        yield f'page "{page.name}"'


def _is_equal(block: Block, read: Block) -> bool:
    """Returns whether two blocks are equal; fast, because there are many."""
    has_same_rest = same_value(block.parameters, read.parameters) and same_value(block.extra, read.extra)
    return has_same_rest and _FACTS(block) == _FACTS(read)


def _as_saved(block: Block) -> Block:
    """Returns the block without the parameters that equal their defaults, as files store it."""
    return dataclasses.replace(block, parameters=parameters_to_save(block.type, block.parameters))


def _is_same(written: Graph | Page | Block, read: Graph | Page | Block) -> bool:
    """Returns whether two records agree in all fields; NumPy scalars equal the Python numbers they print as."""
    names = [field.name for field in dataclasses.fields(written)]
    return all(same_value(_plain(getattr(written, name)), getattr(read, name)) for name in names)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    # Wires and ports are tuples, too, and need no conversion.
    if isinstance(value, list | tuple) and not isinstance(value, Wire):
        return [_plain(item) for item in value]
    return value
