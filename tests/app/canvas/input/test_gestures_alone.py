"""Drags with a stand-in for the canvas: both sides of each limit, and what is drawn meanwhile. Units: px at 100 %."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.input.gestures.choose import BoxSelect, Lasso
from gradwire.app.canvas.input.gestures.copying import Copy
from gradwire.app.canvas.input.gestures.draw_wire import DrawWire
from gradwire.app.canvas.input.gestures.knife import Knife
from gradwire.app.canvas.input.gestures.move import Move
from gradwire.app.canvas.input.gestures.pan import Pan
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.resize import Resize
from gradwire.app.canvas.input.gestures.scrub import Scrub, round_step
from gradwire.app.canvas.input.gestures.start import begin_gesture
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.geometry.test_mirror import following
from tests.app.canvas.pages import MAIN, wired, with_block
from tests.app.strokes import Stroke, placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")

NONE, SHIFT, CONTROL, ALT = (
    Modifiers.NoModifier,
    Modifiers.ShiftModifier,
    Modifiers.ControlModifier,
    Modifiers.AltModifier,
)
LOOK = Look(theme("dark"))


class Host(SimpleNamespace):
    """What a gesture asks of a canvas, and a note of what it told it."""

    def __init__(self, graph: Graph, scale: float = 1.0) -> None:
        mirror = following(graph)
        super().__init__(
            mirror=mirror,
            session=mirror.session,
            camera=Camera(scale),
            viewport=SimpleNamespace(reading_scale=scale, pan=lambda dx, dy: self.panned.append((dx, dy))),
            painted=SimpleNamespace(show_moved=mirror.moved),
            said=[],
            asked=[],
            refused=[],
        )
        self.panned: list[tuple[int, int]] = []
        self.pointer = at(0, 0)
        mirror.session.refused.connect(self.refused.append)

    def width(self) -> int:
        return 600

    def height(self) -> int:
        return 400

    def rect(self) -> QRect:
        return QRect(0, 0, 600, 400)

    def update(self) -> None: ...

    def glide(self, _: object) -> None: ...

    def say(self, reason: str) -> None:
        self.said.append(reason)

    def request_search(self, _: QPointF, *ends: Port, are_outputs: bool = True, is_beside: bool = False) -> None:
        self.asked.append((*map(str, ends), are_outputs, is_beside))

    @property
    def wires(self) -> list[str]:
        return sorted(f"{source} > {target}" for source, target in self.session.page.wires.values())


def at(x: float, y: float, keys: Modifiers = NONE, scale: float = 1.0, time: int = 0) -> Pointer:
    return Pointer(QPointF(x, y), QPointF(x * scale, y * scale), keys, time)


def page() -> Graph:
    """c = Constant [2] at 0, e = Exp at 320, a = Add at 320 below, all 144 px wide; m = MatMul takes no vector."""
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    graph = with_block(graph, "e", "Exp", (320, 0))
    graph = with_block(graph, "a", "Add", (320, 200))
    return with_block(graph, "d", "Constant", (0, 200), value=np.ones(3))


def end(host: Host, port: str, is_input: bool) -> tuple[float, float]:
    found = host.mirror.port_position(Port(*port.split(".")), is_input)
    assert found is not None
    return found.x(), found.y()


def drawing(host: Host, port: str, is_input: bool = False, moved: Any = None) -> DrawWire:
    return DrawWire(host, at(*end(host, port, is_input)), Port(*port.split(".")), is_input, moved)  # type: ignore[arg-type]


def paint(gesture: Any, look: Look = LOOK) -> list[Stroke]:
    return strokes(lambda painter: gesture.paint(painter, look))


# Drawing a wire


@pytest.mark.parametrize(("is_input", "port"), [(False, "c.y"), (True, "e.x")])
def test_a_click_on_a_port_asks_for_a_block_beside_it(is_input: bool, port: str) -> None:
    host = Host(page())
    x, y = end(host, port, is_input)
    for dx, dy in ((0, 0), (6, 0), (3, -3)):
        host.asked.clear()
        drawing(host, port, is_input).finish(at(x + dx, y + dy))
        assert host.asked == [(port, not is_input, True)]
    host.asked.clear()
    drawing(host, port, is_input).finish(at(x, y, SHIFT))
    assert host.asked == []


@pytest.mark.parametrize(("is_input", "port"), [(False, "c.y"), (True, "e.x")])
def test_a_wire_dropped_on_nothing_asks_for_a_block_at_its_end(is_input: bool, port: str) -> None:
    host = Host(page())
    drawing(host, port, is_input).finish(at(200, 130))
    assert host.asked == [(port, not is_input, False)]
    x, y = end(host, port, is_input)
    host.asked.clear()
    drawing(host, port, is_input).finish(at(x + (7 if not is_input else -7), y))
    assert host.asked == [(port, not is_input, False)]


def test_a_wire_dropped_on_its_own_block_does_nothing() -> None:
    host = Host(page())
    drawing(host, "c.y").finish(at(60, 20))
    assert (host.asked, host.refused, host.wires) == ([], [], [])


@pytest.mark.parametrize(("scale", "reach"), [(1.0, 24), (0.5, 48), (2.0, 12)])
def test_a_wire_snaps_to_a_port_within_24_px_of_the_screen(scale: float, reach: float) -> None:
    for way, wires in ((reach, ["c.y > e.x"]), (reach + 1, [])):
        host = Host(page(), scale)
        x, y = end(host, "e.x", True)
        drawing(host, "c.y").finish(at(x - way, y, scale=scale))
        assert host.wires == wires


def test_a_wire_dropped_on_a_block_takes_its_first_free_port_that_fits() -> None:
    host = Host(page())
    middle = host.mirror.rect("a").center()
    drawing(host, "c.y").finish(at(middle.x(), middle.y()))
    assert host.wires == ["c.y > a.x"]
    drawing(host, "c.y").finish(at(middle.x(), middle.y()))
    assert host.wires == ["c.y > a.x", "c.y > a.y"]
    drawing(host, "c.y").finish(at(middle.x(), middle.y()))
    assert host.refused == ["a has no free input."] == host.said[-1:]
    assert len(host.wires) == 2


def test_a_wire_from_an_input_takes_the_output_of_a_block() -> None:
    host = Host(page())
    middle = host.mirror.rect("c").center()
    drawing(host, "e.x", True).finish(at(middle.x(), middle.y()))
    assert host.wires == ["c.y > e.x"] and host.said[-1] == ""
    graph = with_block(page(), "o", "Monitor", (-600, 0))
    host = Host(graph)
    drawing(host, "e.x", True).finish(at(-300, 60))
    assert host.refused == ["o has no output."]


def test_two_outputs_can_be_combined_within_12_px() -> None:
    for way, asked in ((12, [("c.y", "d.y", True, True)]), (13, [("c.y", True, False)])):
        host = Host(page())
        x, y = end(host, "d.y", False)
        drawing(host, "c.y").finish(at(x + way, y))
        assert host.asked == asked


def test_two_inputs_and_a_wire_that_is_moved_combine_with_nothing() -> None:
    host = Host(wired(page(), "c.y > e.x"))
    x, y = end(host, "a.x", True)
    drawing(host, "a.y", True).finish(at(x - 8, y - 8))
    assert host.asked == [("a.y", False, False)]
    host.asked.clear()
    x, y = end(host, "d.y", False)
    drawing(host, "c.y", moved=host.mirror.wires[0]).finish(at(x + 8, y))
    assert (host.asked, host.wires) == ([], [])


def test_a_moved_wire_goes_to_another_input_or_off() -> None:
    host = Host(wired(page(), "c.y > a.x"))
    x, y = end(host, "e.x", True)
    moved = host.mirror.wires[0]
    gesture = DrawWire(host, at(*end(host, "a.x", True)), Port("c", "y"), False, moved)  # type: ignore[arg-type]
    gesture.finish(at(x, y))
    assert host.wires == ["c.y > e.x"]
    moved = host.mirror.wires[0]
    gesture = DrawWire(host, at(x, y), Port("c", "y"), False, moved)  # type: ignore[arg-type]
    gesture.finish(at(x, y))
    assert host.wires == ["c.y > e.x"] and host.asked == []
    gesture.finish(at(200, 130))
    assert host.wires == [] and host.asked == []


def test_a_moved_wire_may_come_back_to_its_own_block() -> None:
    host = Host(wired(page(), "c.y > a.x", "d.y > a.y"))
    moved = host.session.page.wires[Port("a", "x")]
    middle = host.mirror.rect("a").center()
    gesture = DrawWire(host, at(*end(host, "a.x", True)), Port("c", "y"), False, moved)  # type: ignore[arg-type]
    gesture.finish(at(middle.x(), middle.y()))
    assert host.wires == ["c.y > a.x", "d.y > a.y"] and host.refused == []


def test_a_wire_that_does_not_fit_is_refused_unless_shift_is_held() -> None:
    host = Host(wired(page(), "c.y > a.x"))
    x, y = end(host, "a.y", True)
    drawing(host, "d.y").finish(at(x, y))
    (reason,) = host.refused
    assert reason.endswith(" Hold Shift to connect anyway.") and len(host.wires) == 1
    assert host.said[-1] == reason.removesuffix(" Hold Shift to connect anyway.") != ""
    drawing(host, "d.y").finish(at(x, y, SHIFT))
    assert host.wires == ["c.y > a.x", "d.y > a.y"]


def test_a_circle_is_refused_even_with_shift() -> None:
    host = Host(wired(with_block(page(), "f", "Exp", (640, 0)), "e.y > f.x"))
    x, y = end(host, "e.x", True)
    gesture = drawing(host, "f.y")
    gesture.finish(at(x, y, SHIFT))
    (reason,) = host.refused
    assert "Shift" not in reason and host.wires == ["e.y > f.x"]
    found = paint(gesture)
    # Both blocks of the circle have an outline, and the wire between them a line.
    outlines = [host.mirror.rect(name).adjusted(-3, -3, 3, 3).getRect() for name in ("e", "f")]
    assert placed(found, "rounded")[:2] == outlines
    assert {item.pen for item in found if item.kind == "path"} == {LOOK.theme.css("error")}
    start, stop = end(host, "e.y", False), end(host, "f.x", True)
    assert placed(found, "path")[0] == (*start, stop[0] - start[0], 0)


def test_a_wire_that_fits_ends_in_a_ring_with_the_name_of_the_port() -> None:
    host = Host(page())
    x, y = end(host, "e.x", True)
    gesture = drawing(host, "c.y")
    gesture.move(at(x - 5, y + 3))
    found = paint(gesture)
    start = end(host, "c.y", False)
    assert placed(found, "path") == [(*start, x - start[0], 0)]
    assert placed(found, "ellipse") == [(x - 10, y - 10, 20, 20)]
    assert placed(found, "line") == [] and texts(found) == ["e.x"]
    (text,) = placed(found, "text")
    (box,) = placed(found, "rounded")
    assert box[:2] == (x + 18, y + 10) and text[:2] == (x + 27, y + 15)
    assert text[2:] == pytest.approx((box[2] - 15 + 1, box[3] - 8 + 1), abs=1.01)
    accent, edge = LOOK.theme.css("accent"), LOOK.theme.css("border.default")
    assert [(item.kind, item.pen) for item in found] == [
        ("path", accent), ("ellipse", accent), ("rounded", edge), ("text", LOOK.theme.css("ok")),
    ]  # fmt: skip


def test_a_wire_that_does_not_fit_ends_in_a_cross_with_the_reason() -> None:
    host = Host(wired(page(), "c.y > a.x"))
    x, y = end(host, "a.y", True)
    gesture = drawing(host, "d.y")
    gesture.move(at(x, y))
    found = paint(gesture)
    assert placed(found, "line") == [(x - 4, y - 4, x + 4, y + 4), (x - 4, y + 4, x + 4, y - 4)]
    assert texts(found) == host.said[-1:] != [""]
    error = LOOK.theme.css("error")
    assert {item.pen for item in found if item.kind != "line"} == {error}


@pytest.mark.parametrize(("is_input", "port"), [(False, "c.y"), (True, "e.x")])
def test_a_wire_to_nothing_is_a_line_to_the_pointer(is_input: bool, port: str) -> None:
    host = Host(page())
    x, y = end(host, port, is_input)
    gesture = drawing(host, port, is_input)
    there = x + (60 if not is_input else -60)
    gesture.move(at(there, y + 55))
    found = paint(gesture)
    assert [item.kind for item in found] == ["path"]
    assert placed(found, "path") == [(min(x, there), y, 60, 55)]


def test_words_keep_inside_of_the_canvas_and_300_px_wide() -> None:
    long = "a_name_of_a_block_that_is_as_long_as_can_be"
    graph = with_block(page(), long, "Constant", (0, 300), value=np.ones(2))
    host = Host(graph)
    x, y = end(host, f"{long}.y", False)
    gesture = drawing(host, "c.y")
    gesture.move(at(x + 8, y))
    for camera, side in ((Camera(1.0, -300, -100), (1, 1)), (Camera(), (-1, 1)), (Camera(1.0, -300, 50), (1, -1))):
        host.camera = camera
        found = paint(gesture)
        assert texts(found) == [f"Combine c.y with {long}.y"]
        (box,) = placed(found, "rounded")
        assert 200 < box[2] <= 318
        assert (box[0] if side[0] > 0 else box[0] + box[2]) == pytest.approx(x + 8 + 18 * side[0])
        assert (box[1] if side[1] > 0 else box[1] + box[3]) == pytest.approx(y + 10 * side[1])


def test_a_full_block_has_an_outline_and_says_so() -> None:
    host = Host(wired(page(), "c.y > a.x", "c.y > a.y"))
    middle = host.mirror.rect("a").center()
    gesture = drawing(host, "d.y")
    gesture.move(at(middle.x(), middle.y()))
    found = paint(gesture)
    assert texts(found) == ["a has no free input."]
    assert placed(found, "rounded")[0] == host.mirror.rect("a").adjusted(-3, -3, 3, 3).getRect()
    assert placed(found, "ellipse") == []


def test_a_wire_whose_block_is_gone_is_not_drawn() -> None:
    host = Host(page())
    gesture = drawing(host, "c.y")
    host.session.apply("Delete", edits.remove_blocks, MAIN, "c")
    assert paint(gesture) == []


# Numbers


def number(host: Host) -> list[float]:
    return [float(item) for item in host.session.page.blocks["x"].parameters["value"].reshape(-1)]


def sliders(*numbers: float, dtype: str = "float64") -> Host:
    values = np.array(numbers, dtype) if len(numbers) > 1 else np.asarray(numbers[0], dtype)
    return Host(with_block(Graph(), "x", "Input", (0, 0), value=values, minimum=0.0, maximum=50.0))


@pytest.mark.parametrize(
    ("share", "keys", "expected"),
    [
        (0.5, NONE, 25.0),
        (0.0, NONE, 0.0),
        (1.0, NONE, 50.0),
        (-0.2, NONE, 0.0),
        (1.3, NONE, 50.0),
        (0.257, NONE, 13.0),  # 12.85 by half
        (0.257, SHIFT, 12.85),  # by a twentieth
        (0.2571, SHIFT, 12.85),
        (0.257, CONTROL, 15.0),  # by five
        (0.257, CONTROL | SHIFT, 15.0),
    ],
)
def test_a_slider_sets_the_number_at_its_place(share: float, keys: Modifiers, expected: float) -> None:
    for numbers in ((1.0,), (1.0, 2.0, 3.0)):
        host = sliders(*numbers)
        shape = host.mirror.shapes[0]
        track = shape.slider_track(len(numbers) - 1)
        if len(numbers) == 1:
            place = (track.left() + share * track.width(), track.top())
        else:
            place = (track.left(), track.bottom() - share * track.height())
        gesture = Scrub(host, at(*place, keys), "x", len(numbers) - 1, by_slider=True)  # type: ignore[arg-type]
        gesture.finish(at(*place, keys))
        assert number(host) == [*numbers[:-1], pytest.approx(expected)]


@pytest.mark.parametrize(
    ("way", "keys", "expected"),
    [
        (3, NONE, 10.0),
        (4, NONE, 10.5),
        (-4, NONE, 9.5),
        (5, NONE, 10.5),
        (6.1, NONE, 11.0),
        (8, SHIFT, 10.1),
        (4, CONTROL, 15.0),
        (-3.9, NONE, 10.0),
    ],
)
def test_a_drag_sideways_takes_a_step_every_4_px(way: float, keys: Modifiers, expected: float) -> None:
    """Steps are a hundredth of the range or the round number below: 0.5 of 50."""
    host = sliders(10.0)
    gesture = Scrub(host, at(0, 0), "x", 0, by_slider=False)  # type: ignore[arg-type]
    gesture.move(at(way, 30, keys))
    assert number(host) == [pytest.approx(expected)]


def test_steps_are_counted_from_the_last_one_and_whole_for_integers() -> None:
    host = sliders(10, dtype="int32")
    gesture = Scrub(host, at(0, 0), "x", 0, by_slider=False)  # type: ignore[arg-type]
    for x, expected in ((3, 10), (4, 11), (7, 11), (8, 12), (5, 12), (4, 11)):
        gesture.move(at(x, 0))
        assert number(host) == [expected]


def test_a_cancelled_drag_of_a_number_takes_all_back() -> None:
    host = sliders(10.0)
    before = host.session.graph
    gesture = Scrub(host, at(0, 0), "x", 0, by_slider=False)  # type: ignore[arg-type]
    gesture.cancel()
    assert host.session.graph is before
    gesture.move(at(8, 0))
    gesture.move(at(16, 0))
    assert number(host) == [12.0]
    gesture.cancel()
    assert number(host) == [10.0]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (1, 1),
        (1.99, 1),
        (2, 2),
        (4.99, 2),
        (5, 5),
        (9.99, 5),
        (10, 10),
        (0.02, 0.02),
        (0.04, 0.02),
        (0.3, 0.2),
        (700, 500),
    ],
)
def test_a_round_step_is_1_2_or_5_times_a_power_of_ten(step: float, expected: float) -> None:
    assert round_step(step) == pytest.approx(expected, rel=1e-12)


# Views and cuts


def test_a_pan_goes_on_by_whole_px_and_keeps_the_rest() -> None:
    host = Host(page())
    gesture = Pan(host, at(0, 0))  # type: ignore[arg-type]
    for x, y in ((0.4, 2.6), (0.8, 2.6), (3.0, -1.0)):
        gesture.move(at(x, y))
    assert host.panned == [(0, 3), (1, 0), (2, -4)]


def test_a_knife_cuts_what_its_line_crosses() -> None:
    host = Host(wired(page(), "c.y > e.x", "d.y > a.x"))
    (x1, y1), (x2, y2) = end(host, "c.y", False), end(host, "d.y", False)
    gesture = Knife(host, at(x1 + 40, y1 - 20))  # type: ignore[arg-type]
    gesture.move(at(x1 + 40, y1 + 20))
    found = paint(gesture, Look(theme("dark"), 2.0))
    assert placed(found, "polyline") == [(x1 + 40, y1 - 20, x1 + 40, y1 + 20)]
    assert len(placed(found, "path")) == 1
    gesture.finish(at(x1 + 40, y1 + 30))
    assert host.wires == ["d.y > a.x"] and host.said == [""]
    Knife(host, at(x2 + 40, y2 - 20)).finish(at(x2 + 40, y2 - 10))  # type: ignore[arg-type]
    assert host.wires == ["d.y > a.x"]


# Moving and copying


def move_of(host: Host, name: str, kind: Any = Move) -> Any:
    host.session.select(Selection(frozenset([name])))
    return kind(host, at(0, 0), host.mirror.rect(name).topLeft())


@pytest.mark.parametrize("kind", [Move, Copy])
@pytest.mark.parametrize(
    ("way", "scale", "keys", "expected"),
    [
        ((2, 0), 1.0, NONE, (0, 0)),
        ((2, 0), 2.0, ALT, (2, 0)),
        ((4, 1), 0.5, ALT, (0, 0)),
        ((5, 1), 0.5, ALT, (5, 1)),
        ((3, 4.4), 1.0, ALT, (3, 4)),
        ((50, 70), 1.0, NONE, (48, 64)),
        ((57, 73), 1.0, NONE, (64, 80)),
        ((57, 73), 1.0, ALT, (57, 73)),
    ],
)
def test_a_block_follows_from_3_px_on_along_the_grid_unless_alt_is_held(
    kind: Any, way: tuple[float, float], scale: float, keys: Modifiers, expected: tuple[float, float]
) -> None:
    host = Host(with_block(Graph(), "e", "Exp", (0, 0)), scale)
    gesture = move_of(host, "e", kind)
    gesture.move(at(*way, keys, scale))
    gesture.finish(at(*way, keys, scale))
    places = [block.at for block in host.session.page.blocks.values()]
    if kind is Move:
        assert places == [expected]
    elif expected == (0, 0):
        assert places == [(0, 0)]
    else:
        assert len(places) == 2 and {block.type for block in host.session.page.blocks.values()} == {"Exp"}


def test_blocks_are_hidden_only_once_they_move() -> None:
    host = Host(page())
    gesture = move_of(host, "e")
    assert gesture.hidden == frozenset()
    gesture.move(at(0, 40, ALT))
    assert gesture.hidden == {"e"}
    gesture.cancel()
    assert host.session.page.blocks["e"].at == (320, 0) and host.mirror.rect("e").left() == 320


def test_a_moved_wire_becomes_straight_within_6_px() -> None:
    """The wire from c ends 8 px deeper than it begins; 7 px down, e is one px from it."""
    graph = edits.move_blocks(wired(page(), "c.y > e.x"), MAIN, {"e": (336, 5)})
    host = Host(graph)
    gesture = move_of(host, "e")
    gesture.move(at(32, -3))
    gesture.finish(at(32, -3))
    assert host.session.page.blocks["e"].at == (368, 0)


def test_a_single_block_dropped_on_a_wire_goes_into_it() -> None:
    host = Host(wired(with_block(page(), "t", "Tanh", (200, 300)), "c.y > e.x"))
    (x1, y1), (x2, _) = end(host, "c.y", False), end(host, "e.x", True)
    rect = host.mirror.rect("t")
    way = (x1 + x2) / 2 - rect.center().x(), y1 - rect.center().y()
    for keys, wires in ((ALT, ["c.y > e.x"]), (NONE, ["c.y > t.x", "t.y > e.x"])):
        gesture = move_of(host, "t")
        gesture.move(at(*way, keys))
        assert [item.at[:2] for item in paint(gesture) if item.kind == "path"] == ([(x1, y1)] if keys is NONE else [])
        gesture.finish(at(*way, keys))
        assert host.wires == wires
        host.session.apply("Move", edits.move_blocks, MAIN, {"t": (200, 300)})


def test_two_blocks_go_into_no_wire() -> None:
    host = Host(wired(with_block(page(), "t", "Tanh", (200, 300)), "c.y > e.x"))
    host.session.select(Selection(frozenset(["t", "d"])))
    (x1, y1), (x2, _) = end(host, "c.y", False), end(host, "e.x", True)
    rect = host.mirror.rect("t")
    gesture = Move(host, at(0, 0), rect.topLeft())  # type: ignore[arg-type]
    gesture.finish(at((x1 + x2) / 2 - rect.center().x(), y1 - rect.center().y()))
    gesture.move(at((x1 + x2) / 2 - rect.center().x(), y1 - rect.center().y()))
    gesture.finish(at(0, 0))
    assert host.wires == ["c.y > e.x"]


def test_a_shaken_block_loses_its_wires_and_gets_them_back_by_escape() -> None:
    host = Host(wired(page(), "c.y > e.x"))
    gesture = move_of(host, "e")
    for step, x in enumerate((20, -20, 20, -20)):
        assert host.wires == ["c.y > e.x"]
        gesture.move(at(x, 0, ALT, time=50 * step))
    assert host.wires == []
    gesture.cancel()
    assert host.wires == ["c.y > e.x"]


def test_notes_and_empty_frames_move_along() -> None:
    graph = annotations.add_note(page(), MAIN, "note", (0, 500))[0]
    graph, frame = annotations.add_frame(graph, MAIN, "empty", [], at=(600, 500))
    host = Host(graph)
    (note,) = host.mirror.notes
    host.session.select(Selection(notes=frozenset([note]), frames=frozenset([frame])))
    gesture = Move(host, at(0, 0), QPointF(0, 500))  # type: ignore[arg-type]
    gesture.move(at(32, 48, ALT))
    assert host.mirror.notes[note].topLeft() == QPointF(32, 548)
    gesture.finish(at(32, 48, ALT))
    assert (host.session.page.notes[0].at, host.session.page.frames[0].at) == ((32, 548), (632, 548))


def test_copies_are_drawn_where_they_would_be() -> None:
    host = Host(page())
    gesture = move_of(host, "e", Copy)
    assert paint(gesture) == []
    gesture.move(at(10, 120, ALT))
    found = placed(paint(gesture), "rounded")
    assert (330, 120, 144, host.mirror.rect("e").height()) in found
    assert host.mirror.rect("e").topLeft() == QPointF(320, 0)


def test_a_width_goes_by_16_px_from_112_to_320() -> None:
    for way, expected in ((7, None), (9, 160), (-40, 112), (400, 320), (-24.1, 112)):
        host = Host(page())
        gesture = Resize(host, at(0, 0), "e")  # type: ignore[arg-type]
        gesture.move(at(way, 90))
        width = expected or 144
        assert placed(paint(gesture), "rounded") == [(320, 0, width, host.mirror.rect("e").height())]
        gesture.finish(at(way, 90))
        assert host.session.page.blocks["e"].width == expected


# What a press begins


def test_a_press_begins_the_gesture_of_what_is_there() -> None:
    graph = with_block(wired(page(), "c.y > e.x"), "x", "Input", (0, 400), value=np.ones(2))
    host = Host(with_block(graph, "r", "Reroute", (600, 400)))

    def begun(x: float, y: float, keys: Modifiers = NONE) -> Any:
        return begin_gesture(host, at(x, y, keys))  # type: ignore[arg-type]

    assert type(begun(700, 700)) is BoxSelect
    assert type(begun(330, 10, CONTROL | ALT)) is Lasso
    assert type(begun(330, 10)) is Move and host.session.selection.blocks == {"e"}
    assert type(begun(330, 10, CONTROL)) is Copy
    assert type(begun(330, 10, ALT)) is Move
    assert type(begun(320 + 143, 10)) is Resize
    track = host.mirror.shapes[host.mirror.rows["x"]].slider_track(1)
    assert type(begun(track.center().x(), 400 + track.center().y())) is Scrub
    assert host.session.selection.blocks == {"x"}
    for port, is_input in (("c.y", False), ("a.x", True), ("e.x", True), ("r.x", True)):
        assert type(begun(*end(host, port, is_input))) is DrawWire
    # A wire at an input is taken along; with Ctrl a second one begins.
    x, y = end(host, "e.x", True)
    begun(x, y).finish(at(200, 150))
    assert host.wires == []
    host.session.undo()
    begun(x, y, CONTROL).finish(at(200, 150))
    assert host.wires == ["c.y > e.x"] and host.asked[-1] == ("c.y", True, False)
    begun(*end(host, "r.x", True)).finish(at(800, 150))
    assert host.asked[-1] == ("r.y", True, False)
    begun(*end(host, "a.x", True)).finish(at(200, 150))
    assert host.asked[-1] == ("a.x", False, False)


def test_shift_adds_to_the_selection_or_takes_away() -> None:
    host = Host(page())
    begin_gesture(host, at(330, 10))  # type: ignore[arg-type]
    begin_gesture(host, at(10, 10, SHIFT))  # type: ignore[arg-type]
    assert host.session.selection.blocks == {"e", "c"}
    begin_gesture(host, at(10, 10))  # type: ignore[arg-type]
    assert host.session.selection.blocks == {"e", "c"}
    begin_gesture(host, at(10, 10, SHIFT))  # type: ignore[arg-type]
    assert host.session.selection.blocks == {"e"}
    begin_gesture(host, at(10, 10))  # type: ignore[arg-type]
    assert host.session.selection.blocks == {"c"}


def test_a_drag_whose_last_step_was_refused_is_still_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    host = sliders(10.0)
    gesture = Scrub(host, at(0, 0), "x", 0, by_slider=False)  # type: ignore[arg-type]
    gesture.move(at(8, 0))
    with monkeypatch.context() as patch:
        patch.setattr(type(host.session), "apply", lambda *_, **__: None)
        gesture.move(at(16, 0))
    assert number(host) == [11.0]
    gesture.cancel()
    assert number(host) == [10.0]
