"""The picture of a trial and the rows of its table, box by box and wire by wire."""

from __future__ import annotations

import dataclasses
import math

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.why.trial_view import TrialView, amount_text
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.trials import Amount, GradientPair, Stage, State, Trial
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.training.side_by_side import SideBySide
from tests.app.drawn_shapes import drawn

FINE, BROKEN, NOTHING = Amount(3, 0.5, 0, ()), Amount(3, math.nan, 1, (math.nan, 1.0, 2.0)), Amount(1, 0.0, 0, (0.0,))


def pair(name: str, before: Amount | None, after: Amount | None) -> GradientPair:
    return GradientPair(PortName(f"main/{name}", "y"), before, after)


TRIAL = Trial(
    State(BROKEN, 1),
    State(FINE, 0),
    (pair("a", BROKEN, NOTHING), pair("b", None, FINE), pair("c", FINE, FINE)),
    (
        Stage("x", "Input", False, FINE),
        Stage("w", "Where", True, BROKEN),
        Stage("p", "Pow", False, NOTHING),
        Stage("q", "Exp", False),
    ),
    True,
)


def view(qtbot: QtBot, has_picture: bool = True) -> TrialView:
    made = TrialView(Appearance("dark"), None, has_picture=has_picture)
    qtbot.addWidget(made)
    return made


def rows(made: TrialView) -> list[list[tuple[str, str]]]:
    """Returns the texts of each row with the colours of their style."""
    QCoreApplication.processEvents()
    found: dict[int, dict[int, tuple[str, str]]] = {}
    for label in made.findChildren(QLabel):
        _, row, *column = label.objectName().split("_")
        if not label.isHidden():
            color = label.styleSheet().removeprefix("color: ").removesuffix(";")
            found.setdefault(int(row), {})[int(column[0]) if column else 0] = label.text(), color
    return [[row[column] for column in sorted(row)] for _, row in sorted(found.items())]


def test_boxes_share_the_width_and_each_wire_tells_its_gradient(qtbot: QtBot) -> None:
    """Four boxes, three gaps of 44 px and margins of 10: 352 px leave 50 px a box."""
    made = view(qtbot)
    made.show_trial(TRIAL)
    picture = made.findChild(QWidget, "trial_path")
    assert picture is not None
    height = picture.fontMetrics().height()
    assert picture.sizeHint().toTuple() == (200, 46 + height)
    lines = drawn(picture, 352, 64)
    texts = [line.split()[1:4] + line.split()[5:] for line in lines if line.startswith("text")]
    assert [line for line in lines if not line.startswith("text")] == [
        "rect 0.5 0.5 351 63 round 8 1px border.subtle on bg.sunken",
        "line 60 23 104 23 3px grad.text",
        "line 154 23 198 23 3px alarm",
        "line 248 23 292 23 3px wire.zero",
        "rect 10 10 50 26 round 5 1px border.default on bg.raised",
        "rect 104 10 50 26 round 5 1.5px ok on bg.raised",
        "rect 198 10 50 26 round 5 1px border.default on bg.raised",
        "rect 292 10 50 26 round 5 1px border.default on bg.raised",
    ]
    assert texts == [
        # What a wire carries stands below its middle, what is new below its box.
        ["42", "26", "80", "middle", "10px", "grad.text", "“.5”"],
        ["136", "26", "80", "middle", "10px", "alarm", "“NaN”"],
        ["230", "26", "80", "middle", "10px", "grad.text", "“0”"],
        ["10", "10", "50", "middle", "11px", "text.primary", "“x”"],
        ["104", "10", "50", "middle", "11px", "text.primary", "“Where”"],
        ["82", "38", "94", "middle", "11px", "ok", "“new”"],
        ["198", "10", "50", "middle", "11px", "text.primary", "“p”"],
        ["292", "10", "50", "middle", "11px", "text.primary", "“q”"],
    ]


@pytest.mark.parametrize(
    ("count", "width", "lefts", "box"),
    [(2, 300, [18, 172], 110), (2, 284, [10, 164], 110), (2, 264, [10, 154], 100), (4, 200, [-6, 58, 122, 186], 20)],
)
def test_boxes_have_20_to_110_px_and_stand_in_the_middle(
    qtbot: QtBot, count: int, width: int, lefts: list[int], box: int
) -> None:
    made = view(qtbot)
    made.show_trial(dataclasses.replace(TRIAL, path=(Stage("a", "Exp", False),) * count))
    picture = made.findChild(QWidget, "trial_path")
    assert picture is not None
    boxes = [line.split()[1:5] for line in drawn(picture, width, 64) if "round 5" in line]
    assert boxes == [[str(left), "10", str(box), "26"] for left in lefts]


