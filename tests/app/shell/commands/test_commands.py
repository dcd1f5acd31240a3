"""The table of commands, its menus and shortcuts; every command can be triggered at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMenu

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.shell.commands.command import Command
from gradwire.app.shell.commands.commands import COMMANDS, run_command
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated, chain


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """File dialogs that are all cancelled."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("", ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: ("", ""))


def entries(menu: QMenu) -> Iterator[str]:
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from entries(submenu)
        elif action.objectName():
            yield action.objectName()


def test_the_menu_has_twelve_entries_and_all_else_is_in_the_search(user: Driver) -> None:
    menu = user.child(QMenu, "main_menu")
    assert len([action for action in menu.actions() if not action.isSeparator()]) == 12
    assert len(set(entries(menu))) == len(list(entries(menu)))
    found = {entry.id for source in user.window.parts.editor.placer.popup.sources for entry in source.entries()}
    assert {f"command:{command.id}" for command in COMMANDS} <= found


def test_ids_and_texts_are_unique() -> None:
    assert max(Counter(command.id for command in COMMANDS).values()) == 1
    assert max(Counter((command.topic, command.subtopic, command.title) for command in COMMANDS).values()) == 1


def test_no_two_commands_share_a_shortcut() -> None:
    keys = Counter(QKeySequence(key).toString() for command in COMMANDS for key in command.keys)
    assert {key for key, count in keys.items() if count > 1} == set()


def test_every_shortcut_is_one_that_qt_knows() -> None:
    for command in COMMANDS:
        for key in command.keys:
            assert QKeySequence(key).count() == 1, (command.id, key)
            assert QKeySequence(key).toString(), (command.id, key)


def test_single_letters_belong_to_the_canvas() -> None:
    for command in COMMANDS:
        for key in command.keys:
            if len(key) == 1 or (key.startswith("Shift+") and len(key) == 7):
                assert command.on_canvas, command.id


# Each of these needs a window of its own.
OF_WINDOWS = ("quit", "close_window", "new_window")


@pytest.mark.long
@pytest.mark.parametrize("command", [item for item in COMMANDS if item.id in OF_WINDOWS], ids=lambda item: item.id)
def test_without_a_document_a_command_of_windows_can_be_triggered(user: Driver, command: Command) -> None:
    run_command(user.window.parts, command)
    user.trigger(command.id)
    close_dialogs(user)


@pytest.mark.long
def test_without_a_document_every_command_can_be_triggered(user: Driver) -> None:
    # One look of each kind; all of them: test_with_a_document_every_look_can_be_chosen
    last = {command.subtopic: command for command in COMMANDS}
    for command in COMMANDS:
        if command.id in OF_WINDOWS or (command.subtopic in WORN and command is not last[command.subtopic]):
            continue
        if user.window.parts.actions_by_id[command.id].isEnabled():
            user.trigger(command.id)
        else:
            run_command(user.window.parts, command)
        close_dialogs(user)
        if user.window.parts.has_document or not user.window.parts.layout.shows_welcome:
            user.window.parts.document.leave()
        assert user.window.parts.layout.shows_welcome and not user.window.parts.has_document, command.id
    user.trigger("theme_dark")


def everything(user: Driver) -> None:
    user.trigger("select_all")


def one_block(user: Driver) -> None:
    user.hand.click(user.points.title("e"))


def one_wire(user: Driver) -> None:
    user.hand.click(user.points.on_wire(user.wire("s.x")))


def one_note(user: Driver) -> None:
    user.hand.click(user.canvas.mirror.notes["note"].center())


def nothing(user: Driver) -> None:
    user.hand.click(user.points.empty())


# These looks of the whole program do not depend on the selection, and take long to apply.
WORN = ("Theme", "Text size", "Contrast", "Motion", "Wires")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """Who was asked for the selection since the list was last cleared."""
    found: list[Session] = []

    def selection(session: Session) -> Selection:
        found.append(session)
        return session.view.selection

    monkeypatch.setattr(Session, "selection", property(selection))
    return found


@pytest.mark.long
def test_with_a_document_every_command_can_be_triggered(user: Driver, asked: list[Session]) -> None:
    """A command that never asks for the selection is triggered with nothing selected only."""
    graph, independent = annotated(), set[str]()
    # All of the graph is in view in a small window too, which is painted in half the time.
    user.window.resize(1100, 700)
    for choose in (nothing, one_block, one_wire, one_note, everything):
        user.show(graph)
        user.canvas.viewport.fit_page()
        user.canvas.viewport.zoom_to(1.0)
        home = user.canvas.viewport.camera
        choose(user)
        chosen = user.selection
        for command in COMMANDS:
            # Those of windows: tests/app/shell/documents/test_windows.py
            if command.id in OF_WINDOWS or command.subtopic in WORN or command.id in independent:
                continue
            renew(user, graph, home)
            user.session.select(chosen)
            user.window.parts.layout.refreshing.now()
            if not user.window.parts.actions_by_id[command.id].isEnabled():
                continue  # to trigger it does nothing
            with user.qtbot.captureExceptions() as raised:
                asked.clear()
                user.window.parts.actions_by_id[command.id].trigger()
                if not asked:
                    independent.add(command.id)
                user.settle()
                leave(user)
            assert raised == [], (command.id, choose.__name__)
    assert {"settings", "open", "fit"} <= independent
    assert {"delete", "mute", "copy_image", "fit_selection"} & independent == set()


