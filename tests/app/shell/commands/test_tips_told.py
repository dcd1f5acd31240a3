"""Slow ways are counted, and the third tells of the faster one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands.tips import Tips

RELEASE, PRESS = QEvent.Type.MouseButtonRelease, QEvent.Type.KeyPress
KEYS = {"undo": "Ctrl+Z", "delete": "Del", "save_as": "F12", "add_page": ""}
WIRE = "Drag with Ctrl and the right button across wires: that cuts them all at once."


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot) -> Any:
    frame, told = QWidget(), list[str]()
    qtbot.addWidget(frame)
    frame.settings = Settings(tmp_path / "s.ini")  # type: ignore[attr-defined]
    return SimpleNamespace(
        told=told,
        layout=SimpleNamespace(sayings=SimpleNamespace(say_briefly=told.append)),
        frame=frame,
        keys=SimpleNamespace(shown=KEYS.__getitem__),
        session=SimpleNamespace(selection=Selection()),
    )


@pytest.fixture
def tips(window: Any, qtbot: QtBot) -> Tips:
    top = QWidget()
    qtbot.addWidget(top)
    for name in ("tool_undo", "menu_button"):
        QToolButton(top).setObjectName(name)
    top.setProperty("menu", QMenu(top))
    window.top = top
    return Tips(window, top)


def said(window: Any) -> str:
    """The sentences of the status line."""
    return " ".join(window.told)


def menu_with(monkeypatch: pytest.MonkeyPatch, window: Any, name: str, is_enabled: bool = True) -> QMenu:
    """The menu of the bar with one entry, on which the pointer is."""
    menu = window.top.findChild(QMenu)
    action = QAction(menu)
    action.setObjectName(name)
    action.setEnabled(is_enabled)
    monkeypatch.setattr(menu, "activeAction", lambda: action if name else None)
    assert isinstance(menu, QMenu)
    return menu


def send(tips: Tips, target: QObject, kind: QEvent.Type, key: Qt.Key | None = None) -> None:
    event = QEvent(kind) if key is None else QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier)
    assert tips.eventFilter(target, event) is False


@pytest.mark.parametrize(
    ("kind", "key", "counts"),
    [
        (RELEASE, None, True),
        (QEvent.Type.MouseButtonPress, None, False),
        (PRESS, Qt.Key.Key_Return, True),
        (PRESS, Qt.Key.Key_Enter, True),
        (PRESS, Qt.Key.Key_Space, True),
        (PRESS, Qt.Key.Key_Down, False),
        (QEvent.Type.KeyRelease, Qt.Key.Key_Return, False),
    ],
)
def test_a_choice_in_a_menu_counts_and_the_third_is_told(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, kind: QEvent.Type, key: Qt.Key | None, counts: bool
) -> None:
    menu = menu_with(monkeypatch, window, "save_as")
    for time in range(1, 4):
        send(tips, menu, kind, key)
        assert said(window) == ('Shortcut: F12 for "Save as".' if counts and time == 3 else "")
    assert window.frame.settings.uses("slow_ways") == ({"command:save_as": 3} if counts else {})
    assert window.frame.settings.uses("tips_shown") == ({"command:save_as": 1} if counts else {})


@pytest.mark.parametrize(
    ("name", "is_enabled"), [("undo", False), ("no_command", True), ("", True), ("add_page", True)]
)
def test_no_choice_and_what_has_no_key_counts_nothing(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, name: str, is_enabled: bool
) -> None:
    menu = menu_with(monkeypatch, window, name, is_enabled)
    for _ in range(3):
        send(tips, menu, RELEASE)
    assert said(window) == "" and window.frame.settings.uses("slow_ways") == {}


@pytest.mark.parametrize(
    ("kind", "is_down", "count"),
    [(RELEASE, True, 1), (RELEASE, False, 0), (QEvent.Type.MouseButtonPress, True, 0)],
)
def test_a_button_counts_when_it_is_let_go(
    window: Any, tips: Tips, kind: QEvent.Type, is_down: bool, count: int
) -> None:
    button = window.top.findChild(QToolButton, "tool_undo")
    button.setDown(is_down)
    send(tips, button, kind)
    assert window.frame.settings.uses("slow_ways") == ({"command:undo": 1} if count else {})


def test_only_menus_and_buttons_of_commands_are_watched(window: Any, tips: Tips, qtbot: QtBot) -> None:
    for name, count in (("tool_undo", 1), ("menu_button", 0)):
        button = window.top.findChild(QToolButton, name)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert sum(window.frame.settings.uses("slow_ways").values()) == 1 == count or count == 0


@pytest.mark.parametrize(
    ("blocks", "wires", "sentence"),
    [("", "w", WIRE), ("b", "w", 'Shortcut: Del for "Delete".'), ("", "", 'Shortcut: Del for "Delete".')],
)
def test_deleted_wires_are_cut_faster_by_the_mouse(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, blocks: str, wires: str, sentence: str
) -> None:
    window.session.selection = SimpleNamespace(blocks=frozenset(blocks), wires=frozenset(wires))
    menu = menu_with(monkeypatch, window, "delete")
    for _ in range(3):
        send(tips, menu, RELEASE)
    assert said(window) == sentence
    window.told.clear()
    other = menu_with(monkeypatch, window, "undo")
    for _ in range(3):
        send(tips, other, RELEASE)
    assert said(window) == 'Shortcut: Ctrl+Z for "Undo".'


def test_no_tips_are_shown_once_they_are_turned_off_or_the_one_was_seen(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = menu_with(monkeypatch, window, "undo")
    for _ in range(3):
        send(tips, menu, RELEASE)
    window.told.clear()
    send(tips, menu, RELEASE)
    assert said(window) == "" and window.frame.settings.uses("slow_ways") == {"command:undo": 3}
    window.frame.settings.set_flag("tips", False)
    other = menu_with(monkeypatch, window, "save_as")
    for _ in range(3):
        send(tips, other, RELEASE)
    assert said(window) == "" and window.frame.settings.uses("slow_ways") == {"command:undo": 3}
