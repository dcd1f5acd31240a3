from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLayout, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window import bottom as module
from gradwire.app.shell.window.bottom import Bottom, lens_hidden
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from tests.app.drawn_shapes import rooms
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


class Strip(QLabel):
    """A strip that tells when it is shown."""

    shown = Signal()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


class Striped(Counting):
    """A lens of a mode with a strip, as high as its content of 300 px."""

    strip: Strip

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self.strip = Strip("strip")
        self.setMinimumHeight(300)

    def sizeHint(self) -> QSize:
        return QSize(300, 300)


@pytest.fixture
def striped(bottom: Bottom, monkeypatch: pytest.MonkeyPatch) -> Bottom:
    strip = Feature("strip", "Strip", "About the strip", "info", Striped, is_mode=True)
    monkeypatch.setattr(module, "FEATURES", (*module.FEATURES, strip))
    return bottom


def order(layout: QLayout) -> list[QWidget]:
    items = [layout.itemAt(row) for row in range(layout.count())]
    return [made for item in items if item is not None and (made := item.widget()) is not None]


def test_gaps_sizes_and_the_order_of_the_parts(striped: Bottom) -> None:
    assert rooms(striped) == ["0 · 0"] and rooms(striped._head)[0].startswith("12 0 6 0")
    around = striped._cover.contentsMargins()
    assert (around.left(), around.top(), around.right(), around.bottom()) == (14, 8, 14, 8)
    close = cast(QToolButton, striped.findChild(QToolButton, "leave_panel"))
    assert close.minimumSize() == close.maximumSize() == QSize(24, 24)
    striped.open("one")
    lens = counting(striped, "one")
    assert order(striped._head.row)[-2:] == [lens.controls, close]
    assert [striped._body.stretch(row) for row in range(4)] == [0, 1, 1, 1] and order(striped._body)[-1] is lens
    assert striped._head._icon.pixmap().deviceIndependentSize().toTuple() == (14, 14)  # type: ignore[attr-defined]
    assert striped._head._title.text() == "One"
    striped.show_mode("strip")
    mode = cast(Striped, striped.lens("strip"))
    assert order(striped._body)[:2] == [striped._head, mode.strip] and lens not in order(striped._body)
    assert order(striped._head.row)[-2:] == [mode.controls, close]
    striped.show_mode("")
    assert mode.strip not in order(striped._body) and order(striped._head.row)[-1:] == [close]
    assert mode.controls not in order(striped._head.row)


def test_a_strip_comes_after_the_panel_in_its_place_has_gone(striped: Bottom) -> None:
    striped.show_mode("strip")
    lens = cast(Striped, striped.lens("strip"))
    striped.open("list")
    panel, seen = striped.content, list[bool]()
    assert panel is not None and panel.isVisible() and lens.strip.isHidden()
    lens.strip.shown.connect(lambda: seen.append(panel.isVisible()))
    striped.close_panel()
    assert seen == [False]


def test_a_strip_alone_is_84_high_and_raised_as_much_as_the_window_gives(striped: Bottom) -> None:
    striped.show_mode("strip")
    lens = cast(Striped, striped.lens("strip"))
    assert striped.height() == 84 == lens.strip.height() and lens.isHidden() and not lens.strip.isHidden()
    assert striped._head.isHidden() and not striped._grip.isHidden()
    striped._grip.click()
    assert not lens.isHidden() and striped.maximumHeight() == 217
    striped.window().resize(900, 2000)
    striped.fit()
    assert striped.maximumHeight() == 240
    striped._grip.click()
    assert lens.isHidden() and striped.maximumHeight() == 84
    striped.raise_panel(True)
    striped.window().resize(900, 200)
    striped.fit()
    # 31 % of the window is less than the strip, which stays whole.
    assert striped.maximumHeight() == 84
    striped.show_mode("")
    striped.show_mode("strip")
    assert not striped._shows_body


