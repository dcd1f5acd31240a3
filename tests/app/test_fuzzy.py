"""How well what is typed fits a name."""

from __future__ import annotations

import pytest

from app.fuzzy import name_of_words, name_scores, typed_words


def score(text: str, query: str) -> float:
    words = typed_words(query)
    return max(name_scores(name_of_words(text), "".join(words), words), default=0.0)


def test_whole_names_come_before_beginnings_before_later_words_before_initials_before_parts() -> None:
    name = "Fit the selection"
    queries = ["fit the selection", "fit", "sel", "fts", "fse", "lect"]
    scores = [score(name, query) for query in queries]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
    assert scores[0] == 100


def test_words_fit_in_any_order() -> None:
    assert score("Fit the selection", "selection fit") > 0


@pytest.mark.parametrize("query", ["fitx", "noitceles", "zoom"])
def test_what_is_not_in_a_name_does_not_fit(query: str) -> None:
    assert score("Fit the selection", query) == 0