def test_a_name_too_long_for_its_box_loses_its_middle(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(dataclasses.replace(TRIAL, path=(Stage("a" * 9 + "b" * 9, "Exp", False),)))
    picture = made.findChild(QWidget, "trial_path")
    assert picture is not None
    (text,) = [line.split()[-1] for line in drawn(picture, 100, 64) if line.startswith("text")]
    assert text.startswith("“aaa") and text.endswith("bbb”") and "…" in text


def test_the_table_tells_loss_gradients_and_broken_wires_in_their_colours(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(TRIAL)
    css = Appearance("dark").theme.css
    quiet, value, slope, alarm = (css(token) for token in ("text.secondary", "value", "grad.text", "alarm"))
    expected = [
        [("", quiet), ("before", quiet), ("after", quiet)],
        [("loss", quiet), ("NaN 1 2", alarm), ("norm .5", value)],
        [("∂L/∂a", quiet), ("NaN 1 2", alarm), ("0", slope)],
        [("∂L/∂b", quiet), ("–", quiet), ("norm .5", slope)],
        [("∂L/∂c", quiet), ("norm .5", slope), ("norm .5", slope)],
        [("wires with NaN/Inf", quiet), ("1", alarm), ("0", css("text.primary"))],
    ]
    assert rows(made) == expected
    made.show_rounds(SideBySide(50, (1.0, math.nan), (1.0, 0.25)))
    rounds = [("loss, round 50", quiet), ("NaN", alarm), (".25", value)]
    assert rows(made) == [*expected, rounds]
    kept = made.findChild(QLabel, "trial_6_2")
    made.show_rounds(SideBySide(50, (1.0, 2.0), (1.0, 0.25)))
    assert kept is not None and kept.isHidden()
    made.show_rounds(SideBySide(50, (1.0, math.nan), (1.0, 0.25)))
    assert rows(made) == [*expected, rounds]
    assert made.accessibleDescription().splitlines() == [
        "loss: before NaN 1 2, after norm .5",
        "∂L/∂a: before NaN 1 2, after 0",
        "∂L/∂b: before –, after norm .5",
        "∂L/∂c: before norm .5, after norm .5",
        "wires with NaN/Inf: before 1, after 0",
        "loss, round 50: before NaN, after .25",
    ]


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        ((0, 0), ["", "loss", "∂L/∂a", "∂L/∂b", "loss, round 9"]),
        ((1, 0), ["", "loss", "∂L/∂a", "∂L/∂b", "wires with NaN/Inf", "loss, round 9"]),
        ((0, 1), ["", "loss", "∂L/∂a", "∂L/∂b", "wires with NaN/Inf", "loss, round 9"]),
    ],
)
def test_a_low_place_has_no_picture_and_leaves_rows_out_for_the_rounds(
    qtbot: QtBot, broken: tuple[int, int], kept: list[str]
) -> None:
    made, (before, after) = view(qtbot, has_picture=False), (State(FINE, count) for count in broken)
    made.show_trial(dataclasses.replace(TRIAL, before=before, after=after))
    picture = made.findChild(QWidget, "trial_path")
    assert picture is not None and picture.isHidden() and not made.isHidden()
    assert len(rows(made)) == 6
    made.show_rounds(SideBySide(9, (1.0, 0.5), (1.0, 0.25)))
    assert [row[0][0] for row in rows(made)] == kept


def test_another_trial_forgets_the_rounds_and_the_same_one_keeps_them(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_rounds(SideBySide(9, (1.0, 0.5), (1.0, 0.25)))
    assert rows(made) == []
    made.show_trial(TRIAL)
    made.show_rounds(SideBySide(9, (1.0, 0.5), (1.0, 0.25)))
    made.hide()
    made.show_trial(dataclasses.replace(TRIAL))
    assert len(rows(made)) == 7 and not made.isHidden()
    made.show_rounds(None)
    assert len(rows(made)) == 6
    made.show_rounds(SideBySide(9, (1.0, 0.5), (1.0, 0.25)))
    made.show_trial(dataclasses.replace(TRIAL, helps=False))
    assert len(rows(made)) == 6
    made.show_trial(None)
    assert made.isHidden()


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Amount(3, 1.0, 0, (100.0, 200.0, 300.0)), "100 200 300"),
        (Amount(3, 1.0, 0, (-100.0, 200.0, 300.0)), "norm 1"),
        (Amount(9, math.nan, 4, ()), "4 of 9 broken"),
        (Amount(2000, math.nan, 1500, ()), "1,500 of 2,000 broken"),
        (Amount(9, 2.0, 0, ()), "norm 2"),
    ],
)
def test_a_column_holds_eleven_characters_of_elements(amount: Amount, text: str) -> None:
    assert amount_text(amount) == text


def test_numbers_stand_at_the_right(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(TRIAL)
    cell = made.findChild(QLabel, "trial_1_2")
    assert cell is not None and cell.alignment() & Qt.AlignmentFlag.AlignRight
