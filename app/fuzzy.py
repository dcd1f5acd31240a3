"""How well what was typed fits a name: the ranking of the search for blocks and of the command box."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A name as it is searched: in lower case without blanks, and the words or humps that it is made of."""

    whole: str
    humps: tuple[str, ...]


def name_of_words(text: str) -> Name:
    """The name of something whose title is a few words."""
    humps = tuple(re.findall(r"[^\W_]+", text.lower()))
    return Name("".join(humps), humps)


def typed_words(query: str) -> list[str]:
    """The words of a query, in lower case."""
    return [word for word in re.split(r"[\s_]+", query.lower()) if word]


def name_scores(name: Name, text: str, words: Sequence[str]) -> Iterator[float]:
    """One score for each way in which a name fits, 100 for the name itself; nothing where it does not fit.

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
    """Whether the text is made of beginnings of the parts of a name, in order: `rmax` in ReduceMax."""
    if not text:
        return True
    for place, hump in enumerate(humps):
        for length in range(min(len(hump), len(text)), 0, -1):
            if hump[:length] == text[:length] and _runs_over_humps(text[length:], humps[place + 1 :]):
                return True
    return False
