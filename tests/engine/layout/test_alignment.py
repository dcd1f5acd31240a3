"""Alignment and equal gaps of blocks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.layout.alignment import Axis, Side, aligned, distributed

RECTS = {"a": (0.0, 0.0, 100.0, 40.0), "b": (60.0, 100.0, 50.0, 60.0), "c": (400.0, 90.0, 80.0, 20.0)}


@pytest.mark.parametrize(
    ("side", "places"),
    [
        ("left", {"a": (0, 0), "b": (0, 100), "c": (0, 90)}),
        ("centre", {"a": (190, 0), "b": (215, 100), "c": (200, 90)}),
        ("right", {"a": (380, 0), "b": (430, 100), "c": (400, 90)}),
        ("top", {"a": (0, 0), "b": (60, 0), "c": (400, 0)}),
        ("middle", {"a": (0, 60), "b": (60, 50), "c": (400, 70)}),
        ("bottom", {"a": (0, 120), "b": (60, 100), "c": (400, 140)}),
    ],
)
def test_sides_come_in_line(side: Side, places: dict[str, tuple[int, int]]) -> None:
    assert aligned(RECTS, side) == places


def test_gaps_across_become_equal_and_the_outermost_blocks_stay() -> None:
    # From 0 to 100, 50 wide, 400 to 480: a block fills 50 of the 300 px between, so each gap has 125.
    assert distributed(RECTS, "across") == {"a": (0, 0), "b": (225, 100), "c": (400, 90)}


def test_gaps_down_may_be_negative() -> None:
    # By their centres a, c, b: 40 px, 20 px and 60 px from 0 to 160; each gap has 20 px.
    assert distributed(RECTS, "down") == {"a": (0, 0), "c": (400, 60), "b": (60, 100)}


rects = st.tuples(st.integers(-500, 500), st.integers(-500, 500), st.integers(1, 300), st.integers(1, 300))


@given(st.lists(rects, min_size=3, max_size=8), st.sampled_from(["across", "down"]))
def test_all_gaps_are_equal_to_the_px(boxes: list[tuple[int, int, int, int]], axis: Axis) -> None:
    at = 0 if axis == "across" else 1
    places = distributed({str(row): tuple(map(float, box)) for row, box in enumerate(boxes)}, axis)
    order = sorted(range(len(boxes)), key=lambda row: (boxes[row][at] + boxes[row][at + 2] / 2, str(row)))
    gaps = [places[str(b)][at] - places[str(a)][at] - boxes[a][at + 2] for a, b in pairwise(order)]
    assert max(gaps) - min(gaps) <= 2
