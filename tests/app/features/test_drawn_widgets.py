"""What small widgets of features draw, and where, in the tokens of the dark theme. Units: px."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.help.tour_card import TourCard
from gradwire.app.features.models.busy_bar import BusyBar
from gradwire.app.features.pages.round_bar import RoundSlider
from gradwire.app.features.problems.problem_list import ProblemList, ProblemModel, fix_button
from gradwire.app.features.problems.problem_rows import FAULT, Row
from gradwire.app.features.training.train_strip import Speed
from gradwire.app.features.training.variable_list import VariableList, VariableRow
from gradwire.app.kit.controls.round_curve import LossCurve, ProgressLine
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import Chunk
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.finding import Fix
from tests.app.drawn_shapes import drawn, recorded

DARK = Appearance("dark")
NAN, INF = math.nan, math.inf


@pytest.fixture(autouse=True, scope="module")
def _unstyled(qapp: QApplication) -> Iterator[None]:
    """An application without the style sheet and the font that a window gives it."""
    before = qapp.styleSheet(), qapp.font()
    qapp.setStyleSheet("")
    qapp.setFont(QFont())
    yield
    qapp.setFont(before[1])
    qapp.setStyleSheet(before[0])


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    return made


@pytest.mark.parametrize(("share", "width"), [(0.25, 23), (0.0, 0), (-1.0, 0), (1.0, 92), (3.0, 92)])
def test_the_progress_line_is_filled_to_its_share(parent: QWidget, share: float, width: int) -> None:
    line = ProgressLine(DARK, parent)
    line.set_share(share)
    assert drawn(line, 92, 4) == ["rect 0 0 92 4 round 2 on bg.hover", f"rect 0 0 {width} 4 round 2 on accent"]


def curve(parent: QWidget, losses: list[float], end: int, at: int, name: str = "main/loss") -> list[str]:
    """Returns the curve in a field of 109 x 51: its room begins at (4.5, 5.5) and has 100 x 40."""
    shown = LossCurve(DARK, parent)
    log = RoundLog()
    log.add(Chunk({"main/loss": list(range(len(losses)))}, {"main/loss": losses}))
    shown.show_log(log, name, end, at)
    shown.setFixedSize(109, 51)
    with recorded(has_paths=True) as lines:
        shown.grab()
    return lines


FIELD = "rect 0.5 0.5 108 50 round 4 1px border.subtle on bg.sunken"


@pytest.mark.parametrize(
    ("losses", "end", "at", "line", "path", "dot"),
    [
        # From 4 at the left to 1: zero is at the foot.
        ([4.0, 2.0, NAN, 1.0], 6, 3, "54.5 0.5 54.5 50.5", "4.5 5.5 50 30", "51.9 32.9"),
        # A negative loss is lower than zero, which is no longer the foot.
        ([1.0, -1.0], 4, 1, "29.5 0.5 29.5 50.5", "4.5 5.5 25 40", "26.9 42.9"),
        # All zero: the foot.
        ([0.0, 0.0], 2, 0, "4.5 0.5 4.5 50.5", "4.5 45.5 50 0", "51.9 42.9"),
        # A training without rounds ends at the first.
        ([5.0], 0, 0, "4.5 0.5 4.5 50.5", "4.5 5.5 0 0", "1.9 2.9"),
    ],
)  # fmt: skip
def test_the_loss_falls_over_the_rounds_to_the_end(
    parent: QWidget, losses: list[float], end: int, at: int, line: str, path: str, dot: str
) -> None:
    assert curve(parent, losses, end, at) == [
        FIELD,
        f"line {line} 1px dashed text.tertiary",
        f"path {path} 1.6px value",
        f"ellipse {dot} 5.2 5.2 on value",
    ]


def test_without_a_loss_there_is_an_empty_field(parent: QWidget) -> None:
    assert curve(parent, [1.0], 6, 3, "") == curve(parent, [NAN], 6, 3) == curve(parent, [INF], 6, 3) == [FIELD]


@pytest.mark.parametrize(("count", "kept"), [(639, 639), (640, 320), (641, 321), (1280, 427)])
def test_a_curve_has_no_more_points_than_can_be_seen_and_the_newest(parent: QWidget, count: int, kept: int) -> None:
    shown, log = LossCurve(DARK, parent), RoundLog()
    log.add(Chunk({"main/loss": list(range(count))}, {"main/loss": [float(n) for n in range(count)]}))
    shown.show_log(log, "main/loss", count, count)
    # From the newest backwards, every second one, or every third.
    assert len(shown._series[0]) == kept and shown._series[0][-1].tolist() == [count - 1, count - 1]


def test_speeds_are_rounds_a_second() -> None:
    assert [speed.limit(500) for speed in Speed] == [1.0, 50.0, 100.0, None]
    assert [Speed.LESSON.limit(rounds) for rounds in (0, 1, 20)] == [0.1, 0.1, 2.0]


@pytest.mark.parametrize(
    ("step", "left"), [(0, 70), (1, 67.67), (15, 35), (30, 0), (31, 2.33), (45, 35), (60, 70), (75, 35)]
)
def test_a_busy_bar_goes_to_and_fro(parent: QWidget, step: int, left: float) -> None:
    """Three tenths of its width move, in 30 steps from one end to the other."""
    bar = BusyBar(parent)
    bar._step = step
    track, part = drawn(bar, 100, 4)
    assert track.startswith("rect 0 0 100 4 round 2 on") and part.startswith(f"rect {left} 0 30 4 round 2 on")
    assert BusyBar(parent)._step == 15
    bar._go_on()
    assert bar._step == step + 1


def test_stops_are_marks_above_the_middle_of_the_knob(parent: QWidget) -> None:
    slider = RoundSlider(DARK, parent)
    slider.setRange(0, 10)
    assert drawn(slider, 112, 20) == []
    slider.show_stops([0, 5, 10])
    assert sorted(drawn(slider, 112, 20)) == [
        "fill 105.5 1 1.5 4 on stop",
        "fill 5.5 1 1.5 4 on stop",
        "fill 55.5 1 1.5 4 on stop",
    ]
    assert slider.pageStep() == 1


def test_bars_of_variables_are_shares_of_the_largest_gradient(parent: QWidget) -> None:
    shown = VariableList(DARK, parent)
    rows = [
        VariableRow("w", "2×3", 10.0, 4.0, "✓"), VariableRow("b", "3", 5.0, None, "✓"),
        VariableRow("c", "4", INF, 0.5, "✓"), VariableRow("a_long_name_of_it_that_ends", "5", None, None, "L, M"),
    ]  # fmt: skip
    shown.show_rows(rows, "trained by")
    assert shown.sizeHint().toTuple() == (200, 101)
    found = drawn(shown, 472, 101)
    assert found[:4] == [
        "text 0 0 472 26.5 left 12px text.primary “Variables”",
        "text 0 0 238 26.5 right 11px text.secondary “|∂L|”",
        "text 0 0 330 26.5 right 11px text.secondary “at the start”",
        "text 0 0 472 26.5 right 11px text.secondary “trained by”",
    ]
    bars = [item for item in found if "grad.text" in item and item.split()[0] != "text"]
    assert [float(item.split()[3]) for item in bars] == [100.0, 50.0]
    texts = [item.rpartition(" ")[2] for item in found if item.startswith("text")]
    assert {"“4”", "“w”", "“2×3”", "“–”"} <= set(texts)


CARD = "rect 9.5 9.5 301 93 round 10 1.2px accent on bg.overlay"


@pytest.mark.parametrize(
    ("target", "corner", "beak"),
    [
        # Below, above, right and left of it, and over its lower edge where it fills the window.
        ((300, 200, 40, 20), (159, 227), "152 10.5 160 1.5 168 10.5"),
        ((300, 560, 40, 20), (159, 440), "152 101.5 160 110.5 168 101.5"),
        ((10, 10, 40, 580), (57, 243), "10.5 48 1.5 56 10.5 64"),
        ((700, 10, 40, 580), (372, 243), "309.5 48 318.5 56 309.5 64"),
        ((10, 10, 780, 580), (239, 469), "152 10.5 160 1.5 168 10.5"),
        # At the edges of the window it keeps 8 px from them.
        ((0, 100, 20, 20), (8, 127), "25.5 10.5 33.5 1.5 41.5 10.5"),
        ((780, 100, 20, 20), (471, 127), "278.5 10.5 286.5 1.5 294.5 10.5"),
    ],
)
def test_a_card_points_at_its_target(
    parent: QWidget, target: tuple[int, int, int, int], corner: tuple[int, int], beak: str
) -> None:
    card = TourCard(DARK, parent)
    card.say("", "A sentence.", [])
    card._sentence.setFixedHeight(66)
    with recorded() as lines:
        card.point_at(QRect(*target))
        card.grab()
    assert card.geometry().getRect() == (*corner, 320, 112)
    assert lines == [CARD, f"line {beak} 1.2px accent", f"polygon {beak} on bg.overlay"]
    ring = parent.findChild(QWidget, "tour_ring")
    assert isinstance(ring, QWidget) and not ring.isHidden()
    left, top, width, height = target
    assert ring.geometry().getRect() == (left - 4, top - 4, width + 8, height + 8)
    assert drawn(ring, 48, 28) == ["rect 1 1 46 26 round 8 2px accent"]
    card.point_at(QRect())
    assert ring.isHidden()


def listed(parent: QWidget, *rows: Row) -> tuple[ProblemList, ProblemModel]:
    made, model = ProblemList(DARK, parent), ProblemModel(parent)
    made.setModel(model)
    model.show(list(rows))
    return made, model


FIX = Fix("Mend it", lambda graph: graph)


def test_an_empty_list_of_problems_says_what_is_known(parent: QWidget) -> None:
    shown, _ = listed(parent)
    assert drawn(shown, 400, 136) == [
        "icon 14 14 16 16 text.secondary clock",
        "text 40 0 348 44 left 12px text.secondary “Nothing has been computed yet.”",
    ]
    shown.set_message(True)
    assert drawn(shown, 400, 136)[0] == "icon 14 14 16 16 ok check-circle"
    assert shown.accessibleDescription() == shown.message


def test_rows_of_problems_have_icon_sentence_detail_place_and_fix(parent: QWidget) -> None:
    shown, _ = listed(
        parent,
        Row("error", "It is wrong.", "MatMul, port b", "main/mm", "shape", FIX),
        Row("warning", "NaN arises.", "", "main/log", "nonfinite"),
        Row("info", "x has failed", "detail", "", FAULT),
    )
    assert drawn(shown, 400, 136) == [
        "fill 0 43 398 1 on border.subtle",
        "icon 14 14 16 16 error error",
        "text 0 0 331 44 right 12px text.secondary “main / mm”",
        "text 40 6 216 16 left 12px text.primary “It is wrong.”",
        "text 40 22 216 16 left 11px text.tertiary “MatMul, port b”",
        "rect 344.5 10.5 40 23 round 4 1px border.default on bg.raised",
        "text 344 10 41 24 middle 12px text.primary “Fix”",
        "fill 0 87 398 1 on border.subtle",
        "icon 14 58 16 16 alarm warn",
        "text 0 44 384 44 right 12px text.secondary “main / log”",
        "text 40 58 273 16 left 12px text.primary “NaN arises.”",
        "text 40 66 273 16 left 11px text.tertiary “”",
        "fill 0 88 398 44 on error.bg",
        "fill 0 88 4 44 on error",
        "fill 0 131 398 1 on border.subtle",
        "icon 14 102 16 16 text.secondary info",
        "text 0 88 384 44 right 12px text.secondary “”",
        "text 40 94 328 16 left 12px text.primary “x has failed”",
        "text 40 110 328 16 left 11px text.tertiary “detail”",
    ]
    assert fix_button(QRect(0, 0, 400, 44)).getRect() == (346, 10, 41, 24)


def test_a_row_is_spoken_whole_and_its_tip_is_that_of_what_is_pointed_at(parent: QWidget) -> None:
    row = Row("error", "It is wrong.", "MatMul, port b", "main/mm", "shape", FIX)
    shown, model = listed(parent, row, Row("info", "A notice.", "", "", "", line=3))
    shown.setFixedSize(400, 136)
    shown.grab()
    spoken = [model.data(model.index(place, 0), 11) for place in (0, 1)]
    assert spoken[0] == "Error: It is wrong. MatMul, port b Fix: Mend it. main / mm"
    assert str(spoken[1]).split() == ["Notice:", "A", "notice.", "line", "3"]
    on_fix, on_row, on_second = (shown.visualRect(model.index(row, 0)).center() for row in (0, 0, 1))
    on_fix = shown.fix_place(model.index(0, 0)).center()
    assert [shown._tip(point) for point in (on_fix, on_row, on_second)] == [
        "Mend it",
        "It is wrong.\nMatMul, port b",
        "A notice.",
    ]
    assert shown.fix_place(model.index(1, 0)).isEmpty()
    assert model.data(model.index(0, 0), 99) is None
