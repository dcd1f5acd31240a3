"""A chart of a training: its axes, its lines and their names, the round shown, and the numbers under the pointer."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.chart import Chart, Contents, Line, rounded
from gradwire.app.features.training.charts import TrainingCharts, loss_lines
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import GRADIENT, TEST, Chunk
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import Scale
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")
# The room of the charts in a window 1366 px wide: lines have 370 x 97 px from 56, 29 on.
WHOLE = QRectF(0, 0, 440, 162)


def line(*numbers: float, name: str = "loss", **others: Any) -> Line:
    return Line(name, np.arange(len(numbers)), np.array(numbers), **others)


def chart_of(qtbot: QtBot, *lines: Line, end: int = 600, at: int = 200, scale: float = 1.0, **others: Any) -> Chart:
    appearance = Appearance("dark")
    appearance.text_scale = scale
    made = Chart(appearance, "chart")
    qtbot.addWidget(made)
    made.resize(440, 162)
    made.show_contents(Contents("Loss", lines, **others), end, at)
    return made


def shapes(chart: Chart, whole: QRectF = WHOLE) -> list[str]:
    image = QImage(900, 500, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded(has_paths=True) as found:
        chart.draw(painter, whole)
    return found


def texts(found: list[str]) -> list[str]:
    return [item[item.index("“") + 1 : -1] for item in found if item.startswith("text")]


def test_axes_begin_at_zero_and_end_at_the_last_round(qtbot: QtBot) -> None:
    found = shapes(chart_of(qtbot, line(0.7, 0.3), has_legend=True))
    assert texts(found) == ["Loss", "loss", "0", "0.4", "0.8", "0", "200", "400", "600"]
    levels = [item for item in found if item.startswith("fill")]
    assert levels[0].startswith("fill 56 126 370 1") and levels[-1].startswith("fill 56 29 370 1")


def test_gradients_lie_between_powers_of_ten(qtbot: QtBot) -> None:
    found = shapes(chart_of(qtbot, line(0.4, 0.02, name="W"), is_log=True, note="|∂L|"))
    assert texts(found) == ["Loss", "|∂L|", "0.01", "0.1", "1", "0", "200", "400", "600", "W"]


@pytest.mark.parametrize(
    ("scale", "numbers", "expected"),
    [
        (Scale(0.02, 3.0, True), [0.02, 3.0], Scale(0.01, 10.0, True)),
        (Scale(1.0, 1.0, True), [1.0], Scale(1.0, 10.0, True)),
        (Scale(0.0, 3.0, True, 0.5), [0.0, 3.0], Scale(0.0, 3.0, True, 0.5)),
        (Scale(2.0, 3.1), [2.0, 3.1], Scale(0.0, 4.0)),
        (Scale(-2.2, 1.0), [-2.2, 1.0], Scale(-3.0, 1.0)),
    ],
)
def test_a_scale_ends_at_round_numbers(scale: Scale, numbers: list[float], expected: Scale) -> None:
    found = rounded(scale, [np.array([*numbers, np.nan])])
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high)) and found.kind == expected.kind


def test_the_round_shown_is_marked_unless_it_is_the_first(qtbot: QtBot) -> None:
    def marks(at: int) -> list[str]:
        found = shapes(chart_of(qtbot, line(0.7, 0.3), at=at))
        return [item for item in found if item.startswith("line") and " 29 " in item and " 126" in item]

    assert len(marks(200)) == 1 and marks(0) == []


def test_without_numbers_or_without_room_it_says_what_is_missing(qtbot: QtBot) -> None:
    assert texts(shapes(chart_of(qtbot, nothing="Train."))) == ["Loss", "Train."]
    assert texts(shapes(chart_of(qtbot, line(np.nan), nothing="Train."))) == ["Loss", "Train."]
    small = QRectF(0, 0, 120, 90)
    assert texts(shapes(chart_of(qtbot, line(1.0, 2.0), nothing="Train."), small)) == ["Loss", "Train."]


def test_names_at_the_ends_lie_apart_and_follow_their_lines(qtbot: QtBot) -> None:
    found = shapes(chart_of(qtbot, line(1.0, 1.0, name="a"), line(1.0, 1.01, name="b"), end=1, at=1))
    named = [item.split()[1:3] for item in found if item.endswith(("“a”", "“b”"))]
    assert abs(float(named[0][1]) - float(named[1][1])) >= 13
    assert {x for x, _ in named} == {str(440 - 54 + 8)}


def test_the_pointer_tells_the_round_and_its_numbers(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    chart, heard = chart_of(qtbot, line(1.0, 0.5, 0.25), has_legend=True), list[int]()
    chart.pointed.connect(heard.append)
    chart.show()
    for x in (56, 241, 430, 20):
        QTest.mouseMove(chart, QPointF(x, 60).toPoint())
    qtbot.waitUntil(lambda: heard[-4:] == [0, 300, 600, 0])
    chart.mark(1)
    with recorded(has_paths=True) as found:
        chart.grab()
    assert {"round 1", "0.5"} <= set(texts(found))
    chart.leaveEvent(None)  # type: ignore[arg-type]  # which is not looked at
    assert heard[-1] == -1


def test_a_number_that_was_measured_earlier_is_read_with_its_round() -> None:
    found = Line("w", np.array([0, 1_000]), np.array([2.0, 0.5]))
    assert [found.text_at(n) for n in (-1, 0, 999, 1_000, 1_001)] == ["", "2", "2 in 0", "0.5", "0.5 in 1,000"]
    assert not found.is_whole and line(1.0, 2.0).is_whole


def test_a_chart_keeps_its_picture_until_something_changes(qtbot: QtBot) -> None:
    chart = chart_of(qtbot, line(1.0, 0.5))
    chart.show()
    before = chart._drawn_picture().cacheKey()
    chart.mark(1)
    assert chart._drawn_picture().cacheKey() == before
    chart.show_contents(Contents("Loss", [line(1.0, 0.7)]), 600, 1)
    assert chart._drawn_picture().cacheKey() != before


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_texts_stay_in_the_chart_at_any_size(qtbot: QtBot, scale: float) -> None:
    whole = QRectF(0, 0, 440 * scale, 162 * scale)
    found = shapes(chart_of(qtbot, line(0.7, 0.3), scale=scale, has_legend=True), whole)
    boxes = [tuple(map(float, item.split()[1:5])) for item in found if item.startswith("text")]
    assert all(x >= 0 and y >= 0 and x + w <= whole.right() + 1 and y + h <= whole.bottom() for x, y, w, h in boxes)


# Both charts


def log_of(**series: list[float]) -> RoundLog:
    log = RoundLog()
    log.add(Chunk({name: list(range(len(found))) for name, found in series.items()}, series))
    return log


def test_a_loss_has_a_line_and_one_for_unseen_rows_but_metrics_have_none() -> None:
    log = log_of(**{"down": [4.0, 2.0], TEST + "down": [5.0, 3.0], "main/accuracy.y": [0.1, 0.2]})
    assert [(item.name, item.place) for item in loss_lines(log)] == [("training", 0), ("unseen", 1)]
    two = log_of(**{"D": [4.0], TEST + "D": [5.0], "G": [1.0]})
    assert [item.name for item in loss_lines(two)] == ["D", "D, unseen", "G"]


def test_charts_share_rounds_mark_and_width(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    charts = TrainingCharts(Appearance("dark"), lambda target: f"wire {target}", parent)
    charts.resize(880, 162)
    parent.show()
    charts.show_log(
        log_of(**{"down": [4.0, 2.0], GRADIENT + "main/w": [1.0, 0.5], GRADIENT + "main/q.x": [1.0]}), 40, 2
    )
    losses, gradients = charts._charts
    assert [chart.width() for chart in (losses, gradients)] == [440, 440]
    assert losses.accessibleDescription() == "training 2"
    assert gradients.accessibleDescription() == "w 0.5; wire main/q.x 1"
    losses.pointed.emit(1)
    assert [chart._marked for chart in charts._charts] == [1, 1]
    assert gradients._shown.note == "|∂L|, every round"
    seldom = RoundLog()
    seldom.add(Chunk({GRADIENT + "main/w": [0, 9]}, {GRADIENT + "main/w": [1.0, 0.5]}))
    charts.show_log(seldom, 40, 9)
    assert gradients._shown.note == "|∂L|"
    assert dataclasses.replace(gradients._shown).is_log
    QTest.mouseClick(charts, Qt.MouseButton.LeftButton)
