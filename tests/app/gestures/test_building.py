"""The stable softmax from an empty canvas: how many actions of the mouse, and how many presses of keys, it takes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt

from tests.app.window.driver import NONE, Driver, Key, Mod

# Recorded from TensorFlow 2.21 for x = [1, 3, 3], w = [1, 2, 3].
LOSS = 2.4049315925
WIRES = {
    "x.y > ReduceMax.x",
    "ReduceMax.y > StopGradient.x",
    "x.y > Subtract.x",
    "StopGradient.y > Subtract.y",
    "Subtract.z > Exp.x",
    "Exp.y > ReduceSum.x",
    "Exp.y > Divide.x",
    "ReduceSum.y > Divide.y",
    "Divide.z > Loss.x",
    "Constant.y > Loss.weights",
}
BLOCKS = 9


class Count:
    """A user whose actions of the mouse and presses of keys are counted; a modifier is a press of its own."""

    def __init__(self, user: Driver) -> None:
        self.user = user
        self.actions = self.presses = 0

    def double_click(self, at: QPointF) -> None:
        self.actions += 1
        self.user.hand.double_click(at)

    def click(self, at: QPointF) -> None:
        self.actions += 1
        self.user.hand.click(at)

    def drag(self, start: QPointF, end: QPointF) -> None:
        self.actions += 1
        self.user.hand.drag(start, end)

    def type(self, text: str) -> None:
        """Types into the search that is open, and confirms."""
        self.actions += 1
        self.presses += len(text) + 1
        self.user.popups.search(text)

    def press(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        self.presses += 1 + bin(keys.value).count("1")
        self.user.key(key, keys)


@pytest.fixture
def count(user: Driver) -> Count:
    user.trigger("new")
    user.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    return Count(user)


def assert_is_softmax(user: Driver) -> None:
    assert user.wires() == WIRES
    results = user.session.results
    assert results is not None and results.loss is not None and results.loss.value is not None
    # The recorded number has ten digits.
    assert float(results.loss.value) == pytest.approx(LOSS, abs=5e-11)
    rects = [user.canvas.mirror.rect(name) for name in user.page.blocks]
    assert not any(a.intersects(b) for row, a in enumerate(rects) for b in rects[row + 1 :])
    for _ in range(BLOCKS):
        user.undo()
    assert not user.page.blocks


def test_the_mouse_builds_the_stable_softmax_in_twenty_actions(count: Count) -> None:
    port = count.user.points.port
    count.double_click(count.user.canvas.camera.to_scene(QPointF(60, 60)))
    count.type("x=[1,3,3]")
    count.click(port("x.y"))
    count.type("max")
    count.click(port("ReduceMax.y"))
    count.type("stop")
    count.drag(port("x.y"), port("StopGradient.y"))
    count.type("-")
    count.click(port("Subtract.z"))
    count.type("exp")
    count.click(port("Exp.y"))
    count.type("sum")
    count.drag(port("Exp.y"), port("ReduceSum.y"))
    count.type("/")
    count.click(port("Divide.z"))
    count.type("loss")
    count.click(port("Loss.weights"))
    count.type("[1,2,3]")
    assert count.actions <= 20
    assert_is_softmax(count.user)


@pytest.mark.long
def test_keys_build_the_stable_softmax_in_sixty_presses(count: Count) -> None:
    def add(text: str) -> None:
        count.press(Key.Key_Tab)
        count.type(text)

    add("x=[1,3,3]")
    add("max")
    add("stop")
    count.press(Key.Key_Home, Mod.ControlModifier | Mod.ShiftModifier)
    add("-")
    add("exp")
    add("sum")
    count.press(Key.Key_Left, Mod.ShiftModifier)
    count.press(Key.Key_Left, Mod.ShiftModifier)
    add("/")
    add("loss")
    add("[1,2,3]")
    # At most 80 are wanted.
    assert count.presses == 60
    assert_is_softmax(count.user)
