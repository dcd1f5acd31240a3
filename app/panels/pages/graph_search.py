"""A search for blocks, frames and notes on all pages of a graph by their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gradwire.engine.graph.graph import Graph, Page
from gradwire.interop.search.fuzzy import Name, name_of_type, name_of_words, name_scores, scattered_score

Kind = Literal["block", "frame", "note"]
MOST = 200


@dataclass(frozen=True)
class Thing:
    """A block, frame or note: `title` names it, `detail` is the rest of its text."""

    page: str
    kind: Kind
    id: str
    title: str
    detail: str


def things_of(graph: Graph) -> Iterator[Thing]:
    """Yields all blocks, frames and notes, page by page."""
    for page in graph.pages:
        yield from _things_on(page)


def find_things(graph: Graph, query: str, page: str = "") -> list[Thing]:
    """Returns the things that match all words of a query, best first; among equals, those on `page` first."""
    words = name_of_words(query).humps
    found = []
    for place, thing in enumerate(things_of(graph) if words else ()):
        score = _score(thing, words)
        if score is not None:
            found.append((-score, thing.page != page, len(thing.title), place, thing))
    return [item[-1] for item in sorted(found, key=lambda item: item[:-1])[:MOST]]


def _things_on(page: Page) -> Iterator[Thing]:
    for block in page.blocks.values():
        yield Thing(page.name, "block", block.id, block.label or block.id, block.type)
    for frame in page.frames:
        yield Thing(page.name, "frame", frame.id, frame.title or frame.id, "")
    for note in page.notes:
        first, _, rest = note.text.partition("\n")
        yield Thing(page.name, "note", note.id, first, " ".join(rest.split()))


def _score(thing: Thing, words: Sequence[str]) -> float | None:
    """Returns how well a thing matches, larger is better; None if it lacks a word."""
    names = [name_of_words(thing.title), name_of_words(thing.id)]
    names.append(name_of_type(thing.detail) if thing.kind == "block" else name_of_words(thing.detail))
    total = 0.0
    for word in words:
        # Later texts count a little less.
        scores = [max(_fits(name, word), default=0.0) * (1 - at / 100) for at, name in enumerate(names)]
        if not any(scores):
            return None
        total += max(scores)
    return total


def _fits(name: Name, word: str) -> Iterator[float]:
    """Yields the scores of a name; users abbreviate their own names, so letters in order suffice."""
    yield from name_scores(name, word, [word])
    yield scattered_score(name, word)
