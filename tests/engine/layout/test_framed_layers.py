"""Columns and rows of one part with frames, worked out by hand."""

from __future__ import annotations

import itertools
import random

import pytest

from gradwire.engine.layout import bands, framed_layers
from gradwire.engine.layout.bands import part_corners, zoom
from gradwire.engine.layout.framed_layers import (
    BLOCK_MARGIN,
    FRAME_BOTTOM,
    FRAME_SIDE,
    FRAME_TOP,
    LANE_MARGIN,
    PAGE,
    Arrangement,
    Column,
    Part,
    lefts,
    up,
)
from gradwire.engine.layout.layers import Edge

# Blocks of 100 x 60 px; their labels need 50 px behind them.
BOX, GAP = (100.0, 60.0), 50.0


def part(count: int, wires: list[tuple[int, int]], frame: dict[int, int] | None = None, **parent: int) -> Part:
    """Returns blocks, of which some stand in frames; `parent` has for each frame the one around it."""
    around = {int(name.removeprefix("f")): outer for name, outer in parent.items()}
    return Part(
        [BOX] * count,
        [Edge(a, b, 30.0, 30.0) for a, b in wires],
        [(frame or {}).get(node, PAGE) for node in range(count)],
        around,
        [GAP] * count,
    )


@pytest.mark.parametrize(("length", "wanted"), [(0, 0), (1, 16), (16, 16), (16.5, 32), (-1, 0), (-16, -16), (-17, -16)])
def test_a_length_goes_up_to_the_grid(length: float, wanted: int) -> None:
    assert up(length) == wanted


def test_a_column_begins_behind_the_one_before_with_room_for_sides_of_frames() -> None:
    columns = [Column(100.0, 50.0, 2, 0), Column(90.0, 50.0, 1, 2), Column(10.0, 0.0, 0, 0)]
    # 150 goes up to 160, and one frame begins in the second column; 140 to 144, and two end there.
    assert lefts(columns) == [0, 160 + FRAME_SIDE, 160 + FRAME_SIDE + 144 + 2 * FRAME_SIDE]
    assert Column(1.0, 5.0, 2, 0).widened(Column(3.0, 4.0, 1, 7)) == Column(3.0, 5.0, 2, 7)


def test_a_chain_has_one_column_a_block_and_one_row() -> None:
    found = Arrangement(part(3, [(0, 1), (1, 2)]))
    assert found.rank == [0, 1, 2] and found.columns() == [Column(100.0, 50.0)] * 3
    assert found.tops_in_part() == ([0, 0, 0], 60)
    assert part_corners(part(3, [(0, 1), (1, 2)]), None) == [(0, 0), (160, 0), (320, 0)]


def test_a_frame_is_as_high_as_what_it_holds_and_its_borders() -> None:
    inner = Arrangement(part(3, [(0, 1), (1, 2)], {1: 0}, f0=PAGE))
    tops, height = inner.tops_in_part()
    # All on one line; the frame goes above and below the block in it.
    assert tops == [FRAME_TOP] * 3 and height == FRAME_TOP + 60 + FRAME_BOTTOM
    assert inner.span == {0: (1, 1)} and inner.inside == {0: [1]} and inner.depth == {0: 0}
    assert inner.columns() == [Column(100.0, 50.0), Column(100.0, 50.0, 1, 1), Column(100.0, 50.0)]


def test_frames_lie_in_frames() -> None:
    found = Arrangement(part(4, [(0, 1), (1, 2), (2, 3)], {1: 1, 2: 0}, f1=0, f0=PAGE))
    assert found.depth == {0: 0, 1: 1} and found.inside == {0: [1, 2], 1: [1]}
    assert found.span == {0: (1, 2), 1: (1, 1)}
    assert [column[2:] for column in found.columns()] == [(0, 0), (2, 1), (0, 1), (0, 0)]
    tops, height = found.tops_in_part()
    assert tops[0] == tops[1] == tops[2] == tops[3] == 2 * FRAME_TOP
    assert height == 2 * (FRAME_TOP + FRAME_BOTTOM) + 60


def test_a_wire_past_a_block_in_the_same_frame_leaves_room_for_its_lane() -> None:
    # From 0 to 2 past 1: the lane runs 22 + 24 px beside the block.
    tops, _ = Arrangement(part(3, [(0, 1), (1, 2), (0, 2)])).tops_in_part()
    assert tops[0] == tops[1] != tops[2] or tops[0] != tops[1] == tops[2] or tops[0] == tops[2] != tops[1]


