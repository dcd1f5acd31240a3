"""What is said of an edit, and of the picture on a block, for those who do not see them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gradwire.app.canvas.access.edit_sentences import edit_sentence
from gradwire.app.canvas.access.picture_words import picture_words
from gradwire.app.canvas.painting.monitors.pictures import (
    Boundary,
    Curves,
    Heat,
    Histogram,
    Images,
    Picture,
    Points,
    Rounds,
    Said,
)
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, chain, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")


def several(count: int, start: Graph | None = None) -> Graph:
    graph = start or chain(1.0)
    for number in range(count):
        graph = with_block(graph, f"t{number}", "Tanh", (0, 200 * number + 200))
    return graph


def joined(count: int) -> Graph:
    return wired(several(count), *(f"x.y > t{number}.x" for number in range(count)))


def muted(graph: Graph, *names: str, is_muted: bool = True) -> Graph:
    for name in names:
        graph = edits.set_muted(graph, MAIN, name, is_muted)
    return graph


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (lambda: chain(1.0), lambda: several(1), "Tanh t0 added"),
        (lambda: chain(1.0), lambda: several(3), "Tanh t0, Tanh t1, Tanh t2 added"),
        (lambda: chain(1.0), lambda: several(4), "4 blocks added"),
        (lambda: several(2), lambda: chain(1.0), "Tanh t0, Tanh t1 deleted"),
        (lambda: several(2), lambda: joined(2), "Connected x to t0 x, x to t1 x"),
        (lambda: joined(3), lambda: several(3), "Disconnected x to t0 x, x to t1 x, x to t2 x"),
        (lambda: several(4), lambda: joined(4), "Connected 4 wires"),
        (lambda: several(2), lambda: muted(several(2), "t0"), "Tanh t0 muted"),
        (lambda: muted(several(2), "t0", "t1"), lambda: muted(several(2), "t1"), "Tanh t0 unmuted"),
        # Wires of a deleted block are gone with it.
        (lambda: joined(1), lambda: edits.remove_blocks(joined(1), MAIN, ["t0"]), "Tanh t0 deleted"),
        (lambda: chain(1.0), lambda: joined(1), "Tanh t0 added. Connected x to t0 x"),
    ],
)
def test_an_edit_is_told_by_names_of_three_things_at_most(
    old: Callable[[], Graph], new: Callable[[], Graph], sentence: str
) -> None:
    assert edit_sentence(old().page(MAIN), new().page(MAIN)) == sentence


def test_places_and_numbers_are_no_news() -> None:
    graph = joined(1)
    for changed in (
        edits.move_blocks(graph, MAIN, {"t0": (640, 0)}),
        edits.set_parameter(graph, MAIN, "x", "value", np.array([7.0])),
        graph,
    ):
        assert edit_sentence(graph.page(MAIN), changed.page(MAIN)) == ""
    swapped = edits.disconnect(graph, MAIN, Port("t0", "x"))
    assert edit_sentence(graph.page(MAIN), swapped.page(MAIN)) == "Disconnected x to t0 x"


def test_a_block_is_called_by_its_type_and_name_but_not_twice() -> None:
    before = chain(1.0)
    for name, said in (("Exp", "Exp"), ("Exp_2", "Exp_2"), ("other", "Exp other")):
        after = with_block(before, name, "Exp", (0, 400))
        assert edit_sentence(before.page(MAIN), after.page(MAIN)) == f"{said} added"
    labelled = edits.set_label(with_block(before, "q", "Exp", (0, 400)), MAIN, "q", "the power")
    assert edit_sentence(before.page(MAIN), labelled.page(MAIN)) == "Exp the power added"


AT = np.array([[0.0, 1], [2, 3], [4, 5]])


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (None, ""),
        (Said("Nothing."), "Nothing."),
        (Rounds(np.array([0, 1200]), np.array([3.0, 0.25])), "0.25 in round 1,200"),
        (Rounds(np.array([], int), np.array([])), ""),
        (Points(AT), "3 points"),
        (Points(AT[:1]), "1 point"),
        (Points(AT, np.array([0, 1, 1])), "3 points of 2 classes"),
        (Points(AT[:1], np.array([5])), "1 point of 1 class"),
        (Curves(np.arange(3.0), np.array([[1.0], [np.nan], [-2.5]])), "line from −2.5 to 1"),
        (Curves(np.arange(1.0), np.array([[np.inf]])), "line from NaN to NaN"),
        (Histogram(np.array([-1.0, 0, 2]), np.array([0.5, 0.5])), "histogram from −1 to 2"),
        (Heat(np.ones((2, 3)), 20, 30), "heat map [20×30]"),
        (Images(np.zeros((1, 2, 2, 1))), "1 image"),
        (Images(np.zeros((7, 2, 2, 1))), "7 images"),
        (Boundary((0, 0), (1, 1), np.array([[0, 2], [2, 0]]), AT, AT, Points(AT)), "the plane has 2 classes"),
        (Boundary((0, 0), (1, 1), np.array([[1, 1]]), AT, AT, Points(AT)), "the plane has 1 class"),
    ],
)
def test_a_picture_has_words(picture: Picture | None, words: str) -> None:
    asked: list[str] = []
    monitors = SimpleNamespace(picture=lambda path: asked.append(path) or picture)
    mirror: Any = SimpleNamespace(session=SimpleNamespace(prefix="main/cell", part=lambda _: monitors))
    assert picture_words(mirror, "b") == words and asked == ["main/cell/b"]
