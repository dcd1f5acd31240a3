from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window import bottom as module
from gradwire.app.shell.window.bottom import Bottom
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain, number


class Counting(Lens):
    """A lens that counts its calls, with a button above it."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self.refreshed, self.controls = 0, QLabel("controls")
        self.replies: list[Reply] = []

    def refresh(self) -> None:
        self.refreshed += 1
        self.ask(TensorName(PortName("main/x", "y")))

    def take(self, reply: Reply) -> None:
        self.replies.append(reply)


KINDS = tuple(Feature(name, name.capitalize(), f"About {name}", "info", Counting) for name in ("one", "two"))
LIST = Feature("list", "List", "About the list", "info")
MODE = Feature("mode", "Mode", "About the mode", "info", Counting, is_mode=True)


@pytest.fixture
def bottom(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bottom:
    monkeypatch.setattr(module, "FEATURES", (LIST, MODE, *KINDS))
    window = QWidget()
    qtbot.addWidget(window)
    content = QLabel("line\n" * 40)
    made = Bottom(CurrentSession(Session(chain(), InlineEvaluator)), Appearance("dark"), {"list": content})
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(QWidget(), 1)
    layout.addWidget(made)
    window.resize(900, 700)
    made.set_allowed(True)
    window.show()
    return made


def counting(bottom: Bottom, name: str) -> Counting:
    return cast(Counting, bottom.lens(name))


def test_without_anything_open_it_is_not_there(bottom: Bottom) -> None:
    assert bottom.isHidden() and bottom.shown == ""


def test_one_thing_is_shown_at_a_time_with_its_controls_and_what_was_there_goes(bottom: Bottom) -> None:
    told = list[str]()
    bottom.changed.connect(lambda: told.append(bottom.shown))
    bottom.open("one")
    first = counting(bottom, "one")
    assert bottom.isVisible() and first.isVisible()
    assert first.controls is not None and first.controls.isVisible()
    bottom.open("two")
    assert bottom.lens("one") is None and counting(bottom, "two").isVisible()
    bottom.close_panel()
    assert bottom.isHidden() and bottom.lens("two") is None
    assert told == ["one", "two", ""]


def test_a_panel_lies_in_the_place_of_the_mode_which_comes_back(bottom: Bottom) -> None:
    bottom.show_mode("mode")
    kept = counting(bottom, "mode")
    bottom.open("list")
    assert bottom.shown == "list" and kept.isHidden() and bottom.lens("mode") is kept
    bottom.close_panel()
    assert bottom.shown == "mode" and kept.isVisible()
    bottom.open("mode")
    assert (bottom.mode, bottom.panel) == ("mode", "")
    bottom.show_mode("")
    assert bottom.isHidden()


@pytest.mark.parametrize("way", ["button", "escape"])
def test_the_user_closes_a_panel(bottom: Bottom, qtbot: QtBot, way: str) -> None:
    bottom.open("list")
    if way == "button":
        qtbot.mouseClick(cast(QToolButton, bottom.findChild(QToolButton, "leave_panel")), LEFT)
    else:
        QTest.keyClick(bottom, Key.Key_Escape)
    assert bottom.isHidden()


def test_the_mode_is_not_left_by_escape(bottom: Bottom) -> None:
    bottom.show_mode("one")
    QTest.keyClick(bottom, Key.Key_Escape)
    assert bottom.shown == "one"


def test_a_panel_is_as_high_as_its_content_up_to_its_share_of_the_window(bottom: Bottom) -> None:
    content = cast(QLabel, bottom.findChild(QLabel, ""))
    bottom.open("list")
    assert bottom.height() == 217  # 31 % of 700 px
    content.setText("one line")
    bottom.fit()
    assert bottom.height() == 32 + 40
    content.setText("line\n" * 6)
    bottom.fit()
    assert bottom.height() == 32 + content.sizeHint().height() > 32 + 40
    bottom.window().resize(900, 2000)
    content.setText("line\n" * 60)
    bottom.fit()
    assert bottom.height() == 240


def test_a_hidden_lens_does_nothing_until_it_is_seen(bottom: Bottom, qtbot: QtBot) -> None:
    bottom.show_mode("one")
    lens = counting(bottom, "one")
    qtbot.waitUntil(lambda: len(lens.replies) == 1)
    bottom.open("list")
    lens.session.apply("Change", edits.set_parameter, "main", "x", "value", 2.0)
    qtbot.wait(1)
    assert lens.refreshed == 1
    bottom.close_panel()
    qtbot.waitUntil(lambda: lens.refreshed == 2)


def test_several_changes_at_once_are_one_refresh(bottom: Bottom, qtbot: QtBot) -> None:
    bottom.open("one")
    lens = counting(bottom, "one")
    qtbot.waitUntil(lambda: lens.refreshed == 1)
    for _ in range(3):
        lens.session.mode_changed.emit()
    qtbot.waitUntil(lambda: lens.refreshed == 2)
    qtbot.wait(1)
    assert lens.refreshed == 2


def test_results_leave_the_pace_of_a_lens_to_itself(bottom: Bottom, monkeypatch: pytest.MonkeyPatch) -> None:
    bottom.open("one")
    asked = list[bool]()
    monkeypatch.setattr(counting(bottom, "one"), "refresh_soon", lambda: asked.append(True))
    for _ in range(3):
        counting(bottom, "one").current.results_changed.emit(None)
    assert not asked


def test_another_document_is_followed_and_the_old_one_no_longer(bottom: Bottom, qtbot: QtBot) -> None:
    bottom.open("one")
    lens = counting(bottom, "one")
    old = lens.session
    qtbot.waitUntil(lambda: lens.refreshed == 1)
    lens.current.show(Session(number(), InlineEvaluator))
    qtbot.waitUntil(lambda: lens.refreshed == 2)
    old.ask(TensorName(PortName("main/x", "y")))
    assert all(reply.question == TensorName(PortName("main/x", "y")) for reply in lens.replies)
    assert len(lens.replies) == 2


# In a window


def test_a_list_in_the_window_is_as_high_as_its_rows(user: Driver) -> None:
    user.show(chain())
    user.window.parts.panels.open_lens("flow")
    user.settle()
    bottom, table = user.window.parts.panels.bottom, user.child(QTableView, "flow_rows")
    assert 72 <= bottom.height() < 240
    rows = table.verticalHeader().length() + table.horizontalHeader().height()
    # Nothing below the last row but the frame.
    assert table.height() - rows <= 8


def test_escape_on_the_canvas_closes_the_panel_and_then_nothing_else(user: Driver) -> None:
    user.show(chain())
    user.window.parts.panels.open_lens("flow")
    user.canvas.setFocus()
    user.escape()
    assert user.window.parts.panels.bottom.shown == ""


def test_the_keyboard_returns_to_the_canvas_with_the_panel(user: Driver) -> None:
    user.show(chain())
    user.window.parts.panels.show_lens("flow")
    assert not user.canvas.hasFocus()
    QTest.keyClick(user.window.focusWidget(), Key.Key_Escape)
    user.settle()
    assert user.canvas.hasFocus()
