"""Wires led round blocks: none runs behind a block at which it does not end, and free ones run as ever."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from gradwire.app.canvas.geometry.detours import CLEAR, Surroundings, _gaps, detoured
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Ends, Points, route
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Page, Wire
from gradwire.engine.layout.layout import CANVAS, arrange
from tests.app.canvas.geometry.test_mirror import anew, following
from tests.app.canvas.pages import MAIN, chain, example, mirror_of, wired, with_block
from tests.engine.layout.test_layout import dags, outlines_of


def lines(points: Points) -> list[tuple[Points, Points]]:
    """The straight pieces of one wire as their lower and upper corners."""
    return [(np.minimum(a, b), np.maximum(a, b)) for a, b in itertools.pairwise(points)]


def runs_behind(points: Points, box: Points) -> bool:
    return any((low < box[2:]).all() and (high > box[:2]).all() for low, high in lines(points))


def foreign_boxes_hit(mirror: Mirror) -> list[tuple[Wire, str]]:
    """The wires that run behind a block at which they do not end, with that block."""
    boxes = np.concatenate([mirror.rects[:, :2], mirror.rects[:, :2] + mirror.rects[:, 2:]], axis=1)
    return [
        (wire, name)
        for wire, points in zip(mirror.wires, mirror.points, strict=True)
        for name, box in zip(mirror.ids, boxes, strict=True)
        if name not in (wire.source.block, wire.target.block) and runs_behind(points, box)
    ]


def laid_out(page: Page) -> tuple[Points, Surroundings]:
    """The simple routes of a page that is arranged for a laptop, and what stands around them."""
    outlines = outlines_of(page)
    places, rows = arrange(page, outlines, room=CANVAS), {name: row for row, name in enumerate(page.blocks)}
    boxes = np.array([(x, y, x + outlines[n].width, y + outlines[n].height) for n, (x, y) in places.items()])
    wires = list(page.wires.values())
    joins = np.array([(rows[wire.source.block], rows[wire.target.block]) for wire in wires]).reshape(-1, 2)
    a, b = boxes.reshape(-1, 4)[joins[:, 0]], boxes.reshape(-1, 4)[joins[:, 1]]
    down = np.array([outlines[wire.target.block].inputs[wire.target.name] for wire in wires])
    forks = np.array([np.sum(joins[:, 0] == row) > 1 for row in joins[:, 0]], bool)
    ends = Ends(a[:, 2], a[:, 1] + 44, b[:, 0], b[:, 1] + down, a[:, 1], a[:, 3], b[:, 1], b[:, 3], forks)
    return route(ends), Surroundings(boxes, np.zeros((0, 4)), joins, joins[:, 0])


@settings(max_examples=30)
@given(dags(with_frames=False).filter(lambda page: page.wires))
def test_no_wire_of_an_arranged_page_runs_behind_a_block(page: Page) -> None:
    points, around = laid_out(page)
    for found, join in zip(detoured(points, around), around.joins, strict=True):
        others = [box for row, box in enumerate(around.blocks) if row not in join]
        assert not any(runs_behind(found, box) for box in others)


@settings(max_examples=30)
@given(dags(with_frames=False).filter(lambda page: page.wires))
def test_a_way_round_keeps_the_ends_leaves_right_and_enters_from_the_left(page: Page) -> None:
    points, around = laid_out(page)
    found = detoured(points, around)
    assert np.array_equal(found[:, (0, -1)], points[:, (0, -1)])
    for way in found:
        steps = [step for step in np.diff(way, axis=0) if np.abs(step).max() > 1e-6]
        assert all((step == 0).any() for step in steps)
        assert steps[0][0] > 0 and steps[-1][0] > 0


def block_in_the_way(x: float, y: float) -> tuple[Points, Surroundings]:
    """A straight wire between two blocks, and a third one."""
    boxes = np.array([(0, 0, 200, 100), (600, 0, 800, 100), (x, y, x + 144, y + 100)], float)
    ends = np.array([(200, 44, 600, 44, 0, 100, 0, 100)], float).T
    around = Surroundings(boxes, np.zeros((0, 4)), np.array([(0, 1)]), np.array([0]))
    return route(Ends(*ends, np.array([False]))), around


def test_gaps_are_where_no_block_reaches_into() -> None:
    """The blocks from 0 to 50, 20 to 90, 140 to 200, and one that leaves just as much as a wire needs."""
    low, high = np.array([140.0, 0, 20, 200 + CLEAR]), np.array([200.0, 50, 90, 300])
    assert _gaps(low, high).tolist() == [115]
    assert _gaps(np.array([0.0, 60]), np.array([10.0, 70])).tolist() == [35]


def test_a_free_wire_runs_as_ever() -> None:
    points, around = block_in_the_way(330, 90)
    assert detoured(points, around) is points


def test_a_wire_is_led_round_a_block_16_px_from_it() -> None:
    points, around = block_in_the_way(330, 10)
    (way,) = detoured(points, around)
    assert way[2, 1] == way[3, 1] and (way[2, 1] <= 10 - 16 or way[2, 1] >= 110 + 16)
    assert min(330 - way[1, 0], way[3, 0] - 474) >= 16


def test_wires_that_may_not_move_stay_behind_blocks() -> None:
    points, around = block_in_the_way(330, 10)
    assert detoured(points, around, np.zeros(0, np.int64)) is points


def test_a_long_way_back_runs_round_a_frame() -> None:
    _, around = block_in_the_way(330, 300)
    frame = np.array([(240.0, 120.0, 560.0, 260.0)])
    blocks = np.array([(600, 0, 800, 100), (0, 300, 200, 400), (330, 130, 474, 230)], float)
    ends = np.array([(800, 44, 0, 344, 0, 100, 300, 400)], float).T
    back = route(Ends(*ends, np.array([False])))
    (way,) = detoured(back, around._replace(blocks=blocks, frames=frame))
    assert runs_behind(back[0], frame[0]) and not runs_behind(way, frame[0])


def test_wires_of_two_outputs_do_not_run_upon_each_other() -> None:
    boxes = np.array([(0, 0, 100, 100), (0, 200, 100, 300), (400, 0, 500, 100), (400, 200, 500, 300)], float)
    # Each output is read by both blocks on the right, so all four wires would bend at the same place.
    rows = [(100, 44, 400, 44), (100, 44, 400, 264), (100, 244, 400, 64), (100, 244, 400, 284)]
    ends = np.array([(x, y, u, v, y // 200 * 200, y // 200 * 200 + 100, 0, 300) for x, y, u, v in rows], float).T
    joins, outputs = np.array([(0, 2), (0, 3), (1, 2), (1, 3)]), np.array([0, 0, 1, 1])
    found = detoured(route(Ends(*ends, np.ones(4, bool))), Surroundings(boxes, np.zeros((0, 4)), joins, outputs))
    upright = [{way[1, 0] for way in found[rows] if way[1, 1] != way[2, 1]} for rows in (slice(0, 2), slice(2, 4))]
    assert all(abs(one - other) >= 16 for one in upright[0] for other in upright[1])


@pytest.mark.usefixtures("qapp")
class TestOnPages:
    """Wires of pages as the canvas shows them."""

    @pytest.mark.parametrize("is_curved", [False, True])
    @pytest.mark.parametrize("name", ["softmax_stable", "attention", "newton", "gan_stop", "rnn20_tbptt5", "vq"])
    def test_no_wire_of_an_example_runs_behind_a_block(self, name: str, is_curved: bool) -> None:
        mirror = mirror_of(example(name))
        mirror.set_curved(is_curved)
        assert foreign_boxes_hit(mirror) == []

    @pytest.mark.parametrize("is_curved", [False, True])
    def test_a_block_that_is_put_upon_a_wire_is_gone_round(self, is_curved: bool) -> None:
        graph = wired(with_block(chain(), "t", "Tanh", (480, 320)), "x.y > t.x")
        mirror = following(graph)
        mirror.set_curved(is_curved)
        wire = next(row for row, wire in enumerate(mirror.wires) if wire.target.block == "s")
        before = mirror.points[wire].copy()
        session = mirror.session
        session.apply("Move", edits.move_blocks, MAIN, {"s": (960, 0), "loss": (1200, 0), "t": (640, 0)})
        assert foreign_boxes_hit(mirror) == []
        fresh = anew(session)
        fresh.set_curved(is_curved)
        assert np.array_equal(mirror.points, fresh.points)
        session.document.undo()
        assert np.array_equal(mirror.points[wire], before)

    @pytest.mark.parametrize("is_curved", [False, True])
    def test_a_block_that_is_dragged_and_put_back_leaves_all_wires_as_they_were(self, is_curved: bool) -> None:
        mirror = mirror_of(example("newton"))
        mirror.set_curved(is_curved)
        before, name = mirror.points.copy(), mirror.wires[0].source.block
        mirror.moved(frozenset([name]), 64, 128)
        mirror.moved(frozenset(), 0, 0)
        assert np.array_equal(mirror.points, before)
