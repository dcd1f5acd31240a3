"""The rows of the table of a trial, their numbers and their colours."""

from __future__ import annotations

import dataclasses
import math

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.kit.why.trial_view import TrialView, amount_text
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.trials import Amount, GradientPair, State, Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.training.side_by_side import SideBySide

FINE, BROKEN, NOTHING = Amount(3, 0.5, 0, ()), Amount(3, math.nan, 1, (math.nan, 1.0, 2.0)), Amount(1, 0.0, 0, (0.0,))


def pair(name: str, before: Amount | None, after: Amount | None) -> GradientPair:
    return GradientPair(PortName(f"main/{name}", "y"), before, after)


TRIAL = Trial(
    State(BROKEN, 1),
    State(FINE, 0),
    (pair("a", BROKEN, NOTHING), pair("b", None, FINE), pair("c", FINE, FINE)),
    True,
)


def view(qtbot: QtBot) -> TrialView:
    made = TrialView(Appearance("dark"), None)
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


def test_the_table_tells_loss_gradients_and_broken_wires_in_their_colours(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(TRIAL)
    css = Appearance("dark").theme.css
    quiet, value, slope, alarm = (css(token) for token in ("text.secondary", "value", "grad.text", "alarm"))
    expected = [
        [("", quiet), ("now", quiet), ("with the fix", quiet)],
        [("loss", quiet), ("NaN 1 2", alarm), ("size 0.5", value)],
        [("∂L/∂a", quiet), ("NaN 1 2", alarm), ("0", slope)],
        [("∂L/∂b", quiet), ("–", quiet), ("size 0.5", slope)],
        [("∂L/∂c", quiet), ("size 0.5", slope), ("size 0.5", slope)],
        [("wires with NaN", quiet), ("1", alarm), ("0", css("text.primary"))],
    ]
    assert rows(made) == expected
    made.show_rounds(SideBySide(50, (1.0, math.nan), (1.0, 0.25)))
    rounds = [("loss, round 50", quiet), ("NaN", alarm), ("0.25", value)]
    assert rows(made) == [*expected, rounds]
    kept = made.findChild(QLabel, "trial_6_2")
    made.show_rounds(SideBySide(50, (1.0, 2.0), (1.0, 0.25)))
    assert kept is not None and kept.isHidden()
    made.show_rounds(SideBySide(50, (1.0, math.nan), (1.0, 0.25)))
    assert rows(made) == [*expected, rounds]
    assert made.accessibleDescription().splitlines() == [
        "loss: now NaN 1 2, with the fix size 0.5",
        "∂L/∂a: now NaN 1 2, with the fix 0",
        "∂L/∂b: now –, with the fix size 0.5",
        "∂L/∂c: now size 0.5, with the fix size 0.5",
        "wires with NaN: now 1, with the fix 0",
        "loss, round 50: now NaN, with the fix 0.25",
    ]


def test_a_row_of_broken_wires_comes_only_with_such(qtbot: QtBot) -> None:
    made = view(qtbot)
    for before, after, is_told in ((0, 0, False), (1, 0, True), (0, 1, True)):
        made.show_trial(dataclasses.replace(TRIAL, before=State(FINE, before), after=State(FINE, after)))
        assert ("wires with NaN" in [row[0][0] for row in rows(made)]) is is_told


def test_the_gradient_here_comes_first_and_the_last_column_has_a_heading_of_its_own(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(dataclasses.replace(TRIAL, here=(NOTHING, None)), "without")
    assert [cell[0] for cell in rows(made)[0]] == ["", "now", "without"]
    assert [row[0][0] for row in rows(made)[1:]] == ["here", "∂L/∂a", "∂L/∂b", "∂L/∂c", "loss", "wires with NaN"]
    assert [cell[0] for cell in rows(made)[1]] == ["here", "0", "–"]


def test_the_row_of_a_wire_says_so(qtbot: QtBot) -> None:
    made, wire = view(qtbot), Link(PortName("main/m", "y"), PortName("main/stop", "x"))
    made.show_trial(dataclasses.replace(TRIAL, here=(NOTHING, None), place=wire))
    assert rows(made)[1][0][0] == "this wire"


def test_what_is_rounding_alone_is_about_0(qtbot: QtBot) -> None:
    made = view(qtbot)
    rounding = Amount(1, 1.7e-16, 0, (-1.7e-16,), is_rounding=True)
    made.show_trial(dataclasses.replace(TRIAL, here=(NOTHING, rounding)), "without")
    assert [cell[0] for cell in rows(made)[1]] == ["here", "0", "≈ 0"]


def test_elements_without_room_in_both_columns_give_way_to_the_largest(qtbot: QtBot) -> None:
    made = view(qtbot)
    three = Amount(3, 0.349, 0, (-0.089, -0.19, 0.279))
    made.show_trial(dataclasses.replace(TRIAL, gradients=(pair("x", three, three), pair("y", BROKEN, three))))
    assert [[cell[0] for cell in row] for row in rows(made)[2:4]] == [
        ["largest in x", "0.279", "0.279"],
        ["∂L/∂y", "NaN 1 2", "−.089 −.19 .279"],
    ]


@pytest.mark.parametrize(
    ("old", "new", "is_equal"),
    [
        (FINE, FINE, True),
        (FINE, dataclasses.replace(FINE, norm=0.5 + 4e-7), True),
        (FINE, dataclasses.replace(FINE, norm=0.5 + 6e-7), False),
        (FINE, None, False),
        (BROKEN, FINE, False),
        (Amount(2, 5.0, 0, (3.0, 4.0)), Amount(2, 5.0, 0, (3.0, 4.0 + 4e-6)), True),
        (Amount(2, 5.0, 0, (3.0, 4.0)), Amount(2, 5.0, 0, (4.0, 3.0)), False),
    ],
)
def test_a_trial_is_equal_where_all_numbers_are_but_for_rounding(
    old: Amount, new: Amount | None, is_equal: bool
) -> None:
    for before, after in ((old, new), (new, old)):
        by_gradient = Trial(State(FINE, 0), State(FINE, 0), (pair("a", FINE, FINE), pair("b", before, after)), False)
        by_loss = Trial(State(before, 0), State(after, 0), (), False)
        assert (by_gradient.is_equal, by_loss.is_equal) == (is_equal, is_equal)


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
        (Amount(3, 1.0, 0, (-1000.0, -2000.0, -3000.0)), "−1000 −2000 −3000"),
        (Amount(3, 1.0, 0, (-1234.0, -2345.0, -34567.0)), "size 1"),
        (Amount(4, math.nan, 1, (math.nan, -1000.0, -2000.0, -3000.0)), "1 of 4 broken"),
        (Amount(9, math.nan, 4, ()), "4 of 9 broken"),
        (Amount(2, math.nan, 2, (math.nan, math.nan)), "NaN"),
        (Amount(2, math.nan, 2, (math.nan, math.inf)), "NaN inf"),
        (Amount(2000, math.nan, 1500, ()), "1,500 of 2,000 broken"),
        (Amount(9, 2.0, 0, ()), "size 2"),
    ],
)
def test_a_column_holds_seventeen_characters_of_elements(amount: Amount, text: str) -> None:
    assert amount_text(amount) == text


def test_numbers_stand_at_the_right(qtbot: QtBot) -> None:
    made = view(qtbot)
    made.show_trial(TRIAL)
    cell = made.findChild(QLabel, "trial_1_2")
    assert cell is not None and cell.alignment() & Qt.AlignmentFlag.AlignRight
