"""Finding blocks, frames and notes on all pages of a graph by what is written on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from app.fuzzy import Name, name_of_type, name_of_words, name_scores, scattered_score
from engine.graph import Graph, Page

Kind = Literal["block", "frame", "note"]
MOST = 200


@dataclass(frozen=True)
class Thing:
    """Something on a page: `title` is what it is known by, `detail` what else is written on it."""

    page: str
    kind: Kind
    id: str
    title: str
    detail: str


def things_of(graph: Graph) -> Iterator[Thing]:
    """All blocks, frames and notes, page by page."""
    for page in graph.pages:
        yield from _things_on(page)


def find_things(graph: Graph, query: str, page: str = "") -> list[Thing]:
    """What matches all words of a query, the best first; of equals those on one page come first."""
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
    """How well a thing fits, larger is better; None if a word is nowhere in it."""
    names = [name_of_words(thing.title), name_of_words(thing.id)]
    names.append(name_of_type(thing.detail) if thing.kind == "block" else name_of_words(thing.detail))
    total = 0.0
    for word in words:
        # What stands later counts a little less.
        scores = [max(_fits(name, word), default=0.0) * (1 - at / 100) for at, name in enumerate(names)]
        if not any(scores):
            return None
        total += max(scores)
    return total


def _fits(name: Name, word: str) -> Iterator[float]:
    """People shorten their own names as they like: letters in their order will do."""
    yield from name_scores(name, word, [word])
    yield scattered_score(name, word)
