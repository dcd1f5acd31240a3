"""Frames: their titles drag all contents; dropped blocks and frames enter and leave them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver, Mod
from tests.app.window.graphs import MAIN, annotated

pytestmark = pytest.mark.usefixtures("one_window")


def nested() -> Graph:
    """Returns the annotated chain with a frame outer around the frame spare (c, t) and the empty frame hollow."""
    return edits.add_frame(annotated(), MAIN, "Outer", frames=["spare", "hollow"], id="outer")[0]


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(nested(), 0.8)
    return user


def title(user: Driver, name: str) -> QPointF:
    return user.canvas.mirror.frames[name].topLeft() + QPointF(30, 10)


def blocks_in(user: Driver) -> dict[str, tuple[str, ...]]:
    return {frame.id: frame.blocks for frame in user.page.frames}


def frames_in(user: Driver) -> dict[str, tuple[str, ...]]:
    return {frame.id: frame.frames for frame in user.page.frames}


def to(user: Driver, block: str, place: QPointF) -> tuple[QPointF, QPointF]:
    """Returns the drag that moves the middle of a block to a place."""
    start = user.points.title(block)
    return start, start + (place - user.canvas.mirror.rect(block).center())


def test_a_title_drags_what_is_inside_nested_frames_too_in_one_entry(here: Driver) -> None:
    graph, start = here.graph, title(here, "outer")
    here.hand.drag(start, start + QPointF(32, 48))
    assert (here.block("c").at, here.block("t").at) == ((32, 288), (272, 288))
    assert next(frame.at for frame in here.page.frames if frame.id == "hollow") == (592, 288)
    assert here.block("x").at == (0, 0)
    assert frames_in(here)["outer"] == ("spare", "hollow")
    here.undo()
    assert here.graph is graph


def test_frames_and_notes_are_seen_where_they_are_dragged(here: Driver) -> None:
    mirror = here.canvas.mirror
    before = [mirror.frames["outer"].topLeft(), mirror.frames["hollow"].topLeft()]
    seen: list[QPointF] = []
    start = title(here, "outer")
    here.hand.drag(start, start + QPointF(32, 48), ends_with=lambda: (
        seen.extend(mirror.frames[name].topLeft() for name in ("outer", "hollow")), here.escape(),
    ))  # fmt: skip
    assert seen == [place + QPointF(32, 48) for place in before]
    start, place = mirror.notes["note"].center(), mirror.notes["note"].topLeft()
    here.hand.drag(start, start + QPointF(32, 48), ends_with=lambda: (
        seen.append(mirror.notes["note"].topLeft()), here.escape(),
    ))  # fmt: skip
    assert seen[-1] == place + QPointF(32, 48)


def test_a_block_dropped_into_a_frame_lies_in_the_innermost_in_one_entry(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(*to(here, "loss", here.canvas.mirror.frames["hollow"].center()))
    assert blocks_in(here) == {"spare": ("c", "t"), "hollow": ("loss",), "outer": ()}
    assert here.undo_text() == "Move"
    here.undo()
    assert here.graph is graph


def test_a_block_that_is_pulled_out_leaves_its_frame(here: Driver) -> None:
    here.hand.drag(*to(here, "t", QPointF(520, -220)))
    assert blocks_in(here)["spare"] == ("c",)
    assert blocks_in(here)["outer"] == ()


def test_a_block_moved_a_little_stays_and_the_frame_grows(here: Driver) -> None:
    start = here.points.title("t")
    here.hand.drag(start, start + QPointF(16, 32))
    assert blocks_in(here)["spare"] == ("c", "t")
    assert here.canvas.mirror.frames["spare"].contains(here.canvas.mirror.rect("t"))


def test_the_only_block_of_a_frame_takes_it_along(user: Driver) -> None:
    user.show(edits.add_frame(annotated(), MAIN, "One", ["e"], id="one")[0], 0.8)
    start = user.points.title("e")
    user.hand.drag(start, start + QPointF(0, -160))
    assert blocks_in(user)["one"] == ("e",)


def test_a_frame_dropped_into_another_lies_in_it(user: Driver) -> None:
    graph = edits.add_frame(annotated(), MAIN, "Big", at=(0, 900), size=(900, 400), id="big")[0]
    user.show(graph, 0.5)
    start = title(user, "hollow")
    user.hand.drag(start, start + QPointF(-300, 760))
    assert frames_in(user)["big"] == ("hollow",)
    start = title(user, "spare")
    user.hand.drag(start, start + QPointF(64, 640), keys=Mod.AltModifier)
    assert set(frames_in(user)["big"]) == {"hollow"}


def test_a_frame_pulled_out_lies_in_none(here: Driver) -> None:
    start = title(here, "spare")
    here.hand.drag(start, start + QPointF(0, -520))
    assert frames_in(here)["outer"] == ("hollow",)
