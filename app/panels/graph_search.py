"""Finding blocks, frames and notes on all pages of a graph by what is written on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.graph import Graph, Page

Kind = Literal["block", "frame", "note"]
MOST = 200
_EXACT, _START, _WORD, _INSIDE, _SCATTERED = range(5)


@dataclass(frozen=True)
class Thing:
    """Something on a page: `title` is what it is known by, `detail` what else is written on it."""

    page: str
    kind: Kind
    id: str
    title: str
    detail: str

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that it can be found by."""
        return self.title, self.id, self.detail


def things_of(graph: Graph) -> Iterator[Thing]:
    """All blocks, frames and notes, page by page."""
    for page in graph.pages:
        yield from _things_on(page)


def find_things(graph: Graph, query: str, page: str = "") -> list[Thing]:
    """What matches all words of a query, the best first; of equals those on one page come first."""
    words = query.casefold().split()
    if not words:
        return []
    found = []
    for place, thing in enumerate(things_of(graph)):
        score = _score(thing, words)
        if score is not None:
            found.append((score, thing.page != page, len(thing.title), place, thing))
    return [item[-1] for item in sorted(found, key=lambda item: item[:-1])[:MOST]]


def _things_on(page: Page) -> Iterator[Thing]:
    for block in page.blocks.values():
        yield Thing(page.name, "block", block.id, block.label or block.id, block.type)
    for frame in page.frames:
        yield Thing(page.name, "frame", frame.id, frame.title or frame.id, "")
    for note in page.notes:
        first, _, rest = note.text.partition("\n")
        yield Thing(page.name, "note", note.id, first, " ".join(rest.split()))


def _score(thing: Thing, words: list[str]) -> float | None:
    """How well a thing fits, smaller is better; None if a word is nowhere in it."""
    total = 0.0
    for word in words:
        # What stands later counts a little less.
        known = [(match(word, text.casefold()), at) for at, text in enumerate(thing.texts)]
        scores = [score + at / 10 for score, at in known if score is not None]
        if not scores:
            return None
        total += min(scores)
    return total


def match(word: str, text: str) -> float | None:
    """How well a word fits a text: the same, its start, the start of a word in it, inside, or scattered; else None."""
    at = text.find(word)
    if at >= 0:
        if text == word:
            return _EXACT
        if at == 0:
            return _START
        starts = (place for place in range(1, len(text)) if not text[place - 1].isalnum())
        return _WORD if any(text.startswith(word, place) for place in starts) else _INSIDE
    gaps = _gaps(word, text)
    return None if gaps is None or len(word) < 2 or gaps > 2 * len(word) else _SCATTERED + gaps / 100


def _gaps(word: str, text: str) -> int | None:
    """The fewest letters between those of a word that stand in a text in their order; None if they do not."""
    found = [_length_from(word, text, start) for start, letter in enumerate(text) if letter == word[0]]
    lengths = [length for length in found if length is not None]
    return min(lengths) - len(word) if lengths else None


def _length_from(word: str, text: str, start: int) -> int | None:
    place = start
    for letter in word[1:]:
        place = text.find(letter, place + 1)
        if place < 0:
            return None
    return place - start + 1
