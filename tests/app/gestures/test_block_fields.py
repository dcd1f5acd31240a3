"""Fields on a block beside numbers: its main setting, if that is a switch or a choice, and slices."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from gradwire.app.canvas.geometry.main_setting import field_of
from gradwire.app.canvas.painting.blocks.slice_maps import SliceMaps
from gradwire.app.canvas.painting.blocks.slice_picker import TARGET, Picker, picker_of
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import pixels
from tests.app.window.driver import Driver, Key
from tests.app.window.graphs import wired, with_block

VALUES = np.arange(2.0 * 3 * 2 * 2).reshape(2, 3, 2, 2) - 5.0


def settings() -> Graph:
    """Returns x = [1, 2, 3] -> Gelu g -> Cast c to float32 -> loss."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0, 3.0]))
    graph = with_block(graph, "g", "Gelu", (240, 0))
    graph = with_block(graph, "c", "Cast", (480, 0), dtype="float32")
    return wired(with_block(graph, "loss", "Loss", (720, 0)), "x.y > g.x", "g.y > c.x", "c.y > loss.x")


def slices() -> Graph:
    """Returns a Variable of shape 2, 3, 2, 2, its square, and a Loss."""
    graph = with_block(Graph(), "w", "Variable", (0, 0), value=VALUES)
    graph = with_block(graph, "q", "Square", (240, 0))
    return wired(with_block(graph, "loss", "Loss", (480, 0)), "w.y > q.x", "q.y > loss.x")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(settings())
    return user


@pytest.fixture
def sliced(user: Driver) -> Driver:
    user.show(slices())
    return user


def field(user: Driver, block_id: str) -> QPointF:
    """Returns the right end of the field of a block, with the switch or the arrow of the choice."""
    mirror = user.canvas.mirror
    box = mirror.shapes[mirror.rows[block_id]].field_box.translated(mirror.rect(block_id).topLeft())
    return QPointF(box.right() - 8, box.center().y())


def picker(user: Driver, block_id: str) -> Picker:
    found = picker_of(user.canvas.mirror, block_id)
    assert found is not None
    return found


def arrow(user: Driver, block_id: str, way: int) -> QPointF:
    box = picker(user, block_id).box.translated(user.canvas.mirror.rect(block_id).topLeft())
    x = box.left() + TARGET / 2 if way < 0 else box.right() - TARGET / 2
    return QPointF(x, box.center().y())


def shown(user: Driver, block_id: str, is_gradient: bool = False) -> np.ndarray:
    """Returns the heat map of the slice that a block shows."""
    found = user.session.part(SliceMaps).thumbnail(PortName(f"main/{block_id}", "y"), is_gradient)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("Gelu", "approximate"),
        ("Cast", "dtype"),
        ("SearchSorted", "side"),
        ("MatVec", "transpose_a"),
        ("MatMul", None),
        ("ReduceSum", None),
        ("Sort", None),
        ("Exp", None),
        ("RandomNormal", None),
        ("Loss", None),
        ("Variable", None),
    ],
)
def test_the_first_parameter_has_a_field_if_it_is_switched_or_chosen(kind: str, name: str | None) -> None:
    found = field_of(library[kind])
    assert (found and found.name) == name


def test_a_field_is_a_row_of_22_px_above_the_value(here: Driver) -> None:
    mirror = here.canvas.mirror
    shape = mirror.shapes[mirror.rows["g"]]
    assert shape.field_box.height() == 22 and shape.field_box.bottom() == shape.body_box.top()
    assert shape.height == 28 + 6 + 20 + 22 + 50 + 6 and shape.width == 144


def test_a_click_turns_a_switch_as_one_entry(here: Driver) -> None:
    before = here.graph
    here.hand.click(field(here, "g"))
    assert here.block("g").parameters["approximate"] is True
    assert here.undo_text() == "Set approximate"
    here.undo()
    assert here.graph == before


def test_two_clicks_at_once_turn_it_on_and_off(here: Driver) -> None:
    before = here.graph
    here.hand.double_click(field(here, "g"))
    assert here.graph == before
    here.undo()
    assert here.block("g").parameters["approximate"] is True


