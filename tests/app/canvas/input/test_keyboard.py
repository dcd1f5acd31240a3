"""The canvas by keyboard alone: walking, ports, wires, the menu; and the focus is always visible."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradwire.app.live.selection import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import pixels
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import annotated, chain, misfits, with_block
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")

RIGHT, LEFT, UP, DOWN = Key.Key_Right, Key.Key_Left, Key.Key_Up, Key.Key_Down
ENTER = Key.Key_Return


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    user.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    return user


def ctrl_home(user: Driver) -> None:
    user.ctrl(Key.Key_Home)


def ring(user: Driver) -> int:
    """Returns the number of pixels of the canvas with the colour of the focus."""
    color = theme("dark").color("focus")
    found = pixels(user.canvas.grab().toImage())
    return int((found[..., :3] == (color.blue(), color.green(), color.red())).all(axis=-1).sum())


@pytest.mark.long
def test_arrows_walk_along_wires_and_select(here: Driver) -> None:
    ctrl_home(here)
    assert here.selection.blocks == {"x"}
    here.key(RIGHT)
    assert here.selection.wires == {here.wire("e.x")} and not here.selection.blocks
    here.key(RIGHT)
    assert here.selection.blocks == {"e"} and not here.selection.wires
    here.key(LEFT)
    assert here.selection.wires == {here.wire("e.x")}


def test_down_goes_to_the_neighbouring_block(here: Driver) -> None:
    ctrl_home(here)
    here.key(DOWN)
    assert here.selection.blocks == {"c"}
    here.key(UP)
    assert here.selection.blocks == {"x"}


def test_ctrl_end_goes_to_the_last_block(here: Driver) -> None:
    here.ctrl(Key.Key_End)
    assert here.selection.blocks == {"loss"}


def test_shift_extends_the_selection(here: Driver) -> None:
    ctrl_home(here)
    here.key(RIGHT, Mod.ShiftModifier)
    here.key(RIGHT, Mod.ShiftModifier)
    assert here.selection.blocks == {"x", "e"}
    assert here.selection.wires == {here.wire("e.x")}


def test_notes_and_frames_are_on_the_way(user: Driver) -> None:
    user.show(annotated())
    ctrl_home(user)
    notes, frames = set(), set()
    for _ in range(12):
        notes |= user.selection.notes
        frames |= user.selection.frames
        user.key(DOWN)
    assert notes == {"note"} and frames == {"spare", "hollow"}


def test_walking_goes_on_from_what_the_mouse_selected(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.key(RIGHT)
    assert here.selection.wires == {here.wire("s.x")}


def test_after_a_deletion_walking_starts_anew(here: Driver) -> None:
    ctrl_home(here)
    here.key(Key.Key_Delete)
    here.key(RIGHT)
    assert len(here.selection.blocks) == 1


def test_walking_makes_no_edit(here: Driver) -> None:
    graph = here.graph
    for key in (RIGHT, DOWN, LEFT, UP, ENTER, DOWN, Key.Key_Escape):
        here.key(key)
    assert here.graph is graph


def test_on_an_empty_page_arrows_do_nothing(user: Driver) -> None:
    user.trigger("new")
    for key in (RIGHT, DOWN, ENTER):
        user.key(key)
    ctrl_home(user)
    assert not user.selection


def test_enter_opens_the_ports_and_escape_closes_them(here: Driver) -> None:
    ctrl_home(here)
    here.key(ENTER)
    keyboard = here.canvas.keyboard
    assert keyboard.socket == (Port("x", "y"), False)
    here.escape()
    assert keyboard.socket is None
    assert here.selection.blocks == {"x"}


def test_a_wire_is_drawn_by_keys_alone(here: Driver) -> None:
    ctrl_home(here)
    here.key(DOWN)
    here.key(ENTER)
    here.key(ENTER)
    assert here.canvas.gestures.is_dragging
    here.key(RIGHT)
    here.key(ENTER)
    assert "c.y > t.x" in here.wires()
    assert here.undo_text() == "Connect"
    here.undo()
    assert "c.y > t.x" not in here.wires()


def test_escape_cancels_a_wire_and_then_leaves_the_ports(here: Driver) -> None:
    graph = here.graph
    ctrl_home(here)
    here.key(DOWN)
    here.key(ENTER)
    here.key(ENTER)
    here.key(RIGHT)
    here.escape()
    assert not here.canvas.gestures.is_dragging
    assert here.canvas.keyboard.socket is not None
    here.escape()
    assert here.canvas.keyboard.socket is None
    assert here.graph is graph and here.selection.blocks == {"c"}


def test_a_connected_input_gives_the_end_of_its_wire(here: Driver) -> None:
    here.hand.click(here.points.title("s"))
    here.key(ENTER)
    here.key(LEFT)
    here.key(ENTER)
    wire = here.canvas.keyboard.wire
    assert wire is not None
    for _ in range(10):
        aim = wire.aim
        if aim is not None and aim.port == Port("t", "x"):
            break
        here.key(DOWN)
    here.key(ENTER)
    assert {"e.y > t.x", "x.y > e.x"} <= here.wires()
    assert "e.y > s.x" not in here.wires()


def test_open_ports_come_before_nearer_ones_that_are_taken(here: Driver) -> None:
    here.show(with_block(here.graph, "far", "Square", (960, 720)))
    here.hand.click(here.points.title("c"))
    here.key(ENTER)
    here.key(ENTER)
    wire = here.canvas.keyboard.wire
    assert wire is not None
    seen = []
    for _ in range(6):
        here.key(DOWN)
        assert wire.aim is not None
        seen.append(str(wire.aim.port))
    assert seen[:3] == ["t.x", "loss.weights", "far.x"] and set(seen[3:]) == {"e.x", "s.x", "loss.x"}


def test_a_taken_port_takes_another_wire_only_after_a_second_enter(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.title("c"))
    here.key(ENTER)
    here.key(ENTER)
    aim_at(here, Port("e", "x"))
    here.key(ENTER)
    assert here.graph is graph and here.canvas.gestures.is_dragging
    assert here.window.parts.layout.status.currentMessage() == "e.x is connected. Enter again replaces its wire."
    wire = here.canvas.keyboard.wire
    here.key(DOWN)
    here.key(UP)
    here.key(ENTER)
    assert here.graph is graph and here.canvas.keyboard.wire is wire
    here.key(ENTER)
    assert "c.y > e.x" in here.wires() and "x.y > e.x" not in here.wires()


def aim_at(user: Driver, port: Port) -> None:
    wire = user.canvas.keyboard.wire
    assert wire is not None
    for _ in range(30):
        if wire.aim is not None and wire.aim.port == port:
            return
        user.key(DOWN)
    raise AssertionError(f"{port} is not among the ends")


def test_down_reaches_ports_that_do_not_fit_and_says_why(user: Driver) -> None:
    user.show(misfits())
    user.hand.click(user.points.title("b"))
    user.key(ENTER)
    user.key(ENTER)
    said: list[str] = []
    user.canvas.said.connect(said.append)
    aim_at(user, Port("mm", "b"))
    assert said[-1] and said[-1] == user.window.parts.layout.status.currentMessage()
    graph, heard = user.graph, user.listen()
    user.key(ENTER)
    assert user.graph is graph
    assert heard and heard[0].startswith(said[-1] if said[-1] else heard[0])


def test_right_skips_ports_that_do_not_fit(user: Driver) -> None:
    user.show(misfits())
    user.hand.click(user.points.title("b"))
    user.key(ENTER)
    user.key(ENTER)
    wire = user.canvas.keyboard.wire
    assert wire is not None
    seen, said = set(), list[str]()
    user.canvas.said.connect(said.append)
    for _ in range(20):
        user.key(RIGHT)
        assert wire.aim is not None and not any(said)
        seen.add(wire.aim.port)
    assert Port("mm", "b") not in seen and len(seen) > 2
    user.escape()


def test_tab_forgets_a_port_of_another_document(user: Driver) -> None:
    user.show(misfits())
    user.hand.click(user.points.title("b"))
    user.key(ENTER)
    assert user.canvas.keyboard.socket is not None
    user.show(chain())
    user.session.select(Selection(frozenset(["e", "x"])))
    user.key(Key.Key_Tab)
    user.popups.search("-")
    assert user.only("Subtract") in user.page.blocks


def test_shift_enter_connects_what_does_not_fit_where_that_is_possible(user: Driver) -> None:
    user.show(misfits())
    user.hand.click(user.points.title("b"))
    user.key(ENTER)
    user.key(ENTER)
    aim_at(user, Port("mm", "b"))
    user.key(ENTER, Mod.ShiftModifier)
    assert "b.y > mm.b" in user.wires()


@pytest.mark.parametrize(("key", "keys"), [(Key.Key_Menu, Mod.NoModifier), (Key.Key_F10, Mod.ShiftModifier)])
def test_the_menu_key_opens_the_menu_of_what_is_focused(here: Driver, key: Qt.Key, keys: Qt.KeyboardModifier) -> None:
    ctrl_home(here)
    here.key(key, keys)
    assert "mute" in {item.objectName() for item in here.popups.menu().actions()}
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)
    here.key(RIGHT)
    here.key(key, keys)
    assert "stop_here" in {item.objectName() for item in here.popups.menu().actions()}
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)


def test_the_ring_is_seen_with_the_keyboard_and_hidden_by_the_mouse(here: Driver) -> None:
    ctrl_home(here)
    assert ring(here) > 100
    here.hand.click(here.points.title("e"))
    assert ring(here) == 0
    here.key(RIGHT)
    assert ring(here) > 100


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize("scale", a_third_of([0.2, 1.0, 2.0]))
def test_the_ring_is_seen_at_every_zoom_around_blocks_and_wires(here: Driver, steps: int, scale: float) -> None:
    here.canvas.viewport.zoom_to(scale)
    ctrl_home(here)
    for _ in range(steps):
        here.key(RIGHT)
    assert ring(here) > 30


def test_the_ring_is_seen_around_a_port_and_around_an_empty_page(here: Driver) -> None:
    ctrl_home(here)
    here.key(ENTER)
    assert ring(here) > 40
    here.trigger("new")
    here.window.parts.panels.overlay.open()
    here.trigger("next_panel")
    here.trigger("previous_panel")
    assert here.canvas.hasFocus()
    assert ring(here) > 400


def test_the_canvas_scrolls_to_what_is_focused(here: Driver) -> None:
    here.canvas.viewport.zoom_to(2.0)
    here.canvas.viewport.centre_at(QPointF(0, 0))
    for _ in range(6):
        here.key(RIGHT)
        seen = here.canvas.camera.rect_to_view(here.canvas.keyboard.rect())
        assert QRectF(here.canvas.rect()).contains(seen)
    assert here.selection.blocks == {"loss"} or here.selection.wires


@pytest.mark.parametrize(
    ("key", "moved"), a_third_of([(LEFT, (-1, 0)), (RIGHT, (1, 0)), (UP, (0, -1)), (DOWN, (0, 1))])
)
def test_alt_shift_with_arrows_moves_by_1_px(here: Driver, key: Qt.Key, moved: tuple[int, int]) -> None:
    here.hand.click(here.points.title("e"))
    here.key(key, Mod.AltModifier | Mod.ShiftModifier)
    assert here.block("e").at == (240 + moved[0], moved[1])


def part_with_focus(user: Driver) -> str:
    window = user.window
    parts = {
        "canvas": window.parts.canvas,
        "inspector": window.parts.panels.inspector,
        "bottom": window.parts.panels.problems,
        "status": window.parts.layout.status,
        "bar": window.bars.top,
    }
    focused = window.focusWidget()
    assert isinstance(focused, QWidget)
    return next(name for name, part in parts.items() if part is focused or part.isAncestorOf(focused))


@pytest.mark.parametrize(
    ("are_open", "order"),
    [
        (True, ["inspector", "bottom", "status", "bar", "canvas"]),
        (False, ["status", "bar", "canvas"]),
    ],
)
def test_f6_goes_round_the_parts_of_the_window_and_shift_f6_back(
    here: Driver, are_open: bool, order: list[str]
) -> None:
    if are_open:
        here.window.parts.panels.overlay.open()
        here.window.parts.panels.open_lens("problems")
    here.settle()
    found = []
    for _ in order:
        QTest.keyClick(here.window.focusWidget(), Key.Key_F6)
        here.settle()
        found.append(part_with_focus(here))
    assert found == order
    found = []
    for _ in order:
        QTest.keyClick(here.window.focusWidget(), Key.Key_F6, Mod.ShiftModifier)
        here.settle()
        found.append(part_with_focus(here))
    assert found == [*reversed(order[:-1]), "canvas"]


def test_a_wire_drawn_by_keys_does_not_follow_the_mouse(here: Driver) -> None:
    ctrl_home(here)
    here.key(DOWN)
    here.key(ENTER)
    here.key(ENTER)
    here.key(RIGHT)
    wire = here.canvas.keyboard.wire
    assert wire is not None
    aim = wire.aim
    here.hand.move(here.points.port("loss.x"))
    assert wire.aim == aim
    here.escape()


def test_the_ring_does_not_hide_what_it_surrounds(here: Driver) -> None:
    ctrl_home(here)
    inside = here.canvas.camera.rect_to_view(here.canvas.mirror.rect("x")).toRect().adjusted(3, 3, -3, -3)
    here.canvas.keyboard.show(False)
    before = pixels(here.canvas.grab(inside).toImage()).copy()
    here.canvas.keyboard.show(True)
    assert np.array_equal(before, pixels(here.canvas.grab(inside).toImage()))


def wire_by_keys(user: Driver, block: str, output: str, target: str) -> None:
    """Draws a wire from an output of a block to a port, by keys from the first block on."""
    ctrl_home(user)
    user.session.select(Selection(frozenset([block])))
    user.key(ENTER)
    for _ in range(10):
        if user.canvas.keyboard.socket == (Port(block, output), False):
            break
        user.key(DOWN)
    assert user.canvas.keyboard.socket == (Port(block, output), False)
    user.key(ENTER)
    aim_at(user, Port(*target.split(".")))
    user.key(ENTER)
    assert f"{block}.{output} > {target}" in user.wires()
    user.escape()


def test_a_gradients_block_is_wired_by_keys_alone(here: Driver) -> None:
    graph = with_block(here.graph, "d", "Gradients", (480, 400))
    here.show(with_block(graph, "q", "Square", (760, 400)))
    here.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    wire_by_keys(here, "s", "y", "d.y")
    wire_by_keys(here, "x", "y", "d.xs_0")
    wire_by_keys(here, "e", "y", "d.xs_1")
    wire_by_keys(here, "d", "g_0", "q.x")
    wire_by_keys(here, "d", "g_1", "t.x")
    reading = here.session.port(Port("d", "g_0"))
    assert reading is not None and reading.value is not None
    np.testing.assert_allclose(reading.value.first, np.exp([1, 2, 3]))


def test_a_search_opens_at_a_pointer_that_has_come_without_moving(here: Driver) -> None:
    place = QPointF(300, 260)
    QApplication.sendEvent(here.canvas, QEnterEvent(place, place, here.canvas.mapToGlobal(place)))
    assert here.canvas.pointer.view == place
    assert here.canvas.pointer.scene == here.canvas.camera.to_scene(place)


def test_letters_aim_a_wire_at_the_block_of_that_name(here: Driver) -> None:
    here.hand.click(here.points.title("c"))
    here.key(ENTER)
    here.key(ENTER)
    wire = here.canvas.keyboard.wire
    assert wire is not None
    # Without a wire, S puts a StopGradient into the graph.
    QTest.keyClicks(here.canvas, "s.x")
    assert wire.aim is not None and wire.aim.port == Port("s", "x")
    QTest.keyClicks(here.canvas, "t")
    assert wire.aim.port == Port("t", "x")
    here.key(ENTER)
    assert "c.y > t.x" in here.wires()


def test_tab_continues_the_selected_block(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.title("c"))
    here.key(Key.Key_Tab)
    here.popups.search("sin")
    made = here.only("Sin")
    assert f"c.y > {made}.x" in here.wires()
    assert here.selection.blocks == {made}
    here.undo()
    assert here.graph is graph


def test_tab_connects_all_selected_blocks_in_the_order_of_evaluation(here: Driver) -> None:
    here.session.select(Selection(frozenset(["e", "x"])))
    here.key(Key.Key_Tab)
    here.popups.search("-")
    made = here.only("Subtract")
    assert {f"x.y > {made}.x", f"e.y > {made}.y"} <= here.wires()


def test_a_source_feeds_the_free_input_of_the_selected_block(here: Driver) -> None:
    here.hand.click(here.points.title("loss"))
    here.key(Key.Key_Tab)
    here.popups.search("w=2")
    assert here.block("w").type == "Input"
    assert "w.y > loss.weights" in here.wires()


def test_a_source_stands_alone_beside_a_block_without_a_free_input(here: Driver) -> None:
    wires = here.wires()
    here.hand.click(here.points.title("x"))
    here.key(Key.Key_Tab)
    here.popups.search("y=2")
    assert here.block("y").type == "Input" and here.wires() == wires
    assert not here.canvas.mirror.rect("y").intersects(here.canvas.mirror.rect("x"))


def test_tab_on_a_port_searches_for_that_port(here: Driver) -> None:
    here.hand.click(here.points.title("loss"))
    here.key(ENTER)
    here.key(LEFT)
    here.key(DOWN)
    here.key(Key.Key_Tab)
    here.popups.search("[1,2]")
    (new,) = [block.id for block in here.page.blocks.values() if block.type == "Constant" and block.id != "c"]
    assert f"{new}.y > loss.weights" in here.wires()