@pytest.mark.long
def test_with_a_document_every_look_can_be_chosen(user: Driver) -> None:
    user.show(annotated())
    for command in COMMANDS:
        if command.subtopic in WORN:
            with user.qtbot.captureExceptions() as raised:
                user.trigger(command.id)
            assert raised == [], command.id
    user.trigger("theme_dark")


def renew(user: Driver, graph: Graph, home: Camera) -> None:
    """Shows a graph from where it was seen at first. An edit is undone, and in place of another document it opens."""
    while user.graph is not graph and user.undo_text() is not None:
        user.session.undo()
    if user.graph is not graph or user.window.parts.layout.shows_welcome:
        user.canvas.setUpdatesEnabled(False)
        user.window.parts.document.show(graph)
        user.settle()
        user.canvas.setUpdatesEnabled(True)
    user.canvas.viewport.look_with(home)
    QGuiApplication.clipboard().setText("no graph")


def leave(user: Driver) -> None:
    """Leaves what a command has opened or begun."""
    user.window.parts.editor.placer.popup.close()
    put_away(user)
    user.escape()
    user.session.document.mark_saved()
    # Panels that stay open would follow all further selections.
    user.window.parts.panels.bottom.forget()
    user.window.parts.panels.overlay.close_by_user()
    if user.window.parts.layout.shows_only_canvas:
        user.trigger("only_canvas")


def test_what_is_impossible_is_disabled(user: Driver) -> None:
    user.show(chain())
    nothing(user)
    for name in ("cut", "copy", "duplicate", "delete", "mute", "stop_here", "enter", "undo", "redo", "help"):
        assert not user.window.parts.actions_by_id[name].isEnabled(), name
    one_block(user)
    for name in ("cut", "copy", "duplicate", "delete", "rename", "mute", "help"):
        assert user.window.parts.actions_by_id[name].isEnabled(), name
    one_wire(user)
    assert user.window.parts.actions_by_id["stop_here"].isEnabled()


def test_a_key_right_behind_a_click_finds_what_it_has_made_possible(user: Driver) -> None:
    user.show(chain())
    user.settle()
    user.session.select(Selection(frozenset("e")))
    assert not user.window.parts.actions_by_id["copy"].isEnabled()
    QTest.keyClick(user.canvas, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert "e" not in user.page.blocks
    QTest.keyClick(user.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "e" in user.page.blocks


def test_on_a_wire_alone_there_is_nothing_to_rename(user: Driver) -> None:
    user.show(chain())
    one_wire(user)
    assert not user.window.parts.actions_by_id["rename"].isEnabled()


def test_undo_and_redo_name_the_edit(user: Driver) -> None:
    user.show(chain())
    one_block(user)
    user.trigger("mute")
    assert user.window.parts.actions_by_id["undo"].text() == "Undo Mute"
    user.undo()
    assert user.window.parts.actions_by_id["redo"].text() == "Redo Mute"


def test_the_welcome_page_names_no_edit_of_a_document_that_was_left(user: Driver) -> None:
    user.show(chain())
    one_block(user)
    user.trigger("mute")
    user.session.document.mark_saved()
    user.window.parts.document.leave()
    user.settle()
    assert user.window.parts.actions_by_id["undo"].text() == "Undo"


def test_the_help_page_of_a_block_opens_in_a_dialog(user: Driver) -> None:
    user.show(chain())
    one_block(user)
    user.trigger("help")
    dialog = user.child(QDialog, "block_help")
    assert dialog.isVisible()
    assert "Exp" in dialog.windowTitle()
    close_dialogs(user)
    assert not dialog.isVisible()


def test_help_on_a_row_of_the_search_goes_before_that_on_the_selected_block(user: Driver) -> None:
    user.show(chain())
    one_block(user)
    user.trigger("search")
    user.qtbot.keyClicks(user.child(QLineEdit, "search_field"), "softmax")
    user.qtbot.keyClick(user.child(QLineEdit, "search_field"), Qt.Key.Key_F1)
    assert user.child(QDialog, "block_help").windowTitle() == "Help: Softmax"
    close_dialogs(user)


def close_dialogs(user: Driver) -> None:
    put_away(user)
    user.settle()


def put_away(user: Driver) -> None:
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QDialog):
            dialog.close()
    user.window.parts.editor.placer.popup.close()
