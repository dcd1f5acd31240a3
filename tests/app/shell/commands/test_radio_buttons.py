"""Screen readers are told of radio buttons in named groups where exactly one button is on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long

Role = QAccessible.Role
GROUPS = {
    "Mode": [f"tool_mode_{name}" for name in ("build", "step", "train", "compare")],
    "Shown as": [f"value_mode_{name}" for name in ("table", "heat", "line", "image", "hist")],
    "Tensor": ["value_of_0", "value_of_1"],
    "Speed": [f"training_speed_{place}" for place in range(4)],
}


@pytest.fixture
def here(one_window: MainWindow, user: Driver) -> Driver:
    user.show(chain())
    user.session.select(Selection(frozenset("e")))
    user.window.parts.panels.open_lens("training")
    user.window.parts.panels.bottom.raise_panel(True)
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
    here.trigger("mode_build")
    build, step = (here.child(QToolButton, name) for name in GROUPS["Mode"][:2])
    assert (is_checked(build), is_checked(step)) == (True, False)
    QTest.mouseClick(step, Qt.MouseButton.LeftButton)
    here.settle()
    assert (is_checked(build), is_checked(step)) == (False, True) and here.session.part(StepMode).is_on
    here.trigger("step_leave")
    assert (is_checked(build), is_checked(step)) == (True, False)


def test_arrow_keys_choose_the_next_one(here: Driver) -> None:
    here.trigger("mode_build")
    build, step = (here.child(QToolButton, name) for name in GROUPS["Mode"][:2])
    build.setFocus()
    QTest.keyClick(build, Qt.Key.Key_Right)
    here.settle()
    assert is_checked(step) and here.session.part(StepMode).is_on
    QTest.keyClick(step, Qt.Key.Key_Left)
    here.settle()
    assert is_checked(build) and not here.session.part(StepMode).is_on
