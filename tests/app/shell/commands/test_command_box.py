"""The command box: everything by a few letters and Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QListView, QMenuBar

from gradwire.app.base.examples import example_names
from gradwire.app.kit.search.entries import ENTRY, Entry
from gradwire.app.kit.search.entry_rows import ROW_HEIGHT
from gradwire.app.shell.commands.command_box import USES
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.engine.edits import edits
from gradwire.engine.files.files import save
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN, annotated, chain
from tests.sweeps import a_third_of

Typed = Callable[[str], list[Entry]]


def rows(user: Driver) -> list[Entry]:
    model = user.child(QListView, "command_list").model()
    return [model.index(row, 0).data(ENTRY) for row in range(model.rowCount())]


def field(user: Driver) -> QLineEdit:
    return user.child(QLineEdit, "command_field")


@pytest.fixture
def typed(user: Driver) -> Typed:
    """A function that opens the box by its key over a document, types, and returns the list."""
    user.show(chain())

    def open_and_type(text: str) -> list[Entry]:
        user.ctrl(Key.Key_K)
        assert user.window.bars.box.isVisible()
        QTest.keyClicks(field(user), text)
        return rows(user)

    return open_and_type


def enter(user: Driver) -> None:
    QTest.keyClick(field(user), Key.Key_Return)
    user.settle()


def test_with_nothing_typed_it_lists_all_commands(user: Driver, typed: Typed) -> None:
    found = typed("")
    assert [entry.id for entry in found] == [f"command:{command.id}" for command in COMMANDS]
    assert user.child(QListView, "command_list").sizeHintForRow(0) == ROW_HEIGHT == 28


@pytest.mark.parametrize("dock", a_third_of(["palette", "inspector", "problems", "slice"]))
def test_every_panel_is_found_and_opened_by_its_name(user: Driver, typed: Typed, dock: str) -> None:
    docking = user.window.parts.docking
    title = docking.docks[dock].windowTitle()
    assert title in [entry.text for entry in typed(title)[:1]]
    enter(user)
    assert docking.docks[dock].isVisible() or (dock == "inspector" and docking.overlay.isVisible())


@pytest.mark.long
def test_every_command_is_found_by_its_name(user: Driver, typed: Typed) -> None:
    typed("")
    for command in COMMANDS:
        field(user).setText(f"{command.menu} {command.title}".rstrip(" …"))
        assert f"command:{command.id}" in [entry.id for entry in rows(user)], command.id


def test_a_command_shows_where_it_is_and_its_key(user: Driver, typed: Typed) -> None:
    found = {entry.id: entry for entry in typed("sign")}
    assert found["command:overlay_sign"].detail == "View > Gradients"
    assert next(entry for entry in rows(user) if entry.id == "command:overlay_sign").key == ""
    field(user).setText("select all")
    assert rows(user)[0].key == "Ctrl+A"


def test_enter_carries_out_the_first_row(user: Driver, typed: Typed) -> None:
    assert typed("sel al")[0].id == "command:select_all"
    enter(user)
    assert not user.window.bars.box.isVisible()
    assert user.selection.blocks == user.page.blocks.keys()


def test_arrows_choose_another_row(user: Driver, typed: Typed) -> None:
    found = typed("zoom")
    zoom = user.canvas.camera.scale
    assert [entry.id for entry in found[:2]] == ["command:zoom_in", "command:zoom_out"]
    QTest.keyClick(field(user), Key.Key_Down)
    enter(user)
    assert user.canvas.camera.scale < zoom


def test_what_is_not_possible_now_is_grey_and_stays(user: Driver, typed: Typed) -> None:
    entry = next(entry for entry in typed("undo") if entry.id == "command:undo")
    assert not entry.is_possible
    assert "Not possible now" in entry.tip
    graph = user.graph
    enter(user)
    assert user.window.bars.box.isVisible()
    assert user.graph is graph


def test_escape_closes_and_changes_nothing(user: Driver, typed: Typed) -> None:
    graph = user.graph
    typed("tanh")
    QTest.keyClick(field(user), Key.Key_Escape)
    user.settle()
    assert not user.window.bars.box.isVisible()
    assert user.graph is graph


@pytest.mark.parametrize("name", ["Cosh", "tf.math.cosh"])
def test_a_block_type_is_added(user: Driver, typed: Typed, name: str) -> None:
    first = next(entry for entry in typed(name) if entry.is_possible)
    assert first.id == "type:Cosh"
    enter(user)
    assert user.block(user.only("Cosh"))
    user.undo()
    assert "Cosh" not in {block.type for block in user.page.blocks.values()}


def test_a_block_of_the_document_is_gone_to(user: Driver, typed: Typed) -> None:
    wanted = next(place for place, entry in enumerate(typed("e")) if entry.id == "block:main/e")
    for _ in range(wanted):
        QTest.keyClick(field(user), Key.Key_Down)
    enter(user)
    assert user.selection.blocks == {"e"}


def test_a_page_of_the_document_is_gone_to(user: Driver) -> None:
    user.show(annotated())
    user.trigger("add_page")
    assert user.session.page_name != "main"
    user.ctrl(Key.Key_K)
    QTest.keyClicks(field(user), "main page")
    assert rows(user)[0].id == "page:main"
    enter(user)
    assert user.session.page_name == "main"


def test_labels_frames_and_notes_are_found_as_by_the_find_bar(user: Driver) -> None:
    user.show(edits.set_label(annotated(), MAIN, "e", "Shifted scores"))
    user.ctrl(Key.Key_K)
    for text, wanted in (
        ("shifted scores", "block:main/e"),
        ("spare", "frame:main/spare"),
        ("remember", "note:main/note"),
    ):
        field(user).setText(text)
        assert rows(user)[0].id == wanted
    user.window.bars.box.close()


def test_a_title_with_signs_is_found_by_itself(user: Driver, typed: Typed) -> None:
    assert typed("A gradient, reversed")[0].id == "example:gradient_reversal"


def test_examples_and_recent_files_are_opened(user: Driver, tmp_path: Path) -> None:
    user.show(chain())
    save(user.graph, tmp_path / "quokka.graph")
    user.window.settings.add_recent(tmp_path / "quokka.graph")
    user.trigger("commands")
    ids = [entry.id for entry in user.window.bars.box._entries]
    assert all(f"example:{name}" in ids for name in example_names())
    QTest.keyClicks(field(user), "quok")
    enter(user)
    assert user.session.document.path == tmp_path / "quokka.graph"


def test_what_is_used_often_comes_first(user: Driver, typed: Typed) -> None:
    typed("zoom out")
    enter(user)
    assert user.window.settings.uses(USES) == {"command:zoom_out": 1}
    assert typed("")[0].id == "command:zoom_out"
    user.window.bars.box.close()
    for _ in range(4):
        user.window.settings.count(USES, "command:zoom_out")
    assert typed("zoom")[0].id == "command:zoom_out"


def test_nonsense_is_answered_with_a_sentence(user: Driver, typed: Typed) -> None:
    typed("selct all")
    assert user.child(QLabel, "command_message").text().startswith('No entry is called "selct all". Similar')
    assert rows(user)[0].id == "command:select_all"
    field(user).setText("###")
    assert rows(user) == []
    enter(user)
    assert user.window.bars.box.isVisible()


def test_the_menu_bar_has_the_mark_at_its_left_and_the_commands_at_its_right(user: Driver) -> None:
    bar = user.child(QMenuBar, "menu_bar")
    left, right = (bar.cornerWidget(corner) for corner in (Qt.Corner.TopLeftCorner, Qt.Corner.TopRightCorner))
    first = bar.actionGeometry(bar.actions()[0])
    assert left.isVisible() and left.geometry().right() < first.left() < right.geometry().left() and right.isVisible()


def test_the_button_in_the_menu_bar_opens_it(user: Driver) -> None:
    button = user.child(QAbstractButton, "commands_button")
    assert button.toolTip().endswith("(Ctrl+K)")
    user.qtbot.mouseClick(button, LEFT)
    assert user.window.bars.box.isVisible()
    user.window.bars.box.close()


def test_it_works_on_the_welcome_page(user: Driver) -> None:
    QTest.keyClick(user.window, Key.Key_K, Mod.ControlModifier)
    QTest.keyClicks(field(user), "stable softmax")
    enter(user)
    assert user.window.parts.has_document
