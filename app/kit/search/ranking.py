"""The ranking of all searches: how well an entry fits what was typed, and how often it was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gradwire.app.kit.search.entries import Entry
from gradwire.interop.search.fuzzy import Name, name_of_words, name_scores, scattered_score

Scored = tuple[float, Entry]
# Habit counts more than the quality of a match.
_IMPOSSIBLE_SHARE, _USE_BONUS, _USES_COUNTED = 0.8, 3.0, 5


def matches(entries: Iterable[Entry], query: str, is_loose: bool = False) -> Iterator[Scored]:
    """Yields the entries that fit a query, or each word of it, by one of their names.

    `is_loose` finds letters in order, too, as users abbreviate their own names.
    """
    typed = name_of_words(query)
    for entry in entries if typed.whole else ():
        score = _score(entry, typed, is_loose)
        if score > 0:
            yield score, entry


def ranked(found: Iterable[Scored], uses: Mapping[str, int] | None = None) -> list[Entry]:
    """Returns entries from any sources, best first; among equals, in the order in which they came."""
    counts = uses or {}

    def worth(scored: Scored) -> float:
        return scored[0] + _USE_BONUS * min(counts.get(scored[1].id, 0), _USES_COUNTED)

    return [entry for _, entry in sorted(found, key=worth, reverse=True)]


def _score(entry: Entry, typed: Name, is_loose: bool) -> float:
    """Returns the score of the whole query, or the mean of its words if all fit."""
    each = [_best(entry, word, is_loose) for word in typed.humps]
    best = max(_best(entry, typed.whole, is_loose), sum(each) / len(each) if all(each) else 0.0)
    return best * (1.0 if entry.is_possible else _IMPOSSIBLE_SHARE)


def _best(entry: Entry, text: str, is_loose: bool) -> float:
    return max(_fit(name, text, is_loose) * share for name, share in entry.found_by)


def _fit(name: Name, text: str, is_loose: bool) -> float:
    letters = iter(name.whole)
    # Whatever fits has its letters in order; most names of a large graph end here.
    if not all(letter in letters for letter in text):
        return 0.0
    # The first score is the best one.
    return next(name_scores(name, text, ()), 0.0) or (scattered_score(name, text) if is_loose else 0.0)
