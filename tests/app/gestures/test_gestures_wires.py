"""Wires drawn from either end, moved, removed and refused: one entry in the history each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gradwire.app.canvas.geometry.hit_tests import SNAP_REACH
from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import chain, misfits
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


@pytest.fixture
def wrong(user: Driver) -> Driver:
    user.show(misfits(), 0.9)
    return user


def _wires_of(graph: Graph) -> set[str]:
    return {f"{wire.source} > {wire.target}" for wire in graph.pages[0].wires.values()}


@pytest.mark.parametrize(("start", "end"), [("c.y", "t.x"), ("t.x", "c.y")])
def test_a_wire_is_drawn_in_either_direction_in_one_entry(here: Driver, start: str, end: str) -> None:
    graph = here.graph
    here.hand.connect(here.points.port(start), here.points.port(end))
    assert "c.y > t.x" in here.wires()
    assert here.undo_text() == "Connect"
    here.undo()
    assert here.graph is graph


def test_the_end_of_a_wire_snaps_within_24_px(here: Driver) -> None:
    here.hand.connect(here.points.port("c.y"), here.points.port("t.x") + QPointF(-SNAP_REACH + 2, 0))
    assert "c.y > t.x" in here.wires()


def test_it_does_not_snap_from_further_away(here: Driver) -> None:
    graph = here.graph
    here.hand.connect(here.points.port("c.y"), here.points.port("t.x") + QPointF(-SNAP_REACH - 4, 0))
    here.window.parts.editor.placer.popup.close()
    assert here.graph is graph


def test_snapping_reaches_24_px_of_the_screen_at_every_zoom(here: Driver) -> None:
    here.canvas.viewport.zoom_to(2.0)
    here.canvas.viewport.centre_at(here.points.port("t.x"))
    graph = here.graph
    here.hand.connect(here.points.port("c.y"), here.points.port("t.x") + QPointF(-SNAP_REACH / 2 - 2, 0))
    here.window.parts.editor.placer.popup.close()
    assert here.graph is graph
    here.hand.connect(here.points.port("c.y"), here.points.port("t.x") + QPointF(-SNAP_REACH / 2 + 1, 0))
    assert "c.y > t.x" in here.wires()


def test_escape_cancels_a_wire(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(here.points.port("c.y"), here.points.port("t.x"), ends_with=here.escape)
    assert here.graph is graph
    assert not here.canvas.gestures.is_dragging


def test_a_click_on_an_output_searches_for_a_block_after_it(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.port("c.y"))
    assert here.graph is graph
    assert "Input" not in here.popups.found()
    here.popups.search("sin")
    made = here.only("Sin")
    assert f"c.y > {made}.x" in here.wires()
    assert here.canvas.mirror.rect(made).left() > here.canvas.mirror.rect("c").right()
    here.undo()
    assert here.graph is graph


def test_a_click_on_a_free_input_searches_for_a_block_before_it(here: Driver) -> None:
    here.hand.click(here.points.port("t.x"))
    here.popups.search("[1,2]")
    (new,) = [block.id for block in here.page.blocks.values() if block.type == "Constant" and block.id != "c"]
    assert f"{new}.y > t.x" in here.wires()


def test_a_click_on_an_input_that_has_a_wire_does_nothing(here: Driver) -> None:
    here.hand.click(here.points.port("e.x"))
    assert not here.window.parts.editor.placer.popup.isVisible()


def test_a_wire_dropped_on_another_output_searches_for_a_block_that_combines_both(here: Driver) -> None:
    here.hand.connect(here.points.port("c.y"), here.points.port("e.y"))
    assert "Exp" not in here.popups.found()
    here.popups.search("-")
    made = here.only("Subtract")
    assert {f"c.y > {made}.x", f"e.y > {made}.y"} <= here.wires()


@pytest.mark.parametrize(("start", "block"), [("c.y", "t"), ("t.x", "c")])
def test_a_wire_dropped_on_a_block_connects_to_its_port_in_one_entry(here: Driver, start: str, block: str) -> None:
    graph = here.graph
    here.hand.connect(here.points.port(start), here.canvas.mirror.rect(block).center())
    assert here.wires() - _wires_of(graph) == {"c.y > t.x"}
    assert here.undo_text() == "Connect"
    here.undo()
    assert here.graph is graph


def test_a_wire_dropped_on_a_block_takes_its_first_free_input(wrong: Driver) -> None:
    wrong.hand.put_block("Add", wrong.points.empty())
    made = wrong.only("Add")
    middle = wrong.canvas.mirror.rect(made).center()
    for _ in range(2):
        wrong.hand.connect(wrong.points.output("b.y"), middle)
    assert {f"b.y > {made}.x", f"b.y > {made}.y"} <= wrong.wires()


def test_a_wire_dropped_on_a_block_takes_the_first_input_whose_kind_it_is(wrong: Driver) -> None:
    wrong.hand.put_block("Where", wrong.points.empty())
    made = wrong.only("Where")
    wrong.hand.connect(wrong.points.output("b.y"), wrong.canvas.mirror.rect(made).center())
    assert [wire for wire in wrong.wires() if f"> {made}." in wire] == [f"b.y > {made}.x"]


def test_a_block_without_a_free_input_takes_no_wire_and_says_why(here: Driver) -> None:
    graph, said = here.graph, here.listen()
    here.hand.connect(here.points.port("c.y"), here.canvas.mirror.rect("e").center())
    assert here.graph is graph
    assert said == ["e has no free input."]


def test_the_end_of_a_wire_dropped_on_a_block_is_plugged_in_there(here: Driver) -> None:
    here.hand.connect(here.points.port("e.x"), here.canvas.mirror.rect("t").center())
    assert "x.y > t.x" in here.wires()
    assert "x.y > e.x" not in here.wires()
    assert here.undo_text() == "Re-plug"


def test_the_end_of_a_wire_dropped_on_its_own_block_stays(here: Driver) -> None:
    graph = here.graph
    here.hand.connect(here.points.port("e.x"), here.canvas.mirror.rect("e").center())
    assert here.graph is graph


def test_the_block_that_would_take_the_wire_lights_up(here: Driver) -> None:
    rect = here.canvas.mirror.rect("t")
    edge = here.canvas.camera.to_view(QPointF(rect.center().x(), rect.bottom() + 3)).toPoint()
    accent, seen = here.window.appearance.theme.color("accent"), []

    def look() -> None:
        seen.append(here.canvas.grab().toImage().pixelColor(edge).name())

    here.hand.drag(here.points.port("c.y"), rect.center(), ends_with=look)
    look()
    assert seen[0] == accent.name()
    assert seen[1] != accent.name()


def test_a_new_wire_takes_the_place_of_the_one_that_ended_there(here: Driver) -> None:
    here.hand.connect(here.points.port("c.y"), here.points.port("e.x"))
    assert "c.y > e.x" in here.wires()
    assert "x.y > e.x" not in here.wires()


def test_a_shape_that_does_not_fit_is_refused_with_the_reason(wrong: Driver) -> None:
    graph, said = wrong.graph, wrong.listen()
    wrong.hand.connect(wrong.points.port("b.y"), wrong.points.port("mm.b"))
    assert wrong.graph is graph
    assert len(said) == 1
    assert "2" in said[0] and "3" in said[0]
    assert "Shift" in said[0]


def test_shift_connects_a_shape_that_does_not_fit(wrong: Driver) -> None:
    said = wrong.listen()
    wrong.hand.connect(wrong.points.port("b.y"), wrong.points.port("mm.b"), Mod.ShiftModifier)
    assert "b.y > mm.b" in wrong.wires()
    assert not said
    assert any(problem.code == "shape" for problem in wrong.session.problems_of("mm"))


def test_a_dtype_that_does_not_fit_is_refused_with_the_reason(wrong: Driver) -> None:
    graph, said = wrong.graph, wrong.listen()
    wrong.hand.connect(wrong.points.port("truth.z"), wrong.points.port("e.x"))
    assert wrong.graph is graph
    assert len(said) == 1
    assert "bool" in said[0]


@pytest.mark.parametrize("keys", [Mod.NoModifier, Mod.ShiftModifier])
def test_a_circle_is_refused_with_the_reason_even_with_shift(wrong: Driver, keys: Mod) -> None:
    graph, said = wrong.graph, wrong.listen()
    wrong.hand.connect(wrong.points.output("two.y"), wrong.points.port("one.x"), keys)
    assert wrong.graph is graph
    assert len(said) == 1
    assert "circle" in said[0].lower() or "cycle" in said[0].lower()
    assert "Hold Shift" not in said[0]


def test_the_reason_is_told_while_the_wire_is_over_the_port(wrong: Driver) -> None:
    told: list[str] = []
    wrong.canvas.said.connect(told.append)
    wrong.hand.drag(wrong.points.port("b.y"), wrong.points.port("mm.b"), ends_with=lambda: told.append("end"))
    assert told[told.index("end") - 1]
    assert wrong.window.parts.layout.status.currentMessage()


def test_a_wire_into_nothing_asks_for_blocks_that_fit(wrong: Driver) -> None:
    wrong.hand.connect(wrong.points.output("truth.z"), wrong.points.output("truth.z") + QPointF(50, -70))
    assert wrong.window.parts.editor.placer.popup.isVisible()
    field = wrong.child(QLineEdit, "search_field")
    QTest.keyClicks(field, "exp")
    assert "Exp" not in wrong.popups.found()
    field.clear()
    QTest.keyClicks(field, "cast")
    assert "Cast" in wrong.popups.found()
    wrong.window.parts.editor.placer.popup.close()


@pytest.mark.parametrize(
    ("start", "shift", "text", "wire"),
    a_third_of(
        [
            ("c.y", QPointF(90, 90), "tanh", "c.y > Tanh.x"),
            ("c.y", QPointF(90, 90), "tf.reduce_max", "c.y > ReduceMax.x"),
            ("t.x", QPointF(-60, 120), "exp", "Exp.y > t.x"),
        ]
    ),
)
def test_the_chosen_block_is_placed_and_connected_in_one_entry(
    here: Driver, start: str, shift: QPointF, text: str, wire: str
) -> None:
    graph = here.graph
    here.hand.connect(here.points.port(start), here.points.port(start) + shift)
    here.popups.search(text)
    assert wire in here.wires()
    (made,) = here.page.blocks.keys() - graph.pages[0].blocks.keys()
    assert here.selection == Selection(frozenset([made]))
    here.undo()
    assert here.graph is graph


def test_escape_in_the_search_leaves_no_wire(here: Driver) -> None:
    graph = here.graph
    here.hand.connect(here.points.port("c.y"), here.points.port("c.y") + QPointF(90, 90))
    QTest.keyClick(here.child(QLineEdit, "search_field"), Key.Key_Escape)
    here.settle()
    assert not here.window.parts.editor.placer.popup.isVisible()
    assert here.graph is graph


def test_a_number_typed_for_an_input_becomes_a_connected_constant(here: Driver) -> None:
    here.hand.connect(here.points.port("t.x"), here.points.port("t.x") + QPointF(-70, 120))
    here.popups.search("0.5")
    (wire,) = [wire for wire in here.wires() if wire.endswith("> t.x")]
    assert here.block(wire.partition(".")[0]).type == "Constant"


def test_dragging_the_end_of_a_wire_plugs_it_elsewhere_in_one_entry(here: Driver) -> None:
    graph = here.graph
    here.hand.connect(here.points.port("e.x"), here.points.port("t.x"))
    assert "x.y > t.x" in here.wires()
    assert "x.y > e.x" not in here.wires()
    here.undo()
    assert here.graph is graph


def test_dragging_the_end_of_a_wire_into_nothing_disconnects(here: Driver) -> None:
    graph = here.graph
    here.hand.connect(here.points.port("e.x"), here.points.port("e.x") + QPointF(-30, 160))
    assert "x.y > e.x" not in here.wires()
    assert not here.window.parts.editor.placer.popup.isVisible()
    assert here.undo_text() == "Disconnect"
    here.undo()
    assert here.graph is graph


def test_an_end_brought_back_changes_nothing(here: Driver) -> None:
    graph, at = here.graph, here.points.port("e.x")
    here.hand.enter(at)
    here.hand.press(at)
    here.hand.move(at + QPointF(-40, 90))
    here.hand.move(at)
    here.hand.release(at)
    assert here.graph is graph


def test_escape_leaves_a_wire_whose_end_was_taken(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(here.points.port("e.x"), here.points.port("e.x") + QPointF(-30, 160), ends_with=here.escape)
    assert here.graph is graph


def test_a_double_click_on_a_wire_puts_a_dot_there(here: Driver) -> None:
    graph, wire = here.graph, here.wire("s.x")
    at = here.points.on_wire(wire)
    here.hand.double_click(at)
    dot = here.only("Reroute")
    assert {f"e.y > {dot}.x", f"{dot}.y > s.x"} <= here.wires()
    assert (here.canvas.mirror.rect(dot).center() - at).manhattanLength() <= 16
    here.undo()
    assert here.graph is graph


def test_a_wire_can_be_drawn_from_a_dot(here: Driver) -> None:
    here.hand.double_click(here.points.on_wire(here.wire("s.x")))
    dot = here.only("Reroute")
    start = here.points.output(f"{dot}.y")
    here.hand.drag(start, here.points.port("t.x"))
    assert f"{dot}.y > t.x" in here.wires() or "e.y > t.x" in here.wires()


def test_a_block_from_the_search_lies_under_the_pointer(here: Driver) -> None:
    before = set(here.page.blocks)
    at = here.points.empty()
    here.hand.put_block("Exp", at)
    (made,) = set(here.page.blocks) - before
    rect = here.canvas.mirror.rect(made)
    assert rect.adjusted(-16, -16, 16, 16).contains(at)
    assert rect.x() % 16 == rect.y() % 16 == 0


def test_variadic_inputs_take_the_next_number(here: Driver) -> None:
    here.hand.put_block("AddN", QPointF(560, 300))
    made = here.only("AddN")
    here.hand.connect(here.points.port("c.y"), here.points.port(f"{made}.values_0"))
    here.hand.connect(here.points.port("c.y"), here.points.port(f"{made}.values_1"))
    assert {f"c.y > {made}.values_0", f"c.y > {made}.values_1"} <= here.wires()
