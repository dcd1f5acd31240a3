from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.lenses import tabs as module
from gradwire.app.shell.lenses.tabs import LensTabs
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from tests.app.window.driver import LEFT, MIDDLE
from tests.app.window.graphs import chain, number


class Counting(Lens):
    """A lens that counts its calls."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self.refreshed = 0
        self.replies: list[Reply] = []

    def refresh(self) -> None:
        self.refreshed += 1
        self.ask(TensorName(PortName("main/x", "y")))

    def take(self, reply: Reply) -> None:
        self.replies.append(reply)


KINDS = tuple(Feature(name, name.capitalize(), f"About {name}", "info", Counting) for name in ("one", "two"))


@pytest.fixture
def tabs(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> LensTabs:
    monkeypatch.setattr(module, "LENSES", KINDS)
    made = LensTabs(CurrentSession(Session(chain(), InlineEvaluator)), Appearance("dark"), QLabel("problems"))
    for widget in (made, made.stack):
        qtbot.addWidget(widget)
        widget.show()
    return made


def bar(tabs: LensTabs) -> QTabBar:
    return cast(QTabBar, tabs.findChild(QTabBar, "lens_tabs"))


def counting(tabs: LensTabs, name: str) -> Counting:
    return cast(Counting, tabs.lens(name))


def test_a_lens_is_opened_once_and_then_turned_to(tabs: LensTabs) -> None:
    for name in ("two", "one", "two"):
        tabs.open(name)
        assert tabs.current == name and tabs.stack.currentWidget() is tabs.lens(name)
    assert (tabs.names, bar(tabs).count()) == (("two", "one"), 3)


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_closed_lens_is_gone_and_its_neighbour_is_shown(tabs: LensTabs, qtbot: QtBot, by_mouse: bool) -> None:
    tabs.open("one")
    tabs.open("two")
    if by_mouse:
        QTest.mouseClick(bar(tabs), MIDDLE, pos=bar(tabs).tabRect(2).center() - QPoint(8, 0))
    else:
        qtbot.mouseClick(cast(QToolButton, tabs.findChild(QToolButton, "close_two")), LEFT)
    assert (tabs.names, tabs.current) == (("one",), "one")
    assert tabs.stack.currentWidget() is tabs.lens("one")


def test_the_problems_cannot_be_closed(tabs: LensTabs) -> None:
    QTest.mouseClick(bar(tabs), MIDDLE, pos=bar(tabs).tabRect(0).center())
    assert tabs.current == "problems"


def test_a_hidden_lens_does_nothing_until_it_is_seen(tabs: LensTabs, qtbot: QtBot) -> None:
    tabs.open("one")
    lens = counting(tabs, "one")
    qtbot.waitUntil(lambda: len(lens.replies) == 1)
    tabs.open("problems")
    lens.session.apply("Change", edits.set_parameter, "main", "x", "value", 2.0)
    qtbot.wait(1)
    assert lens.refreshed == 1
    tabs.open("one")
    qtbot.waitUntil(lambda: lens.refreshed == 2)


def test_several_changes_at_once_are_one_refresh(tabs: LensTabs, qtbot: QtBot) -> None:
    tabs.open("one")
    lens = counting(tabs, "one")
    qtbot.waitUntil(lambda: lens.refreshed == 1)
    for _ in range(3):
        lens.session.mode_changed.emit()
    qtbot.waitUntil(lambda: lens.refreshed == 2)
    qtbot.wait(1)
    assert lens.refreshed == 2


def test_another_document_is_followed_and_the_old_one_no_longer(tabs: LensTabs, qtbot: QtBot) -> None:
    tabs.open("one")
    lens = counting(tabs, "one")
    old = lens.session
    qtbot.waitUntil(lambda: lens.refreshed == 1)
    lens.current.show(Session(number(), InlineEvaluator))
    qtbot.waitUntil(lambda: lens.refreshed == 2)
    old.ask(TensorName(PortName("main/x", "y")))
    assert all(reply.question == TensorName(PortName("main/x", "y")) for reply in lens.replies)
    assert len(lens.replies) == 2


def test_the_number_of_problems_stands_in_their_tab(tabs: LensTabs) -> None:
    tabs.set_count(3)
    chip = bar(tabs).tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert isinstance(chip, QLabel) and chip.isVisible() and chip.text() == "3"
    tabs.set_count(0)
    assert not chip.isVisible() and bar(tabs).tabButton(0, QTabBar.ButtonPosition.RightSide) is None


def test_where_there_is_no_room_only_the_current_tab_has_its_name(tabs: LensTabs, qtbot: QtBot) -> None:
    tabs.open("one")
    tabs.open("two")
    for width, names in ((900, ["Problems", "One", "Two"]), (160, ["", "", "Two"])):
        tabs.resize(width, 32)
        qtbot.waitUntil(lambda names=names: [bar(tabs).tabText(row) for row in range(3)] == names)
    assert bar(tabs).tabToolTip(1) == "One: About one"


def test_a_tab_without_its_name_takes_the_room_of_its_icon(tabs: LensTabs) -> None:
    tabs.resize(900, 30)
    tabs.open("one")
    tabs.open("two")
    wide = bar(tabs).tabRect(1).width()
    tabs.resize(170, 30)
    assert bar(tabs).tabText(1) == "" and bar(tabs).tabRect(1).width() < wide / 2
    assert bar(tabs).tabRect(1).width() >= 22
