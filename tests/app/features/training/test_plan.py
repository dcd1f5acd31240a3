"""The plan of a training and the condition that ends it, as the window shows and changes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.plan_view import PlanView
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.until_row import UntilRow
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.graph.graph import Graph


def graph(*steps: dict[str, Any], until: dict[str, Any] | None = None, **also: Any) -> Graph:
    """Returns the loss (v + w)^2 with a plan."""
    v, w = gw.Variable(1.0, name="v"), gw.Variable(1.0, name="w")
    given = steps or ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},)
    plan = {"steps": given, "until": {"steps": 10, **(until or {})}, **also}
    return dataclasses.replace(gw.graph(gw.Loss(gw.Square(v + w, name="q"), name="L")), training=plan)


class Shown:
    """Both parts for a session with a graph."""

    def __init__(self, qtbot: QtBot, given: Graph) -> None:
        self.session, self._qtbot = Session(given, InlineEvaluator), qtbot
        qtbot.waitUntil(lambda: self.session.results is not None)
        self.whole = QWidget()
        qtbot.addWidget(self.whole)
        current = CurrentSession(self.session)
        self.until = UntilRow(current, self.whole)
        self.plan = PlanView(current, Appearance("dark"), self.whole)
        self.whole.show()
        self.refresh()

    def refresh(self) -> None:
        """Waits until the plan of the graph as it is has been told, and shows it."""
        desk = self.session.part(TrainingDesk)
        before = desk.plan
        desk.look()
        self._qtbot.waitUntil(lambda: desk.plan is not before)
        self.until.refresh()
        self.plan.refresh()

    def find(self, kind: type[Any], name: str) -> Any:
        found = self.whole.findChild(kind, name)
        assert found is not None
        return found

    def choose(self, name: str, row: int) -> None:
        box = self.find(QComboBox, name)
        box.setCurrentIndex(row)
        box.activated.emit(row)
        self.refresh()

    def type(self, name: str, text: str) -> None:
        field = self.find(QLineEdit, name)
        field.setText(text)
        field.editingFinished.emit()
        self.refresh()

    @property
    def until_record(self) -> dict[str, Any]:
        return dict((self.session.graph.training or {})["until"])

    @property
    def row(self) -> tuple[int, str, str]:
        """The kind by its number, the place and the number of the condition, where they are shown."""
        place, limit = self.find(QComboBox, "training_until_at"), self.find(QLineEdit, "training_until_limit")
        kind = self.find(QComboBox, "training_until").currentIndex()
        return kind, "" if place.isHidden() else place.currentText(), "" if limit.isHidden() else limit.text()


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[Any]:
    found: list[Shown] = []

    def make(given: Graph) -> Shown:
        found.append(Shown(qtbot, given))
        return found[-1]

    yield make
    for item in found:
        item.session.close()


@pytest.mark.parametrize(
    ("row", "record", "shown"),
    [
        (1, {"below": {"down": 0.01}}, (1, "down", "0.01")),
        (2, {"above": {"down": 0.9}}, (2, "down", "0.9")),
        (3, {"gradient_below": {"main/v": 1e-6}}, (3, "main/v", "1e-06")),
        (4, {"gradient_above": {"main/v": 1000.0}}, (4, "main/v", "1000")),
        (5, {"outside": {"main/v": (-10.0, 10.0)}}, (5, "main/v", "-10..10")),
        (6, {"changes": ["main/v.y"]}, (6, "main/v.y", "")),
    ],
)
def test_each_kind_begins_with_its_own_number_at_the_first_place(
    made: Any, row: int, record: dict[str, Any], shown: tuple[int, str, str]
) -> None:
    scene = made(graph())
    assert scene.row == (0, "", "")
    scene.choose("training_until", row)
    found = {key: value for key, value in scene.until_record.items() if key != "steps"}
    assert {key: dict(value) if hasattr(value, "items") else list(value) for key, value in found.items()} == record
    assert scene.row == shown and scene.until_record["steps"] == 10
    scene.choose("training_until", 0)
    assert scene.until_record == {"steps": 10} and scene.row == (0, "", "")


def test_the_place_stays_where_the_next_kind_has_it_too(made: Any) -> None:
    scene = made(graph(until={"gradient_below": {"main/w": 0.5}}))
    assert scene.row == (3, "main/w", "0.5")
    assert [scene.find(QComboBox, "training_until_at").itemText(row) for row in range(2)] == ["main/v", "main/w"]
    scene.choose("training_until", 4)
    assert scene.row == (4, "main/w", "1000")
    scene.choose("training_until", 1)
    assert scene.row == (1, "down", "0.01")
    scene.choose("training_until", 5)
    scene.choose("training_until_at", 1)
    assert scene.row == (5, "main/w", "-10..10")


def test_another_number_is_written_and_the_same_one_is_no_edit(made: Any) -> None:
    scene = made(graph(until={"outside": {"main/w": (-1.0, 2.5)}}))
    assert scene.row == (5, "main/w", "-1..2.5")
    before = scene.session.graph
    scene.type("training_until_limit", " -1..2.5 ")
    assert scene.session.graph is before
    scene.type("training_until_limit", "\u22123..4")
    assert tuple(scene.until_record["outside"]["main/w"]) == (-3.0, 4.0)


def test_further_conditions_stay_and_are_told_in_the_tip(made: Any) -> None:
    scene = made(graph(until={"below": {"down": 0.5}, "gradient_above": {"main/w": 9.0}}))
    assert scene.find(QComboBox, "training_until").toolTip().endswith("; further ones: gradient main/w > 9")
    scene.choose("training_until", 0)
    assert scene.until_record == {"steps": 10, "gradient_above": {"main/w": 9.0}}
    assert "further" not in scene.find(QComboBox, "training_until").toolTip()


STEPS: tuple[dict[str, Any], ...] = (
    {"name": "one", "rule": {"type": "descent", "rate": 0.1}, "variables": ["main/v"]},
    {"name": "two", "rule": {"type": "adam", "rate": 0.5}, "variables": ["main/w"]},
)


def test_each_step_shows_its_rule_rate_and_variables(made: Any) -> None:
    scene = made(graph(*STEPS))
    found = [
        (
            scene.find(QLabel, f"plan_step_{number}").text(),
            scene.find(QComboBox, f"plan_rule_{number}").currentText(),
            scene.find(QLineEdit, f"plan_rate_{number}").text(),
            scene.find(QToolButton, f"plan_remove_{number}").isHidden(),
        )
        for number in (0, 1)
    ]
    assert found == [("one", "descent", "0.1", False), ("two", "adam", "0.5", False)]
    scene.find(QToolButton, "plan_remove_0").click()
    scene.refresh()
    assert [step["name"] for step in scene.session.graph.training["steps"]] == ["two"]
    assert scene.find(QToolButton, "plan_remove_0").isHidden()
    scene.find(QToolButton, "plan_add").click()
    scene.refresh()
    assert len(scene.session.graph.training["steps"]) == 2


def test_a_rate_is_a_number_or_a_schedule_and_nothing_else(made: Any) -> None:
    scene, said = made(graph(*STEPS)), list[str]()
    scene.session.refused.connect(said.append)

    def rule(number: int) -> dict[str, Any]:
        return dict(scene.session.graph.training["steps"][number]["rule"])

    before = scene.session.graph
    scene.type("plan_rate_1", "0.5")
    assert scene.session.graph is before
    scene.type("plan_rate_1", " 0.25 ")
    assert rule(1) == {"type": "adam", "rate": 0.25} and rule(0) == {"type": "descent", "rate": 0.1}
    for text in ("fast", "1e999"):
        before = scene.session.graph
        scene.type("plan_rate_1", text)
    assert "is no rate" in said[0] and said[0].startswith('"fast"')
    assert scene.session.graph.training["steps"][0]["rule"]["rate"] == 0.1
    rules = scene.find(QComboBox, "plan_rule_0")
    scene.choose("plan_rule_0", rules.findText("adam"))
    assert rule(0) == {"type": "adam", "rate": 0.1}
