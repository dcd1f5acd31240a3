"""Advice in the window: it comes after a run, says why it matters, is carried out by one click, and can be hidden."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QListView, QMenu, QPushButton, QWidget

import gradwire as gw
import lint.advice
from app.canvas.picture import with_places
from app.examples import example_path
from app.live.advising import AdviceWanted
from app.live.questions import Reply
from app.live.why import WhyZero
from app.panels.problem_list import ProblemList
from engine import edits
from engine.expand import PortName
from engine.files import load
from engine.graph import Graph
from lint.linter import RULES
from tests.app.window.driver import LEFT, Driver, Key

ADVICE = 'Subtract "z" subtracts ReduceMax "m" without StopGradient.'


def rows(user: Driver) -> list[str]:
    model = user.child(QListView, "problems_list").model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def listed(user: Driver) -> ProblemList:
    return user.child(ProblemList, "problems_list")


def row_of(user: Driver, sentence: str) -> QModelIndex:
    return listed(user).model().index(rows(user).index(sentence), 0)


def choose(user: Driver, sentence: str) -> None:
    """Comes to the row by the keyboard."""
    view = listed(user)
    view.setFocus()
    QTest.keyClick(view, Key.Key_Home)
    while view.currentIndex() != row_of(user, sentence):
        QTest.keyClick(view, Key.Key_Down)
    user.settle()


def wait_for(user: Driver, sentence: str) -> None:
    user.qtbot.waitUntil(lambda: sentence in rows(user))


@pytest.fixture
def advised(user: Driver) -> Driver:
    """In front of a stable softmax whose maximum is not stopped."""
    user.show(load(example_path("softmax_stable_nostop")).graph, 0.6)
    wait_for(user, ADVICE)
    return user


def test_a_click_on_the_button_of_a_row_is_one_edit(advised: Driver) -> None:
    before, view = advised.graph, listed(advised)
    place = view.fix_place(row_of(advised, ADVICE)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    stop = advised.only("StopGradient")
    assert {"m.y > StopGradient.x", "StopGradient.y > z.y"} <= advised.wires()
    assert advised.block(stop).at is not None
    assert advised.selection.blocks == {stop}
    assert advised.undo_text() == "Insert StopGradient"
    advised.qtbot.waitUntil(lambda: ADVICE not in rows(advised))
    advised.session.undo()
    assert advised.graph is before


def test_a_button_that_is_left_before_it_is_let_go_does_nothing(advised: Driver) -> None:
    before, view = advised.graph, listed(advised)
    QTest.mousePress(view.viewport(), LEFT, pos=view.fix_place(row_of(advised, ADVICE)).center())
    QTest.mouseRelease(view.viewport(), LEFT, pos=QPoint(5, 5))
    assert advised.graph is before


def test_the_chosen_row_says_why_it_matters_and_the_keyboard_fixes_it(advised: Driver) -> None:
    strip = advised.child(QWidget, "why_strip")
    assert not strip.isVisible()
    choose(advised, ADVICE)
    assert strip.isVisible()
    assert advised.child(QLabel, "why_title").text() == "A subtracted maximum without StopGradient"
    assert "so that Exp does not overflow" in advised.child(QLabel, "why_text").text()
    button = advised.child(QPushButton, "why_fix")
    assert button.text() == "Insert StopGradient"
    button.setFocus()
    QTest.keyClick(button, Key.Key_Space)
    assert advised.only("StopGradient")
    advised.qtbot.waitUntil(lambda: not strip.isVisible())


def test_screen_readers_hear_of_the_fix(advised: Driver) -> None:
    spoken = str(row_of(advised, ADVICE).data(Qt.ItemDataRole.AccessibleTextRole))
    assert spoken.startswith("Notice: ") and "Fix: Insert StopGradient." in spoken and spoken.endswith("main / z")


def test_a_rule_is_hidden_by_the_menu_of_its_row_and_shown_again_by_the_settings(advised: Driver) -> None:
    view = listed(advised)
    view.customContextMenuRequested.emit(view.visualRect(row_of(advised, ADVICE)).center())
    menu = advised.child(QMenu, "problem_menu")
    actions = {action.objectName(): action for action in menu.actions()}
    assert list(actions) == ["show_place", "fix_problem", "hide_rule"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(actions["hide_rule"]).center())
    assert ADVICE not in rows(advised)
    assert advised.window.settings.table("hidden_rules") == {"max_not_stopped": True}
    advised.trigger("settings")
    dialog = advised.child(QDialog, "settings_dialog")
    advised.child(QPushButton, "settings_show_rules").click()
    dialog.close()
    assert ADVICE in rows(advised)


def test_hidden_rules_stay_hidden_in_the_next_document(advised: Driver) -> None:
    choose(advised, ADVICE)
    advised.child(QPushButton, "why_hide").click()
    advised.show(load(example_path("softmax_stable_nostop_ties")).graph)
    with advised.qtbot.waitSignal(advised.session.replied):
        advised.session.evaluate()
    assert ADVICE not in rows(advised)


def test_problems_that_are_no_advice_have_fixes_too(user: Driver) -> None:
    graph, _ = edits.add_block(Graph(), "main", "Input", id="x", parameters={"value": 3.0})
    user.show(with_places(graph))
    sentence = "There is no connected Loss block: every gradient is zero."
    wait_for(user, sentence)
    user.qtbot.waitUntil(lambda: not listed(user).fix_place(row_of(user, sentence)).isEmpty())
    QTest.mouseClick(listed(user).viewport(), LEFT, pos=listed(user).fix_place(row_of(user, sentence)).center())
    assert user.wires() == {"x.y > Loss.x"}


def test_advice_is_asked_for_when_nothing_has_been_evaluated_for_a_while(advised: Driver) -> None:
    replies: list[Reply] = []
    advised.session.replied.connect(replies.append)

    def advice() -> list[Reply]:
        return [reply for reply in replies if reply.question == AdviceWanted()]

    for number in range(5):
        advised.session.apply("Change", edits.set_parameter, "main", "x", "value", [1.0, 2.0, float(number)])
    assert not advice()
    advised.qtbot.waitUntil(lambda: bool(advice()))
    assert len(advice()) == 1


def test_advice_comes_from_the_process_that_evaluates(live_user: Driver) -> None:
    x = gw.Variable([0.0, 1000.0], name="x")
    live_user.show(with_places(gw.graph(gw.Loss(gw.Log(gw.Softmax(x, name="p"), name="l")))))
    sentence = 'Log "l" is taken of Softmax "p": 1 of 2 elements are -inf, where LogSoftmax is finite.'
    live_user.qtbot.waitUntil(lambda: sentence in rows(live_user), timeout=20_000)
    choose(live_user, sentence)
    live_user.child(QPushButton, "why_fix").click()
    assert {block.type for block in live_user.page.blocks.values()} == {"Variable", "LogSoftmax", "Loss"}


def test_the_page_counts_the_problems_that_the_tab_counts(user: Driver) -> None:
    user.show(load(example_path("softmax_stable")).graph)
    panel = user.window.problems
    user.qtbot.waitUntil(lambda: len(panel.places) > 1)
    user.settle()
    assert user.child(QLabel, "inspector_problems").text() == str(len(panel.places))


def failing(*_: object) -> Any:
    raise ValueError("the dice fell off the table")


def test_a_rule_that_fails_is_a_row_that_can_be_hidden(advised: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [dataclasses.replace(rule, find=failing) if rule.name == "log_of_softmax" else rule for rule in RULES]
    monkeypatch.setattr(lint.advice, "lint", functools.partial(lint.advice.lint, rules=rules))
    advised.session.evaluate()
    sentence = 'A rule of the linter failed: "The logarithm of a softmax".'
    wait_for(advised, sentence)
    choose(advised, sentence)
    advised.child(QPushButton, "why_hide").click()
    assert sentence not in rows(advised)


def test_an_explanation_that_fails_is_a_row_until_the_next_run(
    advised: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "Something that was to be explained could not be worked out."
    with monkeypatch.context() as broken:
        broken.setattr(WhyZero, "answer", failing)
        advised.session.ask(WhyZero(PortName("main/x", "y")))
    assert sentence in rows(advised)
    advised.session.evaluate()
    advised.qtbot.waitUntil(lambda: sentence not in rows(advised))
    assert ADVICE in rows(advised)
