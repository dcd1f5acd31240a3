"""The blocks, frames and notes of a graph as entries, which a choice goes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from gradwire.app.base.translation import tr
from gradwire.app.kit.search.entries import Entry
from gradwire.app.look.categories import color_token, icon_name
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph, Page
from gradwire.interop.search.fuzzy import name_of_type, name_of_words


@dataclass(frozen=True)
class Thing:
    """A block, frame or note: `title` names it, `detail` is the rest of its text, of a block its type."""

    page: str
    kind: Literal["block", "frame", "note"]
    id: str
    title: str
    detail: str = ""


def places(graph: Graph, go: Callable[[Thing], object], page: str = "") -> list[Entry]:
    """Returns all blocks, frames and notes: those on `page` first, then those with short titles."""
    things = [thing for part in graph.pages for thing in _things_on(part)]
    return [_entry(thing, go) for thing in sorted(things, key=lambda thing: (thing.page != page, len(thing.title)))]


def _things_on(page: Page) -> Iterator[Thing]:
    for block in page.blocks.values():
        yield Thing(page.name, "block", block.id, block.label or block.id, block.type)
    for frame in page.frames:
        yield Thing(page.name, "frame", frame.id, frame.title or frame.id)
    for note in page.notes:
        first, _, rest = note.text.partition("\n")
        yield Thing(page.name, "note", note.id, first, " ".join(rest.split()))


def _entry(thing: Thing, go: Callable[[Thing], object]) -> Entry:
    is_block, known = thing.kind == "block", library.get(thing.detail)
    what = plain(thing.detail) if is_block else tr("frame") if thing.kind == "frame" else tr("note")
    # Later texts count a little less.
    rest = name_of_type(thing.detail) if is_block else name_of_words(thing.detail)
    return Entry(
        f"{thing.kind}:{thing.page}/{thing.id}",
        plain(thing.title),
        partial(go, thing),
        f"{what}, {thing.page}",
        icon=icon_name(known) if is_block else "comment",
        token=color_token(known) if is_block else "text.tertiary",
        names=((name_of_words(thing.id), 0.99), (rest, 0.98)),
    )
