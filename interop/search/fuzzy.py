"""Scores for how well a query fits a name: the ranking of all searches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A name for searches: lower case without blanks, with its words or CamelCase humps."""

    whole: str
    humps: tuple[str, ...]


def name_of_words(text: str) -> Name:
    """Returns the name of an item whose title is a few words."""
    humps = tuple(re.findall(r"[^\W_]+", text.lower()))
    return Name("".join(humps), humps)


def name_of_type(text: str) -> Name:
    """Returns the name of a block type, with the humps of its CamelCase."""
    humps = re.findall(r"[A-Z]?[a-z]+|\d+[A-Z]?|[A-Z](?![a-z])", text)
    return Name(text.lower().replace("_", ""), tuple(hump.lower() for hump in humps))


def typed_words(query: str) -> list[str]:
    """Returns the words of a query, in lower case."""
    return [word for word in re.split(r"[\s_]+", query.lower()) if word]


def name_scores(name: Name, text: str, words: Sequence[str]) -> Iterator[float]:
    """Yields a score for each way in which a name fits, 100 for the name itself.

    `text` is the query in lower case without blanks, `words` are its words in any order.
    """
    if name.whole == text:
        yield 100
    if name.whole.startswith(text):
        yield 80
    if any("".join(name.humps[start:]).startswith(text) for start in range(1, len(name.humps))):
        yield 70
    if len(text) > 1:
        yield from _inner_scores(name, text)
    if len(words) > 1 and all(word in name.whole for word in words):
        yield 50


def _inner_scores(name: Name, text: str) -> Iterator[float]:
    if text == "".join(hump[0] for hump in name.humps):
        yield 65
    if _runs_over_humps(text, name.humps):
        yield 55
    if text in name.whole:
        yield 45


def _runs_over_humps(text: str, humps: tuple[str, ...]) -> bool:
    """Returns whether the text consists of beginnings of a name's parts, in order: `rmax` in ReduceMax."""
    if not text:
        return True
    for place, hump in enumerate(humps):
        for length in range(min(len(hump), len(text)), 0, -1):
            if hump[:length] == text[:length] and _runs_over_humps(text[length:], humps[place + 1 :]):
                return True
    return False


def scattered_score(name: Name, text: str) -> float:
    """Returns the score of a name with the letters of a text in order, 0 if it lacks them.

    It is lower than all other scores.
    """
    starts = [place for place, letter in enumerate(name.whole) if letter == text[:1]]
    lengths = [length for start in starts if (length := _length_from(text, name.whole, start)) is not None]
    gaps = min(lengths) - len(text) if lengths else None
    if gaps is None or gaps > 2 * len(text):
        return 0.0
    return 30 / (1 + gaps / 100)


def _length_from(text: str, whole: str, start: int) -> int | None:
    """Returns the number of letters that a text spans in a name; None if it does not fit."""
    place = start
    for letter in text[1:]:
        place = whole.find(letter, place + 1)
        if place < 0:
            return None
    return place - start + 1
