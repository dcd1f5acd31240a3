"""Writing of a graph's file together with its weights: a crash at any time leaves a pair that opens."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection
from os import PathLike
from pathlib import Path
from typing import TypeVar

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.beside.names import SUFFIX, content_name, is_own, names_in, own_names
from gradwire.engine.files.beside.weights import Weights
from gradwire.engine.files.disk import read_file, reasons_told, write_parts
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.round_trip import check_reads_back
from gradwire.engine.graph.graph import Graph

Written = TypeVar("Written")


def write_beside(
    graph: Graph, path: str | PathLike[str], write: Callable[[bytes], Written], by_content: bool = False
) -> Written:
    """Writes the weights of a graph beside a path, then its text by `write`; weights of before go if none needs them.

    New weights have a name that the old text does not know, so each text has its own at all times. With `by_content`,
    for folders of the program's own, the name follows from the content, and graphs there may share it.
    Raises: FileError for what no file can hold, and what `write` raises.
    """
    weights = Weights(graph)
    text = dumps(graph, weights=weights)
    with reasons_told(path, is_written=True):
        target = Path(os.path.realpath(path))
    before = _names_before(target)
    if weights:
        names = [content_name(weights.digest)] if by_content else own_names(target, weights.digest)
        name = _free_name(names, weights, target, names_in(text.encode()))
        text, weights.name = text.replace(weights.name, name), name
    content = text.encode()
    check_reads_back(graph, content, weights)
    is_new = _write_weights(weights, target)
    try:
        written = write(content)
    except BaseException:
        if is_new and weights.name not in before:
            remove(target.parent / weights.name)
        raise
    # Another program may have swept them away before a text named them.
    if weights and not (target.parent / weights.name).exists():
        _write_weights(weights, target)
    remove_unnamed(target.parent, before - names_in(content).keys())
    return written


def remove_unnamed(folder: Path, names: Collection[str]) -> None:
    """Removes those of some files of weights that no graph in their folder names; never raises."""
    if not names:
        return
    named = set[str]()
    with contextlib.suppress(OSError):
        for file in folder.glob("*.graph"):
            try:
                named |= names_in(read_file(file)[0]).keys()
            except FileError:
                # It may name any of them.
                return
        for name in set(names) - named:
            remove(folder / name)


def remove(path: Path) -> None:
    """Removes a file, if that is possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def _names_before(target: Path) -> set[str]:
    """Returns the weights that the file at a path names, and those of its saves that came to no end."""
    try:
        beside = [name for name in os.listdir(target.parent) if name.endswith(SUFFIX)]
        if not beside:
            return set()
        named = names_in(read_file(target)[0]).keys() if target.exists() else set()
    except (OSError, FileError):
        return set()
    return {name for name in beside if name in named or is_own(name, target)}


def _free_name(names: list[str], weights: Weights, target: Path, absent: Collection[str]) -> str:
    """Returns the first name that is free or has this content already; the last one is of this content alone."""
    for name in names[:-1]:
        is_free = name not in absent and not os.path.lexists(target.parent / name)
        if is_free or weights.is_in(os.fspath(target.parent), name):
            return name
    return names[-1]


def _write_weights(weights: Weights, target: Path) -> bool:
    """Writes the file of the weights, unless it is there; returns whether it was written."""
    path = target.parent / weights.name
    if not weights or weights.is_in(os.fspath(target.parent), weights.name):
        return False
    write_parts(path, weights.parts(), like=target)
    return True
