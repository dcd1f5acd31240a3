"""Every key can be changed, and takes effect at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QTableWidget

from gradwire.app.shell.commands.key_recorder import KeyRecorder
from gradwire.app.shell.commands.shortcut_dialog import ShortcutDialog
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import chain
from tests.sweeps import a_third_of

pytestmark = pytest.mark.long


@pytest.fixture
def dialog(user: Driver) -> ShortcutDialog:
    user.show(chain())
    user.trigger("shortcuts")
    return user.child(ShortcutDialog, "shortcut_dialog")


def choose(user: Driver, command: str) -> None:
    """Chooses the row of a command."""
    rows = [item.id for item in user.window.parts.keys.table]
    user.child(QTableWidget, "shortcut_table").selectRow(rows.index(command))


def press(user: Driver, name: str) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, name), LEFT)
    user.settle()


def leave(user: Driver, dialog: ShortcutDialog) -> None:
    """Closes the dialog and activates the window, as a desktop would."""
    dialog.accept()
    user.window.activateWindow()
    user.settle()


def record(user: Driver, key: Qt.Key, keys: Qt.KeyboardModifier = Mod.NoModifier) -> None:
    recorder = user.child(KeyRecorder, "key_recorder")
    recorder.start()
    QTest.keyClick(recorder, key, keys)
    user.settle()


def message(user: Driver) -> str:
    return user.child(QLabel, "shortcut_message").text()


def test_a_new_key_acts_at_once_and_is_in_menu_and_tooltip(user: Driver, dialog: ShortcutDialog) -> None:
    choose(user, "arrange")
    record(user, Key.Key_L, Mod.ControlModifier)
    action = user.window.parts.actions_by_id["arrange"]
    assert action.shortcut().toString() == "Ctrl+L"
    assert action.toolTip().endswith("(Ctrl+L)")
    leave(user, dialog)
    user.ctrl(Key.Key_L)
    assert user.undo_text() == "Arrange"


def test_a_conflict_names_the_other_command_and_what_it_keeps(user: Driver, dialog: ShortcutDialog) -> None:
    choose(user, "mute")
    record(user, Key.Key_D, Mod.ShiftModifier)
    assert message(user) == 'Shift+D is a key of "Duplicate", which would keep Ctrl+D.'
    press(user, "shortcut_leave")
    assert user.window.parts.keys.of("mute") == ("M",)
    record(user, Key.Key_H)
    assert message(user) == 'H is the key of "Collapse", which would have no key.'
    press(user, "shortcut_take")
    assert user.window.parts.keys.of("mute") == ("M", "H")
    assert user.window.parts.keys.of("collapse") == ()
    assert user.window.parts.actions_by_id["collapse"].shortcuts() == []
    leave(user, dialog)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_H)
    assert user.block("e").is_muted and not user.block("e").is_collapsed


def test_keys_can_be_taken_away_and_reset(user: Driver, dialog: ShortcutDialog) -> None:
    choose(user, "duplicate")
    press(user, "shortcut_key_Ctrl+D")
    assert user.window.parts.keys.of("duplicate") == ("Shift+D",)
    press(user, "shortcut_reset")
    assert user.window.parts.keys.of("duplicate") == ("Ctrl+D", "Shift+D")
    assert not user.child(QPushButton, "shortcut_reset").isEnabled()
    press(user, "shortcut_key_Ctrl+D")
    press(user, "shortcut_reset_all")
    assert user.window.parts.keys.of("duplicate") == ("Ctrl+D", "Shift+D")


def test_a_letter_alone_is_refused_where_it_would_be_text(user: Driver, dialog: ShortcutDialog) -> None:
    choose(user, "save")
    record(user, Key.Key_W)
    assert "add Ctrl or Alt" in message(user)
    assert user.window.parts.keys.of("save") == ("Ctrl+S",)


@pytest.mark.parametrize("key", a_third_of([Key.Key_Tab, Key.Key_Return, Key.Key_Space]))
def test_keys_that_dialogs_use_can_be_recorded(user: Driver, dialog: ShortcutDialog, key: Qt.Key) -> None:
    choose(user, "collapse")
    record(user, key)
    if user.child(QPushButton, "shortcut_take").isVisible():
        press(user, "shortcut_take")
    assert len(user.window.parts.keys.of("collapse")) == 2


def test_escape_records_nothing_and_leaves_the_dialog_open(user: Driver, dialog: ShortcutDialog) -> None:
    record(user, Key.Key_Escape)
    assert dialog.isVisible()
    assert not any(user.window.parts.keys.is_changed(item.id) for item in user.window.parts.keys.table)
    QTest.keyClick(dialog, Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("query", "name"), a_third_of([("collap", "Collapse"), ("ctrl+j", "Frame"), ("held", "Drag the view")])
)
def test_rows_are_found_by_name_and_by_key(user: Driver, dialog: ShortcutDialog, query: str, name: str) -> None:
    QTest.keyClicks(user.child(QLineEdit, "shortcut_search"), query)
    table = user.child(QTableWidget, "shortcut_table")
    shown = [row for row in range(table.rowCount()) if not table.isRowHidden(row)]
    found = [item.text() for row in shown if (item := table.item(row, 0)) is not None]
    assert found[0].startswith(name) and len(found) < 4
    assert user.child(QLabel, "shortcut_title").text() == found[0]


def test_nothing_found_is_said(user: Driver, dialog: ShortcutDialog) -> None:
    QTest.keyClicks(user.child(QLineEdit, "shortcut_search"), "qqq")
    assert message(user) == 'No command and no key is called "qqq".'


def test_by_keyboard_alone(user: Driver, dialog: ShortcutDialog) -> None:
    table = user.child(QTableWidget, "shortcut_table")
    table.setFocus()
    QTest.keyClick(table, Key.Key_Down)
    QTest.keyClick(table, Key.Key_Return)
    recorder = user.child(KeyRecorder, "key_recorder")
    assert recorder.isChecked()
    QTest.keyClick(recorder, Key.Key_F9, Mod.ControlModifier)
    assert "Ctrl+F9" in user.window.parts.keys.of(dialog.chosen.id)


def test_the_key_that_pans_while_held_can_be_changed(user: Driver, dialog: ShortcutDialog) -> None:
    choose(user, "hold_to_pan")
    record(user, Key.Key_V)
    press(user, "shortcut_key_Space")
    leave(user, dialog)
    before, at = user.canvas.camera, user.points.empty()
    QTest.keyPress(user.canvas, Key.Key_V)
    user.hand.drag(at, at + QPointF(60, 40))
    QTest.keyRelease(user.canvas, Key.Key_V)
    assert user.canvas.camera == before.moved(60, 40)
    assert not user.selection
