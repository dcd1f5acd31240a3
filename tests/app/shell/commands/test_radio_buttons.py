"""Screen readers are told of radio buttons in named groups where exactly one button is on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long

Role = QAccessible.Role
GROUPS = {
    "Evaluation": ["tool_live", "tool_manual"],
    "Gradients": [f"tool_overlay_{name}" for name in ("off", "labels", "magnitude", "sign")],
    "Shown as": [f"value_mode_{name}" for name in ("table", "heat", "line", "image", "hist", "compare")],
    "Tensor": ["value_of_0", "value_of_1"],
    "Chart": [f"charts_{name}" for name in ("loss", "gradients", "updates", "dead")],
}


@pytest.fixture
def here(one_window: MainWindow, user: Driver) -> Driver:
    user.show(chain())
    user.session.select(Selection(frozenset("e")))
    user.window.parts.docking.open_lens("training")
    user.settle()
    return user


def is_checked(button: QToolButton) -> bool:
    return bool(QAccessible.queryAccessibleInterface(button).state().checked)


@pytest.mark.parametrize("group", GROUPS)
def test_they_are_radio_buttons_in_a_named_group(here: Driver, group: str) -> None:
    buttons = [here.child(QToolButton, name) for name in GROUPS[group]]
    told = [QAccessible.queryAccessibleInterface(button) for button in buttons]
    assert [item.role() for item in told] == [Role.RadioButton] * len(buttons)
    assert all(item.text(QAccessible.Text.Name) and item.state().checkable for item in told)
    assert sum(map(is_checked, buttons)) == 1
    boxes = [item.parent() for item in told]
    assert {(box.role(), box.text(QAccessible.Text.Name)) for box in boxes} == {(Role.Grouping, group)}
    assert boxes[0].childCount() == len(buttons)


def test_the_state_follows_a_click_and_a_command(here: Driver) -> None:
    live, manual = (here.child(QToolButton, name) for name in GROUPS["Evaluation"])
    QTest.mouseClick(manual, Qt.MouseButton.LeftButton)
    assert (is_checked(live), is_checked(manual)) == (False, True)
    assert not here.session.runs.is_live
    here.session.runs.set_live(True)
    here.settle()
    assert (is_checked(live), is_checked(manual)) == (True, False)


def test_arrow_keys_choose_the_next_one(here: Driver) -> None:
    live, manual = (here.child(QToolButton, name) for name in GROUPS["Evaluation"])
    live.setFocus()
    QTest.keyClick(live, Qt.Key.Key_Right)
    here.settle()
    assert is_checked(manual) and not here.session.runs.is_live
    QTest.keyClick(manual, Qt.Key.Key_Left)
    here.settle()
    assert is_checked(live) and here.session.runs.is_live
