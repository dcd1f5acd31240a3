"""The drawing and the sentences of a slice, of curves made by hand: L = x², with kinks, jumps and stops."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.slice import slice_plot
from gradwire.app.features.slice.slice_plot import Frame, SlicePlot, label_tops
from gradwire.app.features.slice.slice_text import csv_of, sentence_of, spoken
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.explain.slices import Slice
from tests.app.strokes import Stroke, Strokes, placed, texts

CSS = theme("dark").css
NAN, INF = math.nan, math.inf


def square(at: float = 1.0, **others: Any) -> Slice:
    """L = x² from -2 to 2."""
    places = np.array([-2.0, -1, 0, 1, 2])
    usual = {"loss": at * at, "slope": 2 * at, "left": 2 * at, "right": 2 * at, "slack": 1e-6, "noise": 1e-9}
    return Slice(places, places**2, at, **{**usual, **others})


@pytest.fixture
def plot(qtbot: QtBot) -> SlicePlot:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = SlicePlot(Appearance("dark"), parent)
    made.resize(300, 200)
    made.show_slice(square(), "x", "It is said.")
    return made


@pytest.fixture
def drawn(plot: SlicePlot, monkeypatch: pytest.MonkeyPatch) -> Callable[[Slice], list[Stroke]]:
    def draw(slice: Slice) -> list[Stroke]:
        found: list[Stroke] = []

        @contextmanager
        def noting(_: object) -> Iterator[Strokes]:
            painter = Strokes(QImage(300, 200, QImage.Format.Format_RGB32))
            try:
                yield painter
            finally:
                painter.end()
                found.extend(painter.found)

        monkeypatch.setattr(slice_plot, "smooth", noting)
        plot.show_slice(slice, "x", "")
        plot.paintEvent(None)  # type: ignore[arg-type]  # it looks at no event
        return found

    return draw


def test_the_room_is_between_the_numbers_and_the_losses_have_a_margin(plot: SlicePlot) -> None:
    """8 % above and below; 8 px above, 12 at the right, 18 below."""
    frame = plot.frame
    assert frame is not None
    assert (frame.x, frame.y) == ((-2, 2), (pytest.approx(-0.32), pytest.approx(4.32)))
    assert (frame.room.top(), frame.room.right(), frame.room.bottom()) == (8, 288, 182)
    assert 16 + 6 <= frame.room.left() < 60
    assert frame.point(-2, frame.y[0]).toTuple() == (frame.room.left(), 182)
    assert frame.point(2, frame.y[1]).toTuple() == (288, pytest.approx(8))
    middle = frame.point(0, 2)
    assert middle.toTuple() == pytest.approx((frame.room.center().x(), frame.room.center().y()))


@pytest.mark.parametrize(
    ("losses", "loss", "ends"),
    [
        ([1.0, 1, 1, 1, 1], 1.0, (0.9, 1.1)),
        ([0.0, 0, 0, 0, 0], 0.0, (-1, 1)),
        ([-4.0, -4, -4, -4, -4], -4.0, (-4.4, -3.6)),
        ([0.0, NAN, INF, 1, 1], 3.0, (-0.24, 3.24)),
        ([0.0, 1, 1, 1, 1], NAN, (-0.08, 1.08)),
    ],
)
def test_the_axis_shows_all_finite_losses(
    plot: SlicePlot, losses: list[float], loss: float, ends: tuple[float, float]
) -> None:
    plot.show_slice(dataclasses.replace(square(), losses=np.array(losses), loss=loss), "x", "")
    assert plot.frame is not None and plot.frame.y == pytest.approx(ends)


def test_without_any_finite_loss_there_is_no_frame(plot: SlicePlot) -> None:
    plot.show_slice(dataclasses.replace(square(), losses=np.full(5, NAN), loss=NAN), "x", "")
    assert plot.frame is None


def test_the_curve_has_the_present_point_and_gaps_where_losses_are_not_finite(plot: SlicePlot) -> None:
    plot.show_slice(square(0.5), "x", "")
    assert plot.runs == [[(-2, 4), (-1, 1), (0, 0), (0.5, 0.25), (1, 1), (2, 4)]]
    plot.show_slice(dataclasses.replace(square(), losses=np.array([4, NAN, NAN, 1, 4])), "x", "")
    assert plot.runs == [[(-2, 4)], [(1, 1), (2, 4)]]
    plot.show_slice(square(breaks=(-1.5, -0.5, -0.4)), "x", "")
    assert plot.runs == [[(-2, 4)], [(-1, 1)], [(0, 0), (1, 1), (2, 4)]]
    plot.show_slice(square(breaks=(1.0,)), "x", "")
    assert plot.runs == [[(-2, 4), (-1, 1), (0, 0), (1, 1)], [(2, 4)]]


def test_the_tangent_goes_through_the_point_over_two_fifths_of_the_width(plot: SlicePlot, drawn: Any) -> None:
    found = drawn(square())
    frame = plot.frame
    assert frame is not None
    (tangent,) = [item.at for item in found if item.kind == "line" and item.pen == CSS("grad.text")]
    ends = frame.point(0.2, 1 - 0.8 * 2), frame.point(1.8, 1 + 0.8 * 2)
    assert tangent == pytest.approx((*ends[0].toTuple(), *ends[1].toTuple()), abs=0.01)
    at = frame.point(1, 1)
    assert placed(found, "ellipse") == [pytest.approx((at.x() - 4.5, at.y() - 4.5, 9, 9), abs=0.01)]
    foot = [item.at for item in found if item.kind == "line" and item.pen == CSS("border.strong")]
    assert foot == [pytest.approx((at.x(), at.y(), at.x(), 182), abs=0.01)]
    assert texts(found)[-2:] == ["L = 1", "slope +2"]


def test_an_estimate_that_differs_is_a_dashed_line_of_its_own(drawn: Any) -> None:
    found = drawn(square(slope=0.0))
    assert texts(found)[-2:] == ["slope 0", "estimated slope +2"]
    dashed = [item for item in found if item.kind == "line" and item.pen == CSS("text.secondary")]
    assert len(dashed) == 1
    assert "estimated" not in " ".join(texts(drawn(square())))


def test_without_a_finite_slope_or_loss_there_is_no_tangent(drawn: Any) -> None:
    def amber(found: list[Stroke]) -> list[Stroke]:
        return [item for item in found if item.kind == "line" and item.pen == CSS("grad.text")]

    assert amber(drawn(square(slope=NAN))) == [] and amber(drawn(square()))
    lost = drawn(square(loss=NAN))
    assert amber(lost) == [] and not [at for at in placed(lost, "ellipse") if at[2] == 9]
    alone = drawn(dataclasses.replace(square(), losses=np.array([4, NAN, 0, NAN, 4]), loss=NAN))
    # A single place is a dot.
    assert len(placed(alone, "ellipse")) == 3


def test_labels_stand_on_the_side_away_from_the_tangent(plot: SlicePlot, drawn: Any) -> None:
    def sides(slope: float) -> list[bool]:
        at = square(slope=slope, left=slope, right=slope)
        found = drawn(at)
        frame = plot.frame
        assert frame is not None
        x = frame.point(1, 1).x()
        return [item.at[0] + item.at[2] <= x for item in found if item.kind == "rounded"]

    # A rising tangent leaves room at the upper left and the lower right.
    assert sides(2.0) == [True, False]
    assert sides(-2.0) == [False, True]
    (loss, slope) = [item.at for item in drawn(square(0.5)) if item.kind == "rounded"]
    frame = plot.frame
    assert frame is not None
    at = frame.point(0.5, 0.25)
    assert loss[0] + loss[2] == pytest.approx(at.x() - 8, abs=0.02) and loss[1] == pytest.approx(at.y() - 22, abs=0.02)
    # So low there is no room below the point.
    assert slope[0] + slope[2] == pytest.approx(at.x() - 8, abs=0.02)
    assert slope[1] == pytest.approx(at.y() - 40, abs=0.02)


def test_tops_of_labels_are_below_the_point_or_above_where_there_is_room() -> None:
    room = QRectF(0, 0, 100, 100)
    assert label_tops(40, room) == [(46, True), (64, True), (0, False), (-18, False)]
    assert label_tops(90, room) == [(50, False), (32, False), (96, True), (114, True)]
    assert label_tops(61, room) == [(67, True), (21, False), (3, False), (85, True)]
    assert label_tops(60, room)[:2] == [(66, True), (84, True)]


def test_axes_have_their_numbers_at_their_places(plot: SlicePlot, drawn: Any) -> None:
    found = drawn(square())
    frame = plot.frame
    assert frame is not None
    (two,) = [item.at for item in found if item.text == "2" and item.at[0] == 0]
    assert two[1] + two[3] / 2 == pytest.approx(frame.point(0, 2).y(), abs=1)
    assert two[2] == pytest.approx(frame.room.left() - 8, abs=0.02)
    (zero,) = [item.at for item in found if item.text == "0" and item.at[0] > 0]
    assert zero[0] + zero[2] / 2 == pytest.approx(frame.point(0, 0).x(), abs=0.02)
    assert zero[1] == frame.room.bottom() + 2
    lines = [item.at for item in found if item.kind == "line" and item.pen == CSS("border.subtle")]
    assert two[1] + two[3] / 2 in [at[1] for at in lines]
    assert {(at[0], at[2]) for at in lines} == {(round(frame.room.left(), 2), 288)}


def test_arrows_step_and_widen_and_the_wheel_narrows(plot: SlicePlot) -> None:
    steps: list[int] = []
    ranges: list[int] = []
    plot.stepped.connect(steps.append)
    plot.widened.connect(ranges.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_A):
        QTest.keyClick(plot, key)
    QTest.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.KeypadModifier)
    assert (steps, ranges) == ([-1, 1, -1], [1, -1])


def test_far_places_stay_where_they_can_be_drawn() -> None:
    frame = Frame(QRectF(0, 0, 100, 100), (0, 1), (0, 1))
    assert frame.point(1e300, -1e300) == QPointF(1e8, 100 + 1e8)
    wide = Frame(QRectF(0, 0, 100, 100), (-1.7e308, 1.7e308), (0, 0))
    assert wide.point(0, 5).x() == 50


# Sentences


@pytest.mark.parametrize(
    ("slice", "sentence"),
    [
        (square(), "∂L/∂x = 2: the tangent's slope."),
        (square(0.0), "∂L/∂x = 0: the curve has slope 0 here."),
        (square(loss=INF), "L is inf at the present value of x: no slope here."),
        (square(left=-1.0, right=3.0), "∂L/∂x = 2, at a kink: the slope is −1 to the left and 3 to the right."),
        (
            square(slope=7.0, left=-1.0, right=3.0),
            "Finite differences estimate a kink, with slope −1 to the left and 3 to the right, but ∂L/∂x = 7.",
        ),
        (square(slope=7.0), "Finite differences estimate a slope of 2, but ∂L/∂x = 7."),
        (square(slope=7.0, left=0.0, right=0.0), "Finite differences estimate a slope of 0, but ∂L/∂x = 7."),
        (
            square(slope=0.0, unstopped=2.0, stops=("main/stop",)),
            "Finite differences estimate a slope of 2, but ∂L/∂x = 0: StopGradient blocks every path.",
        ),
        (
            square(slope=1.0, unstopped=2.0, stops=("main/stop", "main/other")),
            "Finite differences estimate a slope of 2, but ∂L/∂x = 1: "
            "StopGradient on this path (stop, other) changes it.",
        ),
        (square(slope=1.0, unstopped=5.0, stops=("main/stop",)),
         "Finite differences estimate a slope of 2, but ∂L/∂x = 1."),
        (
            square(left=INF),
            "∂L/∂x = 2. The difference quotient grows as the step shrinks: the slope of L is infinite here.",
        ),
        (square(slope=INF, right=INF), "∂L/∂x = inf: the difference quotient grows as the step shrinks."),
        (square(slope=NAN, left=1.0, right=3.0), "∂L/∂x = nan: there is no tangent here."),
        (square(slope=NAN), "∂L/∂x = nan, but finite differences estimate 2."),
        (
            square(left=NAN, right=NAN, jumps=(True, True)),
            "∂L/∂x = 2. L is discontinuous on both sides: the curve has no slope.",
        ),
        (square(left=NAN, jumps=(True, False)),
         "∂L/∂x = 2: the tangent's slope. L is discontinuous just to the left."),
        (square(right=NAN, jumps=(False, True)),
         "∂L/∂x = 2: the tangent's slope. L is discontinuous just to the right."),
    ],
)  # fmt: skip
def test_the_sentence_compares_the_gradient_with_the_curve(slice: Slice, sentence: str) -> None:
    assert sentence_of(slice, "x").replace("NaN", "nan").replace("∞", "inf").replace("Inf", "inf") == sentence


def test_the_course_is_told_in_words_and_as_numbers(plot: SlicePlot) -> None:
    words = "From −2 to 2 of x the loss lies between 0 and 4; at 1 it is 1."
    assert spoken(square(), "x") == words
    plot.show_slice(square(), "x", "It is said.")
    assert plot.accessibleDescription() == f"It is said. {words}"
    some = dataclasses.replace(square(), losses=np.array([NAN, 3, INF, 5, 4]))
    assert "between 3 and 5" in spoken(some, "x")
    none = dataclasses.replace(square(), losses=np.full(5, NAN))
    assert spoken(none, "x") == "The loss is NaN or infinite for every x from −2 to 2."
    assert csv_of(square(), "x").splitlines() == ["x,L", "-2,4", "-1,1", "0,0", "1,1", "2,4"]
    assert csv_of(square(), "x[0, 1]").startswith('"x[0, 1]",L\n')