def test_a_block_is_moved_by_its_field_too(here: Driver) -> None:
    start = field(here, "g")
    here.hand.drag(start, start + QPointF(0, 160))
    assert here.block("g").at == (240, 160)
    assert "approximate" not in here.block("g").parameters


def test_a_choice_opens_its_menu_and_takes_one_of_it(here: Driver) -> None:
    here.hand.click(field(here, "c"))
    menu = here.popups.menu()
    entries = {item.text(): item.isChecked() for item in menu.actions()}
    assert [text for text, is_checked in entries.items() if is_checked] == ["float32"]
    next(item for item in menu.actions() if item.text() == "float64").trigger()
    menu.close()
    here.settle()
    assert here.block("c").parameters["dtype"] == "float64"
    assert here.undo_text() == "Set dtype"


def test_escape_in_the_menu_changes_nothing(here: Driver) -> None:
    before = here.graph
    here.hand.click(field(here, "c"))
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)
    here.settle()
    assert here.graph is before


def test_the_key_does_as_the_click(here: Driver) -> None:
    here.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    here.hand.click(here.points.title("g"))
    here.key(Key.Key_T)
    assert here.block("g").parameters["approximate"] is True
    here.hand.click(here.points.title("c"))
    here.key(Key.Key_T)
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)
    here.settle()


def test_a_double_click_beside_the_field_leads_to_the_inspector(here: Driver) -> None:
    asked: list[str] = []
    here.canvas.page_actions.setting_requested.connect(asked.append)
    box = here.canvas.mirror.rect("g")
    here.hand.double_click(QPointF(box.center().x(), box.bottom() - 12))
    assert asked == ["approximate"]


def test_collapsed_and_muted_blocks_have_no_field(here: Driver) -> None:
    here.hand.click(here.points.title("g"))
    for key in (Key.Key_H, Key.Key_M):
        here.key(key)
        mirror = here.canvas.mirror
        assert mirror.shapes[mirror.rows["g"]].field_box.isEmpty()
        here.key(key)


def test_far_away_a_field_is_not_pressed(here: Driver) -> None:
    before = here.graph
    here.canvas.viewport.zoom_to(0.6)
    here.settle()
    here.hand.click(field(here, "g"))
    assert here.graph is before


@pytest.mark.long
def test_in_step_mode_a_switch_asks_first_as_every_edit(here: Driver) -> None:
    before = here.graph
    here.session.part(StepMode).enter()
    here.popups.answer("leave_steps", QMessageBox.StandardButton.No, lambda: here.hand.click(field(here, "g")))
    assert here.graph is before and here.session.part(StepMode).is_on
    here.session.part(StepMode).leave()


def test_a_click_on_an_arrow_shows_the_next_slice(sliced: Driver) -> None:
    before, can_undo = sliced.graph, sliced.undo_text()
    assert picker(sliced, "q").text == "[0, 0]"
    sliced.hand.click(arrow(sliced, "q", 1))
    assert picker(sliced, "q").text == "[0, 1]"
    assert shown(sliced, "q").tolist() == (VALUES[0, 1] ** 2).tolist()
    assert sliced.graph is before and sliced.undo_text() == can_undo


def test_quick_clicks_go_on_and_end_at_the_last_slice(sliced: Driver) -> None:
    for _ in range(4):
        sliced.hand.double_click(arrow(sliced, "q", 1))
    assert picker(sliced, "q").text == "[1, 2]"
    sliced.hand.click(arrow(sliced, "q", -1))
    assert picker(sliced, "q").text == "[1, 1]"


def test_a_variable_shows_value_and_gradient_of_the_same_slice(sliced: Driver) -> None:
    sliced.hand.click(arrow(sliced, "w", 1))
    assert shown(sliced, "w").tolist() == VALUES[0, 1].tolist()
    assert shown(sliced, "w", True).tolist() == (2 * VALUES[0, 1]).tolist()


