"""The plan of a training in words, and its widgets where a plan is malformed, empty or has several losses."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.orders import Planned
from gradwire.app.features.training.plan_view import (
    FIRST_RULE,
    RateField,
    StepView,
    _others_text,
    _rate_text,
    _trains_text,
    records_of,
)
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.until_row import _limit_text, _tip
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.edits import training_edits
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import BLOCKED, NO_PATH, Reason, Row
from gradwire.engine.training.until import GRADIENT, NUMBER, VALUE, Condition, Until
from tests.app.drawn_shapes import rooms
from tests.app.features.training.test_plan import STEPS, Shown, graph

CSS = theme("dark").css


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"type": "descent", "rate": 0.25}, "0.25"),
        ({"type": "adam", "rate": {"type": "cosine", "from": 1.0}}, '{"type": "cosine", "from": 1.0}'),
        ({"type": "adam"}, "0.001"),
        ({"type": "nothing"}, "null"),
        ({}, "null"),
    ],
)
def test_a_rate_is_that_of_the_rule_or_its_usual_one(rule: dict[str, Any], text: str) -> None:
    assert _rate_text(rule) == text


@pytest.mark.parametrize(
    ("plan", "count", "first"),
    [
        (None, 1, "adam"),
        ({}, 1, "adam"),
        ({"steps": ()}, 0, None),
        ({"steps": STEPS}, 2, "descent"),
        ({"steps": [{"rule": {"type": "adam"}}, 7]}, 2, "adam"),
        ({"steps": "none"}, 0, None),
        ({"until": {"steps": 3}}, 1, "adam"),
    ],
)
def test_steps_are_read_whatever_a_file_says(plan: Any, count: int, first: str | None) -> None:
    records = records_of(plan)
    assert len(records) == count
    assert first is None or records[0].get("rule", FIRST_RULE)["type"] == first
    assert all(isinstance(record, dict) or hasattr(record, "get") for record in records)


@pytest.mark.parametrize(
    ("trains", "assigns", "text"),
    [
        ((), (), "trains nothing"),
        (("main/v",), (), "trains main/v"),
        (("main/v", "main/w"), ("main/t",), "trains main/v, main/w; assigns main/t"),
        ((), ("main/t",), "assigns main/t"),
    ],
)
def test_a_step_says_what_it_trains(trains: tuple[str, ...], assigns: tuple[str, ...], text: str) -> None:
    assert _trains_text(Row("down", trains, assigns, {})) == text


def test_what_a_stop_blocks_is_told_first() -> None:
    free, cut = Reason(NO_PATH, ()), Reason(BLOCKED, ("stop",))
    others = {"main/a": free, "main/b": cut, "main/c": free}
    assert _others_text(Row("down", (), (), others)) == (
        "not main/b (blocked by stop), main/a (no path), main/c (no path)"
    )
    assert _others_text(Row("down", (), (), {})) == ""


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition(NUMBER, "down", low=0.5), "0.5"),
        (Condition(NUMBER, "down", high=2.5), "2.5"),
        (Condition(GRADIENT, "main/w", low=1e-6), "1e-06"),
        (Condition(GRADIENT, "main/w", high=1000.0), "1000"),
        (Condition(VALUE, "main/w", -1.0, 2.5), "-1..2.5"),
    ],
)
def test_a_condition_has_its_own_limit(condition: Condition, text: str) -> None:
    assert _limit_text(condition) == text


def test_only_further_conditions_are_in_the_tip() -> None:
    first, second, third = (Condition(NUMBER, name, low=0.5) for name in ("a", "b", "c"))
    plain = "Condition that ends the training too"
    assert _tip(Until()) == _tip(Until(3, (first,))) == plain
    assert _tip(Until(3, (first, second, third))) == f"{plain}; further ones: b < 0.5, c < 0.5"


# Fields


@pytest.fixture
def current() -> Iterator[CurrentSession]:
    session = Session(Graph(), InlineEvaluator)
    yield CurrentSession(session)
    session.close()


@pytest.fixture
def field(qtbot: QtBot, current: CurrentSession) -> RateField:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = RateField(current, parent)
    made.parent_kept = parent  # type: ignore[attr-defined]  # Qt deletes it with its parent
    return made


@pytest.mark.parametrize(
    ("text", "rate"),
    [(" 0.25 ", 0.25), ("1e-3", 0.001), ('{"type": "cosine"}', {"type": "cosine"}), ("7", 7)],
)
def test_a_rate_that_is_typed_changes_the_rule(field: RateField, text: str, rate: object) -> None:
    changed, refused = list[dict[str, Any]](), list[str]()
    field.changed.connect(changed.append)
    field.session.refused.connect(refused.append)
    field.show_rule({"type": "descent", "rate": 0.1, "momentum": 0.9})
    assert field.text() == "0.1" and field.cursorPosition() == 0
    field.editingFinished.emit()
    assert changed == []
    field.setText(text)
    field.editingFinished.emit()
    assert changed == [{"type": "descent", "rate": rate, "momentum": 0.9}] and refused == []


@pytest.mark.parametrize("text", ["fast", "", "inf", "nan", "{"])
def test_what_is_no_rate_is_refused_and_the_old_one_comes_back(field: RateField, text: str) -> None:
    changed, refused = list[object](), list[str]()
    field.changed.connect(changed.append)
    field.session.refused.connect(refused.append)
    field.show_rule({"type": "descent", "rate": 0.1})
    field.setText(text)
    field.editingFinished.emit()
    assert changed == [] and field.text() == "0.1"
    assert refused == [f'"{text}" is no rate; write a number such as 0.01, or a schedule.']


def test_a_rule_that_is_none_is_the_first_one(field: RateField) -> None:
    for rule in (None, "adam", 7):
        field.show_rule({"type": "descent", "rate": 0.5})
        field.show_rule(rule)
        assert field.text() == "0.01"


def test_a_step_that_assigns_has_no_rule(qtbot: QtBot, current: CurrentSession) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    view = StepView(current, Appearance("dark"), 3, parent)
    rule, rate = view.findChild(QComboBox, "plan_rule_3"), view.findChild(QLineEdit, "plan_rate_3")
    remove = view.findChild(QToolButton, "plan_remove_3")
    for trains, assigns, is_shown in ((("w",), (), True), (("w",), ("t",), True), ((), ("t",), False), ((), (), True)):
        view.show_step(Row("s", trains, assigns, {}), {"rule": {"type": "descent", "rate": 0.5}}, bool(trains))
        assert (rule.isHidden(), rate.isHidden()) == (not is_shown, not is_shown)
        assert remove.isHidden() is not bool(trains)
    assert (rule.currentText(), rate.text()) == ("descent", "0.5")
    view.show_step(Row("s", ("w",), (), {}), {"rule": "adam"}, True)
    assert (rule.currentText(), rate.text()) == ("adam", "0.01")
    changed: list[tuple[object, ...]] = []
    view.session.apply = lambda *edit: changed.append(edit)  # type: ignore[method-assign]
    rule.setCurrentText("descent")
    rule.activated.emit(rule.currentIndex())
    rule_of_step = training_edits.set_in_step, 3, "rule", {"type": "descent", "rate": 0.01}
    assert changed == [("Change the plan of training", *rule_of_step)]


# The whole plan


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[Any]:
    found: list[Shown] = []

    def make(given: Any) -> Shown:
        found.append(Shown(qtbot, given))
        return found[-1]

    yield make
    for item in found:
        item.session.close()


@pytest.mark.parametrize(
    ("fault", "problems", "text", "token"),
    [
        ("", (), "", "warn"),
        ("It is wrong.", (), "It is wrong.", "error"),
        ("", ("One.", "Two."), "One.\nTwo.", "warn"),
        ("It is wrong.", ("One.",), "It is wrong.\nOne.", "error"),
    ],
)
def test_faults_and_problems_stand_above_the_steps(
    made: Any, fault: str, problems: tuple[str, ...], text: str, token: str
) -> None:
    scene = made(graph())
    desk = scene.session.part(TrainingDesk)
    desk.plan = dataclasses.replace(desk.plan, fault=fault, problems=problems)
    scene.plan.refresh()
    scene.until.refresh()
    label = scene.find(QLabel, "plan_fault")
    assert (label.text(), label.isHidden(), label.styleSheet()) == (text, not text, f"color: {CSS(token)}")
    assert scene.until.isEnabled() is not bool(fault)


def test_without_steps_none_is_shown_and_none_can_be_added(made: Any) -> None:
    scene = made(graph(*STEPS))
    assert not scene.find(QToolButton, "plan_add").isHidden()
    desk = scene.session.part(TrainingDesk)
    for rows, shown in ((desk.plan.rows[:1], 1), ((), 0)):
        desk.plan = Planned(rows)
        scene.plan.refresh()
        scene.until.refresh()
        steps = [view for view in scene.plan.findChildren(StepView) if not view.isHidden()]
        assert len(steps) == shown and scene.until.isEnabled() is bool(rows)
    assert scene.find(QToolButton, "plan_add").isHidden()


def test_a_step_that_is_added_has_the_first_loss_that_is_free(made: Any) -> None:
    v, w = gw.Variable(1.0, name="v"), gw.Variable(1.0, name="w")
    two = gw.graph(gw.Loss(gw.Square(v, name="p"), name="K"), gw.Loss(gw.Square(w, name="q"), name="L"))
    first = {"name": "one", "rule": {"type": "descent", "rate": 0.1}, "loss": "main/K"}
    scene = made(dataclasses.replace(two, training={"steps": (first,)}))
    scene.find(QToolButton, "plan_add").click()
    assert [step.get("loss") for step in scene.session.graph.training["steps"]] == ["main/K", "main/L"]


def test_places_of_conditions_are_those_that_the_plan_knows(made: Any) -> None:
    scene = made(graph(*STEPS, metrics=("main/q.y",)))
    places = scene.until._places
    assert places("number") == ["one", "two", "main/q.y"]
    assert places("gradient") == places("value") == ["main/v", "main/w"]
    assert "main/q.y" in places("status") and "main/v.y" in places("status")


def test_a_number_with_a_minus_sign_of_print_is_read_and_a_wrong_one_is_refused(made: Any) -> None:
    scene, said = made(graph(until={"below": {"down": 0.5}})), list[str]()
    scene.session.refused.connect(said.append)
    scene.type("training_until_limit", " \u22120.25 ")
    assert scene.until_record["below"] == {"down": -0.25} and said == []
    before = scene.session.graph
    scene.type("training_until_limit", "soon")
    assert scene.session.graph is before and len(said) == 1 and said[0].endswith(".")
    assert scene.find(QLineEdit, "training_until_limit").text() == "-0.25"
    row = scene.until.layout()
    assert [row.stretch(at) for at in range(4)] == [0, 0, 3, 2]
    assert scene.find(QLineEdit, "training_until_limit").minimumWidth() == 54
    place = scene.find(QComboBox, "training_until_at")
    assert place.minimumContentsLength() == 4 and place.focusPolicy() != Qt.FocusPolicy.NoFocus


def test_the_parts_of_a_step_have_their_rooms(qtbot: QtBot, current: CurrentSession) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    view = StepView(current, Appearance("dark"), 0, parent)
    assert rooms(view) == ["0 4 0 4 · 2", "0 · 6"]
    head = view.layout().itemAt(0).layout()
    assert [head.stretch(at) for at in range(4)] == [1, 2, 1, 0]


def test_a_place_without_a_condition_changes_nothing(made: Any) -> None:
    scene = made(graph())
    before = scene.session.graph
    scene.find(QComboBox, "training_until_at").activated.emit(0)
    scene.find(QLineEdit, "training_until_limit").editingFinished.emit()
    assert scene.session.graph is before and scene.row == (0, "", "")
