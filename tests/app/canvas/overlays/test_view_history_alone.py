"""The way back and forward through what a canvas has shown, without a window."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import LARGEST, Camera
from gradwire.app.canvas.overlays.view_history import KEPT, Place, ViewHistory, as_list, from_list
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from gradwire.engine.edits import edits, page_edits
from tests.app.canvas.pages import chain


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    graph = edits.add_page(edits.add_page(chain(1.0), "other")[0], "third")[0]
    found = Canvas(CurrentSession(Session(graph, InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(found)
    found.resize(800, 600)
    set_moves(False)
    yield found
    set_moves(None)
    found.session.close()


def place(x: float, page: str = "main", scale: float = 1.0) -> Place:
    return Place(page, page, x, 50.0, scale)


def test_jumps_are_entries_and_pans_move_the_newest_one(canvas: Canvas) -> None:
    history = ViewHistory(canvas)
    told: list[int] = []
    history.changed.connect(lambda: told.append(1))
    assert not history.can_turn(-1) and not history.can_turn(1)
    history.go_to(place(100))
    history.go_to(place(100))
    assert len(told) == 1
    history.go_to(place(200))
    assert history.here() == place(200) and history.can_turn(-1) and not history.can_turn(1)
    canvas.viewport.pan(-10, 20)
    assert history.here() == Place("main", "main", 210, 30, 1.0) and len(told) == 2
    history.turn(-1)
    assert history.here() == place(100) and history.can_turn(1)
    history.turn(1)
    assert history.here() == Place("main", "main", 210, 30, 1.0) and len(told) == 4
    history.turn(1)
    assert len(told) == 4
    history.turn(-1)
    history.go_to(place(300))
    assert not history.can_turn(1) and history.can_turn(-1)
    history.turn(-1)
    assert history.here() == place(100)


def test_another_page_is_an_entry_and_one_that_is_gone_is_passed_over(canvas: Canvas) -> None:
    history = ViewHistory(canvas)
    history.go_to(place(100))
    canvas.session.view.show("other")
    canvas.session.view.show("third")
    history.turn(-1)
    assert history.here().page == "other"
    history.turn(1)
    canvas.session.apply("Remove", page_edits.remove_page, "other")
    history.turn(-1)
    assert history.here() == place(100) and history.can_turn(1)
    history.go_to(place(5, "gone"))
    assert history.here() == place(100)
    history.turn(1)
    assert history.here().page == "third"


def test_only_the_newest_places_are_kept(canvas: Canvas) -> None:
    history = ViewHistory(canvas)
    for number in range(KEPT + 5):
        history.go_to(place(10.0 * number))
    steps = 0
    while history.can_turn(-1):
        history.turn(-1)
        steps += 1
    assert steps == KEPT - 1 and history.here() == place(10.0 * 5)


def test_a_place_is_seen_in_the_middle_within_the_limits_of_zooming() -> None:
    view = QSizeF(800, 600)
    assert place(100).camera(view, 0.4) == Camera(1.0, 300, 250)
    assert place(100, scale=2.0).camera(view, 0.4) == Camera(2.0, 200, 200)
    assert place(0, scale=1000.0).camera(view, 0.4).scale == LARGEST
    assert place(0, scale=1e-9).camera(view, 0.4).scale == 0.4
    assert place(1).is_on(place(2)) and not place(1).is_on(place(1, "other"))
    looped = Place("cell", "main/rec[3]", 0, 0, 1)
    assert looped.is_on(dataclasses.replace(looped, prefix="main/rec[5]"))


@pytest.mark.parametrize(
    ("values", "is_place"),
    [
        (["main", "main", 1, 2.5, 1.0], True),
        (["main", "main", 1, 2, 1, 1], False),
        (["main", "main", 1, 2], False),
        ([1, "main", 1, 2, 1], False),
        (["main", None, 1, 2, 1], False),
        (["main", "main", "1", 2, 1], False),
        (["main", "main", 1, float("nan"), 1], False),
        (["main", "main", float("inf"), 2, 1], False),
        (["main", "main", 1, 2, 0], False),
        (["main", "main", 1, 2, 1e-9], True),
        (("main", "main", 1, 2, 1), False),
        (None, False),
    ],
)
def test_what_is_written_down_is_read_with_care(values: object, is_place: bool) -> None:
    found = from_list(values)
    assert (found is not None) is is_place
    if found is not None:
        assert as_list(found) == [*map(str, values[:2]), *map(float, values[2:])]  # type: ignore[index]
