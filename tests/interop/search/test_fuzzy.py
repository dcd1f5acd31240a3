"""Scores for how well a query fits a name."""

from __future__ import annotations

import pytest

from gradwire.interop.search.fuzzy import name_of_type, name_of_words, name_scores, scattered_score, typed_words


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


def test_letters_in_their_order_fit_worse_than_anything_else_but_better_the_nearer_they_stand() -> None:
    name = name_of_type("ReduceSum")
    near, far = scattered_score(name, "redum"), scattered_score(name, "rdm")
    assert 45 > near > far > 0
    assert scattered_score(name, "mr") == scattered_score(name, "x") == 0


def test_a_type_has_humps() -> None:
    assert name_of_type("Conv2DTranspose").humps == ("conv", "2d", "transpose")


@pytest.mark.parametrize(("between", "fits"), [(0, True), (4, True), (5, False)])
def test_letters_that_stand_too_far_apart_do_not_fit(between: int, fits: bool) -> None:
    """At most twice as many other letters as letters of the query may lie between them."""
    assert (scattered_score(name_of_words("q" + "x" * between + "z"), "qz") > 0) is fits
    assert scattered_score(name_of_words("qxxxxxx" + "q" + "x" * between + "z"), "qz") == pytest.approx(
        30 / (1 + between / 100) if fits else 0
    )
