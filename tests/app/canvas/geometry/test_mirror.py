"""The page in arrays: edits taken over one by one, what lies under a point, and the range of sliders."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.annotation_places import note_rect
from gradwire.app.canvas.geometry.hit_tests import block_at, frame_at, note_at, port_at, slider_at, wire_at, wires_in
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import distances
from gradwire.app.canvas.geometry.shapes import NOT_WIRED, BlockShape, shape_of, wired_ports
from gradwire.app.canvas.painting.block_problems import has_severity
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Note, Page, Port, Wire
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, _kept, chain, example, mirror_of, wired, with_block
from tests.engine.autodiff.test_statuses import softmax
from tests.engine.edit_sequences import SEQUENCES, Step, rich_graph

pytestmark = pytest.mark.usefixtures("qapp")

EXAMPLE = pytest.mark.parametrize("name", EXAMPLE_NAMES)


def anew(session: Session) -> Mirror:
    fresh = Mirror(session)
    fresh.rebuild()
    return fresh


def assert_same(found: Mirror, fresh: Mirror) -> None:
    assert found.ids == fresh.ids
    assert found.wires == fresh.wires
    assert found.broken == fresh.broken
    assert np.array_equal(found.rects, fresh.rects)
    assert np.array_equal(found.points, fresh.points)
    assert np.array_equal(found.wire_boxes, fresh.wire_boxes)
    assert found.frames == fresh.frames
    assert found.notes == fresh.notes
    assert np.array_equal(found.joins, fresh.joins)
    assert np.array_equal(found.forks, fresh.forks)
    assert found.rows == fresh.rows
    assert found.wire_rows == fresh.wire_rows
    assert np.array_equal(found.wire_status, fresh.wire_status)
    assert np.array_equal(found.wire_norm, fresh.wire_norm)
    assert len(found.block_stamps) == len(found.ids) and len(found.wire_stamps) == len(found.wires)
    assert [block.id for block in found.blocks] == [block.id for block in fresh.blocks]
    for a, b in zip(found.shapes, fresh.shapes, strict=True):
        assert a == b


def alone(mirror: Mirror, row: int) -> BlockShape:
    """The shape of a block worked out without looking at any other."""
    session, block = mirror.session, mirror.blocks[row]
    ports = wired_ports(session.page).get(block.id, NOT_WIRED)
    errors = [item.message for item in mirror.problems.get(block.id, ()) if item.severity == "error"]
    return shape_of(session.graph, block, f"{session.prefix}/{block.id}", ports, session.inferred, "".join(errors[:1]))


def following(graph: Graph) -> Mirror:
    """A mirror that takes over each edit of its session as the canvas does."""
    session = Session(graph, InlineEvaluator)
    session.runs.set_live(False)
    _kept.append(session)
    mirror = anew(session)

    def take(old: Graph, new: Graph) -> None:
        if old.has_page(session.page_name):
            mirror.update(old, new)
        else:
            mirror.rebuild()

    session.graph_changed.connect(take)
    session.page_changed.connect(lambda _: mirror.rebuild())
    return mirror


# Edits


@pytest.mark.long
@settings(deadline=None, max_examples=20)
@given(SEQUENCES)
def test_taking_edits_over_gives_what_building_anew_gives(steps: list[Step]) -> None:
    mirror = following(rich_graph())
    for step in steps:
        mirror.session.apply("Edit", step)
        assert_same(mirror, anew(mirror.session))


def test_blocks_of_one_label_show_the_ids_that_sentences_say() -> None:
    mirror = following(rich_graph())
    one, other, third = sorted(mirror.session.page.blocks)[:3]

    def names(block_id: str) -> set[str]:
        return {mirror.shapes[mirror.rows[block_id]].title, mirror.shapes[mirror.rows[block_id]].name}

    for block_id in (one, other):
        mirror.session.apply("Label", edits.set_label, MAIN, block_id, "scores")
    assert f"scores ({one})" in names(one) and f"scores ({other})" in names(other)
    assert_same(mirror, anew(mirror.session))
    mirror.session.apply("Label", edits.set_label, MAIN, other, None)
    assert "scores" in names(one)
    mirror.session.apply("Label", edits.set_label, MAIN, one, third)
    assert f"{third} ({one})" in names(one)
    mirror.session.apply("Delete", edits.remove_blocks, MAIN, third)
    assert third in names(one)


def value_edits(graph: Graph) -> st.SearchStrategy[list[tuple[str, str, float, float]]]:
    kinds = st.sampled_from(["value", "move", "label", "width", "collapse", "mute"])
    numbers = st.integers(-300, 300).map(float)
    return st.lists(st.tuples(kinds, st.sampled_from(sorted(graph.page(MAIN).blocks)), numbers, numbers), max_size=12)


@pytest.mark.long
@settings(deadline=None, max_examples=30)
@given(st.data())
def test_edits_that_keep_the_wires_are_taken_over_row_by_row(data: st.DataObject) -> None:
    graph = example("softmax_stable")
    mirror = following(graph)
    for kind, name, a, b in data.draw(value_edits(graph)):
        before, session = mirror.session.graph, mirror.session
        match kind:
            case "value":
                session.apply("Edit", edits.set_parameter, MAIN, "x", "value", np.array([a, b, 1.0]))
            case "move":
                session.apply("Edit", edits.move_blocks, MAIN, {name: (a, b)})
            case "label":
                session.apply("Edit", edits.set_label, MAIN, name, f"{name} called {a}")
            case "width":
                session.apply("Edit", edits.set_width, MAIN, name, 112 + abs(a))
            case "collapse":
                session.apply("Edit", edits.set_collapsed, MAIN, name, a > 0)
            case "mute":
                session.apply("Edit", edits.set_muted, MAIN, name, a > 0)
        # The session's own signal rebuilds after a new inference; here the update alone must do.
        mirror.update(before, session.graph)
        assert_same(mirror, anew(session))


def test_undo_brings_everything_back() -> None:
    mirror = following(example("softmax_stable"))
    before = anew(mirror.session)
    session = mirror.session
    session.apply("Move", edits.move_blocks, MAIN, {"e": (900, 900)})
    session.apply("Remove", edits.remove_blocks, MAIN, ["m"])
    session.undo()
    session.undo()
    assert_same(mirror, before)


@pytest.mark.long
def test_a_change_of_values_leaves_the_geometry() -> None:
    mirror = following(example("softmax_stable"))
    before = mirror.geometry
    mirror.session.apply("Set x", edits.set_parameter, MAIN, "x", "value", np.array([5.0, 6.0, 7.0]))
    assert mirror.geometry == before


def test_a_drag_shows_blocks_elsewhere_until_it_is_over() -> None:
    mirror = mirror_of(example("softmax_stable"))
    rects, points = mirror.rects.copy(), mirror.points.copy()
    for dx, dy in ((10, 0), (30, -20), (64, 48)):
        mirror.moved(frozenset({"e", "x"}), dx, dy)
    rows = [mirror.rows[name] for name in ("e", "x")]
    assert np.array_equal(mirror.rects[rows, :2], rects[rows, :2] + (64, 48))
    others = [row for row in range(len(rects)) if row not in rows]
    assert np.array_equal(mirror.rects[others], rects[others])
    mirror.moved(frozenset(), 0, 0)
    assert np.array_equal(mirror.rects, rects)
    assert np.array_equal(mirror.points, points)


@EXAMPLE
def test_what_is_dragged_lies_as_if_it_had_been_moved(name: str) -> None:
    graph = example(name)
    mirror, ids = mirror_of(graph), frozenset({"e", "x"})
    mirror.moved(ids, 32, -48)
    page = graph.page(MAIN)
    places = {item: (page.blocks[item].at[0] + 32, page.blocks[item].at[1] - 48) for item in ids}  # type: ignore[index]
    moved = mirror_of(edits.move_blocks(graph, MAIN, places))
    assert np.array_equal(mirror.rects, moved.rects)
    assert np.array_equal(mirror.points, moved.points)
    assert mirror.frames == moved.frames


# What lies where


@EXAMPLE
def test_wires_start_and_end_at_their_ports(name: str) -> None:
    mirror = mirror_of(example(name))
    for row, wire in enumerate(mirror.wires):
        source, target = mirror.port_position(wire.source, False), mirror.port_position(wire.target, True)
        assert source is not None and target is not None
        assert mirror.points[row, 0].tolist() == [source.x(), source.y()]
        assert mirror.points[row, -1].tolist() == [target.x(), target.y()]


def scattered(mirror: Mirror, count: int) -> list[QPointF]:
    """Points all over a page, some of them on or near ports and wires."""
    chance, box = random.Random(11), mirror.bounds()
    found = [QPointF(chance.uniform(box.left(), box.right()), chance.uniform(box.top(), box.bottom()))]
    for _ in range(count):
        x, y = random_corner(mirror, chance)
        found.append(QPointF(x + chance.uniform(-30, 30), y + chance.uniform(-30, 30)))
        found.append(QPointF(chance.uniform(box.left(), box.right()), chance.uniform(box.top(), box.bottom())))
    return found


def random_corner(mirror: Mirror, chance: random.Random) -> tuple[float, float]:
    corners = mirror.points.reshape(-1, 2).tolist()
    x, y = chance.choice(corners)
    return x, y


@EXAMPLE
def test_the_block_under_a_point_is_found(name: str) -> None:
    mirror = mirror_of(example(name))
    for point in scattered(mirror, 150):
        under = [item for item in mirror.ids if mirror.rect(item).contains(point)]
        assert block_at(mirror, point) == (under[-1] if under else None)


@EXAMPLE
@pytest.mark.parametrize("side", [None, True, False], ids=["any", "inputs", "outputs"])
def test_the_nearest_port_within_12_px_is_found(name: str, side: bool | None) -> None:
    mirror = mirror_of(example(name))
    for point in scattered(mirror, 150):
        near = {}
        for item, shape in zip(mirror.ids, mirror.shapes, strict=True):
            for port in shape.ports:
                at = mirror.rect(item).topLeft() + QPointF(port.x, port.y)
                far = float(np.hypot(at.x() - point.x(), at.y() - point.y()))
                if far <= 12 and side in (None, port.is_input):
                    near[Port(item, port.name), port.is_input] = far
        found = port_at(mirror, point, is_input=side)
        assert (found is None) is (not near)
        assert found is None or near[found] == min(near.values())


@EXAMPLE
def test_the_nearest_wire_within_7_px_is_found(name: str) -> None:
    mirror = mirror_of(example(name))
    for point in scattered(mirror, 150):
        far = {wire: distance(mirror.points[row], point) for row, wire in enumerate(mirror.wires)}
        found = wire_at(mirror, point)
        assert (found is None) is (min(far.values()) > 7)
        assert found is None or far[found] == pytest.approx(min(far.values()))


def distance(corners: np.ndarray, point: QPointF) -> float:
    """From a wire of level and upright pieces: outside of a piece's box by dx and dy."""
    found = []
    for (xa, ya), (xb, yb) in itertools.pairwise(corners.tolist()):
        dx = max(min(xa, xb) - point.x(), point.x() - max(xa, xb), 0)
        dy = max(min(ya, yb) - point.y(), point.y() - max(ya, yb), 0)
        found.append(float(np.hypot(dx, dy)))
    return min(found)


