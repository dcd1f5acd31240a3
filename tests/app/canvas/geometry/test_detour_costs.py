"""What a way of a wire costs, piece by piece, and that the cheapest one is found."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gradwire.app.canvas.geometry import detours
from gradwire.app.canvas.geometry.detours import Surroundings, _cheapest, _Grid, _lines, _upon, behind, detoured
from gradwire.app.canvas.geometry.routing import Ends, Points, route

NONE = np.zeros((0, 4))


def costs(grid: _Grid) -> tuple[Points, Points]:
    """The cost of each piece between two lines. Shapes: (ys, xs - 1), (xs, ys - 1)."""
    level, upright = grid.sums()
    assert not level[:, 0].any() and not upright[:, 0].any()
    return np.diff(level), np.diff(upright)


def pieces(grid: _Grid) -> tuple[list[list[tuple[float, ...]]], list[list[tuple[float, ...]]]]:
    """Each piece as left, top, right, bottom: the level ones, then the upright ones."""
    xs, ys = grid.xs.tolist(), grid.ys.tolist()
    return (
        [[(a, y, b, y) for a, b in itertools.pairwise(xs)] for y in ys],
        [[(x, a, x, b) for a, b in itertools.pairwise(ys)] for x in xs],
    )


def inside(box: tuple[float, ...], piece: tuple[float, ...]) -> bool:
    """Whether a piece runs through a box, beyond touching it."""
    (left, top, right, bottom), (x, y, u, v) = box, piece
    if y == v:
        return top < y < bottom and left < u and x < right
    return left < x < right and top < v and y < bottom


def grown(box: tuple[float, ...], reach: float) -> tuple[float, ...]:
    return box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach


def test_pieces_cost_their_length_times_what_they_run_through_and_a_toll_for_each_crossing() -> None:
    """On lines and boxes of whole numbers, so that many touch."""
    dice = np.random.default_rng(3)
    for _ in range(20):
        xs, ys = (np.unique(dice.integers(0, 30, 8)).astype(float) for _ in range(2))
        corner = dice.integers(-6, 30, (5, 2)).astype(float)
        boxes = np.concatenate([corner, corner + dice.integers(1, 14, (5, 2))], axis=1)
        level, upright, low = boxes[:2], boxes[2:4], boxes[4:]
        grid = _Grid(xs, ys)
        grid.add(level, 3.0, upright=0.0)
        grid.add(upright, 2.0, level=0.0)
        grid.add(low, -4.0, level=0.5)
        grid.add(NONE, 99.0)
        wires = np.array([(4.0, 2, 4, 19), (9, 25, 9, 3), (3, 7, 22, 7)])
        grid.cross(wires, 30.0)
        for found, expected, axis in zip(costs(grid), pieces(grid), (0, 1), strict=True):
            weights = (
                [*[(box, 3.0) for box in level.tolist()], (low[0].tolist(), -2.0)]
                if axis == 0
                else [*[(box, 2.0) for box in upright.tolist()], (low[0].tolist(), -4.0)]
            )
            for line, row in zip(found, expected, strict=True):
                for cost, piece in zip(line, row, strict=True):
                    weight = sum(each for box, each in weights if inside(box, piece))
                    start, end = piece[axis], piece[axis + 2]
                    tolls = sum(
                        wire[axis] == wire[axis + 2]
                        and start < wire[axis] <= end
                        and min(wire[1 - axis], wire[3 - axis]) < piece[1 - axis] < max(wire[1 - axis], wire[3 - axis])
                        for wire in wires.tolist()
                    )
                    assert cost == pytest.approx((end - start) * max(1 + weight, 0.2) + 30 * tolls)


def test_the_cheapest_of_all_ways_is_found() -> None:
    """Against all ways of at most five pieces, one by one."""
    shapes = set[int]()
    for seed in range(30):
        dice = np.random.default_rng(seed)
        xs, ys = np.arange(0.0, 120, 12), np.arange(0.0, 90, 15)
        grid = _Grid(xs, ys)
        corner = dice.uniform(-5, 90, (7, 2))
        grid.add(np.concatenate([corner, corner + dice.uniform(5, 40, (7, 2))], axis=1), 9.0, *dice.uniform(0, 2, 2))
        grid.cross(np.array([(50.0, -9, 50, 70), (-9, 40, 70, 40)]), 30.0)
        first, last = dice.integers(0, len(ys), 2).tolist()
        x1, x2 = int(dice.integers(1, 3)), int(dice.integers(6, 9))
        if seed % 3 == 0:
            x1, x2 = x2, x1
        start, end = np.array([xs[x1], ys[first]]), np.array([xs[x2], ys[last]])
        level, upright = grid.sums()
        # Between two upright lines is a level one, or they are one and the same.
        prices = [
            abs(level[first, here] - level[first, x1])
            + abs(upright[here, first] - upright[here, height])
            + (abs(level[height, here] - level[height, there]) + 48 if here != there else 0)
            + abs(upright[there, height] - upright[there, last])
            + abs(level[last, there] - level[last, x2])
            for here, height, there in itertools.product(range(len(xs)), range(len(ys)), range(len(xs)))
            if xs[here] >= start[0] + 12 and xs[there] <= end[0] - 12
        ]
        way = _cheapest(grid, start, end)
        assert way[0].tolist() == start.tolist() and way[-1].tolist() == end.tolist()
        assert way[1, 0] >= start[0] + 12
        assert price(grid, way) == pytest.approx(min(prices)), seed
        shapes.add(len(np.unique(way, axis=0)))
    assert len(shapes) > 1


def price(grid: _Grid, way: Points) -> float:
    """What a way costs: its pieces, and 24 for each of two bends more where it changes from one line to another."""
    level, upright = grid.sums()
    total = 0.0
    for (x, y), (u, v) in itertools.pairwise(way.tolist()):
        column, row = int(np.searchsorted(grid.xs, x)), int(np.searchsorted(grid.ys, y))
        if y == v:
            total += abs(level[row, int(np.searchsorted(grid.xs, u))] - level[row, column])
        else:
            total += abs(upright[column, int(np.searchsorted(grid.ys, v))] - upright[column, row])
    uprights = {x for x, _ in way[1:-1].tolist() if x != way[-1, 0] or way[3, 0] != way[-1, 0]}
    return total + (48 if len(uprights) > 1 else 0)


# The scene of one wire: block 0 leads to block 1, past two others.

BLOCKS = np.array([(0, 0, 100, 80), (500, 20, 600, 90), (260, 10, 330, 70), (200, 130, 290, 190)], float)
OUTER, FOREIGN = (-50.0, -60.0, 140.0, 120.0), (360.0, 30.0, 420.0, 160.0)
# Of the first output two wires, of another one a wire that counts, and one that does not.
ENDS = [(100, 44, 500, 60), (100, 44, 200, 160), (290, 150, 500, 80), (330, 30, 500, 40)]


def points() -> Points:
    rows = [(x, y, u, v, y - 44, y + 40, v - 40, v + 30) for x, y, u, v in ENDS]
    return route(Ends(*np.array(rows, float).T, np.array([True, True, False, False])))


def around(frames: tuple[tuple[float, ...], ...] = (OUTER, FOREIGN)) -> Surroundings:
    joins = np.array([(0, 1), (0, 3), (3, 1), (2, 1)])
    return Surroundings(BLOCKS, np.array(frames).reshape(-1, 4), joins, np.array([0, 0, 1, 2]))


@pytest.fixture
def grid(monkeypatch: pytest.MonkeyPatch) -> _Grid:
    """The grid on which the first wire looks for its way."""
    found: list[_Grid] = []
    monkeypatch.setattr(detours, "_cheapest", lambda grid, *_: found.append(grid) or points()[0])
    detours._way(points(), 0, around(), np.array([True, True, True, False]))
    return found[0]


def test_each_piece_costs_what_it_runs_through(grid: _Grid) -> None:
    """The table of costs: a px behind a block 400, near to one 6, upon a wire 8, and so on."""
    own, others = BLOCKS[:2].tolist(), BLOCKS[2:].tolist()
    wires = {
        kind: [
            (min(x, u), min(y, v), max(x, u), max(y, v))
            for way in points()[rows].tolist()
            for (x, y), (u, v) in itertools.pairwise(way)
            if max(abs(x - u), abs(y - v)) > 0.5
        ]
        for kind, rows in (("others", [2]), ("shared", [1]))
    }
    level = {kind: [piece for piece in found if piece[1] == piece[3]] for kind, found in wires.items()}
    upright = {kind: [piece for piece in found if piece[1] != piece[3]] for kind, found in wires.items()}
    both = [
        *((grown(box, 4), 400) for box in others),
        *((grown(box, 16), 6) for box in others),
        *((grown(box, -1), 400) for box in own),
        (grown(FOREIGN, 20), 3),
    ]
    weights = [
        [
            *both,
            *((grown(box, 16), 6) for box in own),
            *((grown(box, 44), 0.3) for box in [*own, *others, FOREIGN]),
            *((grown(box, 8), 8) for box in level["others"]),
            *((grown(box, 19), 0.6) for box in level["others"]),
            *((grown(box, 43), 0.3) for box in level["others"]),
            *((grown(box, 0.5), -0.5) for box in level["shared"]),
        ],
        [
            *both,
            *((grown(box, 8), 8) for box in upright["others"]),
            *((grown(box, 19), 0.6) for box in upright["others"]),
            *((grown(box, 0.5), -0.5) for box in upright["shared"]),
        ],
    ]
    crossed = upright["others"], level["others"]
    for axis, (found, expected) in enumerate(zip(costs(grid), pieces(grid), strict=True)):
        for line, row in zip(found, expected, strict=True):
            for cost, piece in zip(line, row, strict=True):
                weight = sum(each for box, each in weights[axis] if inside(box, piece))
                start, end = piece[axis], piece[axis + 2]
                tolls = sum(
                    start < wire[axis] <= end and wire[1 - axis] < piece[1 - axis] < wire[3 - axis]
                    for wire in crossed[axis]
                )
                assert cost == pytest.approx((end - start) * max(1 + weight, 0.2) + 30 * tolls), piece


def test_a_grid_has_lines_beside_all_that_is_near_and_at_the_ends(grid: _Grid) -> None:
    """16 and 36 px beside blocks and frames; 20 and upright 44 beside wires; where a wire leaves and enters."""
    foreign = grown(FOREIGN, 20)
    for lines, axis in ((grid.xs, 0), (grid.ys, 1)):
        expected = {points()[0, 0, axis], points()[0, -1, axis]}
        for box in [*BLOCKS.tolist(), foreign]:
            expected |= {box[axis] - 16, box[axis] - 36, box[axis + 2] + 16, box[axis + 2] + 36}
        expected |= set(points()[0, :, axis].tolist()) | set(points()[1, :, axis].tolist())
        # The bend of the other wire is 22 px before its end; its level pieces are at 150 and at 80.
        steps = (20,) if axis == 0 else (20, 44)
        expected |= {
            at + sign * step for at in ((478,) if axis == 0 else (150, 80)) for step in steps for sign in (1, -1)
        }
        expected |= {115, 122, 486, 478} if axis == 0 else set()
        # Gaps that a wire fits in: between the first block and the one in the middle, and before the last.
        expected |= {150, 470} if axis == 0 else set()
        assert lines.tolist() == sorted(expected), axis


# Which wires need a way


def straight(*ways: tuple[float, float, float, float]) -> Points:
    """Straight wires, or pieces of wires."""
    return np.array([[(x, y), (x, y), (x, y), (u, v), (u, v), (u, v)] for x, y, u, v in ways], float)


@pytest.mark.parametrize(
    ("box", "is_behind"),
    [
        ((300, -50, 400, 40.1), True),
        ((300, -50, 400, 40), False),
        ((300, 47.9, 400, 90), True),
        ((300, 48, 400, 90), False),
        ((0, 0, 96, 80), False),
        ((0, 0, 96.1, 80), True),
        ((504, 0, 600, 80), False),
        ((503.9, 0, 600, 80), True),
    ],
)
def test_a_wire_is_behind_a_block_that_is_nearer_than_4_px(box: tuple[float, ...], is_behind: bool) -> None:
    where = Surroundings(np.array([(0, 0, 1, 1), (0, 0, 1, 1), box], float), NONE, np.array([(0, 1)]), np.array([0]))
    assert behind(straight((100, 44, 500, 44)), where).tolist() == [is_behind]


@pytest.mark.parametrize(
    ("box", "is_behind"),
    [
        # Of its own block a wire may touch the last px; it may end in the middle of a dot.
        ((0, 0, 101, 80), False),
        ((0, 0, 101.1, 80), True),
        ((92, 36, 108, 52), False),
        ((92, 36, 108.1, 52), True),
    ],
)
def test_a_wire_may_not_run_through_its_own_block(box: tuple[float, ...], is_behind: bool) -> None:
    where = Surroundings(np.array([box, (500, 0, 600, 80)], float), NONE, np.array([(0, 1)]), np.array([0]))
    assert behind(straight((100, 44, 500, 44)), where).tolist() == [is_behind]


@pytest.mark.parametrize(
    ("frame", "needs"),
    [
        ((200, 63.9, 300, 200), True),
        ((200, 64, 300, 200), False),
        ((200, -99, 300, 24.1), True),
        ((200, -99, 300, 24), False),
        ((-99, 0, 80.1, 99), True),
        ((-99, 0, 80, 99), False),
        ((519.9, 0, 700, 99), True),
        ((520, 0, 700, 99), False),
        # A frame around one of the ends is the wire's own.
        ((99.9, 0, 700, 99), False),
        ((100, 0, 700, 99), False),
        ((-99, 0, 100.1, 99), False),
    ],
)
def test_a_level_piece_nearer_than_20_px_to_a_foreign_frame_needs_a_way(frame: tuple[float, ...], needs: bool) -> None:
    where = Surroundings(NONE, np.array([frame], float), np.array([(0, 1)]), np.array([0]))
    found = detours._through_frames(straight((100, 44, 500, 44)), where).tolist()
    is_own = (frame[0] < 100 < frame[2]) or (frame[0] < 500 < frame[2])
    assert found == [needs or (frame[0] == 100 and not is_own)]


def test_an_upright_piece_may_run_through_a_frame() -> None:
    where = Surroundings(NONE, np.array([(0.0, 0, 200, 200)]), np.array([(0, 1)] * 2), np.arange(2))
    assert detours._through_frames(straight((100, -90, 100, 400), (-90, 44, 400, 44)), where).tolist() == [False, True]


@pytest.mark.parametrize(
    ("other", "needs"),
    [
        ((100, 3.9, 300, 3.9), True),
        ((100, 4, 300, 4), False),
        ((100, -3.9, 300, -3.9), True),
        ((200, 0, 290, 0), False),
        ((195.9, 0, 290, 0), True),
        ((196, 0, 290, 0), False),
        ((-90, 0, 4.1, 0), True),
        ((-90, 0, 4, 0), False),
        ((50, 0, 54, 0), False),
        ((50, 0, 54.1, 0), True),
        ((50, 0, 50, 99), False),
    ],
)
@pytest.mark.parametrize("is_upright", [False, True])
def test_a_wire_runs_upon_another_that_is_nearer_than_4_px(
    other: tuple[float, ...], needs: bool, is_upright: bool
) -> None:
    found = straight((0, 0, 200, 0), other)  # type: ignore[arg-type]
    found = found[..., ::-1] if is_upright else found
    stays = np.zeros(2, bool)
    assert _upon(found, np.array([0, 1]), stays).tolist() == [False, needs]
    assert not _upon(found, np.array([1, 1]), stays).any(), "they are of one output"
    assert not _upon(found, np.array([0, 1]), np.array([True, False])).any(), "the first one moves"


def test_wires_to_unknown_blocks_keep_their_routes_and_among_many_none_is_compared() -> None:
    twice = straight(*[(100, 44, 500, 44)] * 2)
    where = Surroundings(BLOCKS[:2], NONE, np.array([(0, 1), (0, -1)]), np.array([0, 1]))
    assert not len(detours._needing(twice, where))
    known = where._replace(joins=np.array([(0, 1)] * 2))
    assert detours._needing(twice, known).tolist() == [1]
    for count, needing in ((250, 249), (251, 0)):
        many = Surroundings(BLOCKS[:2], NONE, np.array([(0, 1)] * count), np.arange(count))
        assert len(detours._needing(straight(*[(100, 44, 500, 44)] * count), many)) == needing


def test_of_very_many_only_some_look_for_a_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """1800 wires times blocks, and one more: of a page of 600 blocks that is four."""
    searched: list[int] = []
    monkeypatch.setattr(detours, "_way", lambda found, row, *_: searched.append(row) or found[row])
    blocks = np.concatenate([BLOCKS[:2], [(300.0, 0, 400, 99)], np.full((597, 4), 9e3)])
    where = Surroundings(blocks, NONE, np.array([(0, 1)] * 9), np.zeros(9, int))
    detoured(straight(*[(100, 44, 500, 44)] * 9), where)
    assert searched == [0, 1, 2, 3]


def test_a_way_counts_only_wires_that_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[list[bool]] = []
    monkeypatch.setattr(detours, "_way", lambda found, *given: counted.append(given[2].tolist()) or found[0])
    blocks = np.concatenate([BLOCKS[:2], [(300.0, 0, 400, 50)]])
    where = Surroundings(blocks, NONE, np.array([(0, 1)] * 3), np.zeros(3, int))
    detoured(straight((100, 44, 500, 44), (100, 144, 500, 144), (100, 46, 500, 46)), where)
    # The first waits no longer when its turn comes, the second never did.
    assert counted == [[True, True, False], [True, True, True]]


def test_where_there_are_many_blocks_only_near_ones_and_too_many_lines_none_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A block 640 px from the ends is near, one farther away is not; a grid of more than 30 000 crossings is none."""
    grids: list[_Grid] = []
    monkeypatch.setattr(detours, "_cheapest", lambda grid, *_: grids.append(grid) or points()[0])
    far = np.array([(1139.0, 20, 1200, 60), (1141, 20, 1190, 60)])
    for count in (60, 61):
        rest = np.tile([100.0, 100, 110, 110], (count - 6, 1))
        where = around(())._replace(blocks=np.concatenate([BLOCKS, rest, far]))
        detours._way(points(), 0, where, np.ones(4, bool))
    assert [1216 in grid.xs for grid in grids] == [True, True] and [1206 in grid.xs for grid in grids] == [True, False]
    many = np.array([(40.0 * n, 50.0 * n, 40 * n + 10, 50 * n + 10) for n in range(60)])
    where = around(())._replace(blocks=np.concatenate([BLOCKS, many[:50]]))
    found = detours._way(points(), 0, where, np.ones(4, bool))
    assert len(grids) == 2 and np.array_equal(found, points()[0])


def test_lines_are_sorted_and_none_is_there_twice() -> None:
    own = points()[0]
    found = _lines(0, np.concatenate([BLOCKS, BLOCKS]), NONE, own, NONE)
    assert (np.diff(found) > 0).all()
