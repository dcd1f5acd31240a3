"""Step mode on a canvas that a test plays: keys, what is brought into view and said, and its commands."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.features.steps import stepping
from gradwire.app.features.steps.step_commands import STEPS
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.stepping import Stepping
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.files.files import load

KEY, NONE = Qt.Key, Qt.KeyboardModifier.NoModifier


class Scene:
    """A session in step mode, and the parts of a canvas that stepping needs."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session, self.steps = session, session.part(StepMode)
        self.asked, self.said, self.modes, self.focused = list[Any](), list[str](), list[bool](), list[object]()
        self.boxes = {name: QRectF(0, 0, 144, 86) for name in ("p", "s", "loss")}
        canvas = SimpleNamespace(
            session=session,
            gestures=SimpleNamespace(is_dragging=False),
            mirror=SimpleNamespace(rows={"p": 0, "s": 1, "loss": 2}, rect=self.boxes.__getitem__),
            viewport=SimpleNamespace(
                room=QRectF(-10, -10, 500, 500),
                show_rect=lambda area, is_unasked: self.asked.append((area.getRect(), is_unasked)),
            ),
            setFocus=self.focused.append,
        )
        self.canvas = canvas
        self.alone = SimpleNamespace(
            _canvas=canvas, steps=self.steps, _seen=(False, False, ""), _said="",
            mode_changed=SimpleNamespace(emit=self.modes.append), _live_region=SimpleNamespace(say=self.said.append),
        )  # fmt: skip
        self.alone._bring_in = lambda path: Stepping._bring_in(self.alone, path)  # type: ignore[arg-type]
        monkeypatch.setattr(stepping, "go_to", lambda _, path: self.asked.append(path))

    def show(self) -> None:
        Stepping._show(self.alone)  # type: ignore[arg-type]  # what it takes of itself

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, repeats: bool = False) -> bool:
        event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers, "", repeats)
        return Stepping._press(self.alone, event)  # type: ignore[arg-type]


@pytest.fixture
def scene(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    session = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    yield Scene(session, monkeypatch)
    session.close()


def test_arrows_and_space_go_on_and_back(scene: Scene) -> None:
    for key in (KEY.Key_Right, KEY.Key_Left, KEY.Key_Space):
        assert not scene.press(key)
    scene.steps.enter()
    places = []
    for key in (KEY.Key_Right, KEY.Key_Space, KEY.Key_Left, KEY.Key_Right):
        assert scene.press(key)
        places.append(scene.steps.at)
    assert places == [2, 3, 2, 3]
    # A key of the number pad is the same key; others with it are other keys.
    assert scene.press(KEY.Key_Right, Qt.KeyboardModifier.KeypadModifier) and scene.steps.at == 4
    for modifier in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier):
        assert not scene.press(KEY.Key_Right, modifier)
    assert not scene.press(KEY.Key_Up) and scene.steps.at == 4
    # An arrow that is held goes on, Space does not.
    assert scene.press(KEY.Key_Right, repeats=True) and scene.steps.at == 5
    assert scene.press(KEY.Key_Space, repeats=True) and scene.steps.at == 5
    scene.canvas.gestures.is_dragging = True
    assert not scene.press(KEY.Key_Right) and scene.steps.at == 5


def test_a_mode_that_begins_turns_or_ends_is_told_once_and_keeps_the_keyboard(scene: Scene) -> None:
    scene.show()
    assert (scene.modes, scene.focused) == ([], [])
    scene.steps.enter()
    scene.show()
    scene.show()
    assert scene.modes == [True] and len(scene.focused) == 1
    scene.steps.next()
    scene.show()
    assert scene.modes == [True]
    scene.steps.enter(is_forward=True)
    scene.show()
    assert scene.modes == [True, True] and len(scene.focused) == 2
    scene.steps.leave()
    scene.show()
    assert scene.modes == [True, True, False] and len(scene.focused) == 2


def test_each_step_is_said_once(scene: Scene, qtbot: QtBot) -> None:
    scene.steps.enter()
    qtbot.waitUntil(lambda: scene.steps.detail is not None)
    scene.show()
    scene.show()
    scene.steps.next()
    scene.show()
    assert [text.partition(".")[0] for text in scene.said] == ["Step 1 of 8: Loss", "Step 2 of 8: Divide"]
    scene.steps.leave()
    scene.show()
    scene.steps.enter()
    scene.show()
    # What was said before the mode was left is news again.
    assert len(scene.said) == 3


