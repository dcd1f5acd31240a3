"""The keys of commands: the table, the user's changes, and no key with two meanings."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import STORED, Bindable, Keys, held_keys, key_of
from gradwire.app.shell.commands.commands import bindables

TABLE = (
    Bindable("copy", "Copy", "Edit", ("Ctrl+C",)),
    Bindable("save", "Save", "File", ("Ctrl+S",), on_canvas=False),
    Bindable("mute", "Mute", "Graph", ("M", "Ctrl+M")),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "s.ini")


@pytest.fixture
def keys(settings: Settings) -> Keys:
    return Keys(settings, TABLE)


def test_by_default_no_key_has_two_meanings() -> None:
    found = Counter(QKeySequence(key).toString() for item in (*bindables(), *held_keys()) for key in item.keys)
    assert {key for key, count in found.items() if count > 1} == set()


def test_every_default_key_may_be_given_to_its_command(settings: Settings) -> None:
    keys = Keys(settings, bindables())
    refused = [(item.id, key) for item in keys.table for key in item.keys if keys.refusal(item.id, key)]
    assert refused == []


def test_a_key_more_comes_after_those_there(keys: Keys) -> None:
    keys.add("copy", "Ctrl+Ins")
    assert keys.of("copy") == ("Ctrl+C", "Ctrl+Ins")
    assert keys.shown("copy") == "Ctrl+C"
    assert keys.is_changed("copy")


def test_a_key_of_another_command_changes_hands(keys: Keys) -> None:
    assert [item.id for item in keys.holders("M", "copy")] == ["mute"]
    keys.add("copy", "M")
    assert keys.of("mute") == ("Ctrl+M",)
    assert [item.id for item in keys.holders("M")] == ["copy"]


def test_reset_takes_the_usual_keys_back(keys: Keys) -> None:
    keys.add("copy", "M")
    keys.remove("copy", "Ctrl+C")
    keys.reset("mute")
    assert keys.of("mute") == ("M", "Ctrl+M")
    assert keys.of("copy") == ()
    keys.reset("copy")
    assert not any(keys.is_changed(item.id) for item in keys.table)


def test_reset_all_gives_everything_its_keys(keys: Keys) -> None:
    keys.add("copy", "M")
    keys.remove("save", "Ctrl+S")
    keys.reset_all()
    assert {item.id: keys.of(item.id) for item in TABLE} == {item.id: item.keys for item in TABLE}


def test_keys_are_remembered_and_told_to_others(settings: Settings, keys: Keys) -> None:
    other = Keys(settings, TABLE)
    heard: list[str] = []
    other.changed.connect(lambda: heard.append(other.shown("copy")))
    keys.remove("copy", "Ctrl+C")
    assert heard == [""]
    assert Keys(settings, TABLE).of("copy") == ()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"gone": ["X"], "copy": 3, "mute": ["", "N", "Ctrl+K, Ctrl+L"]}'])
def test_damaged_memory_is_left_aside(settings: Settings, text: str) -> None:
    settings.set_text("keys", text)
    keys = Keys(settings, TABLE)
    assert keys.of("copy") == ("Ctrl+C",)
    assert keys.of("mute") in (("M", "Ctrl+M"), ("N",))


@pytest.mark.parametrize("key", ["X", "Tab", "Space", "Left", "Shift+Z"])
def test_what_works_everywhere_has_no_key_that_is_text_or_moves(keys: Keys, key: str) -> None:
    assert keys.refusal("save", key)
    assert not keys.refusal("copy", key)


@pytest.mark.parametrize("key", ["F7", "Shift+F7", "Ctrl+X", "Alt+Left", "Meta+Q"])
def test_what_works_everywhere_may_have_other_keys(keys: Keys, key: str) -> None:
    assert not keys.refusal("save", key)


def test_a_held_key_stands_alone(keys: Keys) -> None:
    assert keys.refusal("hold_to_pan", "Ctrl+Space")
    assert not keys.refusal("hold_to_pan", "V")


NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.mark.parametrize(
    ("modifiers", "key", "name"),
    [
        (CTRL, Qt.Key.Key_K, "Ctrl+K"),
        (CTRL | SHIFT, Qt.Key.Key_Z, "Ctrl+Shift+Z"),
        (SHIFT, Qt.Key.Key_Question, "?"),
        (SHIFT, Qt.Key.Key_Backtab, "Shift+Tab"),
        (Qt.KeyboardModifier.KeypadModifier, Qt.Key.Key_5, "5"),
        (CTRL, Qt.Key.Key_Control, ""),
        (SHIFT, Qt.Key.Key_Shift, ""),
        (NONE, Qt.Key.Key_F12, "F12"),
    ],
)
def test_names_of_what_is_pressed(modifiers: Qt.KeyboardModifier, key: Qt.Key, name: str) -> None:
    assert key_of(QKeyCombination(modifiers, key)) == name


def test_stored_keys_that_are_none_are_left_out(settings: Settings) -> None:
    settings.set_table(STORED, {"copy": ["Ctrl+K", "Ctrl+A, Ctrl+B", "", 7], "none": ["F7"], "mute": "M"})
    keys = Keys(settings, TABLE)
    assert (keys.of("copy"), keys.of("mute")) == (("Ctrl+K",), ("M", "Ctrl+M"))
    assert keys.is_changed("copy") and not keys.is_changed("mute") and not keys.is_changed("none")