@pytest.mark.parametrize(("scale", "head", "strip", "least"), [(1.5, 48, 126, 60), (0.9, 29, 76, 36)])
def test_head_strip_and_one_line_grow_with_texts(
    striped: Bottom, monkeypatch: pytest.MonkeyPatch, scale: float, head: int, strip: int, least: int
) -> None:
    monkeypatch.setattr(striped._appearance, "text_scale", scale)
    cast(QLabel, striped.content or striped.findChild(QLabel, "")).setText("")
    striped.open("list")
    assert striped._head.maximumHeight() == head
    monkeypatch.setattr(striped, "_content_height", lambda: 1)
    striped.fit()
    assert striped.maximumHeight() == round(head + least - (0.2 if scale == 0.9 else 0))
    striped.show_mode("strip")
    assert striped.maximumHeight() == strip


@pytest.mark.parametrize("why", list(Hidden))
def test_a_lens_that_would_reveal_gradients_is_covered_and_others_are_not(
    bottom: Bottom, monkeypatch: pytest.MonkeyPatch, why: Hidden
) -> None:
    bottom.open("one")
    lens = counting(bottom, "one")
    monkeypatch.setattr(type(lens), "tells_gradients", True)
    monkeypatch.setattr(Bottom, "_reason", lambda _: why)
    bottom._take_results(None)
    assert lens.isHidden() and not bottom._cover.isHidden() and bottom._cover.text() == lens_hidden(why)
    assert lens.controls is not None and lens.controls.isHidden()
    assert bottom._content_height() == bottom._cover.heightForWidth(bottom.width())
    monkeypatch.setattr(Bottom, "_reason", lambda _: None)
    bottom._take_results(None)
    assert not lens.isHidden() and bottom._cover.isHidden() and not lens.controls.isHidden()


def session_with(results: object) -> object:
    return SimpleNamespace(session=SimpleNamespace(results=results))


@pytest.mark.parametrize(
    ("tells", "hidden", "covers"), [(True, Hidden.AHEAD, True), (False, Hidden.AHEAD, False), (True, None, False)]
)
def test_the_reason_is_that_of_the_results_for_a_lens_of_gradients(
    bottom: Bottom, monkeypatch: pytest.MonkeyPatch, tells: bool, hidden: Hidden | None, covers: bool
) -> None:
    bottom.open("one")
    monkeypatch.setattr(Counting, "tells_gradients", tells)
    monkeypatch.setattr(bottom, "_current", session_with(SimpleNamespace(hidden=hidden)))
    assert bottom._reason() is (Hidden.AHEAD if covers else None)
    bottom.panel = "list"
    assert bottom._reason() is None
    bottom.panel = "one"
    monkeypatch.setattr(bottom, "_current", session_with(None))
    assert bottom._reason() is None


def test_what_is_not_allowed_is_not_seen(bottom: Bottom) -> None:
    bottom.open("list")
    bottom.set_allowed(False)
    assert bottom.isHidden()
    bottom.set_allowed(True)
    assert not bottom.isHidden()


def test_other_keys_than_escape_leave_the_panel(bottom: Bottom) -> None:
    bottom.open("list")
    QTest.keyClick(bottom, Key.Key_A)
    assert bottom.panel == "list"


def test_a_mode_ends_under_a_panel_that_stays(bottom: Bottom) -> None:
    bottom.show_mode("mode")
    bottom.open("list")
    bottom.end_mode()
    assert (bottom.mode, bottom.shown, bottom.lens("mode")) == ("", "list", None)


def test_the_grip_is_in_the_middle_of_the_upper_edge(bottom: Bottom) -> None:
    bottom.open("list")
    bottom.resize(701, 100)
    assert bottom._grip.pos().toTuple() == ((bottom.width() - 60) // 2, 0)  # type: ignore[attr-defined]


# In a window


def test_escape_on_the_canvas_closes_the_panel_and_then_nothing_else(user: Driver) -> None:
    user.show(chain())
    user.window.parts.panels.open_lens("console")
    user.canvas.setFocus()
    user.escape()
    assert user.window.parts.panels.bottom.shown == ""


def test_the_keyboard_returns_to_the_canvas_with_the_panel(user: Driver) -> None:
    user.show(chain())
    user.window.parts.panels.show_lens("problems")
    assert not user.canvas.hasFocus()
    QTest.keyClick(user.window.focusWidget(), Key.Key_Escape)
    user.settle()
    assert user.canvas.hasFocus()