@EXAMPLE
def test_what_a_rectangle_touches_is_visible(name: str) -> None:
    mirror = mirror_of(example(name))
    points = scattered(mirror, 60)
    for a, b in itertools.pairwise(points):
        area = QRectF(a, b).normalized()
        blocks = {row for row, item in enumerate(mirror.ids) if mirror.rect(item).intersects(area)}
        assert set(mirror.visible_blocks(area, 0.0).tolist()) == blocks
        assert blocks <= set(mirror.visible_blocks(area).tolist())
        inside = area.adjusted(-24, -24, 24, 24)
        wires = {row for row in range(len(mirror.wires)) if passes(mirror.points[row], inside)}
        assert set(mirror.visible_wires(area).tolist()) == wires


def passes(corners: np.ndarray, area: QRectF) -> bool:
    return any(
        max(min(xa, xb), area.left()) <= min(max(xa, xb), area.right())
        and max(min(ya, yb), area.top()) <= min(max(ya, yb), area.bottom())
        for (xa, ya), (xb, yb) in itertools.pairwise(corners.tolist())
    )


@EXAMPLE
def test_wires_wholly_in_a_rectangle_are_found(name: str) -> None:
    mirror = mirror_of(example(name))
    for a, b in itertools.pairwise(scattered(mirror, 60)):
        area = QRectF(a, b).normalized()
        inside = [wire for row, wire in enumerate(mirror.wires) if all_within(mirror.points[row], area)]
        assert wires_in(mirror, area) == inside


