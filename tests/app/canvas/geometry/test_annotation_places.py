"""The rectangles of frames and notes: around what a frame holds, or its own, while something is dragged and else."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.annotation_places import (
    Moved,
    Shift,
    frames_without,
    note_height,
    note_rect,
    place_annotations,
)
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.engine.graph.graph import Frame, Note, Page

pytestmark = pytest.mark.usefixtures("qapp")
# A frame leaves 16 px at its sides and below, and 34 above for its title.
AROUND_A, AROUND_AB = QRectF(-16, -34, 132, 130), QRectF(-16, -34, 332, 130)


@pytest.fixture
def arrays() -> PageArrays:
    found = PageArrays()
    found.ids, found.rows = ["a", "b"], {"a": 0, "b": 1}
    found.rects = np.array([[0.0, 0, 100, 80], [200, 0, 100, 80]])
    return found


def test_a_frame_is_around_its_blocks_and_frames(arrays: PageArrays) -> None:
    frames = [
        Frame("outer", "", frames=("inner",), blocks=("b", "gone")),
        Frame("inner", "", blocks=("a",)),
        Frame("empty", ""),
        Frame("own", "", at=(5, 6), size=(70, 80)),
    ]
    place_annotations(arrays, Page("main", frames=tuple(frames)))
    assert arrays.frames == {
        "outer": QRectF(-32, -68, 348, 180),
        "inner": AROUND_A,
        "empty": QRectF(0, 0, 240, 120),
        "own": QRectF(5, 6, 70, 80),
    }
    assert list(arrays.frames) == ["outer", "inner", "empty", "own"]


def test_while_blocks_are_dragged_only_what_moves_along_does(arrays: PageArrays) -> None:
    page = Page(
        "main",
        frames=(Frame("one", "", at=(0, 0)), Frame("two", "", at=(0, 0)), Frame("held", "", blocks=("a", "b"))),
        notes=(Note("n", "text", at=(1, 2), size=(30, 40)), Note("m", "text", at=(1, 2), size=(30, 40))),
    )
    shift = Shift(notes=frozenset(["n", "gone"]), frames=frozenset(["one"]), loose=frozenset("b"))
    place_annotations(arrays, page, Moved(frozenset("b"), 10, 20, shift))
    assert arrays.frames == {"one": QRectF(10, 20, 240, 120), "two": QRectF(0, 0, 240, 120), "held": AROUND_A}
    assert arrays.notes == {"n": QRectF(11, 22, 30, 40), "m": QRectF(1, 2, 30, 40)}


def test_frames_apart_from_what_is_dragged_are_those_that_hold_something_else(arrays: PageArrays) -> None:
    page = Page("main", frames=(Frame("f", "", blocks=("a", "b")), Frame("g", "", blocks=("b",)), Frame("e", "")))
    empty = QRectF(0, 0, 240, 120)
    assert frames_without(arrays, page, Moved(), frozenset("b"), frozenset()) == {"f": AROUND_A, "e": empty}
    assert frames_without(arrays, page, Moved(), frozenset(), frozenset("g")) == {"f": AROUND_AB, "e": empty}


def test_a_note_has_its_own_size_or_is_as_high_as_its_text(arrays: PageArrays) -> None:
    assert note_rect(Note("n", "text", at=(1, 2), size=(30, 40))) == QRectF(1, 2, 30, 40)
    usual = note_rect(Note("n", "text"))
    assert (usual.topLeft().toTuple(), usual.width()) == ((0, 0), 352)
    assert usual.height() == note_height("text", 352)


def test_a_note_grows_by_each_line_of_its_text() -> None:
    def height(text: str) -> float:
        return note_height(text, 352)

    line = height("title\none\ntwo") - height("title\none")
    assert line > 0
    assert height("") == height("title") > 20
    # A first line has no leading above it.
    assert height("title\none") == pytest.approx(height("title") + 4 + line, abs=1)
    assert height("title\none\ntwo\nthree") == pytest.approx(height("title\none") + 2 * line)
    # Only as wide as the paper between its margins are the lines of a long text.
    words = "word " * 40
    assert note_height(f"t\n{words}", 120) > note_height(f"t\n{words}", 352) > height("t\nword")
    assert note_height("t\nx", 352, 30) > height("t\nx") == note_height("t\nx", 352, 11)
