"""Room for new blocks: nothing overlaps afterwards, and what has room already stays."""

from __future__ import annotations

import functools
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.layout.framed_layers import GRID, SCALAR_GAP
from gradwire.engine.layout.free_space import Rect
from gradwire.engine.layout.room import APART, free_below, free_shift, given_way
from tests.engine.calls import count_calls

SIZE = (144.0, 100.0)
NEW: Rect = (0, 0, *SIZE)


def apart(a: Rect, b: Rect, gap: float = APART) -> bool:
    return (
        a[0] + a[2] + gap <= b[0] or b[0] + b[2] + gap <= a[0] or a[1] + a[3] + gap <= b[1] or b[1] + b[3] + gap <= a[1]
    )


@st.composite
def pages(draw: st.DrawFn) -> dict[str, Rect]:
    """Blocks on a grid with room between them, and a new one anywhere upon them."""
    cells = draw(st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=16))
    rects: dict[str, Rect] = {f"b{row}": (x * 192.0, y * 144.0, *SIZE) for row, (x, y) in enumerate(sorted(cells))}
    x, y = draw(st.integers(-30, 30)), draw(st.integers(-25, 25))
    return rects | {"new": (16.0 * x, 16.0 * y, *SIZE)}


def moved(rects: dict[str, Rect], wires: tuple[tuple[str, str], ...] = ()) -> dict[str, Rect]:
    places = given_way(rects, ["new"], wires)
    return {name: (*places.get(name, rect[:2]), *rect[2:]) for name, rect in rects.items()}


@given(pages())
def test_nothing_overlaps_afterwards(rects: dict[str, Rect]) -> None:
    after = moved(rects)
    assert after["new"] == rects["new"]
    assert all(apart(a, b) for a, b in combinations(after.values(), 2))


@given(pages())
def test_who_has_given_way_once_stays(rects: dict[str, Rect]) -> None:
    after = moved(rects)
    assert moved(after) == after


@pytest.mark.parametrize(
    ("wires", "at", "nearer"),
    [
        # Each side of a block; then the sides that a wire joins, and what lies aslant of them.
        ((), (144 + APART, 0), (-1, 0)),
        ((), (-144 - APART, 0), (1, 0)),
        ((), (0, 100 + APART), (0, -1)),
        ((), (0, -100 - APART), (0, 1)),
        ((("new", "old"),), (144 + SCALAR_GAP, 0), (-1, 0)),
        ((("old", "new"),), (-144 - SCALAR_GAP, 0), (1, 0)),
        ((("new", "old"),), (144 + APART, 100), (0, -1)),
        ((("new", "old"),), (144 + APART, -100), (0, 1)),
        ((("old", "new"),), (-144 - APART, 100), (0, -1)),
    ],
)
def test_a_block_that_only_touches_stays(
    wires: tuple[tuple[str, str], ...], at: tuple[float, float], nearer: tuple[float, float]
) -> None:
    assert moved({"new": NEW, "old": (*at, *SIZE)}, wires)["old"][:2] == at
    close = (at[0] + nearer[0], at[1] + nearer[1])
    assert moved({"new": NEW, "old": (*close, *SIZE)}, wires)["old"][:2] != close


def test_a_reader_goes_right_with_room_for_labels() -> None:
    after = moved({"new": NEW, "reader": (80, 16, *SIZE)}, (("new", "reader"),))
    assert after["reader"] == (-(-(144 + SCALAR_GAP - 80) // GRID) * GRID + 80, 16, *SIZE)


def test_a_source_goes_left_with_room_for_labels() -> None:
    after = moved({"new": NEW, "source": (-100, 0, *SIZE)}, (("source", "new"),))
    assert after["source"][0] + 144 + SCALAR_GAP <= 0 and after["source"][1] == 0


@pytest.mark.parametrize(("wire", "x"), [(("old", "new"), 100), (("new", "old"), -100)])
def test_what_stands_on_the_other_side_of_its_wire_goes_the_shortest_way(wire: tuple[str, str], x: float) -> None:
    left, top = moved({"new": NEW, "old": (x, 0, *SIZE)}, (wire,))["old"][:2]
    assert top == 0 and left * x > 0


@pytest.mark.parametrize("size", [(300.0, 40.0), (40.0, 300.0)])
def test_what_is_pushed_keeps_its_size(size: tuple[float, float]) -> None:
    rects: dict[str, Rect] = {"new": (0, 0, *size), "near": (20, 8, *size), "far": (300, 8, *size)}
    after = moved(rects, (("new", "near"), ("near", "far")))
    assert all(apart(a, b) for a, b in combinations(after.values(), 2))


def test_old_blocks_upon_each_other_stay_where_nothing_new_is_near() -> None:
    old: dict[str, Rect] = {"a": (1000, 0, *SIZE), "b": (1010, 0, *SIZE)}
    assert given_way({"new": NEW, **old}, ["new"], ()) == {}


def test_what_is_pushed_pushes_on_in_the_same_direction() -> None:
    after = moved({"new": NEW, "near": (0, 80, *SIZE), "far": (0, 220, *SIZE)})
    assert [after[name][0] for name in ("near", "far")] == [0, 0]
    assert 124 <= after["near"][1] < after["far"][1]


@given(pages())
def test_a_free_corner_below_is_free(rects: dict[str, Rect]) -> None:
    others = [rect for name, rect in rects.items() if name != "new"]
    left, top = free_below(rects["new"], others)
    assert left == rects["new"][0] and top >= rects["new"][1]
    assert all(apart((left, top, *SIZE), rect) for rect in others)


@given(pages())
def test_a_free_shift_leaves_room(rects: dict[str, Rect]) -> None:
    x, y, *_ = rects.pop("new")
    right, down = free_shift([(x, y, *SIZE)], list(rects.values()))
    assert all(apart((x + right, y + down, *SIZE), rect) for rect in rects.values())


def crowd(count: int) -> dict[str, Rect]:
    """So many blocks side by side with room between them, and as many new ones, each upon one of them."""
    old: dict[str, Rect] = {f"b{row}": (row % 20 * 640.0, row // 20 * 480.0, *SIZE) for row in range(count)}
    return old | {f"n{name[1:]}": (left, top + 64, *SIZE) for name, (left, top, *_) in old.items()}


def test_four_times_as_many_blocks_take_about_four_times_as_many_calls() -> None:
    few, many = (
        count_calls(functools.partial(given_way, rects, [name for name in rects if name.startswith("n")]))
        for rects in map(crowd, (100, 400))
    )
    assert many < 4.5 * few


def test_a_reader_is_behind_if_its_middle_is() -> None:
    wide, narrow = (0.0, 0.0, 400.0, 100.0), (100.0, 90.0, 40.0, 100.0)
    # A middle of 120 px is before that of 200: it goes down, as any other block.
    after = given_way({"new": wide, "old": narrow}, ["new"], (("new", "old"),))
    assert after == {"old": (100, 90 + 48)}
    # One of 150 px is behind that of 72, although the block begins before: it goes right.
    long = (-50.0, 90.0, 400.0, 100.0)
    after = given_way({"new": NEW, "old": long}, ["new"], (("new", "old"),))
    assert after == {"old": (-50 + -(-(144 + SCALAR_GAP + 50) // GRID) * GRID, 90)}