def all_within(corners: np.ndarray, area: QRectF) -> bool:
    return all(area.left() <= x <= area.right() and area.top() <= y <= area.bottom() for x, y in corners.tolist())


def test_the_upper_of_two_blocks_is_found() -> None:
    graph = with_block(with_block(Graph(), "a", "Exp", (0, 0)), "b", "Exp", (20, 20))
    mirror = mirror_of(graph)
    assert block_at(mirror, QPointF(10, 10)) == "a"
    assert block_at(mirror, QPointF(60, 50)) == "b"


def test_an_empty_page_has_nothing_anywhere() -> None:
    mirror = mirror_of(Graph())
    point = QPointF(0, 0)
    assert (block_at(mirror, point), wire_at(mirror, point), port_at(mirror, point)) == (None, None, None)
    assert (frame_at(mirror, point), note_at(mirror, point), slider_at(mirror, point)) == (None, None, None)
    assert mirror.bounds().isNull()
    assert len(distances(mirror.points, 0, 0)) == 0


def test_each_slider_is_found_under_its_track() -> None:
    mirror = mirror_of(chain(1.0, 2.0, 3.0))
    shape, corner = mirror.shapes[mirror.rows["x"]], mirror.rect("x").topLeft()
    for index in range(3):
        assert slider_at(mirror, corner + shape.slider_track(index).center()) == ("x", index)
    assert slider_at(mirror, corner + QPointF(70, 10)) is None


