"""What charts of a training draw, shape by shape, at two sizes of texts; where charts and their choice have room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.chart import Chart, Contents, Line, apart
from gradwire.app.features.training.chart_axes import frame_in
from gradwire.app.features.training.chart_selector import ChartSelector, Shown
from gradwire.app.features.training.charts import TrainingCharts
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import STEP, Chunk
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_scale import Scale
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")
# Not at the corner of the picture: what is measured from its edge stands elsewhere then.
WHOLE = QRectF(10, 5, 400, 200)


def line(*numbers: float, name: str = "loss", first: int = 0, **others: Any) -> Line:
    return Line(name, np.arange(first, first + len(numbers)), np.array(numbers), **others)


LOSS, FLAT = line(1, 3, 2), line(0, 0, 0, name="flat", place=1, token="ok")
RATE = line(10, 20, 30, name="rate", is_other=True, token="cat.math")


def chart_of(qtbot: QtBot, scale: float, *lines: Line, marked: int = -1, is_log: bool = False, **others: Any) -> Chart:
    appearance = Appearance("dark")
    appearance.text_scale = scale
    made = Chart(appearance, "chart")
    qtbot.addWidget(made)
    made.set_log(is_log)
    made.show_contents(Contents("Loss", lines, **others))
    made.mark(marked)
    return made


def shapes(chart: Chart, whole: QRectF = WHOLE) -> list[str]:
    image = QImage(900, 500, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded(has_paths=True) as found:
        chart.draw(painter, whole)
    return found


def named(found: list[str], kind: str, token: str = "") -> list[str]:
    return [item for item in found if item.startswith(kind) and token in item]


def test_a_chart_with_two_axes_a_band_and_a_mark(qtbot: QtBot) -> None:
    """The room is 156 px high from 31 on: 3 is at 39.36, and 1 is 46.43 px above 0, at 12 % more than the numbers."""
    chart = chart_of(qtbot, 1.0, LOSS, FLAT, RATE, marked=1, other_title="Rate", band=(1, 2))
    assert shapes(chart) == [
        "text 10 5 400 20 left 12px text.primary “Loss · linear”",
        "text 10 5 364 20 right 12px cat.math “Rate · linear”",
        "fill 52.12 85.79 289.88 46.43 on ok",
        "fill 52.12 179 289.88 1 on border.subtle",
        "text 10 171.5 34.12 16 right 10px text.secondary “0”",
        "fill 52.12 132 289.88 1 on border.subtle",
        "text 10 124.5 34.12 16 right 10px text.secondary “1”",
        "fill 52.12 86 289.88 1 on border.subtle",
        "text 10 78.5 34.12 16 right 10px text.secondary “2”",
        "fill 52.12 39 289.88 1 on border.subtle",
        "text 10 31.5 34.12 16 right 10px text.secondary “3”",
        "text 346 171.5 24 16 right 10px cat.math “10”",
        "text 346 136.5 24 16 right 10px cat.math “15”",
        "text 346 101.5 24 16 right 10px cat.math “20”",
        "text 346 66.5 24 16 right 10px cat.math “25”",
        "text 346 31.5 24 16 right 10px cat.math “30”",
        "text 47.12 189 10 16 middle 10px text.secondary “0”",
        "text 192.06 189 10 16 middle 10px text.secondary “1”",
        "text 337 189 10 16 middle 10px text.secondary “2”",
        "text 10 189 34.12 16 right 10px text.tertiary “Round”",
        "line 52.12 132.21 197.06 39.36 342 85.79 1.8px value",
        "line 52.12 178.64 197.06 178.64 342 178.64 1.8px #47917a",
        "line 52.12 178.64 197.06 109 342 39.36 1.8px cat.math",
        "text 380 79.29 30 13 left 10px value “loss”",
        "text 380 172.14 30 13 left 10px ok “flat”",
        "text 380 32.86 30 13 left 10px cat.math “rate”",
        "text 10 5 400 20 middle 10px text.secondary “round 1”",
        "line 197.06 31 197.06 187 1px dashed border.strong",
        "rect 205.06 33 74.83 50 round 4 1px border.subtle on bg.overlay",
        "line 213.06 44 231.06 44 1.8px value",
        "text 236.06 37 35.83 14 left 10px text.secondary “loss”",
        "text 213.06 37 58.83 14 right 10px text.primary “3”",
        "line 213.06 58 231.06 58 1.8px #47917a",
        "text 236.06 51 35.83 14 left 10px text.secondary “flat”",
        "text 213.06 51 58.83 14 right 10px text.primary “0”",
        "line 213.06 72 231.06 72 1.8px cat.math",
        "text 236.06 65 35.83 14 left 10px text.secondary “rate”",
        "text 213.06 65 58.83 14 right 10px text.primary “20”",
    ]


def test_texts_of_200_per_cent_have_twice_the_room(qtbot: QtBot) -> None:
    chart = chart_of(qtbot, 2.0, LOSS, FLAT, RATE, marked=1, other_title="Rate", band=(1, 2))
    assert shapes(chart) == [
        "text 10 5 400 40 left 24px text.primary “Loss · linear”",
        "text 10 5 340.06 40 right 24px cat.math “Rate · linear”",
        "fill 82.31 96.33 211.81 33.33 on ok",
        "fill 82.31 163 211.81 1 on border.subtle",
        "text 10 147.5 64.31 32 right 20px text.secondary “0”",
        "fill 82.31 96 211.81 1 on border.subtle",
        "text 10 80.5 64.31 32 right 20px text.secondary “2”",
        "text 298.12 97.5 47.94 32 right 20px cat.math “20”",
        "text 74.32 171 15.98 32 middle 20px text.secondary “0”",
        "text 180.23 171 15.98 32 middle 20px text.secondary “1”",
        "text 286.13 171 15.98 32 middle 20px text.secondary “2”",
        "text 10 171 64.31 32 right 20px text.tertiary “Round”",
        "line 82.31 129.67 188.22 63 294.12 96.33 1.8px value",
        "line 82.31 163 188.22 163 294.12 163 1.8px #47917a",
        "line 82.31 163 188.22 113 294.12 63 1.8px cat.math",
        "text 356.06 83.33 53.94 26 left 21px value “loss”",
        "text 356.06 143 53.94 26 left 21px ok “flat”",
        "text 356.06 57 53.94 26 left 21px cat.math “rate”",
        "text 10 5 400 40 middle 21px text.secondary “round 1”",
        "line 188.22 57 188.22 169 1px dashed border.strong",
        # Neither side has room for the box: it begins with the room.
        "rect 82.31 59 126.78 92 round 4 1px border.subtle on bg.overlay",
        "line 90.31 77 126.31 77 1.8px value",
        "text 131.31 63 69.78 28 left 21px text.secondary “loss”",
        "text 90.31 63 110.78 28 right 21px text.primary “3”",
        "line 90.31 105 126.31 105 1.8px #47917a",
        "text 131.31 91 69.78 28 left 21px text.secondary “flat”",
        "text 90.31 91 110.78 28 right 21px text.primary “0”",
        "line 90.31 133 126.31 133 1.8px cat.math",
        "text 131.31 119 69.78 28 left 21px text.secondary “rate”",
        "text 90.31 119 110.78 28 right 21px text.primary “20”",
    ]


def test_a_series_of_marks_has_one_in_its_sample(qtbot: QtBot) -> None:
    """Where no two rounds are neighbours, the middle of the 18 px of the sample has a mark."""
    alone = Line("x", np.array([0, 10]), np.array([1.0, 2.0]))
    found = shapes(chart_of(qtbot, 1.0, alone, marked=10))
    (box,) = named(found, "rect", "bg.overlay")
    left, top, width, height = map(float, box.split()[1:5])
    marks = [item for item in found[found.index(box) + 1 :] if not item.startswith("text")]
    assert len(marks) == 1 and marks[0].startswith("polygon")
    corners = np.array(marks[0].split()[1:25], float).reshape(12, 2)
    assert corners.mean(axis=0) == pytest.approx([left + 8 + 9, top + 4 + 7], abs=0.02)
    assert height == 14 + 8 and left + width == pytest.approx(box_right(found), abs=0.02)


def box_right(found: list[str]) -> float:
    """The mark less 8 px: a box with no room at its right stands at its left."""
    (mark,) = named(found, "line", "dashed border.strong")
    return float(mark.split()[1]) - 8


@pytest.mark.parametrize(("height", "rows"), [(120, 3), (94, 3), (93, 2), (80, 2), (79, 1), (66, 1)])
def test_a_box_has_as_many_rows_as_the_room_has(qtbot: QtBot, height: int, rows: int) -> None:
    """44 px of the height are for axes and title, 8 around the rows of 14 px."""
    lines = [line(1, 2, name=f"n{place}", place=place) for place in range(3)]
    found = shapes(chart_of(qtbot, 1.0, *lines, marked=0), QRectF(0, 0, 400, height))
    (box,) = named(found, "rect", "bg.overlay")
    assert float(box.split()[4]) == 14 * rows + 8
    assert len(named(found[found.index(box) :], "text", "text.primary")) == rows


def test_without_room_for_a_row_there_is_no_box(qtbot: QtBot) -> None:
    heights = {}
    for height in (65, 66):
        found = shapes(chart_of(qtbot, 1.0, line(1, 2), marked=0), QRectF(0, 0, 400, height))
        heights[height] = bool(named(found, "rect", "bg.overlay"))
    assert heights == {65: False, 66: True}


@pytest.mark.parametrize(("marked", "has_line"), [(0, True), (4, False), (5, True), (9, True), (10, False)])
def test_a_mark_has_its_line_in_the_room_alone(qtbot: QtBot, marked: int, has_line: bool) -> None:
    chart = chart_of(qtbot, 1.0, line(*range(5), first=5), span=(0, 9) if marked == 0 else None, marked=marked)
    found = shapes(chart)
    assert bool(named(found, "line", "dashed border.strong")) is has_line
    # Before its first round a series has no number to tell.
    assert bool(named(found, "rect", "bg.overlay")) is (has_line and marked >= 5)


@pytest.mark.parametrize(
    ("width", "rounds"),
    [
        (120, [0, 10, 20]),
        # 287.9 and 288.9 px for lines.
        (366, [0, 10, 20]),
        (367, [0, 5, 10, 15, 20]),
        (800, [*range(0, 21, 2)]),
    ],
)
def test_rounds_are_named_every_72_px_within_the_chart(qtbot: QtBot, width: int, rounds: list[int]) -> None:
    found = shapes(chart_of(qtbot, 1.0, line(*range(21))), QRectF(0, 0, width, 200))
    below = [item for item in named(found, "text") if " middle 10px text.secondary" in item]
    assert [int(item.split("“")[1].rstrip("”")) for item in below] == rounds
    lefts = [float(item.split()[1]) for item in below]
    rights = [left + float(item.split()[3]) for left, item in zip(lefts, below, strict=True)]
    assert lefts[0] >= 0 and rights[-1] <= width


@pytest.mark.parametrize(("height", "count"), [(122, 3), (200, 6), (70, 2)])
def test_numbers_are_named_every_26_px(qtbot: QtBot, height: int, count: int) -> None:
    found = shapes(chart_of(qtbot, 1.0, line(0, 100)), QRectF(0, 0, 400, height))
    assert len(named(found, "fill", "border.subtle")) <= max(2, (height - 44) // 26) + 1
    assert len(named(found, "fill", "border.subtle")) == count


def test_a_band_lets_the_ground_shine_through(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    alphas: list[float] = []
    fill = QPainter.fillRect

    def noted(painter: QPainter, *given: Any) -> None:
        if isinstance(given[-1], QColor):
            alphas.append(round(given[-1].alphaF(), 2))
        fill(painter, *given)

    monkeypatch.setattr(QPainter, "fillRect", noted)
    shapes(chart_of(qtbot, 1.0, LOSS, band=(1, 2)))
    assert alphas[0] == 0.13


def test_before_anything_is_shown_a_chart_has_two_rounds_and_no_picture(qtbot: QtBot) -> None:
    made = Chart(Appearance("dark"), "chart")
    qtbot.addWidget(made)
    assert made.span == (0, 1) and shapes(made) == ["text 10 5 400 20 left 12px text.primary “”", NOTHING]
    assert made.sizeHint() == QSize(320, 150) and made.minimumSize() == QSize(160, 90)


NOTHING = "text 10 25 400 180 left 11px text.tertiary “”"


def test_names_take_at_most_three_tenths_of_the_width(qtbot: QtBot) -> None:
    for width in (400, 300):
        found = shapes(chart_of(qtbot, 1.0, line(1, 2, name="a" * 60)), QRectF(0, 0, width, 200))
        room = named(found, "fill", "border.subtle")[0].split()
        assert float(room[1]) + float(room[3]) == pytest.approx(0.7 * width, abs=0.02)
        (name,) = [item for item in named(found, "text") if "…" in item]
        assert float(name.split()[1]) == pytest.approx(0.7 * width + 6, abs=0.02)
        assert float(name.split()[3]) == pytest.approx(0.3 * width - 6, abs=0.02)


def test_in_a_box_names_take_at_most_four_tenths_of_the_room(qtbot: QtBot) -> None:
    found = shapes(chart_of(qtbot, 1.0, line(1, 2, name="a" * 60), marked=0), QRectF(0, 0, 400, 200))
    room = float(named(found, "fill", "border.subtle")[0].split()[3])
    box = named(found, "rect", "bg.overlay")[0].split()
    (digits,) = named(found, "text", "text.primary “1”")
    assert float(box[3]) == pytest.approx(18 + 0.4 * room + 6 + 26, abs=0.3) and digits


def test_a_pointer_tells_the_round_below_it_and_none_when_it_leaves(qtbot: QtBot) -> None:
    chart, heard = chart_of(qtbot, 1.0, line(*range(11), first=20)), list[int]()
    chart.resize(400, 200)
    chart.show()
    chart.pointed.connect(heard.append)
    frame = chart._frame(QRectF(chart.rect()))
    assert frame is not None
    room = frame.room
    for share in (0.0, 0.1, 0.52, 0.58, 1.0):
        QTest.mouseMove(chart, QPoint(round(room.left() + share * room.width()), 90))
    QTest.mouseMove(chart, QPoint(1, 90))
    QTest.mouseMove(chart, QPoint(398, 90))
    assert heard == [20, 21, 25, 26, 30, 20, 30]
    chart.leaveEvent(None)  # type: ignore[arg-type]  # it reads nothing of the event
    assert heard[-1] == -1
    chart.show_contents(Contents("Loss"))
    QTest.mouseMove(chart, QPoint(100, 90))
    assert heard[-1] == -1 and len(heard) == 8


def test_a_chart_keeps_its_picture_until_something_changes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    chart, drawn = chart_of(qtbot, 1.0, LOSS), list[int]()
    monkeypatch.setattr(Chart, "_draw_still", lambda *_: drawn.append(1))
    chart.resize(400, 200)
    chart.show()
    chart.grab()
    before = len(drawn)
    for n in (1, 2, -1):
        chart.mark(n)
        chart.grab()
    assert len(drawn) == before > 0
    chart.set_log(True)
    chart.grab()
    assert len(drawn) == before + 1
    chart.resize(401, 200)
    chart.grab()
    assert len(drawn) == before + 2


def test_names_find_room_from_the_last_one_up() -> None:
    """Three names of 10 px between 0 and 35: the highest three stay, moved as little as they must."""
    assert apart([30, 31, 32, 33], 10, 0, 35) == [5, 15, 25, None]
    assert apart([0, 100], 10, 5, 35) == [5, 25]
    assert apart([20], 10, 0, 9) == [None] and apart([20], 10, 0, 10) == [0]


@pytest.mark.parametrize(("width", "has_room"), [(75, True), (74, False)])
def test_lines_need_20_px(width: int, has_room: bool) -> None:
    """34.12 and 8 px are for the numbers, or for the word below them; 12 for names."""
    frame = frame_in(QRectF(0, 0, 400, 200), (0, 10), (Scale(0, 1), None), 0, 1.0)
    assert frame is not None
    beside = frame.room.left()
    found = frame_in(QRectF(0, 0, beside + width - 55, 200), (0, 10), (Scale(0, 1), None), 0, 1.0)
    assert (found is not None) is has_room


# Both charts


@pytest.fixture
def charts(qtbot: QtBot) -> TrainingCharts:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = TrainingCharts(Appearance("dark"), lambda target: target, parent)
    parent.show()
    return made


def seen(charts: TrainingCharts) -> list[str]:
    return sorted(chart.objectName() for chart in charts.findChildren(Chart) if not chart.isHidden())


def test_two_charts_need_twice_the_least_width_and_the_handle(charts: TrainingCharts) -> None:
    handle = charts.handleWidth()
    assert charts.minimumSizeHint() == QSize(160, 90)
    for width, shown, expected in (
        (320 + handle, Shown.GRADIENTS, ["chart_losses", "chart_others"]),
        (319 + handle, Shown.GRADIENTS, ["chart_others"]),
        (319 + handle, Shown.LOSS, ["chart_losses"]),
        (320 + handle, Shown.LOSS, ["chart_losses"]),
        (320 + handle, Shown.DEAD, ["chart_losses", "chart_others"]),
    ):
        charts.resize(width, 200)
        charts.choose(shown)
        assert seen(charts) == expected


def test_both_have_half_of_the_width_and_one_mark(charts: TrainingCharts, monkeypatch: pytest.MonkeyPatch) -> None:
    charts.resize(1004, 200)
    left, right = charts.findChildren(Chart)
    assert abs(left.width() - right.width()) <= 1
    marked: list[tuple[str, int]] = []
    monkeypatch.setattr(Chart, "mark", lambda chart, n: marked.append((chart.objectName(), n)))
    right.pointed.emit(7)
    assert marked == [("chart_losses", 7), ("chart_others", 7)]


@pytest.mark.parametrize(
    ("shown", "rooms"),
    [
        (Shown.UPDATES, [("chart_losses", (12, 12, 376, 276)), ("chart_others", (412, 12, 376, 276))]),
        (Shown.LOSS, [("chart_losses", (12, 12, 776, 276))]),
    ],
)
def test_in_a_picture_each_chart_has_12_px_around_it(
    charts: TrainingCharts, monkeypatch: pytest.MonkeyPatch, shown: Shown, rooms: list[tuple[str, tuple[int, ...]]]
) -> None:
    found: list[tuple[str, tuple[float, ...]]] = []
    monkeypatch.setattr(Chart, "draw", lambda chart, _, room: found.append((chart.objectName(), room.getRect())))
    charts.choose(shown)
    charts.draw(None, 800, 300)  # type: ignore[arg-type]  # nothing is painted
    assert found == rooms


def test_charts_have_their_titles_bands_and_shares(charts: TrainingCharts, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, Contents] = {}
    monkeypatch.setattr(Chart, "show_contents", lambda chart, shown: found.update({chart.objectName(): shown}))
    log, told = RoundLog(), {}
    log.add(Chunk({f"{STEP}main/w": [3, 8], "L": [0, 5]}, {f"{STEP}main/w": [1.0, 2.0], "L": [1.0, 2.0]}))
    for shown in Shown:
        charts.choose(shown)
        charts.show_log(log)
        others = found["chart_others"]
        told[shown] = (others.title.partition(" ")[0], others.band, others.is_share, others.other_title, others.span)
        losses = found["chart_losses"]
        assert (losses.title, losses.other_title, losses.has_linear_others) == ("Loss", "Metrics", True)
        assert losses.span == others.span and not others.has_linear_others
    assert told == {
        Shown.LOSS: ("", None, False, "Rates", (0, 5)),
        Shown.GRADIENTS: ("Size", None, False, "Rates", (0, 5)),
        Shown.UPDATES: ("Step", (1e-4, 1e-2), False, "Rates", (0, 8)),
        Shown.DEAD: ("Share", None, True, "Rates", (0, 5)),
    }


# Their choice


def test_the_choice_is_a_row_or_one_button_at_the_right(qtbot: QtBot) -> None:
    selector, heard = ChartSelector(), list[Shown]()
    qtbot.addWidget(selector)
    selector.chosen.connect(heard.append)
    row, one = selector._row, selector._one
    selector.show()
    hint = row.sizeHint()
    assert selector.sizeHint() == hint
    # Qt's arrow takes 20 px more than it says.
    assert selector.minimumSizeHint() == QSize(one.sizeHint().width() + 20, hint.height())
    for width, has_row in ((hint.width(), True), (hint.width() - 1, False), (hint.width() + 50, True)):
        selector.resize(width, hint.height())
        assert (row.isHidden(), one.isHidden()) == (not has_row, has_row)
        assert row.geometry() == selector.rect()
        assert (one.width(), one.geometry().right()) == (selector.minimumSizeHint().width(), width - 1)
    looks = [button.property("look") for button in selector._buttons.values()]
    assert looks == ["first", "middle", "middle", "last"]
    assert [button.text() for button in selector._buttons.values()] == ["Loss", "Gradients", "Updates", "Dead"]
    for shown, text in ((Shown.DEAD, "Dead"), (Shown.LOSS, "Loss")):
        selector._buttons[shown].click()
        assert heard[-1] is shown and one.text() == text and one.accessibleName() == f"Chart: {text}"
        assert [button.isChecked() for button in selector._buttons.values()] == [item is shown for item in Shown]
        assert one.toolTip() == selector._buttons[shown].toolTip()


def test_a_chart_is_drawn_where_the_picture_has_it(qtbot: QtBot) -> None:
    """The pieces of a line are clipped to the room, with 1 px at its sides and 2 above and below."""
    chart = chart_of(qtbot, 1.0, line(0.2, 0.8), is_share=True)
    clips: list[tuple[float, ...]] = []
    image = QImage(900, 500, QImage.Format.Format_RGB32)

    class Clipping(QPainter):
        """A painter that notes its clips."""

        def setClipRect(self, rect: QRectF, *others: Any) -> None:
            clips.append(rect.getRect())
            super().setClipRect(rect, *others)

    painter = Clipping(image)
    chart.draw(painter, WHOLE)
    painter.end()
    frame = chart._frame(WHOLE)
    assert frame is not None
    room = frame.room
    assert clips == [(room.left() - 1, room.top() - 2, room.width() + 2, room.height() + 4)]
    assert QPointF(room.left(), room.top()) == QPointF(room.left(), 31)


def test_the_narrowest_chart_names_two_rounds(qtbot: QtBot) -> None:
    found = shapes(chart_of(qtbot, 1.0, line(*range(12))), QRectF(0, 0, 120, 200))
    assert [item.split("“")[1] for item in found if " middle 10px text.secondary" in item] == ["0”", "10”"]
