"""The lens of training: its buttons, its charts and their table."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from gradwire.app.lenses.training.chart import Chart
from gradwire.app.lenses.training.training_lens import TrainingLens
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import reduced, scale_of
from tests.app.live.training.test_training_desk import parabola


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[TrainingLens]:
    session = Session(parabola(40), InlineEvaluator)
    made = TrainingLens(session, Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1200, 240)
    made.show()
    qtbot.waitUntil(lambda: made.findChild(QLabel, "plan_step_0") is not None)
    yield made
    session.close()


def press(qtbot: QtBot, lens: TrainingLens, name: str) -> None:
    button = lens.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def shown(lens: TrainingLens, name: str) -> str:
    label = lens.findChild(QLabel, name)
    assert label is not None
    return label.text()


def test_the_plan_is_shown_before_the_first_round(lens: TrainingLens) -> None:
    assert shown(lens, "plan_step_0") == "down"
    assert lens.findChild(QComboBox, "plan_rule_0").currentText() == "descent"
    assert lens.findChild(QLineEdit, "plan_rate_0").text() == "0.1"
    assert shown(lens, "training_round") == "0 / 40"
    assert not lens.findChild(QPushButton, "training_reset").isEnabled()


def test_the_buttons_run_step_and_reset(qtbot: QtBot, lens: TrainingLens) -> None:
    press(qtbot, lens, "training_step")
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "1 / 40")
    press(qtbot, lens, "training_ten")
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "11 / 40")
    press(qtbot, lens, "training_run")
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "40 / 40")
    # The loss of round 39 is 4 x 0.64^39.
    assert float(shown(lens, "training_loss").replace("\u2212", "-")) == pytest.approx(4 * 0.64**39, rel=1e-2)
    press(qtbot, lens, "training_reset")
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "0 / 40")


def test_another_rate_is_an_edit_of_the_plan(qtbot: QtBot, lens: TrainingLens) -> None:
    field = lens.findChild(QLineEdit, "plan_rate_0")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert lens.session.graph.training["steps"][0]["rule"] == {"type": "descent", "rate": 0.25}
    lens.session.undo()
    assert lens.session.graph.training["steps"][0]["rule"]["rate"] == 0.1


def test_charts_say_their_newest_numbers_and_the_table_has_all(qtbot: QtBot, lens: TrainingLens) -> None:
    lens.session.train(3)
    chart = lens.findChild(Chart, "chart_losses")
    qtbot.waitUntil(lambda: chart.accessibleDescription().startswith("down "))
    lens._as_table.setChecked(True)
    model = lens.findChild(QTableView, "training_table").model()
    qtbot.waitUntil(lambda: model.rowCount() == 3)
    texts = [model.data(model.index(row, 1)) for row in range(3)]
    assert texts == ["1.638", "2.56", "4"]


@pytest.mark.parametrize("ending", ["csv", "png", "svg"])
def test_numbers_and_charts_are_saved(qtbot: QtBot, lens: TrainingLens, tmp_path: Path, ending: str) -> None:
    lens.session.train(3)
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "3 / 40")
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
