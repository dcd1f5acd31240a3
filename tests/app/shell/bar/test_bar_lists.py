"""The lists below the bar: edits to go back or forward to, and what belongs to the name of the graph."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from gradwire.app.shell.bar.history_button import HOLD_MS, LISTED
from tests.app.window.driver import LEFT, Driver, Key, entries_of
from tests.app.window.graphs import chain

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    for name in ("mute", "collapse", "duplicate"):
        user.hand.click(user.points.title("e"))
        user.trigger(name)
    return user


def held(user: Driver, name: str) -> QMenu:
    """The list that opens while the button is held."""
    button = user.child(QToolButton, f"tool_{name}")
    QTest.mousePress(button, LEFT)
    assert QApplication.activePopupWidget() is None
    user.qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=10 * HOLD_MS)
    return user.popups.menu()


def choose(user: Driver, menu: QMenu, number: int) -> None:
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[number]).center())
    user.settle()


def test_undo_and_redo_list_edits_while_they_are_held_and_one_chosen_goes_there(here: Driver) -> None:
    texts = [text for text, _ in here.session.document.past]
    menu = held(here, "undo")
    assert [item.text() for item in entries_of(menu)] == texts == ["Duplicate", "Collapse", "Mute"]
    choose(here, menu, 1)
    assert here.block("e").is_muted and not here.block("e").is_collapsed and here.undo_text() == "Mute"
    menu = held(here, "redo")
    assert [item.text() for item in entries_of(menu)] == ["Collapse", "Duplicate"]
    choose(here, menu, 0)
    assert here.block("e").is_collapsed and here.undo_text() == "Collapse"


def test_a_short_press_undoes_one_edit_and_opens_nothing(here: Driver) -> None:
    QTest.mouseClick(here.child(QToolButton, "tool_undo"), LEFT)
    here.settle()
    assert here.undo_text() == "Collapse" and QApplication.activePopupWidget() is None


def test_the_list_ends_after_twenty_edits(here: Driver) -> None:
    for _ in range(LISTED):
        here.hand.click(here.points.title("e"))
        here.trigger("mute")
    menu = held(here, "undo")
    assert len(entries_of(menu)) == 20 < len(here.session.document.past)
    menu.close()


def test_f2_with_nothing_selected_opens_what_belongs_to_the_name(here: Driver) -> None:
    here.escape()
    here.key(Key.Key_F2)
    names = [item.objectName() for item in here.popups.menu().actions()]
    assert names[:2] == ["save_as", "versions"]
    here.popups.menu().close()
