"""Where a chart of a training puts its lines, names, axes and the numbers beside its mark. Units: px."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.features.training.chart import (
    PATTERNS,
    SHADES,
    Chart,
    Contents,
    Line,
    _pen,
    apart,
    span_of,
)
from gradwire.app.features.training.chart_axes import Frame, frame_in
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.theme import theme
from tests.app.strokes import Stroke, placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")
WHOLE = QRectF(0, 0, 400, 200)
CSS = theme("dark").css


def line(*numbers: float, name: str = "loss", first: int = 0, **others: Any) -> Line:
    return Line(name, np.arange(first, first + len(numbers)), np.array(numbers), **others)


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart(Appearance("dark"), "chart")
    qtbot.addWidget(made)
    made.set_log(False)
    made.resize(400, 200)
    return made


@pytest.fixture
def drawn(chart: Chart) -> Callable[..., list[Stroke]]:
    def draw(*lines: Line, marked: int = -1, title: str = "Loss", **others: Any) -> list[Stroke]:
        chart.show_contents(Contents(title, lines, **others))
        chart.mark(marked)
        return strokes(lambda painter: chart.draw(painter, WHOLE))

    return draw


def room_of(chart: Chart) -> QRectF:
    frame = chart._frame(WHOLE)
    assert frame is not None
    return frame.room


# Frames


def test_the_room_of_lines_is_between_the_axes_and_the_names() -> None:
    scale = Scale(0, 1)
    frame = frame_in(WHOLE, (0, 10), (scale, None), 50, 1.0)
    assert frame is not None and frame.rounds == Scale(0, 10) and frame.beside == 0
    room = frame.room
    # 20 px are for the title, 6 above the lines, 18 below them.
    assert (room.top(), room.bottom(), room.right()) == (26, 182, 350)
    widest = max(text_width("mono", 10, 400, text) for text in ("0.2", "0.4", "0.5", "1"))
    assert room.left() >= widest + 8 + 4
    both = frame_in(WHOLE, (0, 10), (scale, Scale(0, 1000)), 50, 1.0)
    assert both is not None and both.beside == pytest.approx(text_width("mono", 10, 400, "1000") + 8)
    assert both.room.right() == pytest.approx(350 - both.beside)
    one = frame_in(WHOLE, (7, 7), (scale, None), 50, 1.0)
    assert one is not None and one.rounds == Scale(7, 8)


def test_there_is_no_frame_without_room_for_lines() -> None:
    def has_room(width: float, height: float) -> bool:
        return frame_in(QRectF(0, 0, width, height), (0, 10), (Scale(0, 1), None), 50, 1.0) is not None

    frame = frame_in(WHOLE, (0, 10), (Scale(0, 1), None), 50, 1.0)
    assert frame is not None
    beside = 400 - frame.room.width()
    assert [has_room(400, 64), has_room(400, 63)] == [True, False]
    assert [has_room(beside + 21, 200), has_room(beside + 19, 200)] == [True, False]


def test_numbers_far_off_the_scale_stay_near_the_room() -> None:
    frame = Frame(WHOLE, QRectF(50, 20, 200, 100), Scale(0, 10), Scale(0, 1), None, 1.0)
    x, y = frame.points(frame.numbers, np.array([0, 5, 10, 10]), np.array([0.0, 0.5, 9, -9]))
    assert x.tolist() == pytest.approx([50, 150, 250, 250])
    assert y.tolist() == pytest.approx([120, 70, 10, 130])


# Lines and names


def test_lines_run_over_their_rounds_with_names_at_their_ends(chart: Chart, drawn: Any) -> None:
    found = drawn(line(0, 1, 0.5))
    room = room_of(chart)
    assert ("loss", CSS("value")) in [(item.text, item.pen) for item in found if item.kind == "text"]
    (name,) = [item.at for item in found if item.text == "loss"]
    assert name[0] == pytest.approx(room.right() + 6, abs=0.01)
    end = room.bottom() - (0.5 + 0.06) / 1.12 * room.height()
    assert name[1] + name[3] / 2 == pytest.approx(end, abs=0.02)
    assert texts(found)[0] == "Loss · linear"


def test_faint_and_nameless_lines_and_broken_ends_have_no_name(drawn: Any) -> None:
    found = drawn(line(1, 2), line(1, 2, name="old", is_faint=True), line(1, 2, name=""), line(1, np.nan, name="nan"))
    assert {"old", "nan", ""}.isdisjoint(texts(found)) and "loss" in texts(found)


def test_without_numbers_a_chart_says_why(chart: Chart, drawn: Any) -> None:
    found = drawn(nothing="Nothing yet.")
    assert texts(found) == ["Loss", "Nothing yet."]
    assert placed(found, "text")[1] == (0, 20, 400, 180)
    assert chart.accessibleDescription() == "Nothing yet."
    drawn(line(1, 2), line(3, 4.5, name="other"), line(5, name="old", is_faint=True), line(name="empty"))
    assert (chart.accessibleName(), chart.accessibleDescription()) == ("Loss", "loss 2; other 4.5")


def test_the_span_is_that_of_all_lines_or_shared(chart: Chart, drawn: Any) -> None:
    drawn(line(1, 2, first=3), line(1, 2, 3, first=1))
    assert chart.span == (1, 4)
    drawn(line(1, 2, first=3), span=(0, 100))
    assert chart.span == (0, 100)
    assert span_of([]) == span_of([line()]) == (0, 1)


def test_a_chart_of_shares_goes_from_0_to_1(chart: Chart, drawn: Any) -> None:
    drawn(line(0.4, 0.5), is_share=True)
    frame = chart._frame(WHOLE)
    assert frame is not None and frame.numbers == Scale(0.0, 1.0)
    drawn(is_share=True)
    assert chart._frame(WHOLE) is None


def test_a_band_is_shaded_as_far_as_it_is_in_the_room(chart: Chart, drawn: Any) -> None:
    def band(low: float, high: float) -> tuple[float, ...]:
        found = drawn(line(0, 1), band=(low, high))
        (only,) = [item.at for item in found if item.kind == "fill" and item.brush == CSS("ok")]
        return only

    left, top, width, height = band(0.25, 0.75)
    room = room_of(chart)
    assert (left, width) == (round(room.left(), 2), round(room.width(), 2))
    assert top + height / 2 == pytest.approx(room.center().y(), abs=0.02)
    assert height == pytest.approx(room.height() * 0.5 / 1.12, abs=0.02)
    # The scale shows the band too.
    assert band(-1, 2)[3] == pytest.approx(room.height() * 3 / 3.36, abs=0.02)
    assert not [item for item in drawn(band=(0, 1)) if item.brush == CSS("ok")]


def test_other_numbers_have_an_axis_of_their_own_at_the_right(chart: Chart, drawn: Any) -> None:
    other = line(0, 500, name="rate", is_other=True, token="cat.math")
    found = drawn(line(0, 1), other, other_title="Rate")
    frame = chart._frame(WHOLE)
    assert frame is not None and frame.others is not None and frame.others.high > 500
    assert "Rate · linear" in texts(found)
    (title,) = [item for item in found if item.text == "Rate · linear"]
    assert title.pen == CSS("cat.math")
    assert title.at[0] + title.at[2] == pytest.approx(frame.room.right() + frame.beside, abs=0.02)
    (name,) = [item.at for item in found if item.text == "rate"]
    assert name[0] == pytest.approx(frame.room.right() + 6 + frame.beside, abs=0.02)
    chart.set_log(True)
    drawn(line(1, 100), line(1, 100, name="rate", is_other=True), has_linear_others=True)
    frame = chart._frame(WHOLE)
    assert frame is not None and frame.others is not None
    assert (frame.numbers.is_log, frame.others.is_log) == (True, False)
    alone = drawn(other)
    assert "rate" in texts(alone)


@pytest.mark.parametrize(
    ("tops", "expected"),
    [
        ([10, 40], [10, 40]),
        ([10, 12], [10, 20]),
        ([12, 10], [20, 10]),
        ([95, 96], [80, 90]),
        ([-20, 50], [0, 50]),
        ([10, 15, 20], [10, 20, 30]),
        ([5] * 11, [*range(0, 100, 10), None]),
        ([], []),
    ],
)
def test_names_that_would_overlap_are_moved_apart(tops: list[float], expected: list[float | None]) -> None:
    assert apart(tops, 10, 0, 100) == expected


def test_patterns_and_shades_tell_lines_of_one_colour_apart() -> None:
    pens = [_pen(theme("dark"), line(place=place)) for place in range(len(PATTERNS) + 1)]
    assert pens[0].widthF() == 1.8 and not pens[0].dashPattern()
    assert pens[1].dashPattern() == [4, 2] and pens[-1].dashPattern() == []
    assert len({pen.color().name() for pen in pens[: len(SHADES)]}) == len(SHADES)
    assert pens[0].color().name() == CSS("value") == pens[len(SHADES)].color().name()
    faint = _pen(theme("dark"), line(place=1, is_faint=True))
    assert faint.widthF() == 1 and not faint.dashPattern() and faint.color().name() != pens[1].color().name()


# Axes


def test_ticks_stand_at_their_places_with_lines_through_the_room(chart: Chart, drawn: Any) -> None:
    found = drawn(line(*np.linspace(0, 1, 101)))
    frame = chart._frame(WHOLE)
    assert frame is not None
    room = frame.room
    (half,) = [item.at for item in found if item.text == "0.2"]
    y = room.bottom() - (0.2 + 0.06) / 1.12 * room.height()
    assert half[1] + half[3] / 2 == pytest.approx(y, abs=1)
    assert half[0] + half[2] == pytest.approx(room.left() - 8, abs=0.02)
    lines = [item.at for item in found if item.kind == "fill" and item.brush == CSS("border.subtle")]
    assert [round(room.left(), 2), round(room.width(), 2)] == [lines[0][0], lines[0][2]]
    assert half[1] + half[3] / 2 - 0.5 in [at[1] for at in lines]
    (fifty,) = [item.at for item in found if item.text == "50"]
    assert fifty[0] + fifty[2] / 2 == pytest.approx(room.center().x(), abs=0.02)
    assert fifty[1] == room.bottom() + 2
    (word,) = [item.at for item in found if item.text == "Round"]
    assert (word[0], word[1]) == (0, room.bottom() + 2)
    assert word[2] == pytest.approx(room.left() - 8, abs=0.02)


def test_only_whole_rounds_are_named(drawn: Any) -> None:
    numbers = [text for text in texts(drawn(line(1, 2), title="")) if text in ("0", "1", "0.5", "1.5")]
    assert "0" in numbers and "1" in numbers
    found = drawn(line(7, 8, first=1200))
    assert "1,200" in texts(found) and "1,201" in texts(found) and "1,200.5" not in texts(found)


# The mark


def test_a_mark_tells_the_round_and_the_numbers_there(chart: Chart, drawn: Any) -> None:
    found = drawn(line(*range(100)), line(*range(0, 200, 2), name="other", place=1), marked=10)
    room = room_of(chart)
    x = room.left() + room.width() * 10 / 99
    assert (x, room.top(), x, room.bottom()) in [pytest.approx(at, abs=0.01) for at in placed(found, "line")]
    assert "round 10" in texts(found)
    # Below the mark's top a box of two rows, 14 px each, 8 px beside the mark.
    (box,) = placed(found, "rounded")
    assert box[:2] == pytest.approx((x + 8, room.top() + 2), abs=0.01) and box[3] == 2 * 14 + 8
    assert texts(found)[-4:] == ["loss", "10", "other", "20"]
    names = [item.at for item in found if item.text in ("loss", "other")][-2:]
    assert [at[:2] for at in names] == [
        pytest.approx((box[0] + 8 + 18 + 5, box[1] + 4 + 14 * row), abs=0.02) for row in range(2)
    ]
    (late,) = placed(drawn(line(*range(100)), marked=98), "rounded")
    x = room_of(chart).left() + room_of(chart).width() * 98 / 99
    assert late[0] + late[2] == pytest.approx(x - 8, abs=0.02)


def test_a_mark_out_of_the_axis_is_only_named(drawn: Any) -> None:
    found = drawn(line(*range(10)), marked=500)
    assert "round 500" in texts(found) and placed(found, "rounded") == []
    assert "round 3" in texts(drawn(marked=3))
    assert "round 3" not in texts(drawn(line(*range(10))))
    assert placed(drawn(line(1, 2, first=5), span=(0, 9), marked=2), "rounded") == []


@pytest.mark.parametrize(("n", "text"), [(2, ""), (3, "7"), (4, "8"), (5, "8 in 4"), (2000, "8 in 4")])
def test_a_number_that_was_not_measured_is_that_of_before(n: int, text: str) -> None:
    assert line(7, 8, first=3).text_at(n) == text


def test_neighbours_follow_each_other_or_are_told() -> None:
    apart_rounds = Line("x", np.array([0, 5, 10]), np.zeros(3))
    assert not apart_rounds.has_neighbours and line(1, 2).has_neighbours
    assert not line(1).has_neighbours
    for joined in (True, False):
        assert Line("x", np.array([0, 5]), np.zeros(2), joined=np.array([joined])).has_neighbours is joined


@pytest.mark.parametrize(("share", "n"), [(-0.5, 0), (0.0, 0), (0.26, 26), (1.0, 100), (2.0, 100)])
def test_the_pointer_tells_its_round(chart: Chart, drawn: Any, qtbot: QtBot, share: float, n: int) -> None:
    drawn(line(*range(101)))
    chart.show()
    room = room_of(chart)
    found: list[int] = []
    chart.pointed.connect(found.append)
    at = QPointF(room.left() + share * room.width(), 100).toPoint()
    at.setX(min(max(at.x(), 0), 399))
    QTest.mouseMove(chart, at)
    assert abs(found[-1] - n) <= 1
