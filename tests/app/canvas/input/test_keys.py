"""Keys on the canvas; letters in a field stay text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gradwire.app.live.selection import Selection
from gradwire.engine.files.files import loads
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import annotated
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")

LETTERS = "xmhclgsbXMHCLGS?."


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def select(user: Driver, *names: str) -> None:
    for place, name in enumerate(names):
        user.hand.click(user.points.title(name), keys=Mod.ShiftModifier if place else Mod.NoModifier)


@pytest.mark.parametrize("key", a_third_of([Key.Key_Delete, Key.Key_X, Key.Key_Backspace]))
def test_delete_x_and_backspace_delete(here: Driver, key: Qt.Key) -> None:
    graph = here.graph
    select(here, "e", "t")
    here.key(key)
    assert not {"e", "t"} & here.page.blocks.keys()
    assert here.undo_text() == "Delete"
    here.undo()
    assert here.graph is graph


def test_delete_takes_wires_frames_and_notes(here: Driver) -> None:
    here.hand.click(here.points.on_wire(here.wire("s.x")))
    here.key(Key.Key_Delete)
    assert "e.y > s.x" not in here.wires()
    here.hand.click(here.canvas.mirror.frames["spare"].topLeft() + QPointF(20, 10))
    here.key(Key.Key_Delete)
    assert [frame.id for frame in here.page.frames] == ["hollow"]
    assert {"c", "t"} <= here.page.blocks.keys()
    here.hand.click(here.canvas.mirror.notes["note"].center())
    here.key(Key.Key_Delete)
    assert not here.page.notes


def test_copies_are_the_text_of_a_graph(here: Driver) -> None:
    graph = here.graph
    select(here, "x", "e")
    here.ctrl(Key.Key_C)
    copied = loads(QGuiApplication.clipboard().text()).graph.pages[0]
    assert copied.blocks.keys() == {"x", "e"}
    assert [str(wire.target) for wire in copied.wires.values()] == ["e.x"]
    assert here.graph is graph


def test_paste_puts_copies_under_the_pointer_with_their_wires(here: Driver) -> None:
    graph = here.graph
    select(here, "x", "e")
    here.ctrl(Key.Key_C)
    at = QPointF(416, 320)
    here.hand.enter(at)
    here.ctrl(Key.Key_V)
    made = here.page.blocks.keys() - graph.pages[0].blocks.keys()
    assert {here.block(name).type for name in made} == {"Input", "Exp"}
    assert here.selection == Selection(frozenset(made))
    assert min(here.block(name).at or (0, 0) for name in made) == (416, 320)
    assert len(here.wires()) == 4
    here.undo()
    assert here.graph is graph


def test_a_graph_copied_as_text_elsewhere_can_be_pasted(here: Driver) -> None:
    select(here, "e")
    here.ctrl(Key.Key_C)
    text = QGuiApplication.clipboard().text()
    here.trigger("new")
    QGuiApplication.clipboard().setText(text)
    here.ctrl(Key.Key_V)
    assert [block.type for block in here.page.blocks.values()] == ["Exp"]


def test_cut_copies_and_deletes_in_one_entry(here: Driver) -> None:
    graph = here.graph
    select(here, "e")
    here.ctrl(Key.Key_X)
    assert "e" not in here.page.blocks
    assert here.undo_text() == "Cut"
    here.undo()
    assert here.graph is graph
    here.ctrl(Key.Key_V)
    assert sum(block.type == "Exp" for block in here.page.blocks.values()) == 2


@pytest.mark.parametrize("text", a_third_of(["", "hello", "{}", '{"format": "gradwire.graph"}', "\0" * 9]))
def test_pasting_what_is_no_graph_is_refused_with_a_sentence(here: Driver, text: str) -> None:
    graph, said = here.graph, here.listen()
    QGuiApplication.clipboard().setText(text)
    here.ctrl(Key.Key_V)
    assert here.graph is graph
    assert len(said) == 1
    assert said[0].startswith("The clipboard holds ")
    assert said[0].endswith(".")


def test_pasting_numbers_without_their_end_says_what_they_lack(here: Driver) -> None:
    graph, said = here.graph, here.listen()
    QGuiApplication.clipboard().setText("[1, 2")
    here.ctrl(Key.Key_V)
    assert here.graph is graph
    assert said == ["The text lacks a closing bracket."]


@pytest.mark.parametrize("keys", [Mod.ControlModifier, Mod.ShiftModifier])
def test_d_duplicates_beside(here: Driver, keys: Mod) -> None:
    graph = here.graph
    select(here, "e")
    here.key(Key.Key_D, keys)
    (made,) = here.page.blocks.keys() - graph.pages[0].blocks.keys()
    assert here.selection.blocks == {made}
    rects = {name: here.canvas.mirror.rect(name) for name in here.page.blocks}
    copy, original = rects.pop(made), rects["e"]
    assert not [name for name, rect in rects.items() if copy.intersects(rect)]
    # No farther away than the next free row or column.
    assert abs(copy.x() - original.x()) <= 2 * original.width()
    assert abs(copy.y() - original.y()) <= 2 * original.height()


def test_m_mutes_and_unmutes(here: Driver) -> None:
    select(here, "e", "s")
    here.key(Key.Key_M)
    assert here.block("e").is_muted and here.block("s").is_muted
    here.key(Key.Key_M)
    assert not here.block("e").is_muted and not here.block("s").is_muted


def test_h_collapses_and_expands(here: Driver) -> None:
    select(here, "e")
    here.key(Key.Key_H)
    assert here.block("e").is_collapsed
    assert here.canvas.mirror.rect("e").height() == 28
    here.key(Key.Key_H)
    assert not here.block("e").is_collapsed


def test_ctrl_j_frames_the_selection_and_asks_for_the_title(here: Driver) -> None:
    select(here, "e", "s")
    here.ctrl(Key.Key_J)
    here.popups.type_inline("Middle")
    assert {frame.title: set(frame.blocks) for frame in here.page.frames}["Middle"] == {"e", "s"}


def test_c_places_a_note_under_the_pointer_and_opens_it(here: Driver) -> None:
    here.hand.enter(QPointF(400, 400))
    here.key(Key.Key_C)
    here.popups.type_inline("look here", Key.Key_Return, Mod.ControlModifier)
    (note,) = [note for note in here.page.notes if note.id != "note"]
    assert note.text == "look here"
    assert note.at == (400, 400)


def test_ctrl_a_selects_everything_and_ctrl_i_inverts(here: Driver) -> None:
    select(here, "e")
    here.ctrl(Key.Key_I)
    assert "e" not in here.selection.blocks
    assert here.selection.frames == {"spare", "hollow"}
    here.ctrl(Key.Key_A)
    assert here.selection.blocks == here.page.blocks.keys()
    assert here.selection.wires == set(here.page.wires.values())
    here.ctrl(Key.Key_I)
    assert not here.selection


def test_s_puts_a_stopgradient_on_the_selected_wire(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.on_wire(here.wire("s.x")))
    here.key(Key.Key_S)
    made = here.only("StopGradient")
    assert {f"e.y > {made}.x", f"{made}.y > s.x"} <= here.wires()
    here.undo()
    assert here.graph is graph


def test_tab_on_a_selected_wire_inserts_the_chosen_block(here: Driver) -> None:
    here.hand.click(here.points.on_wire(here.wire("s.x")))
    here.key(Key.Key_Tab)
    here.popups.search("relu")
    made = here.only("Relu")
    assert {f"e.y > {made}.x", f"{made}.y > s.x"} <= here.wires()


def test_shift_a_opens_the_search_too(here: Driver) -> None:
    here.key(Key.Key_A, Mod.ShiftModifier)
    assert here.window.parts.editor.placer.popup.isVisible()
    here.window.parts.editor.placer.popup.close()


@pytest.mark.parametrize(
    ("key", "moved"),
    a_third_of([(Key.Key_Left, (-16, 0)), (Key.Key_Right, (16, 0)), (Key.Key_Up, (0, -16)), (Key.Key_Down, (0, 16))]),
)
def test_alt_with_arrows_moves_by_16_px(here: Driver, key: Qt.Key, moved: tuple[int, int]) -> None:
    select(here, "e")
    here.key(key, Mod.AltModifier)
    assert here.block("e").at == (240 + moved[0], moved[1])


def test_a_series_of_moves_by_key_is_one_entry(here: Driver) -> None:
    graph = here.graph
    select(here, "e")
    for _ in range(5):
        here.key(Key.Key_Right, Mod.AltModifier)
    assert here.block("e").at == (320, 0)
    here.undo()
    assert here.graph is graph


def test_shift_s_ignores_stopgradient_without_touching_the_graph(here: Driver) -> None:
    graph = here.graph
    here.key(Key.Key_S, Mod.ShiftModifier)
    assert here.session.runs.ignores_stops
    assert here.graph is graph
    here.key(Key.Key_S, Mod.ShiftModifier)
    assert not here.session.runs.ignores_stops


def test_l_alone_does_nothing(here: Driver) -> None:
    graph = here.graph
    here.key(Key.Key_L)
    assert here.session.runs.is_live and here.graph is graph


def test_in_manual_mode_edits_leave_results_stale_until_evaluated(here: Driver) -> None:
    here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
    here.trigger("live")
    assert not here.session.runs.is_live
    select(here, "e")
    before = here.session.results
    here.key(Key.Key_M)
    assert here.session.is_stale
    assert here.session.results is before
    assert here.canvas.page_look.now().is_stale
    here.key(Key.Key_F5)
    here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
    assert not here.session.is_stale
    assert here.session.results is not before


def test_evaluate_refreshes_in_manual_mode(here: Driver) -> None:
    here.trigger("live")
    select(here, "e")
    here.key(Key.Key_M)
    assert here.session.is_stale
    here.trigger("evaluate")
    here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
    assert not here.session.is_stale


def test_going_live_evaluates_what_is_stale(here: Driver) -> None:
    here.trigger("live")
    select(here, "e")
    here.key(Key.Key_M)
    here.trigger("live")
    here.qtbot.waitUntil(lambda: not here.session.scheduler.is_busy)
    assert not here.session.is_stale


def test_letters_in_a_field_over_the_canvas_are_text(here: Driver) -> None:
    graph, overlay = here.graph, here.canvas.page_look.overlay
    select(here, "e")
    here.key(Key.Key_F2)
    field = here.popups.inline()
    field.selectAll()
    QTest.keyClicks(field, LETTERS)
    assert isinstance(field, QLineEdit)
    assert field.text() == LETTERS
    QTest.keyClick(field, Key.Key_A, Mod.ControlModifier)
    QTest.keyClick(field, Key.Key_Backspace)
    assert field.text() == ""
    QTest.keyClick(field, Key.Key_Escape)
    assert here.graph is graph
    assert here.canvas.page_look.overlay is overlay
    assert here.session.runs.is_live


@pytest.mark.parametrize("name", ["parameter_block_name"])
def test_letters_in_a_field_of_a_panel_are_text(here: Driver, name: str) -> None:
    graph, overlay = here.graph, here.canvas.page_look.overlay
    select(here, "e")
    field = here.child(QLineEdit, name)
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    field.clear()
    QTest.keyClicks(field, LETTERS)
    assert field.text() == LETTERS
    assert here.graph is graph
    assert here.canvas.page_look.overlay is overlay
    assert here.session.runs.is_live


@pytest.mark.long
def test_letters_in_the_search_are_text(here: Driver) -> None:
    graph = here.graph
    select(here, "e")
    here.key(Key.Key_Tab)
    field = here.child(QLineEdit, "search_field")
    QTest.keyClicks(field, "mhxc")
    assert field.text() == "mhxc"
    QTest.keyClick(field, Key.Key_Escape)
    assert here.graph is graph