def test_only_a_block_out_of_view_is_brought_in_with_48_px_around_it_once(scene: Scene) -> None:
    scene.steps.enter()
    scene.show()
    assert scene.asked == []
    scene.boxes["p"] = QRectF(480, 0, 144, 86)
    scene.steps.next()
    scene.show()
    scene.show()
    assert scene.asked == [((432.0, -48.0, 240.0, 182.0), True)]
    # One that this page does not show is left alone, one of another page is gone to.
    del scene.canvas.mirror.rows["s"]
    scene.steps.next()
    scene.show()
    assert len(scene.asked) == 1
    wire = next(iter(scene.session.page.wires.values()))
    scene.session.select(Selection(wires=frozenset([wire])))
    Stepping._bring_in(scene.alone, "main/inner/block")  # type: ignore[arg-type]
    assert scene.asked[1:] == ["main/inner/block"] and not scene.session.selection.wires
    scene.steps.leave()
    scene.boxes["loss"] = QRectF(900, 0, 144, 86)
    scene.show()
    assert len(scene.asked) == 2


@pytest.mark.parametrize(("answer", "is_left"), [("Yes", True), ("No", False)])
def test_an_edit_that_waits_is_made_only_after_a_yes(
    scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, answer: str, is_left: bool
) -> None:
    window, asked, made = QWidget(), list[str](), list[int]()
    qtbot.addWidget(window)
    scene.canvas.window, scene.canvas.devicePixelRatioF = lambda: window, lambda: 1.0
    scene.canvas.gestures.let_go = lambda: made.append(0)
    scene.alone._appearance = SimpleNamespace(theme=SimpleNamespace(css=lambda _: "#ffffff"))

    def exec_(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        assert box.defaultButton().text().replace("&", "") == "Yes" and box.iconPixmap().width() == 32
        return QMessageBox.StandardButton[answer]

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    Stepping._ask(scene.alone)  # type: ignore[arg-type]
    scene.steps.enter()
    Stepping._ask(scene.alone)  # type: ignore[arg-type]
    assert asked == [] and made == []
    scene.steps.hold(lambda: made.append(1))
    Stepping._ask(scene.alone)  # type: ignore[arg-type]
    assert asked == ["Leave step mode?"] and made == ([0, 1] if is_left else [0])
    assert scene.steps.is_on is not is_left and scene.steps.held is None


def test_leaving_says_whether_it_was_on(scene: Scene) -> None:
    assert Stepping.leave(scene.alone) is False  # type: ignore[arg-type]
    scene.steps.enter()
    assert Stepping.leave(scene.alone) is True and not scene.steps.is_on  # type: ignore[arg-type]


# Commands


def test_commands_are_possible_and_on_as_the_mode_says(scene: Scene) -> None:
    window: Any = SimpleNamespace(session=scene.session, has_document=True)
    named = {item.id: item for item in STEPS}

    def possible() -> set[str]:
        return {name for name, item in named.items() if item.can_run(window)}

    def checked() -> set[str]:
        return {name for name, item in named.items() if item.is_checked(window)}

    ways = {"lens_predict", "step_backward", "step_forward"}
    assert (possible(), checked()) == (ways, set())
    scene.session.select(Selection(frozenset(["e"])))
    assert possible() == ways | {"step_here"}
    wire = next(iter(scene.session.page.wires.values()))
    scene.session.select(Selection(wires=frozenset([wire])))
    assert possible() == ways | {"step_here"}
    scene.session.select(Selection())
    inside = {"step_next", "step_back", "step_play", "step_leave"}
    for name, on in (
        ("step_backward", {"step_backward"}), ("step_forward", {"step_forward"}), ("step_forward", set()),
        ("step_backward", {"step_backward"}), ("step_play", {"step_backward", "step_play"}),
        ("step_play", {"step_backward"}), ("step_leave", set()),
    ):  # fmt: skip
        named[name].call(window)
        assert checked() == on and possible() == (ways | inside if on else ways)
    named["step_backward"].call(window)
    for name, at in (("step_next", 2), ("step_next", 3), ("step_back", 2)):
        named[name].call(window)
        assert scene.steps.at == at
