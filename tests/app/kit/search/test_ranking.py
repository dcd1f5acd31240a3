"""How much a match is worth: by the name that fits, the words of the query, and how often an entry was chosen."""

from __future__ import annotations

import pytest

from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.ranking import matches, ranked
from gradwire.interop.search.fuzzy import name_of_words


def entry(text: str, also: str = "", share: float = 0.5, is_possible: bool = True) -> Entry:
    names = ((name_of_words(also), share),) if also else ()
    return Entry(f"id:{text}", text, lambda: None, names=names, is_possible=is_possible)


def score(found: Entry, query: str, is_loose: bool = False) -> float:
    return next((score for score, _ in matches([found], query, is_loose)), 0.0)


@pytest.mark.parametrize(
    ("query", "worth"),
    [
        # A name is worth 100, its beginning 80, the beginning of a later word 70; another name half of that.
        ("alpha beta", 100),
        ("Alpha-Beta", 100),
        ("alpha", 80),
        ("beta", 70),
        ("gamma", 50),
        # Words count their mean, if all fit.
        ("alpha gamma", (80 + 50) / 2),
        ("beta alpha", (70 + 80) / 2),
        ("alpha beta gamma", (80 + 70 + 50) / 3),
        ("alpha delta", 0),
        ("delta", 0),
        ("", 0),
        (" ", 0),
    ],
)
def test_a_match_is_worth_what_its_best_name_is(query: str, worth: float) -> None:
    assert score(entry("Alpha beta", "gamma"), query) == pytest.approx(worth)
    assert score(entry("Alpha beta", "gamma", is_possible=False), query) == pytest.approx(0.8 * worth)


def test_letters_in_order_are_found_only_loosely_and_are_worth_least() -> None:
    """The letters span 9, of which 3 are typed: 30 / 1.06."""
    assert score(entry("Alpha beta"), "lht") == 0
    assert score(entry("Alpha beta"), "lht", is_loose=True) == pytest.approx(30 / (1 + 4 / 100))
    assert score(entry("Alpha beta"), "thl", is_loose=True) == 0
    assert score(entry("Alpha beta"), "alpha", is_loose=True) == 80


def test_what_fits_a_little_is_found() -> None:
    assert score(entry("Alpha", "gamma", share=0.005), "gamma") == pytest.approx(0.5)


def test_habit_counts_three_for_each_of_five_uses() -> None:
    often, better = entry("often"), entry("better")

    def first(lead: float, uses: int) -> str:
        return ranked([(80 + lead, better), (80, often)], {often.id: uses})[0].text

    assert [first(2.9, 1), first(3.0, 1), first(3.1, 1)] == ["often", "better", "better"]
    assert [first(14.9, 5), first(15.0, 5), first(15.1, 9)] == ["often", "better", "better"]
    assert [item.text for item in ranked([(1.0, often), (2.0, better), (1.0, entry("last"))])] == [
        "better",
        "often",
        "last",
    ]
