"""The lens of training: its buttons, its charts and their table."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPushButton, QTableView, QToolButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.chart import Chart, Contents, Line
from gradwire.app.features.training.chart_selector import ChartSelector, Shown
from gradwire.app.features.training.train_strip import Speed
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.training_lens import TrainingLens
from gradwire.app.features.training.variable_list import VariableList
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import Chunk
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import reduced, scale_of
from tests.app.features.training.test_training_desk import parabola
from tests.app.painted import painted_texts


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[TrainingLens]:
    session = Session(parabola(40), InlineEvaluator)
    made = TrainingLens(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1200, 240)
    made.strip.set_speed(Speed.MOST)
    made.findChild(QAbstractButton, "training_more").click()
    made.show()
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
    press(qtbot, lens, "training_ten")
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


def test_the_list_of_variables_says_gradient_and_step(qtbot: QtBot, lens: TrainingLens) -> None:
    lens.session.part(TrainingDesk).train(1)
    variables = lens.findChild(VariableList, "training_variables")
    # At w = 1.4 the gradient is -3.2, and the next step 0.32: 22.86 % of w.
    qtbot.waitUntil(lambda: variables.accessibleDescription() == "w []: |∂L| 3.2, 22.86 %")
    assert not variables.grab().isNull()


def test_charts_say_their_newest_numbers_and_the_table_has_all(qtbot: QtBot, lens: TrainingLens) -> None:
    lens.session.part(TrainingDesk).train(3)
    chart = lens.findChild(Chart, "chart_losses")
    qtbot.waitUntil(lambda: chart.accessibleDescription().startswith("down "))
    lens._as_table.setChecked(True)
    model = lens.findChild(QTableView, "training_table").model()
    qtbot.waitUntil(lambda: model.rowCount() == 3)
    texts = [model.data(model.index(row, 1)) for row in range(3)]
    assert texts == ["1.638", "2.56", "4"]


@pytest.mark.parametrize(("chart", "lines"), [([4.0, 2.0, 1.0], 1), ([2.0, 1.0], 1), ([2.0, 3.0], 2)])
def test_a_chart_of_the_loss_is_no_second_line(lens: TrainingLens, chart: list[float], lines: int) -> None:
    """A Chart may have come later, so its series may be shorter; another number has a line of its own."""
    rounds = {"down": [0, 1, 2], "main/L.y": [0, 1, 2][-len(chart) :]}
    lens.session.part(TrainingDesk).log.add(Chunk(rounds, {"down": [4.0, 2.0, 1.0], "main/L.y": chart}))
    lens.refresh()
    losses = lens.findChild(Chart, "chart_losses")
    assert len(losses.accessibleDescription().split("; ")) == lines


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
    qtbot.waitUntil(lambda: shown(lens, "training_said") == "Paused at round 7: the gradient of main/w is below 1.")
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


def test_an_epoch_needs_batches_and_says_so(qtbot: QtBot, lens: TrainingLens) -> None:
    button = lens.findChild(QPushButton, "training_epoch")
    assert not button.isEnabled()
    assert "every round takes all data" in button.toolTip()
    x, y = gw.Data(set="line", n=12, batch=3, test=0.0, name="data")
    graph = gw.graph(gw.Loss(gw.ReduceMean(gw.Square(x * gw.Variable(1.0, name="w") - y)), name="L"))
    other = Session(graph, InlineEvaluator)
    lens.current.show(other)
    qtbot.waitUntil(lambda: button.isEnabled())
    press(qtbot, lens, "training_epoch")
    # 12 rows in batches of 3.
    qtbot.waitUntil(lambda: shown(lens, "training_round") == "4")
    assert shown(lens, "training_said").startswith("1.0 epochs")
    other.close()


@pytest.mark.parametrize(
    ("name", "series", "lines"),
    [
        ("gradients", ["|∂L| main/w", "|∂L| main/r.x"], ["w", "w → r.x"]),
        ("updates", ["step main/w", "rate down"], ["w", "rate of down"]),
        ("dead", ["dead main/r"], ["r dead"]),
        ("loss", [], None),
    ],
)
def test_the_selector_shows_series_that_the_table_has_too(
    qtbot: QtBot, lens: TrainingLens, name: str, series: list[str], lines: list[str] | None
) -> None:
    lens.session.part(TrainingDesk).log.add(
        Chunk({item: [0, 1] for item in series}, {item: [0.5, 0.25] for item in series})
    )
    w = gw.Variable(1.0, name="w")
    graph = dataclasses.replace(gw.graph(gw.Loss(gw.Relu(w, name="r"), name="L")), training=lens.session.graph.training)
    lens.session.apply("Other", lambda _: graph)
    qtbot.mouseClick(lens.findChild(QToolButton, f"charts_{name}"), Qt.MouseButton.LeftButton)
    chart = lens.findChild(Chart, "chart_others")
    assert chart.isVisible() is (lines is not None)
    losses = lens.findChild(Chart, "chart_losses")
    qtbot.waitUntil(lambda: (losses.width() > 0.9 * losses.parentWidget().width()) is (lines is None))
    if lines is not None:
        qtbot.waitUntil(lambda: names_of(chart) == lines)
    lens._as_table.setChecked(True)
    model = lens.findChild(QTableView, "training_table").model()
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert set(series) <= {*headers}


def test_where_two_charts_have_no_room_the_chosen_one_is_there_alone(qtbot: QtBot, lens: TrainingLens) -> None:
    charts = [lens.findChild(Chart, name) for name in ("chart_losses", "chart_others")]
    for width, button, seen in (
        (560, "charts_updates", [False, True]),
        (560, "charts_loss", [True, False]),
        (560, "charts_gradients", [False, True]),
        (1200, "charts_gradients", [True, True]),
    ):
        lens.resize(width, 240)
        qtbot.mouseClick(lens.findChild(QToolButton, button), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda seen=seen: [chart.isVisible() for chart in charts] == seen)


def test_where_the_row_of_choices_has_no_room_one_button_has_them_in_a_menu(qtbot: QtBot) -> None:
    selector, heard = ChartSelector(), []
    qtbot.addWidget(selector)
    selector.chosen.connect(heard.append)
    selector.resize(selector.sizeHint())
    selector.show()
    updates, menu = (selector.findChild(QToolButton, name) for name in ("charts_updates", "charts_menu"))
    assert (updates.isVisible(), menu.isVisible()) == (True, False)
    selector.resize(selector.minimumSizeHint())
    assert (updates.isVisible(), menu.isVisible()) == (False, True)
    assert menu.text() == "Gradients"
    assert selector.width() < updates.parentWidget().sizeHint().width() / 2
    menu.menu().actions()[2].trigger()
    assert (heard, menu.text()) == ([Shown.UPDATES], "Updates")
    selector.resize(selector.sizeHint())
    assert updates.isVisible()
    assert updates.isChecked()


def test_a_smoothed_series_is_the_exponential_average_of_what_is_finite() -> None:
    log = RoundLog()
    log.add(Chunk({"L": [0, 1, 2, 3]}, {"L": [np.inf, 1.0, 2.0, np.inf]}))
    log.add(Chunk({"L": [3, 4]}, {"L": [2.0, 0.0]}))
    # Each number moves the average by a tenth of the way; round 3 comes again and replaces what was there.
    assert log.series("L").smoothed.tolist() == pytest.approx([np.inf, 1.0, 1.1, 1.19, 1.071])
    assert log.series("L").rounds.tolist() == [0, 1, 2, 3, 4]


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


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart(Appearance("dark"), "chart")
    made.resize(300, 160)
    qtbot.addWidget(made)
    made.show()
    return made


def line(*numbers: float) -> Line:
    return Line("loss", np.arange(len(numbers), dtype=float), np.array(numbers))


def drawn(chart: Chart) -> QImage:
    """Returns what a chart draws into a picture of its size."""
    image = QImage(chart.size(), QImage.Format.Format_RGB32)
    image.fill(Appearance("dark").theme.color("bg.app"))
    with QPainter(image) as painter:
        chart.draw(painter, QRectF(chart.rect()))
    return image


def test_a_chart_shows_what_it_would_draw_now(chart: Chart) -> None:
    changes = (
        lambda: chart.show_contents(Contents("Loss", [line(1.0, 0.5, 0.25)])),
        lambda: chart.show_contents(Contents("Loss", [line(1.0, 3.0, 0.25, 7.0)])),
        lambda: chart.set_log(False),
        lambda: chart.mark(2),
        lambda: chart.mark(-1),
        lambda: chart.resize(420, 200),
        lambda: chart.show_contents(Contents("Loss", nothing="Nothing yet.")),
    )
    seen = [drawn(chart)]
    for change in changes:
        change()
        assert chart.grab().toImage().convertToFormat(QImage.Format.Format_RGB32) == drawn(chart)
        assert drawn(chart) != seen[-1]
        seen.append(drawn(chart))
    assert seen[3] == seen[5]


def inked(chart: Chart, token: str) -> np.ndarray:
    """Returns where a chart has a colour of the theme, by rows and columns."""
    image, color = drawn(chart), chart._appearance.theme.color(token)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    close = np.abs(pixels[..., 2::-1].astype(int) - (color.red(), color.green(), color.blue())).max(axis=2) < 40
    return np.asarray(close[:, : image.width()])


def test_two_measured_rounds_are_two_marks(chart: Chart) -> None:
    series = Line("", np.array([0, 400]), np.array([1.0, 0.1]), "value")
    chart.show_contents(Contents("Loss", [series]))
    columns = np.flatnonzero(inked(chart, "value").any(axis=0))
    assert columns.size
    assert np.diff(columns).max() > 150
    chart.show_contents(Contents("Loss", [dataclasses.replace(series, joined=np.array([False, True]))]))
    assert np.diff(np.flatnonzero(inked(chart, "value").any(axis=0))).max() == 1


@pytest.mark.parametrize("numbers", [(1.0, 0.5, -0.5, -1.0), (1.0, 1e-150, 1e-300, 0.0), (1e300, 1.0, 1e-150, 1e-300)])
def test_no_number_vanishes_from_a_logarithmic_chart_and_none_stands_on_a_floor(
    chart: Chart, numbers: tuple[float, ...]
) -> None:
    chart.show_contents(Contents("Loss", [Line("", 2 * np.arange(4), np.array(numbers), "value")]))
    rows, columns = np.nonzero(inked(chart, "value"))
    edges = np.flatnonzero(np.diff(np.unique(columns)) > 1)
    places = np.split(np.unique(columns), edges + 1)
    heights = [rows[np.isin(columns, place)].mean() for place in places]
    assert len(heights) == 4
    assert (np.diff(heights) > 3).all()


def test_a_chart_says_how_its_numbers_lie(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    for numbers, kind in (((1.0, 0.1), "log"), ((1.0, 0.0), "log, with 0"), ((1.0, -1.0), "linear")):
        texts.clear()
        chart.show_contents(Contents("Loss", [line(*numbers)]))
        assert f"Loss · {kind}" in texts
        assert "Round" in texts


def test_a_metric_has_an_axis_of_its_own(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    metric = Line("accuracy", np.arange(3), np.array([0.5, 0.7, 0.9]), "ok", is_other=True)
    chart.show_contents(Contents("Loss", [line(4e3, 2e3, 1e3), metric], other_title="Metrics"))
    assert {"Loss · log", "Metrics · log", "0.5", "0.7", "2000"} <= {*texts}


def test_a_number_that_was_measured_earlier_is_read_with_its_round(
    chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart.show_contents(Contents("Loss", [Line("w", np.array([0, 1_000]), np.array([2.0, 0.5]))]))
    for n, text in ((0, "2"), (999, "2 in 0"), (1_000, "0.5"), (1_001, "0.5 in 1,000")):
        texts = painted_texts(monkeypatch)
        chart.mark(n)
        chart.grab()
        assert n > 1_000 or text in texts
        assert Line("w", np.array([0, 1_000]), np.array([2.0, 0.5])).text_at(n) == text


def test_charts_of_one_training_share_the_axis_of_rounds(qtbot: QtBot, lens: TrainingLens) -> None:
    lens.session.part(TrainingDesk).log.add(
        Chunk(
            {"step main/w": [0, 3], "down": [0, 1, 2, 3, 4]},
            {"step main/w": [1.0, 2.0], "down": [5.0, 4.0, 3.0, 2.0, 1.0]},
        )
    )
    lens._choose(Shown.UPDATES)
    losses, others = (lens.findChild(Chart, name) for name in ("chart_losses", "chart_others"))
    assert losses.span == others.span == (0, 4)
    lens._as_table.setChecked(True)
    model = lens.findChild(QTableView, "training_table").model()
    qtbot.waitUntil(lambda: model.rowCount() == 5)
    assert [model.data(model.index(row, 2)) for row in range(5)] == ["–", "2", "–", "–", "1"]


@pytest.mark.long
def test_a_chart_follows_the_size_of_texts_and_the_theme(qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    chart = Chart(appearance, "chart")
    chart.resize(300, 160)
    qtbot.addWidget(chart)
    chart.show()
    chart.show_contents(Contents("Loss", [line(1.0, 0.5, 0.25)]))
    seen = [chart.grab().toImage()]
    for change in (lambda: appearance.set_text_scale(1.5), appearance.toggle):
        change()
        assert chart.grab().toImage() != seen[-1]
        seen.append(chart.grab().toImage())
    appearance.toggle()
    appearance.set_text_scale(1.0)
    assert chart.grab().toImage() == seen[0]


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