# Frames and notes


def test_a_frame_lies_around_its_blocks_and_other_frames() -> None:
    graph, inner = annotations.add_frame(chain(1.0, 2.0), MAIN, "Inner", ["e"])
    graph, outer = annotations.add_frame(graph, MAIN, "Outer", ["s"], frames=[inner])
    mirror = mirror_of(graph)
    assert mirror.frames[inner].contains(mirror.rect("e"))
    assert mirror.frames[outer].contains(mirror.frames[inner])
    assert mirror.frames[outer].contains(mirror.rect("s"))
    assert not mirror.frames[outer].contains(mirror.rect("x"))


def test_a_frame_is_found_by_its_title_only_the_inner_one_first() -> None:
    graph, inner = annotations.add_frame(chain(1.0, 2.0), MAIN, "Inner", ["e"])
    graph, outer = annotations.add_frame(graph, MAIN, "Outer", ["s"], frames=[inner])
    mirror = mirror_of(graph)
    for name in (inner, outer):
        assert frame_at(mirror, mirror.frames[name].topLeft() + QPointF(20, 10)) == name
    assert frame_at(mirror, mirror.rect("e").center()) is None
    # A title in a title: where a frame is so small that the outer one begins at the same height.
    for names in ((inner, outer), (outer, inner)):
        mirror.frames = {name: {inner: QRectF(40, 0, 90, 90), outer: QRectF(0, 0, 200, 200)}[name] for name in names}
        assert frame_at(mirror, QPointF(60, 10)) == inner


def test_a_note_is_as_high_as_its_text() -> None:
    short, long = note_rect(Note("a", "Why?", (5, 6))), note_rect(Note("b", "Why?\n" + "because " * 80, (5, 6)))
    assert short.topLeft() == QPointF(5, 6)
    assert long.width() == short.width()
    assert long.height() > 3 * short.height()


def test_a_note_with_a_size_keeps_it() -> None:
    assert note_rect(Note("a", "Why? " * 99, (5, 6), (200, 40))) == QRectF(5, 6, 200, 40)


