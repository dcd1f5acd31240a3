"""Pages in the window: grouped and ungrouped, entered and left, renamed, dragged, used as blocks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QTabBar, QToolButton

from gradwire.app.live.selection import Selection
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.graph.ports import page_ports
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN, chain
from tests.sweeps import a_third_of

CTRL_SHIFT = Mod.ControlModifier | Mod.ShiftModifier


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def select(user: Driver, *names: str) -> None:
    for place, name in enumerate(names):
        user.hand.click(user.points.title(name), keys=Mod.ShiftModifier if place else Mod.NoModifier)


def grouped(user: Driver, *names: str) -> str:
    """Makes a page of some blocks with the keyboard; returns the id of the Page block."""
    select(user, *names)
    user.ctrl(Key.Key_G)
    return user.only("Page")


def loss(user: Driver) -> bytes:
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy and user.session.results is not None)
    assert user.session.results is not None and user.session.results.loss is not None
    return np.asarray(user.session.results.loss.value).tobytes()


def bar(user: Driver) -> QTabBar:
    return user.child(QTabBar, "page_bar")


def titles(user: Driver) -> list[str]:
    return [bar(user).tabText(place) for place in range(bar(user).count())]


def on_tab(user: Driver, place: int) -> QPoint:
    return bar(user).tabRect(place).center() - QPoint(12, 0)


def menu_of_tab(user: Driver, place: int) -> QMenu:
    bar(user).customContextMenuRequested.emit(on_tab(user, place))
    return user.popups.menu()


def choose(user: Driver, menu: QMenu, name: str) -> None:
    next(action for action in menu.actions() if action.objectName() == name).trigger()
    menu.close()
    user.settle()


def test_ctrl_g_makes_a_page_and_one_undo_takes_it_back(here: Driver) -> None:
    graph, before = here.graph, loss(here)
    use = grouped(here, "e", "t")
    assert here.selection == Selection(frozenset([use]))
    assert titles(here) == [MAIN, "page"]
    assert loss(here) == before
    here.undo()
    assert here.graph is graph
    assert titles(here) == [MAIN]


def test_ctrl_shift_g_opens_it_up_again(here: Driver) -> None:
    graph, before = here.graph, loss(here)
    grouped(here, "e", "t")
    here.key(Key.Key_G, CTRL_SHIFT)
    assert dumps(here.graph) == dumps(graph)
    assert here.selection.blocks == {"e", "t"}
    assert loss(here) == before


def test_a_loss_in_the_selection_is_refused_with_a_sentence(here: Driver) -> None:
    graph, said = here.graph, here.listen()
    select(here, "t", "loss")
    here.ctrl(Key.Key_G)
    assert here.graph is graph
    assert said == ['Loss "loss" would take no part on a page used as a block; leave it out of the selection.']


def test_notes_between_the_blocks_and_frames_around_them_come_along(here: Driver) -> None:
    left, right = here.block("e").at, here.block("t").at
    assert left is not None and right is not None
    inside = ((left[0] + right[0] + 144) // 2 - 20, left[1] + 30)
    graph, note = edits.add_note(here.graph, MAIN, "!", inside, size=(24, 24))
    graph, _ = edits.add_frame(graph, MAIN, "Two steps", ["e", "t"])
    here.show(graph)
    use = grouped(here, "e", "t")
    assert use == "two_steps"
    page = here.graph.page("two_steps")
    assert [item.id for item in page.notes] == [note]
    assert [frame.title for frame in page.frames] == ["Two steps"]
    assert not here.page.notes and not here.page.frames


def test_a_double_click_enters_and_backspace_leaves(here: Driver) -> None:
    use = grouped(here, "e", "t")
    graph = here.graph
    here.hand.double_click(here.points.body(use))
    assert (here.session.page_name, here.session.prefix) == ("page", f"main/{use}")
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_Backspace)
    assert here.session.page_name == MAIN
    assert here.selection.blocks == {use}
    assert here.graph is graph


def test_the_breadcrumb_leads_out_again(here: Driver) -> None:
    outer = grouped(here, "e", "t")
    here.hand.double_click(here.points.body(outer))
    select(here, "e")
    here.ctrl(Key.Key_G)
    inner = next(block.id for block in here.page.blocks.values() if block.type == "Page")
    here.canvas.viewport.fit_page()
    here.hand.double_click(here.points.body(inner))
    assert here.session.prefix == f"main/{outer}/{inner}"
    crumbs = [here.child(QToolButton, f"crumb_{number}") for number in (0, 1)]
    assert [button.text() for button in crumbs] == [MAIN, outer]
    assert all(button.isVisible() for button in crumbs)
    here.qtbot.mouseClick(crumbs[0], LEFT)
    here.settle()
    assert here.session.prefix == MAIN
    assert not here.window.findChildren(QToolButton, "crumb_0")


def test_ctrl_page_keys_go_through_the_pages(here: Driver) -> None:
    grouped(here, "e", "t")
    here.key(Key.Key_PageDown, Mod.ControlModifier)
    assert here.session.page_name == "page"
    here.key(Key.Key_PageDown, Mod.ControlModifier)
    assert here.session.page_name == MAIN


def three_pages(user: Driver) -> Graph:
    graph = edits.add_page(edits.add_page(chain(), "second")[0], "third")[0]
    user.show(graph)
    return user.graph


def drag_tab(user: Driver, start: int, end: int) -> None:
    tabs = bar(user)
    first, last = on_tab(user, start), on_tab(user, end)
    QTest.mousePress(tabs, LEFT, pos=first)
    for step in range(1, 11):
        QTest.mouseMove(tabs, first + (last - first) * step / 10 + QPoint(0, 0))
    QTest.mouseRelease(tabs, LEFT, pos=last)
    user.settle()


def test_a_tab_dragged_to_another_place_is_one_edit(here: Driver) -> None:
    graph = three_pages(here)
    drag_tab(here, 0, 2)
    assert [page.name for page in here.graph.pages] == titles(here) == ["second", "third", MAIN]
    assert here.undo_text() == "Move page"
    here.undo()
    assert here.graph is graph
    assert titles(here) == [MAIN, "second", "third"]


def test_escape_puts_a_dragged_tab_back(here: Driver) -> None:
    graph = three_pages(here)
    tabs = bar(here)
    first, last = on_tab(here, 0), on_tab(here, 2)
    QTest.mousePress(tabs, LEFT, pos=first)
    for step in range(1, 11):
        QTest.mouseMove(tabs, first + (last - first) * step / 10)
    QTest.keyClick(tabs, Key.Key_Escape)
    QTest.mouseRelease(tabs, LEFT, pos=last)
    here.settle()
    assert here.graph is graph
    assert titles(here) == [MAIN, "second", "third"]


def test_the_menu_of_a_tab_duplicates_moves_and_removes(here: Driver) -> None:
    here.show(chain())
    choose(here, menu_of_tab(here, 0), "page_duplicate")
    assert titles(here) == [MAIN, "main_1"]
    assert here.session.page_name == "main_1"
    assert here.graph.page("main_1").blocks == here.graph.page(MAIN).blocks
    choose(here, menu_of_tab(here, 1), "page_left")
    assert titles(here) == ["main_1", MAIN]
    choose(here, menu_of_tab(here, 0), "page_remove")
    assert titles(here) == [MAIN]
    assert here.session.page_name == MAIN


def test_removing_the_page_shown_shows_the_one_before(here: Driver) -> None:
    three_pages(here)
    here.session.view.show("third")
    here.session.view.show("second")
    here.qtbot.mouseClick(here.child(QToolButton, "close_second"), LEFT)
    here.settle()
    assert here.session.page_name == "third"


def test_a_page_is_used_as_a_block_from_the_menu_of_its_tab(here: Driver) -> None:
    grouped(here, "e", "t")
    choose(here, menu_of_tab(here, 1), "page_use")
    assert [block.parameters["page"] for block in here.page.blocks.values() if block.type == "Page"] == ["page"] * 2
    assert here.selection.blocks == {"page_1"}


@pytest.mark.long
def test_a_renamed_port_of_a_page_is_renamed_wherever_it_is_used(here: Driver) -> None:
    use = grouped(here, "e", "t")
    here.hand.double_click(here.points.body(use))
    (old,) = page_ports(here.page, Role.PAGE_INPUT)
    here.hand.click(here.points.title(old.block.id))
    here.key(Key.Key_F2)
    here.popups.type_inline("angle")
    here.key(Key.Key_Backspace)
    assert Port(use, "angle") in here.page.wires
    assert loss(here)
    here.undo()
    assert Port(use, old.name) in here.page.wires


@pytest.mark.long
def test_a_renamed_page_block_shows_its_name(here: Driver) -> None:
    use = grouped(here, "e", "t")
    here.hand.click(here.points.title(use))
    here.key(Key.Key_F2)
    here.popups.type_inline("head_1")
    mirror = here.canvas.mirror
    shape = mirror.shapes[mirror.rows["head_1"]]
    assert (shape.title, shape.name) == ("head_1", "page")


@pytest.mark.long
def test_a_page_block_is_pasted_on_another_page_with_the_same_page(here: Driver) -> None:
    grouped(here, "e", "t")
    here.ctrl(Key.Key_C)
    here.trigger("add_page")
    here.ctrl(Key.Key_V)
    assert [page.name for page in here.graph.pages] == [MAIN, "page", "page_1"]
    assert [block.parameters["page"] for block in here.page.blocks.values()] == ["page"]


def test_a_page_cannot_be_pasted_into_itself(here: Driver) -> None:
    use = grouped(here, "e", "t")
    here.ctrl(Key.Key_C)
    here.hand.double_click(here.points.body(use))
    graph, said = here.graph, here.listen()
    here.ctrl(Key.Key_V)
    assert here.graph is graph
    assert len(said) == 1 and "would contain itself" in said[0]


@pytest.mark.parametrize(
    ("text", "type_name", "value"),
    a_third_of(
        [("0.5", "Constant", 0.5), ("[1, 2, 3]", "Constant", [1, 2, 3]), ("1\t2\n3\t4", "Input", [[1, 2], [3, 4]])]
    ),
)
def test_numbers_become_a_block_in_view(here: Driver, text: str, type_name: str, value: object) -> None:
    here.canvas.viewport.pan(5000, 3000)
    QGuiApplication.clipboard().setText(text)
    before = set(here.page.blocks)
    here.ctrl(Key.Key_V)
    (made,) = set(here.page.blocks) - before
    assert here.block(made).type == type_name
    np.testing.assert_array_equal(here.block(made).parameters["value"], value)
    seen = here.canvas.camera.rect_to_scene(here.canvas.rect().toRectF())
    assert seen.contains(here.points.body(made))
    assert here.undo_text() == "Paste"


@pytest.mark.parametrize("corner", ["topLeft", "topRight", "bottomLeft", "bottomRight"])
def test_a_block_pasted_at_an_edge_is_in_view_whole(here: Driver, corner: str) -> None:
    camera, view = here.canvas.camera, here.canvas.rect().adjusted(3, 3, -3, -3).toRectF()
    here.hand.enter(camera.to_scene(getattr(view, corner)()))
    before = set(here.page.blocks)
    QGuiApplication.clipboard().setText("0.5")
    here.ctrl(Key.Key_V)
    (made,) = set(here.page.blocks) - before
    seen = camera.rect_to_scene(here.canvas.rect().toRectF()).adjusted(-16, -16, 16, 16)
    assert seen.contains(here.canvas.mirror.rect(made))


def test_a_pointer_that_stands_still_is_elsewhere_once_the_page_has_moved(here: Driver) -> None:
    before = here.canvas.pointer
    here.canvas.viewport.pan(300, 200)
    assert here.canvas.pointer.view == before.view
    assert here.canvas.pointer.scene == here.canvas.camera.to_scene(before.view) != before.scene


def test_a_copied_frame_brings_its_blocks_and_a_note_itself(here: Driver) -> None:
    graph, frame = edits.add_frame(chain(), MAIN, "Both", ["e", "t"])
    graph, note = edits.add_note(graph, MAIN, "Look", (0, 400))
    here.show(graph)
    here.session.select(Selection(frames=frozenset([frame]), notes=frozenset([note])))
    here.settle()
    here.ctrl(Key.Key_C)
    here.ctrl(Key.Key_V)
    assert len(here.selection.blocks) == 2 and len(here.selection.notes) == 1
    assert [item.title for item in here.page.frames] == ["Both", "Both"]
    assert [item.text for item in here.page.notes] == ["Look", "Look"]


def test_page_ports_are_placed_from_the_search(here: Driver) -> None:
    here.trigger("add_page")
    made = here.add("PageInput", here.points.empty())
    assert here.block(made).parameters["name"] == "x"


def test_a_page_is_found_by_its_name_in_the_search(here: Driver) -> None:
    grouped(here, "e", "t")
    here.window.parts.layout.tabs.rename_page("page")
    field = here.child(QLineEdit, "page_name")
    field.setText("attention")
    QTest.keyClick(field, Key.Key_Return)
    assert here.add("attention", here.points.empty()) == "attention"
    assert here.block("attention").parameters["page"] == "attention"


def test_the_search_offers_the_pages_that_do_not_contain_this_one(here: Driver) -> None:
    use = grouped(here, "e", "t")
    here.session.select(Selection())
    here.key(Key.Key_Tab)
    here.popups.search("page")
    assert here.block(f"{use}_1").parameters["page"] == "page"
    here.session.view.show("page")
    assert here.window.parts.editor.pages.usable() == []
