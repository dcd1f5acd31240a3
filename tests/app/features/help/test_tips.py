"""Tips about the faster way, each shown once after three slow actions of one kind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMenu

from tests.app.window.driver import LEFT, RIGHT, Driver, Key
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def choose(user: Driver, command: str, menu: QMenu | None = None) -> None:
    """Clicks an entry of a menu, as users do."""
    shown = menu or user.child(QMenu, "menu_export" if command.startswith("save_p") else "main_menu")
    if menu is None:
        shown.popup(user.window.mapToGlobal(user.window.rect().center()))
    action = user.window.parts.actions_by_id[command]
    at = shown.actionGeometry(action).center()
    # Qt ignores a release if the pointer has hardly moved since the menu opened.
    for step in range(8):
        QTest.mouseMove(shown, at + QPoint(step % 2, 0))
    QTest.mouseClick(shown, LEFT, pos=at)
    user.settle()


def tip(user: Driver) -> str:
    """The sentence that the status line shows for a while."""
    return user.window.parts.layout.status.currentMessage()


def press(user: Driver, name: str) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, name), LEFT)
    user.settle()


def test_the_third_time_by_menu_tells_the_key_and_only_once(here: Driver) -> None:
    choose(here, "select_all")
    choose(here, "select_all")
    assert tip(here) == ""
    choose(here, "select_all")
    assert tip(here) == 'Shortcut: Ctrl+A for "Select all".'
    here.window.parts.layout.status.clearMessage()
    for _ in range(4):
        choose(here, "select_all")
    assert tip(here) == ""


def test_what_is_chosen_by_keys_in_a_menu_counts_too(here: Driver) -> None:
    menu = here.child(QMenu, "menu_edit")
    for _ in range(3):
        menu.popup(here.window.mapToGlobal(here.window.rect().center()))
        menu.setActiveAction(here.window.parts.actions_by_id["select_all"])
        QTest.keyClick(menu, Key.Key_Return)
        here.settle()
    assert "Ctrl+A" in tip(here)


def test_the_key_itself_is_not_the_slow_way(here: Driver) -> None:
    for _ in range(5):
        here.ctrl(Key.Key_A)
    assert tip(here) == ""
    assert here.window.settings.uses("slow_ways") == {}


def test_a_changed_key_is_the_one_that_is_told(here: Driver) -> None:
    here.window.parts.keys.remove("select_all", "Ctrl+A")
    for _ in range(4):
        choose(here, "select_all")
    assert tip(here) == ""
    here.window.parts.keys.add("select_all", "F8")
    for _ in range(3):
        choose(here, "select_all")
    assert "F8" in tip(here)


def test_buttons_count_like_menus(here: Driver) -> None:
    for _ in range(3):
        press(here, "tool_zoom_in")
    assert "Ctrl++" in tip(here)


def test_three_wires_deleted_by_menu_tell_of_the_knife(here: Driver) -> None:
    for _ in range(3):
        at = here.points.on_wire(here.wire("s.x"))
        here.hand.click(at, RIGHT)
        choose(here, "delete", here.popups.menu())
        assert "s.x" not in {str(wire.target) for wire in here.page.wires.values()}
        here.undo()
    assert "right button across wires" in tip(here)


def test_tips_can_be_turned_off(here: Driver) -> None:
    for _ in range(3):
        choose(here, "select_all")
    here.window.parts.layout.status.clearMessage()
    here.window.settings.set_flag("tips", False)
    for _ in range(3):
        choose(here, "invert")
    assert tip(here) == ""
