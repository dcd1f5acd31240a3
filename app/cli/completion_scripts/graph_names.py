"""Names of blocks for a command that is being written, read from the graph that it names, without NumPy."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gradwire.app.base.examples import example_path
from gradwire.app.base.terminal import say
from gradwire.engine.base.errors import NameUnknownError

# A key is answered at once or not at all. Units: bytes.
_MOST = 4_000_000
_DEEPEST = 8
# Any: what JSON holds.
Blocks = Mapping[str, Sequence[Mapping[str, Any]]]


def print_names(words: Sequence[str]) -> int:
    """Prints the names that may take the place of the last word; nothing where none is known."""
    *before, begun = words or [""]
    option = before[-1] if before else ""
    paths = filter(None, map(_file_of, before))
    names = {name for path in paths for name in names_for(option, _blocks_in(path)) if name.startswith(begun)}
    for name in sorted(names):
        say(name)
    return 0


def names_for(option: str, pages: Blocks) -> Iterator[str]:
    """Yields the names that an option takes: StopGradients where they are used, Losses, or what has a value."""
    if option == "--without":
        used = {block.get("parameters", {}).get("page") for blocks in pages.values() for block in blocks}
        for page in pages:
            if page not in used:
                yield from _stops(pages, page, page, _DEEPEST)
        return
    for page, blocks in pages.items():
        for block in blocks:
            if option == "--loss" and block.get("type") == "Loss":
                yield f"{page}/{block.get('id')}"
            elif option in ("--set", "--feed") and "value" in block.get("parameters", {}):
                yield f"{page}/{block.get('id')}="


def _stops(pages: Blocks, page: str, path: str, depth: int) -> Iterator[str]:
    for block in pages.get(page, ()):
        inside = f"{path}/{block.get('id')}"
        if block.get("type") == "StopGradient":
            yield inside
        elif block.get("type") == "Page" and depth:
            yield from _stops(pages, str(block.get("parameters", {}).get("page")), inside, depth - 1)


def _file_of(word: str) -> str | None:
    """Returns the path of the graph that a word of the command names; None if it names none."""
    if os.path.isfile(word):
        return word
    with contextlib.suppress(NameUnknownError):
        return str(example_path(word))
    return None


def _blocks_in(path: str) -> Blocks:
    """Returns the blocks of each page of a file, as they are written there; nothing if it is large or no graph."""
    try:
        if os.stat(path).st_size > _MOST:
            return {}
        with open(path, encoding="utf-8") as file:
            pages = json.load(file)["pages"]
        return {str(page["name"]): list(_records(page["blocks"])) for page in _records(pages)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _records(items: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("parameters", {}), dict):
            yield item
