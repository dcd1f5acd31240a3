"""Advice in the window: it comes after a run, gives reasons, is applied by one click, and can be hidden."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QListView, QMenu, QPushButton, QWidget

import gradwire as gw
import gradwire.engine.advice.advice
from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.features.problems.advice_questions import AdviceWanted
from gradwire.app.features.problems.advising import IDLE_MS
from gradwire.app.features.problems.problem_list import ProblemList
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.why import WhyZero
from gradwire.engine.advice.linter import RULES
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
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
    """Moves to the row by the keyboard."""
    view = listed(user)
    view.setFocus()
    QTest.keyClick(view, Key.Key_Home)
    while view.currentIndex() != row_of(user, sentence):
        QTest.keyClick(view, Key.Key_Down)
    user.settle()


def wait_for(user: Driver, sentence: str) -> None:
    user.qtbot.waitUntil(lambda: sentence in rows(user))


@pytest.fixture
def advised(user: Driver) -> Iterator[Driver]:
    """A user in front of a stable softmax whose maximum is not stopped; advice comes without a delay."""
    timer = user.window.parts.panels.problems._advisor._later
    timer.setInterval(0)
    user.show(load(example_path("softmax_stable_nostop")).graph, 0.6)
    wait_for(user, ADVICE)
    yield user
    timer.setInterval(IDLE_MS)


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
    advised.window.parts.panels.open_lens("problems")
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
    assert list(actions) == ["show_place", "fix_problem", "silence_rule", "hide_rule"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(actions["hide_rule"]).center())
    assert ADVICE not in rows(advised)
    assert advised.window.settings.table("hidden_rules") == {"max_not_stopped": True}
    advised.trigger("settings")
    dialog = advised.child(QDialog, "settings_dialog")
    advised.child(QPushButton, "settings_show_rules").click()
    dialog.close()
    assert ADVICE in rows(advised)


def clicked(user: Driver, row: QModelIndex, name: str) -> None:
    """Chooses an entry of the menu of a row, or of the empty part of the list."""
    view = listed(user)
    view.customContextMenuRequested.emit(view.visualRect(row).center() if row.isValid() else QPoint(5, 900))
    menu = user.child(QMenu, "problem_menu")
    (action,) = [action for action in menu.actions() if action.objectName() == name]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def test_a_rule_is_silenced_in_one_file_by_an_edit_that_can_be_undone(advised: Driver) -> None:
    before = advised.graph
    clicked(advised, row_of(advised, ADVICE), "silence_rule")
    advised.qtbot.waitUntil(lambda: ADVICE not in rows(advised))
    assert advised.graph.silenced == ("max_not_stopped",)
    assert advised.undo_text() == "Do not show this advice in this file"
    assert not advised.window.settings.table("hidden_rules")
    advised.session.undo()
    assert advised.graph is before
    wait_for(advised, ADVICE)


def test_a_file_shows_all_its_advice_again_by_the_menu(advised: Driver) -> None:
    clicked(advised, row_of(advised, ADVICE), "silence_rule")
    advised.qtbot.waitUntil(lambda: ADVICE not in rows(advised))
    clicked(advised, QModelIndex(), "apply_rules")
    assert advised.graph.silenced == ()
    wait_for(advised, ADVICE)


def test_what_one_file_silences_another_still_shows(advised: Driver) -> None:
    clicked(advised, row_of(advised, ADVICE), "silence_rule")
    advised.show(load(example_path("softmax_stable_nostop_ties")).graph)
    wait_for(advised, ADVICE)


def test_a_fix_says_that_it_changes_the_loss(user: Driver) -> None:
    user.show(load(example_path("clip_then_square")).graph, 0.6)
    user.qtbot.waitUntil(lambda: any("squares what" in row for row in rows(user)))
    choose(user, next(row for row in rows(user) if "squares what" in row))
    assert user.child(QPushButton, "why_fix").text() == "Use the Huber loss (changes the loss)"


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
    advised.window.parts.panels.problems._advisor._later.setInterval(IDLE_MS)
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


def test_a_chosen_row_says_what_its_fix_gives_after_some_rounds(live_user: Driver) -> None:
    # Both errors are above the bound of 1, so that without the fix nothing moves and the loss stays 1.
    error = gw.MatVec(gw.Input([[1.0, 0.0], [0.0, 1.0]]), gw.Variable([5.0, 4.0]))
    live_user.show(with_places(gw.graph(gw.Loss(gw.ClipByValue(gw.Square(error), 0.0, 1.0), reduction="mean"))))
    live_user.qtbot.waitUntil(lambda: any("clamps the error itself" in row for row in rows(live_user)), timeout=20_000)
    live_user.window.parts.panels.open_lens("problems")
    choose(live_user, next(row for row in rows(live_user) if "clamps the error itself" in row))
    strip = live_user.child(QWidget, "why_strip")

    def cells() -> dict[str, tuple[str, str]]:
        texts = {label.objectName(): label.text() for label in strip.findChildren(QLabel) if label.isVisible()}
        names = [name for name in texts if name.startswith("why_trial_") and name.count("_") == 2]
        return {texts[name]: (texts.get(f"{name}_1", ""), texts.get(f"{name}_2", "")) for name in names}

    live_user.qtbot.waitUntil(lambda: "loss, round 50" in cells(), timeout=20_000)
    before, after = cells()["loss, round 50"]
    assert before == "1" and 1 < float(after) < (25 + 16) / 2


def failing(*_: object) -> Any:
    raise ValueError("the dice fell off the table")


def test_a_rule_that_fails_is_a_row_that_can_be_hidden(advised: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [dataclasses.replace(rule, find=failing) if rule.name == "log_of_softmax" else rule for rule in RULES]
    lint = gradwire.engine.advice.advice.lint
    monkeypatch.setattr(gradwire.engine.advice.advice, "lint", lambda run, _: lint(run, rules))
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