def test_the_longest_wires_have_no_lanes_where_all_together_would_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [(node, node + 1) for node in range(9)]
    whole = part(10, [*chain, (0, 9), (2, 4)])
    wide, _ = Arrangement(whole).tops_in_part()
    monkeypatch.setattr(framed_layers, "LANES", 0)
    monkeypatch.setattr(framed_layers, "LANES_FOR_EACH", 0)
    # The wires of the chain need none, and are kept.
    assert Arrangement(whole).tops_in_part() == ([0] * 10, 60)
    # One lane is enough for the wire past one layer, and eight more for the one past eight.
    monkeypatch.setattr(framed_layers, "LANES", 1)
    one, _ = Arrangement(whole).tops_in_part()
    assert one == Arrangement(part(10, [*chain, (2, 4)])).tops_in_part()[0]
    monkeypatch.setattr(framed_layers, "LANES", 8)
    assert Arrangement(whole).tops_in_part()[0] == one
    monkeypatch.setattr(framed_layers, "LANES", 9)
    assert Arrangement(whole).tops_in_part()[0] == wide


def test_a_wire_that_closes_a_circle_goes_the_other_way() -> None:
    found = Arrangement(part(3, [(0, 1), (1, 2), (2, 0)]))
    assert [edge[:2] for edge in found.wires] == [(0, 1), (1, 2), (0, 2)]


@pytest.mark.parametrize(
    ("size", "wanted"),
    [((100.0, 50.0), 1), ((400.0, 50.0), 0.5), ((100.0, 400.0), 0.25), ((0.0, 0.0), 1), ((200.0, 100.0), 1)],
)
def test_a_page_is_seen_whole_and_never_larger_than_it_is(size: tuple[float, float], wanted: float) -> None:
    assert zoom(size, (200.0, 100.0)) == wanted


def test_a_long_chain_goes_on_below_in_the_same_columns() -> None:
    chain = part(12, [(node, node + 1) for node in range(11)])
    corners = part_corners(chain, (700.0, 420.0))
    rows = sorted({top for _, top in corners})
    assert len(rows) > 1 and corners[0] == (0, 0)
    # Below a band of 60 px: 40 px between two bands, 44 for the output that returns, up to the grid.
    assert {below - above for above, below in itertools.pairwise(rows)} == {up(60 + 40 + 44)}
    columns = sorted({left for left, _ in corners})
    assert [left for left, top in corners if top == rows[0]] == columns
    assert [left for left, top in corners if top == rows[1]] == columns[: sum(top == rows[1] for _, top in corners)]


@pytest.mark.parametrize(
    ("wires", "frame", "beside"),
    [([(0, 1), (0, 2), (1, 2)], {1: 0, 2: 0}, 1), ([(0, 1), (1, 2), (0, 2)], {0: 0, 1: 0}, 0)],
    ids=["into a frame", "out of a frame"],
)
def test_a_wire_through_a_frame_runs_beside_the_blocks_in_it(
    wires: list[tuple[int, int]], frame: dict[int, int], beside: int
) -> None:
    tops, height = Arrangement(part(3, wires, frame, f0=PAGE)).tops_in_part()
    if beside:
        # The wire runs level from port to port, 30 px below the tops; the block is below its lane.
        assert tops[0] == tops[2] == FRAME_TOP and tops[1] == FRAME_TOP + 30 + LANE_MARGIN + BLOCK_MARGIN
    else:
        # In the last layer of the frame a lane is beside block 1, below which block 0 stands.
        assert tops[1] == tops[2] == FRAME_TOP and tops[0] == FRAME_TOP + 60 + BLOCK_MARGIN + LANE_MARGIN - 30
    assert height == max(tops) + 60 + FRAME_BOTTOM


def test_a_part_of_up_to_so_many_blocks_tries_several_divisions(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(5)
    ends = [(node, node + 1) for node in range(11)]
    ends += [(min(pair), max(pair)) for pair in (choose.sample(range(12), 2) for _ in range(6))]
    whole, found = part(12, sorted(set(ends))), {}
    for most in (11, 12, 100):
        monkeypatch.setattr(bands, "SMALL", most)
        found[most] = part_corners(whole, (700.0, 420.0))
    assert found[12] == found[100] != found[11]


def test_bands_end_where_no_frame_does() -> None:
    # Without its frame the chain would be divided behind each fifth or sixth block.
    frame = dict.fromkeys(range(3, 9), 0)
    corners = part_corners(part(12, [(node, node + 1) for node in range(11)], frame, f0=PAGE), (700.0, 420.0))
    assert len({corners[node][1] for node in frame}) == 1
