"""The search of the window: everything by a few letters and Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QListView

from gradwire.app.base.examples import example_names, example_path
from gradwire.app.features.search.search_popup import USES
from gradwire.app.kit.search.entries import ENTRY, Entry
from gradwire.app.kit.search.entry_rows import ROW_HEIGHT
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.window.bottom import feature_of
from gradwire.engine.edits import edits
from gradwire.engine.files.files import save
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN, annotated, chain

Typed = Callable[[str], list[Entry]]


def listed(user: Driver) -> list[Entry]:
    model = user.child(QListView, "search_list").model()
    return [model.index(row, 0).data(ENTRY) for row in range(model.rowCount())]


def rows(user: Driver) -> list[Entry]:
    """What can be chosen: the rows without the headings."""
    return [entry for entry in listed(user) if not entry.is_heading]


def headings(user: Driver) -> list[str]:
    return [entry.text for entry in listed(user) if entry.is_heading]


def field(user: Driver) -> QLineEdit:
    return user.child(QLineEdit, "search_field")


@pytest.fixture
def typed(user: Driver) -> Typed:
    """A function that opens the box by its key over a document, types, and returns the list."""
    user.show(chain())

    def open_and_type(text: str) -> list[Entry]:
        user.ctrl(Key.Key_K)
        assert user.window.parts.editor.placer.popup.isVisible()
        QTest.keyClicks(field(user), text)
        return rows(user)

    return open_and_type


def enter(user: Driver) -> None:
    QTest.keyClick(field(user), Key.Key_Return)
    user.settle()


def test_with_nothing_typed_it_lists_all_commands(user: Driver, typed: Typed) -> None:
    found = typed("")
    assert [entry.id for entry in found][: len(COMMANDS)] == [f"command:{command.id}" for command in COMMANDS]
    assert headings(user)[:1] == ["Do"]
    assert user.child(QListView, "search_list").sizeHintForRow(0) == ROW_HEIGHT == 28


@pytest.mark.parametrize("panel", ["inspector", "problems"])
def test_every_panel_is_found_and_opened_by_its_name(user: Driver, typed: Typed, panel: str) -> None:
    panels, title = user.window.parts.panels, feature_of(panel).name
    assert title in [entry.text for entry in typed(title)[:1]]
    enter(user)
    assert panels.bottom.shown == panel or (panel == "inspector" and panels.overlay.isVisible())


@pytest.mark.long
def test_every_command_is_found_by_its_name(user: Driver, typed: Typed) -> None:
    typed("")
    for command in COMMANDS:
        field(user).setText(f"{command.topic} {command.title}".rstrip(" …"))
        assert f"command:{command.id}" in [entry.id for entry in rows(user)], command.id


def test_a_command_shows_where_it_is_and_its_key(user: Driver, typed: Typed) -> None:
    found = {entry.id: entry for entry in typed("sign")}
    assert found["command:overlay_sign"].detail == "View, Gradients"
    assert next(entry for entry in rows(user) if entry.id == "command:overlay_sign").key == ""
    field(user).setText("select all")
    assert rows(user)[0].key == "Ctrl+A"


def test_enter_carries_out_the_first_row(user: Driver, typed: Typed) -> None:
    assert typed("sel al")[0].id == "command:select_all"
    enter(user)
    assert not user.window.parts.editor.placer.popup.isVisible()
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
    assert user.window.parts.editor.placer.popup.isVisible()
    assert user.graph is graph


def test_escape_closes_and_changes_nothing(user: Driver, typed: Typed) -> None:
    graph = user.graph
    typed("tanh")
    QTest.keyClick(field(user), Key.Key_Escape)
    user.settle()
    assert not user.window.parts.editor.placer.popup.isVisible()
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
    user.ctrl(Key.Key_F)
    QTest.keyClicks(field(user), "main page")
    assert rows(user)[0].id == "page:main"
    assert headings(user)[0] == "Go to"
    enter(user)
    assert user.session.page_name == "main"


def test_labels_frames_and_notes_are_found(user: Driver) -> None:
    user.show(edits.set_label(annotated(), MAIN, "e", "Shifted scores"))
    user.ctrl(Key.Key_F)
    for text, wanted in (
        ("shifted scores", "block:main/e"),
        ("spare", "frame:main/spare"),
        ("remember", "note:main/note"),
    ):
        field(user).setText(text)
        assert rows(user)[0].id == wanted
    user.window.parts.editor.placer.popup.close()


def test_a_title_with_signs_is_found_by_itself(user: Driver, typed: Typed) -> None:
    assert typed("A gradient, reversed")[0].id == "example:gradient_reversal"


def test_examples_and_recent_files_are_opened(user: Driver, tmp_path: Path) -> None:
    user.show(chain())
    save(user.graph, tmp_path / "quokka.graph")
    user.window.settings.add_recent(tmp_path / "quokka.graph")
    user.trigger("commands")
    ids = [entry.id for source in user.window.parts.editor.placer.popup.sources for entry in source.entries()]
    assert all(f"example:{name}" in ids for name in example_names())
    QTest.keyClicks(field(user), "quok")
    enter(user)
    assert user.session.document.path == tmp_path / "quokka.graph"


def test_what_is_used_often_comes_first(user: Driver, typed: Typed) -> None:
    typed("zoom out")
    enter(user)
    assert user.window.settings.uses(USES) == {"command:zoom_out": 1}
    assert typed("")[0].id == "command:zoom_out"
    user.window.parts.editor.placer.popup.close()
    for _ in range(4):
        user.window.settings.count(USES, "command:zoom_out")
    assert typed("zoom")[0].id == "command:zoom_out"


def test_nonsense_is_answered_with_a_sentence(user: Driver, typed: Typed) -> None:
    typed("selct all")
    assert rows(user)[0].id == "command:select_all"
    field(user).setText("###")
    assert rows(user) == []
    assert "###" in user.child(QLabel, "search_message").text()
    enter(user)
    assert user.window.parts.editor.placer.popup.isVisible()


def test_the_field_of_the_bar_opens_it_with_blocks_first(user: Driver, typed: Typed) -> None:
    button = user.child(QAbstractButton, "search_button")
    user.qtbot.mouseClick(button, LEFT)
    QTest.keyClicks(field(user), "sub")
    assert headings(user)[0] == "Add"
    enter(user)
    assert user.only("Subtract")


def test_each_part_has_its_heading_and_the_asked_one_comes_first(user: Driver, typed: Typed) -> None:
    typed("loss")
    assert headings(user)[0] == "Do" and {"Add", "Go to"} <= set(headings(user))
    user.window.parts.editor.placer.popup.close()
    user.ctrl(Key.Key_F)
    QTest.keyClicks(field(user), "loss")
    assert headings(user)[0] == "Go to"


def test_a_command_called_as_it_was_typed_comes_before_blocks_that_only_resemble_it(user: Driver) -> None:
    user.show(chain())
    user.qtbot.mouseClick(user.child(QAbstractButton, "search_button"), LEFT)
    QTest.keyClicks(field(user), "select all")
    assert rows(user)[0].id == "command:select_all"
    field(user).setText("exp")
    assert rows(user)[0].id == "type:Exp"


def test_it_works_on_the_welcome_page(user: Driver) -> None:
    QTest.keyClick(user.window, Key.Key_K, Mod.ControlModifier)
    QTest.keyClicks(field(user), "stable softmax")
    enter(user)
    assert user.window.parts.has_document


def test_a_block_that_is_misspelt_is_not_hidden_by_letters_of_a_note(user: Driver) -> None:
    """The note is called Stable softmax, which has the letters of sofmax in order."""
    user.open(example_path("softmax_stable"))
    user.trigger("search")
    QTest.keyClicks(field(user), "sofmax")
    assert rows(user)[0].id == "type:Softmax"
    assert 'No block is called "sofmax"' in user.child(QLabel, "search_message").text()
    user.window.parts.editor.placer.popup.close()
