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


@pytest.mark.parametrize(
    ("text", "query", "scores"),
    [
        ("Fit the selection", "fit the selection", {100, 80, 55, 50, 45}),
        ("Fit the selection", "fit", {80, 55, 45}),
        ("Fit the selection", "f", {80}),
        ("Fit the selection", "the selection", {70, 55, 50, 45}),
        ("Fit the selection", "s", {70}),
        ("Fit the selection", "fts", {65, 55}),
        ("Fit the selection", "fse", {55}),
        ("Fit the selection", "lect", {45}),
        ("Fit the selection", "l", set()),
        ("Fit the selection", "selection fit", {50}),
        ("Fit the selection", "selection far", set()),
        ("Reset", "set", {45}),
        ("", "set", set()),
    ],
)  # fmt: skip
def test_each_way_in_which_a_name_fits_has_its_score(text: str, query: str, scores: set[float]) -> None:
    words = typed_words(query)
    assert {*name_scores(name_of_words(text), "".join(words), words)} == scores


@pytest.mark.parametrize("query", ["fitx", "noitceles", "zoom"])
def test_what_is_not_in_a_name_does_not_fit(query: str) -> None:
    assert score("Fit the selection", query) == 0


def test_letters_in_their_order_fit_worse_than_anything_else_but_better_the_nearer_they_stand() -> None:
    name = name_of_type("ReduceSum")
    near, far = scattered_score(name, "redum"), scattered_score(name, "rdm")
    assert 45 > near > far > 0
    assert scattered_score(name, "mr") == scattered_score(name, "x") == 0


def test_a_score_of_scattered_letters_is_that_of_their_nearest_places() -> None:
    assert scattered_score(name_of_words("rxxrxdxm"), "rdm") == pytest.approx(30 / 1.02)
    assert scattered_score(name_of_words("abc"), "abc") == 30
    assert scattered_score(name_of_words("aXa"), "aa") == pytest.approx(30 / 1.01)


@pytest.mark.parametrize(
    ("name", "humps"),
    [("Conv2DTranspose", "conv 2d transpose"), ("RGBToHSV", "r g b to h s v"), ("relu", "relu"), ("Log1p", "log 1 p")],
)
def test_a_type_has_humps(name: str, humps: str) -> None:
    assert name_of_type(name).humps == tuple(humps.split())


@pytest.mark.parametrize(("between", "fits"), [(0, True), (4, True), (5, False)])
def test_letters_that_stand_too_far_apart_do_not_fit(between: int, fits: bool) -> None:
    """At most twice as many other letters as letters of the query may lie between them."""
    assert (scattered_score(name_of_words("q" + "x" * between + "z"), "qz") > 0) is fits
    assert scattered_score(name_of_words("qxxxxxx" + "q" + "x" * between + "z"), "qz") == pytest.approx(
        30 / (1 + between / 100) if fits else 0
    )
