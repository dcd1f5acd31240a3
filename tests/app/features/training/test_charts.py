"""The lines of the charts of a training: names, tokens, places and axes of losses, metrics, gradients and rates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.chart import Chart, Contents, Line
from gradwire.app.features.training.chart_selector import Shown
from gradwire.app.features.training.charts import TrainingCharts, series_order
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import DEAD, GRADIENT, RATE, SATURATED, STEP, TEST, Chunk
from gradwire.app.look.appearance import Appearance

Show = Callable[..., dict[str, Contents]]


def log(**series: list[float]) -> RoundLog:
    return of({name: list(enumerate(numbers)) for name, numbers in series.items()})


def of(series: dict[str, list[tuple[int, float]]]) -> RoundLog:
    """Returns a log of series with their rounds."""
    made = RoundLog()
    for name, points in series.items():
        made.add(Chunk({name: [n for n, _ in points]}, {name: [number for _, number in points]}))
    return made


@pytest.fixture
def charts(qtbot: QtBot) -> TrainingCharts:
    parent = QWidget()
    qtbot.addWidget(parent)
    return TrainingCharts(Appearance("dark"), lambda target: f"to {target}", parent)


@pytest.fixture
def show(charts: TrainingCharts, monkeypatch: pytest.MonkeyPatch) -> Show:
    """A function that shows a log, and returns what each chart has."""
    found: dict[str, Contents] = {}
    monkeypatch.setattr(Chart, "show_contents", lambda chart, shown: found.update({chart.objectName(): shown}))

    def shown(made: RoundLog, kind: Shown = Shown.GRADIENTS) -> dict[str, Contents]:
        charts.choose(kind)
        charts.show_log(made)
        return dict(found)

    return shown


def told(lines: object) -> list[tuple[str, str, int, bool, bool]]:
    assert isinstance(lines, list | tuple)
    return [(line.name, line.token, line.place, line.is_faint, line.is_other) for line in lines]


def test_losses_metrics_and_tests_have_patterns_in_pairs(show: Show) -> None:
    made = of({
        "L": [(0, 1.0)], "K": [(0, 2.0)], "main/a.y": [(0, 3.0)], "main/b.y": [(0, 4.0)],
        f"{TEST}K": [(0, 5.0)], f"{TEST}L": [(0, 5.5)], f"{TEST}main/b.y": [(0, 6.0)],
    })  # fmt: skip
    shown = show(made)["chart_losses"]
    assert told(shown.lines) == [
        ("L", "value", 0, False, False), ("K", "value", 2, False, False),
        ("main/a.y", "ok", 0, False, True), ("main/b.y", "ok", 2, False, True),
        ("K, test", "value", 1, False, False), ("L, test", "value", 3, False, False),
        ("main/b.y, test", "ok", 1, False, True),
    ]  # fmt: skip
    assert [line.numbers.tolist() for line in shown.lines] == [[1.0], [2.0], [3.0], [4.0], [5.0], [5.5], [6.0]]


@pytest.mark.parametrize(
    ("metric", "is_shown"),
    [
        ([(1, 2.0), (2, 3.0)], False),
        ([(0, 1.0), (1, 2.0), (2, 3.0)], False),
        ([(1, 2.0), (2, 4.0)], True),
        ([(0, 1.0), (1, 2.0)], True),
        ([(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)], True),
        ([(0, 2.0), (1, 3.0)], True),
    ],
)
def test_a_metric_that_is_the_end_of_a_loss_is_not_drawn_again(
    show: Show, metric: list[tuple[int, float]], is_shown: bool
) -> None:
    made = of({"L": [(0, 1.0), (1, 2.0), (2, 3.0)], "main/a.y": metric})
    assert [line.name for line in show(made)["chart_losses"].lines] == ["L", *["main/a.y"] * is_shown]


def zigzag(count: int, turns: int) -> list[float]:
    """Returns numbers that rise and fall at first, with so many turning points, and only rise then."""
    found = [0.0]
    for place in range(1, count):
        is_down = place <= turns and place % 2 == 0
        found.append(found[-1] + (-1.0 if is_down else 2.0))
    signs = np.sign(np.diff(found))
    assert np.count_nonzero(signs[1:] != signs[:-1]) == turns - turns % 2 or turns == 0
    return found


@pytest.mark.parametrize(
    ("numbers", "is_smoothed"),
    [
        # Of 40 numbers 38 may be turning points: 15 % of them are 5.7.
        (zigzag(40, 4), False),
        (zigzag(40, 6), True),
        # Shorter than 30 numbers nothing is smoothed.
        (zigzag(29, 26), False),
        (zigzag(30, 26), True),
        # Only the newest 512 numbers decide.
        (zigzag(560, 100), False),
    ],
)
def test_what_turns_often_lies_behind_its_average(show: Show, numbers: list[float], is_smoothed: bool) -> None:
    made = log(L=numbers, **{f"{GRADIENT}main/w": numbers, f"{RATE}down": numbers})
    shown = show(made)
    expected = [("L", "value", 0, True, False), ("L, smoothed", "value", 0, False, False)]
    assert told(shown["chart_losses"].lines) == (expected if is_smoothed else [("L", "value", 0, False, False)])
    behind = [("", "grad.text", 0, True, False)] * is_smoothed
    assert told(shown["chart_others"].lines) == [*behind, ("w", "grad.text", 0, False, False)]
    line = shown["chart_losses"].lines[-1]
    assert (line.numbers.tolist() == made.series("L").smoothed.tolist()) is is_smoothed


@pytest.mark.parametrize(("gap", "is_smoothed"), [(1, True), (2, False)])
def test_what_was_measured_seldom_has_no_average(show: Show, gap: int, is_smoothed: bool) -> None:
    made = of({"L": [(place * gap, number) for place, number in enumerate(zigzag(40, 38))]})
    assert len(show(made)["chart_losses"].lines) == 1 + is_smoothed


def test_each_choice_has_lines_of_its_own_over_the_rounds_of_all(show: Show) -> None:
    made = of({
        "L": [(3, 1.0)], f"{GRADIENT}main/a/w": [(9, 1.0)], f"{GRADIENT}main/b/w": [(4, 1.0)],
        f"{GRADIENT}main/e.x": [(4, 2.0)], f"{STEP}main/a/w": [(4, 0.1)], f"{RATE}down": [(4, 0.2)],
        f"{RATE}up": [(12, 0.3)], f"{DEAD}main/r": [(4, 0.5)], f"{SATURATED}main/t": [(4, 0.6)],
    })  # fmt: skip
    gradients = show(made)
    assert told(gradients["chart_others"].lines) == [
        ("a/w", "grad.text", 0, False, False), ("b/w", "grad.text", 1, False, False),
        ("to main/e.x", "value", 0, False, False),
    ]  # fmt: skip
    assert gradients["chart_others"].span == gradients["chart_losses"].span == (3, 9)
    updates = show(made, Shown.UPDATES)["chart_others"]
    assert told(updates.lines) == [
        ("w", "accent", 0, False, False), ("rate of down", "text.secondary", 3, False, True),
        ("rate of up", "text.secondary", 4, False, True),
    ]  # fmt: skip
    assert updates.span == (3, 12) and updates.band == (1e-4, 1e-2) and not updates.is_share
    dead = show(made, Shown.DEAD)["chart_others"]
    assert told(dead.lines) == [("r dead", "grad.text", 0, False, False), ("t saturated", "value", 0, False, False)]
    assert dead.is_share and show(made, Shown.LOSS)["chart_others"].lines in ((), [])


def test_series_stand_kind_by_kind_in_a_table() -> None:
    names = [f"{SATURATED}a", f"{DEAD}a", f"{STEP}a", f"{GRADIENT}a", f"{RATE}a", f"{TEST}L", "L", f"{TEST}K", "a.y"]
    ordered = ["L", "a.y", f"{TEST}L", f"{TEST}K", f"{RATE}a", f"{GRADIENT}a", f"{STEP}a", f"{DEAD}a", f"{SATURATED}a"]
    assert series_order(of({name: [(0, 1.0)] for name in names})) == ordered


def test_a_picture_has_one_chart_or_two_side_by_side(charts: TrainingCharts, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, tuple[float, ...]]] = []
    monkeypatch.setattr(Chart, "draw", lambda chart, _, box: drawn.append((chart.objectName(), box.getRect())))
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    for kind in (Shown.LOSS, Shown.DEAD):
        charts.choose(kind)
        with QPainter(image) as painter:
            charts.draw(painter, 500.0, 200.0)
    assert drawn == [
        ("chart_losses", QRectF(12, 12, 476, 176).getRect()),
        ("chart_losses", QRectF(12, 12, 226, 176).getRect()),
        ("chart_others", QRectF(262, 12, 226, 176).getRect()),
    ]


def test_two_charts_stand_side_by_side_where_both_have_room(qtbot: QtBot, charts: TrainingCharts) -> None:
    losses, others = (charts.findChild(Chart, name) for name in ("chart_losses", "chart_others"))
    assert losses is not None and others is not None
    enough = 2 * losses.minimumWidth() + charts.handleWidth()
    for width, kind, expected in (
        (enough, Shown.GRADIENTS, (True, True)), (enough - 1, Shown.GRADIENTS, (False, True)),
        (enough - 1, Shown.LOSS, (True, False)), (enough, Shown.LOSS, (True, False)),
    ):  # fmt: skip
        charts.choose(kind)
        charts.resize(width, 200)
        charts.choose(kind)
        assert tuple(not chart.isHidden() for chart in (losses, others)) == expected
    assert Line("L", np.zeros(1), np.zeros(1)).token == "value"