# Broken wires and unknown results


def test_a_wire_to_nowhere_is_broken_and_keeps_its_other_end() -> None:
    page = chain(1.0).page(MAIN)
    lost = Wire(Port("gone", "y"), Port("e", "x"))
    mirror = mirror_of(Graph((dataclasses.replace(page, wires={**page.wires, lost.target: lost}),)))
    assert mirror.broken == {mirror.wire_rows[lost]}
    end = mirror.port_position(lost.target, True)
    assert end is not None
    assert mirror.points[mirror.wire_rows[lost], -1].tolist() == [end.x(), end.y()]


def test_a_missing_block_stands_80_px_beside_the_other_end() -> None:
    """Where nothing is known of a block, its wire runs at the height of a header; all others stay at their ports."""
    page = chain(1.0).page(MAIN)
    wires = [Wire(Port("gone", "y"), Port("e", "x")), Wire(Port("s", "y"), Port("lost", "x"))]
    wires += [Wire(Port("x", "none"), Port("loss", "x")), Wire(Port("x", "y"), Port("s", "x"))]
    mirror = mirror_of(Graph((dataclasses.replace(page, wires={wire.target: wire for wire in wires}),)))

    def ends(row: int) -> tuple[list[float], list[float]]:
        points = mirror.points[mirror.wire_rows[wires[row]]]
        return points[0].tolist(), points[-1].tolist()

    def at(port: Port, is_input: bool) -> list[float]:
        found = mirror.port_position(port, is_input)
        assert found is not None
        return [found.x(), found.y()]

    e, s, x = mirror.rect("e"), mirror.rect("s"), mirror.rect("x")
    assert ends(0) == ([e.left() - 80, e.top() + 28], at(Port("e", "x"), True))
    assert ends(1) == (at(Port("s", "y"), False), [s.left() - 80, s.top() + 28])
    assert ends(2) == ([x.right(), x.top() + 28], at(Port("loss", "x"), True))
    assert ends(3) == (at(Port("x", "y"), False), at(Port("s", "x"), True))
    assert mirror.broken == {mirror.wire_rows[wire] for wire in wires[:2]}


def test_a_second_wire_into_one_input_is_broken() -> None:
    page = chain(1.0).page(MAIN)
    second = Wire(Port("x", "y"), Port("s", "x"))
    mirror = mirror_of(Graph((dataclasses.replace(page, surplus=(second,)),)))
    assert mirror.broken == {mirror.wire_rows[second]}


def test_magnitude_counts_decades_below_the_largest() -> None:
    mirror = mirror_of(chain(1.0))
    mirror.top, mirror.span = 10.0, 4.0
    mirror.wire_norm = np.array([10.0, 1.0, 0.001, 1e-9, 0.0])
    assert [magnitude(mirror, row) for row in range(5)] == pytest.approx([1, 0.75, 0, 0, 0])


# Sliders


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_a_slider_holds_its_value_and_only_ever_widens(numbers: list[float]) -> None:
    mirror = following(chain(1.0))
    low, high = mirror.slider_range("x")
    for number in numbers:
        mirror.session.apply("Set", edits.set_parameter, MAIN, "x", "value", np.array([number]))
        wider = mirror.slider_range("x")
        assert wider[0] <= low and wider[1] >= high
        assert wider[0] <= number <= wider[1]
        assert wider[0] in (0, -wider[1])
        low, high = wider


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [({"minimum": -2.0, "maximum": 3.0}, (-2, 3)), ({"minimum": -7.0}, (-7, 2)), ({"maximum": 50.0}, (0, 50))],
)
def test_a_slider_keeps_the_bounds_of_its_block(bounds: dict[str, float], expected: tuple[float, float]) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0]), **bounds)
    assert mirror_of(graph).slider_range("x") == expected


@pytest.mark.parametrize("value", [[float("nan")], [float("inf"), 1.0], [-float("inf")]], ids=str)
def test_a_slider_of_nan_or_infinity_still_has_a_range(value: list[float]) -> None:
    low, high = mirror_of(with_block(Graph(), "x", "Input", (0, 0), value=np.array(value))).slider_range("x")
    assert np.isfinite([low, high]).all() and low < high


