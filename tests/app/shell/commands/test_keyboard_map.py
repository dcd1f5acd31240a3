"""One sheet shows every key and every gesture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QLineEdit

from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import Bindable, Keys, shown
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.gesture_help import gesture_help
from gradwire.app.shell.commands.keyboard_map import KeyboardMap, map_lines
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long

# The gestures that users look for, by a word of each row.
PROMISED = (
    "middle-drag", "right-drag", "Space+drag", "two fingers", "Ctrl+wheel", "pinch", "click", "Shift+click",
    "Ctrl+Alt+drag", "double-click", "port to port", "end at the input", "Ctrl+drag the end", "on nothing",
    "Alt prevents", "Ctrl+right-drag", "shake", "Ctrl+drag", "double-click it", "sideways", "Alt+click a wire",
    "double-click the title", "buttons 4 and 5", "right click", "near the edge",
)  # fmt: skip


@pytest.fixture
def sheet(user: Driver) -> KeyboardMap:
    user.show(chain())
    user.key(Key.Key_Question)
    return user.child(KeyboardMap, "keyboard_map")


@pytest.mark.parametrize("word", PROMISED)
def test_every_gesture_of_the_design_is_told(word: str) -> None:
    assert any(word in mouse for rows in gesture_help("Space").values() for _, mouse in rows)


def test_it_shows_every_command_that_has_a_key(user: Driver, sheet: KeyboardMap) -> None:
    lines = {(line.text, line.keys) for line in map_lines(user.window.parts.keys)}
    for command in COMMANDS:
        # A numbered series is one line; see below.
        if command.keys and not command.title[-1].isdigit():
            assert (command.title.rstrip(" …"), tuple(shown(key) for key in command.keys)) in lines
    labels = {label.text() for label in sheet.findChildren(QLabel)}
    assert {text for text, _ in lines} <= labels


def test_a_numbered_series_is_one_line(tmp_path: Path) -> None:
    table = [Bindable(f"go_{n}", f"Go to bookmark {n}", "View", (f"Alt+{n}",)) for n in range(1, 10)]
    lines = map_lines(Keys(Settings(tmp_path / "s.ini"), [*table, Bindable("fit", "Fit", "View", ("Home",))]))
    assert [(line.text, line.keys) for line in lines[:2]] == [
        ("Go to bookmark 1 … 9", ("Alt+1", "…", "Alt+9")),
        ("Fit", ("Home",)),
    ]


def test_a_changed_key_is_shown(user: Driver) -> None:
    user.window.parts.keys.add("hold_to_pan", "V")
    user.window.parts.keys.remove("hold_to_pan", "Space")
    user.window.parts.keys.add("mute", "F8")
    lines = {line.text: line for line in map_lines(user.window.parts.keys)}
    assert lines["Mute"].keys == ("M", "F8")
    assert "V+drag" in lines["Move the view"].mouse


def test_typing_filters_and_says_when_nothing_is_left(user: Driver, sheet: KeyboardMap) -> None:
    field = user.child(QLineEdit, "map_search")
    QTest.keyClicks(field, "shake")
    assert [label.text() for label in sheet.findChildren(QLabel) if label.isVisible()] == [
        "Mouse: blocks",
        "Disconnect",
    ]
    QTest.keyClicks(field, "qq")
    assert [label.text() for label in sheet.findChildren(QLabel) if label.isVisible()] == [
        'No key and no gesture is called "shakeqq".'
    ]


def test_escape_closes_it(user: Driver, sheet: KeyboardMap) -> None:
    QTest.keyClick(sheet, Key.Key_Escape)
    user.settle()
    assert user.window.findChildren(KeyboardMap) == []


def test_it_leads_to_where_keys_are_changed(user: Driver, sheet: KeyboardMap) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, "map_change"), LEFT)
    user.settle()
    assert user.child(QDialog, "shortcut_dialog").isVisible()