def test_a_picked_slice_follows_the_values(sliced: Driver) -> None:
    sliced.hand.click(arrow(sliced, "q", 1))
    with sliced.qtbot.waitSignal(sliced.session.part(SliceMaps).changed):
        sliced.session.apply("Set w", edits.set_parameter, "main", "w", "value", VALUES * 3)
    sliced.settle()
    assert shown(sliced, "q").tolist() == (9 * VALUES[0, 1] ** 2).tolist()


def test_another_slice_looks_another_and_the_first_as_before(sliced: Driver) -> None:
    looks = []
    for index in (0, 5, 0):
        sliced.session.part(SliceMaps).pick(PortName("main/q", "y"), index)
        sliced.settle()
        looks.append(pixels(sliced.canvas.grab().toImage()).copy())
    assert (looks[0] != looks[1]).any()
    assert (looks[0] == looks[2]).all()


def test_keys_step_through_the_slices(sliced: Driver) -> None:
    sliced.hand.click(sliced.points.title("q"))
    sliced.key(Key.Key_PageDown)
    sliced.key(Key.Key_PageDown)
    sliced.key(Key.Key_PageUp)
    assert picker(sliced, "q").text == "[0, 1]"


def test_a_matrix_and_a_single_slice_need_no_picker(user: Driver) -> None:
    graph = with_block(Graph(), "m", "Variable", (0, 0), value=np.ones((2, 3)))
    user.show(with_block(graph, "o", "Variable", (240, 0), value=np.ones((1, 2, 3))))
    assert picker_of(user.canvas.mirror, "m") is None and picker_of(user.canvas.mirror, "o") is None


def test_a_slice_is_sampled_as_the_first_one_is(user: Driver) -> None:
    values = np.random.default_rng(3).normal(size=(2, 9, 30))
    user.show(with_block(Graph(), "w", "Constant", (0, 0), value=values))
    user.hand.click(arrow(user, "w", 1))
    wanted = thumbnail_of(values[1])
    assert wanted is not None and shown(user, "w").shape == (4, 13)
    assert shown(user, "w").tolist() == wanted.tolist()


def test_hidden_gradients_stay_hidden_in_other_slices(sliced: Driver) -> None:
    sliced.session.part(StepMode).enter()
    sliced.session.part(SliceMaps).pick(PortName("main/w", "y"), 1)
    sliced.settle()
    assert sliced.session.part(SliceMaps).thumbnail(PortName("main/w", "y")) is not None
    assert sliced.session.part(SliceMaps).thumbnail(PortName("main/w", "y"), True) is None
    sliced.session.part(StepMode).leave()


@pytest.mark.long
def test_an_evaluator_of_its_own_tells_the_slice(live_user: Driver) -> None:
    live_user.show(slices())
    live_user.qtbot.waitUntil(lambda: live_user.session.results is not None)
    with live_user.qtbot.waitSignal(live_user.session.replied):
        live_user.hand.click(arrow(live_user, "q", 1))
    live_user.qtbot.waitUntil(
        lambda: live_user.session.part(SliceMaps).thumbnail(PortName("main/q", "y")) is not None,
    )
    assert shown(live_user, "q").tolist() == (VALUES[0, 1] ** 2).tolist()


def test_a_screen_reader_hears_and_does_both(user: Driver) -> None:
    user.show(with_block(settings(), "w", "Variable", (0, 240), value=VALUES))
    page = QAccessible.queryAccessibleInterface(user.canvas).child(0)
    blocks = {page.child(index).text(QAccessible.Text.Name).split(",")[0]: page.child(index) for index in range(5)}
    switch, tensor = blocks["Gelu g"], blocks["w"]
    assert "approximate no" in switch.text(QAccessible.Text.Name)
    switch.actionInterface().doAction(QAccessibleActionInterface.pressAction())
    assert "approximate yes" in switch.text(QAccessible.Text.Name)
    tensor.actionInterface().doAction(QAccessibleActionInterface.increaseAction())
    assert "slice [0, 1]" in tensor.text(QAccessible.Text.Name)
    assert QAccessibleActionInterface.pressAction() not in tensor.actionInterface().actionNames()
