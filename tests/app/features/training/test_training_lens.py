"""The lens of training: its buttons, its charts, the Variables and the plan."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.chart import Chart
from gradwire.app.features.training.train_strip import Speed
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.training_lens import TrainingLens, ended_text
from gradwire.app.features.training.variable_list import VariableList
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.series import Chunk
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import reduced, scale_of
from tests.app.features.training.test_training_desk import parabola


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[TrainingLens]:
    session = Session(parabola(40), InlineEvaluator)
    made = TrainingLens(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1200, 240)
    made.strip.set_speed(Speed.MOST)
    made.show()
    made.show_plan(True)
    qtbot.waitUntil(lambda: made.findChild(QLabel, "plan_step_0") is not None)
    yield made
    session.close()


def press(qtbot: QtBot, lens: TrainingLens, name: str) -> None:
    button = lens.findChild(QAbstractButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def names_of(chart: Chart) -> list[str]:
    return [text.rpartition(" ")[0] for text in chart.accessibleDescription().split("; ")]


def shown(lens: TrainingLens, name: str) -> str:
    label = lens.findChild(QLabel, name)
    assert label is not None
    return label.text()


def test_the_plan_is_shown_before_the_first_round(lens: TrainingLens) -> None:
    assert shown(lens, "plan_step_0") == "down"
    assert lens.findChild(QComboBox, "plan_rule_0").currentText() == "descent"
    assert lens.findChild(QLineEdit, "plan_rate_0").text() == "0.1"
    assert (shown(lens, "training_round"), shown(lens, "training_of")) == ("0", "of 40")
    assert not lens.findChild(QAbstractButton, "training_reset").isEnabled()


def test_the_buttons_run_step_and_reset(qtbot: QtBot, lens: TrainingLens) -> None:
    press(qtbot, lens, "training_step")
    qtbot.waitUntil(lambda: (shown(lens, "training_round"), shown(lens, "training_of")) == ("1", "of 40"))
    lens.made_menu().actions()[2].trigger()
    qtbot.waitUntil(lambda: (shown(lens, "training_round"), shown(lens, "training_of")) == ("11", "of 40"))
    press(qtbot, lens, "training_run")
    qtbot.waitUntil(lambda: (shown(lens, "training_round"), shown(lens, "training_of")) == ("40", "of 40"))
    # The loss behind 40 rounds is 4 x 0.64^40.
    assert float(shown(lens, "training_loss").replace("\u2212", "-")) == pytest.approx(4 * 0.64**40, rel=1e-2)
    press(qtbot, lens, "training_reset")
    qtbot.waitUntil(lambda: (shown(lens, "training_round"), shown(lens, "training_of")) == ("0", "of 40"))


def test_another_rate_is_an_edit_of_the_plan(qtbot: QtBot, lens: TrainingLens) -> None:
    field = lens.findChild(QLineEdit, "plan_rate_0")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert lens.session.graph.training["steps"][0]["rule"] == {"type": "descent", "rate": 0.25}
    lens.session.undo()
    assert lens.session.graph.training["steps"][0]["rule"]["rate"] == 0.1


@pytest.mark.parametrize("text", ["1_000", "sqrt(2)", "0,5", "NaN"])
def test_a_rate_that_is_no_number_is_refused(qtbot: QtBot, lens: TrainingLens, text: str) -> None:
    field, before = lens.findChild(QLineEdit, "plan_rate_0"), lens.session.graph
    said: list[str] = []
    lens.session.refused.connect(said.append)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert said == [f'"{text}" is no rate; write a number such as 0.01, or a schedule.']
    assert lens.session.graph is before and field.text() == "0.1"


def test_the_list_of_variables_says_gradients_and_losses(qtbot: QtBot, lens: TrainingLens) -> None:
    variables = lens.findChild(VariableList, "training_variables")
    # The gradient of w² is 2 w, which is 4 at the start; at w = 1.6 it is 3.2.
    qtbot.waitUntil(lambda: variables.accessibleDescription() == "w : |∂L| 4, trained by Loss ✓")
    lens.session.part(TrainingDesk).train(1)
    qtbot.waitUntil(lambda: variables.accessibleDescription() == "w : |∂L| 3.2, trained by Loss ✓")
    assert lens._first("main/w") == 4
    assert not variables.grab().isNull()


def test_charts_say_their_newest_numbers(qtbot: QtBot, lens: TrainingLens) -> None:
    lens.session.part(TrainingDesk).train(3)
    losses, gradients = (lens.findChild(Chart, name) for name in ("chart_losses", "chart_gradients"))
    # The loss is 4 x 0.64^n, its gradient 4 x 0.8^n.
    qtbot.waitUntil(lambda: losses.accessibleDescription() == "training 1.049")
    assert gradients.accessibleDescription() == "w 2.048"


def choose(qtbot: QtBot, lens: TrainingLens, name: str, text: str) -> None:
    box = lens.findChild(QComboBox, name)
    row = box.findText(text)
    assert row >= 0, [box.itemText(item) for item in range(box.count())]
    box.setCurrentIndex(row)
    box.activated.emit(row)


def test_the_row_until_writes_the_plan_and_its_condition_ends_the_run(qtbot: QtBot, lens: TrainingLens) -> None:
    choose(qtbot, lens, "training_until", "gradient below")
    field = lens.findChild(QLineEdit, "training_until_limit")
    qtbot.waitUntil(field.isVisible)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert lens.session.graph.training["until"] == {"steps": 40, "gradient_below": {"main/w": 1.0}}
    press(qtbot, lens, "training_run")
    # The gradient of round n is 4 x 0.8^n.
    said = "Paused at round 7: the gradient of main/w is below 1."
    qtbot.waitUntil(lambda: ended_text(lens.session.part(TrainingDesk)) == said)
    choose(qtbot, lens, "training_until", "no condition")
    assert lens.session.graph.training["until"] == {"steps": 40}


def test_a_malformed_number_of_a_condition_is_a_sentence_and_changes_nothing(qtbot: QtBot, lens: TrainingLens) -> None:
    choose(qtbot, lens, "training_until", "Variable outside")
    field = lens.findChild(QLineEdit, "training_until_limit")
    qtbot.waitUntil(field.isVisible)
    before, said = lens.session.graph, list[str]()
    lens.session.refused.connect(said.append)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "3..1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert lens.session.graph is before
    assert "its first number has to be the smaller one" in said[0]


def test_tracked_wires_have_lines_beside_the_variables(lens: TrainingLens) -> None:
    series = ("|∂L| main/w", "|∂L| main/r.x")
    lens.session.part(TrainingDesk).log.add(Chunk({n: [0, 1] for n in series}, {n: [0.5, 0.25] for n in series}))
    w = gw.Variable(1.0, name="w")
    graph = dataclasses.replace(gw.graph(gw.Loss(gw.Relu(w, name="r"), name="L")), training=lens.session.graph.training)
    lens.session.apply("Other", lambda _: graph)
    lens.refresh()
    assert names_of(lens.findChild(Chart, "chart_gradients")) == ["w", "w → r.x"]


@pytest.mark.parametrize("ending", ["csv", "png", "svg"])
def test_numbers_and_charts_are_saved(qtbot: QtBot, lens: TrainingLens, tmp_path: Path, ending: str) -> None:
    lens.session.part(TrainingDesk).train(3)
    qtbot.waitUntil(lambda: (shown(lens, "training_round"), shown(lens, "training_of")) == ("3", "of 40"))
    path = tmp_path / f"training.{ending}"
    lens.save_to(path)
    if ending == "csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
        assert [float(row["down"]) for row in rows] == pytest.approx([4 * 0.64**n for n in range(3)])
    elif ending == "png":
        assert not QImage(str(path)).isNull()
    else:
        assert "<svg" in path.read_text()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=400), st.integers(1, 30))
def test_a_reduced_series_keeps_its_extremes(numbers: list[float], columns: int) -> None:
    rounds, series = np.arange(len(numbers), dtype=np.float64), np.array(numbers)
    x, y = reduced(rounds, series, 0, len(numbers) - 1, columns)
    assert (y.min(), y.max()) == (series.min(), series.max())
    assert x.size <= max(4 * columns, 2 * columns)
    assert (np.diff(x) >= 0).all()


@given(st.lists(st.floats(1e-12, 1e12), min_size=1, max_size=20), st.booleans())
def test_a_scale_shows_all_numbers(numbers: list[float], is_log: bool) -> None:
    scale = scale_of([np.array(numbers)], is_log)
    assert scale is not None
    shares = scale.share(np.array(numbers))
    assert ((shares >= -1e-9) & (shares <= 1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("speed", "rounds", "limit"),
    [
        (Speed.ONE, 600, 1.0),
        (Speed.LESSON, 600, 60.0),
        (Speed.LESSON, 40, 4.0),
        (Speed.LESSON, 0, 0.1),
        (Speed.HUNDRED, 600, 100.0),
        (Speed.MOST, 600, None),
    ],
)
def test_a_training_lasts_ten_seconds_or_goes_at_a_chosen_speed(speed: Speed, rounds: int, limit: float | None) -> None:
    assert speed.limit(rounds) == limit


def test_a_document_begins_at_the_speed_of_a_lesson_which_follows_the_number_of_rounds(
    qtbot: QtBot, lens: TrainingLens
) -> None:
    other = Session(lens.session.graph, InlineEvaluator)
    lens.current.show(other)
    assert lens.strip.speed is Speed.LESSON
    qtbot.waitUntil(lambda: other.part(TrainingDesk).limit == 4.0)
    field = lens.findChild(QLineEdit, "training_rounds")
    assert field.text() == "round 40"
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "round 1,200")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert other.graph.training["until"]["steps"] == 1200
    qtbot.waitUntil(lambda: other.part(TrainingDesk).limit == 120.0)
    lens.findChild(QAbstractButton, "training_speed_3").click()
    assert other.part(TrainingDesk).limit is None
    other.close()


def test_the_rate_in_the_strip_is_an_edit_of_the_plan(qtbot: QtBot, lens: TrainingLens) -> None:
    field = lens.findChild(QLineEdit, "training_rate")
    qtbot.waitUntil(lambda: field.text() == "0.1")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert lens.session.graph.training["steps"][0]["rule"] == {"type": "descent", "rate": 0.2}


def test_the_strip_says_where_the_loss_began(qtbot: QtBot, lens: TrainingLens) -> None:
    """The loss is 4 x 0.64^n."""
    press(qtbot, lens, "training_step")
    qtbot.waitUntil(lambda: (shown(lens, "training_loss"), shown(lens, "training_was")) == ("2.56", "was 4"))