# Problems and results


def test_rounding_behind_a_stop_does_not_widen_the_range_of_the_wires() -> None:
    """The gradient of -3.9e-16 there is zero; those that flow lie between 0.138 and 3.74."""
    mirror = mirror_of(softmax([1, 5, 3], is_stopped=True))
    assert (mirror.top, mirror.span) == (pytest.approx(math.sqrt(14)), 2.0)


def test_an_error_belongs_to_its_block() -> None:
    graph = with_block(chain(1.0, 2.0), "b", "Input", (0, 240), value=np.ones(3))
    graph = with_block(graph, "a", "Add", (240, 240))
    for source, name in (("x", "x"), ("b", "y")):
        graph = edits.connect(graph, MAIN, Port(source, "y"), Port("a", name))
    mirror = mirror_of(graph)
    assert [name for name in mirror.ids if has_severity(mirror, name, "error")] == ["a"]


def test_problems_that_stay_leave_the_arrays_as_they_are() -> None:
    """Only blocks whose problems are new or gone are told, and looked at anew."""
    graph = wired(with_block(chain(1.0, 2.0), "bad", "MatMul", (0, 240)), "x.y > bad.a", "x.y > bad.b")
    mirror = mirror_of(graph)
    assert set(mirror.problems) == {"bad"} and not mirror._shapes.has_other_problems
    rects, stamp = mirror.rects, mirror.block_stamps[mirror.rows["bad"]]
    assert mirror._shapes.read_problems() == set()
    assert mirror.block_stamps[mirror.rows["bad"]] == stamp
    mirror.refresh_shapes()
    mirror.show_other_use()
    assert mirror.rects is rects
    mirror.problems = {"e": mirror.problems["bad"]}
    assert mirror._shapes.read_problems() == {"bad", "e"} and set(mirror.problems) == {"bad"}
    assert mirror.block_stamps[mirror.rows["e"]] == mirror.block_stamps[mirror.rows["bad"]] == mirror.tick
    assert mirror.block_stamps[mirror.rows["s"]] < mirror.tick


def test_a_refused_edit_changes_nothing(qtbot: QtBot) -> None:
    mirror = following(chain(1.0))
    before = anew(mirror.session)
    with qtbot.waitSignal(mirror.session.refused):
        mirror.session.apply("Connect", edits.connect, MAIN, Port("e", "y"), Port("e", "x"))
    with pytest.raises(EditError):
        edits.connect(mirror.session.graph, MAIN, Port("e", "y"), Port("e", "x"))
    assert_same(mirror, before)


def test_a_page_is_shown_instead_of_another() -> None:
    graph = edits.add_page(chain(1.0), "other")[0]
    graph = edits.add_block(graph, "other", "Exp", id="only", at=(0, 0))[0]
    mirror = following(graph)
    mirror.session.view.show("other")
    assert mirror.ids == ["only"]
    assert graph.page("other") != Page("other")


@EXAMPLE
def test_blocks_that_share_a_shape_look_as_they_would_alone(name: str) -> None:
    mirror = mirror_of(example(name))
    assert mirror.shapes == [alone(mirror, row) for row in range(len(mirror.ids))]


def test_blocks_that_are_alike_share_one_shape() -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.ones(3))
    names = ("Tanh", "Tanh_1", "Tanh_2", "mine", "a_name_that_is_too_long_for_the_header")
    for index, name in enumerate(names):
        graph = wired(with_block(graph, name, "Tanh", (400, 200 * index)), f"x.y > {name}.x")
    mirror = mirror_of(graph)
    shapes = {name: mirror.shapes[mirror.rows[name]] for name in names}
    assert shapes["Tanh_1"] is shapes["Tanh"] is shapes["Tanh_2"]
    assert shapes["mine"].ports is shapes["Tanh"].ports
    assert [shapes[name].name for name in names] == ["", "", "", *names[3:]]
    assert [shapes[name] for name in names] == [alone(mirror, mirror.rows[name]) for name in names]
