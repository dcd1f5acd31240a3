"""The columns of the lens of flow, made from steps by hand: texts, bars, marks, order and widths."""

from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.features.flow.flow_lens import FlowLens
from gradwire.app.features.flow.sorted_table import SortedTable
from gradwire.app.kit.lens.rows import BAR_ROLE
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.flow import Flow, FlowStep
from gradwire.engine.graph.graph import Graph

ROLE = Qt.ItemDataRole


@pytest.fixture
def lens(qtbot: QtBot) -> FlowLens:
    made = FlowLens(CurrentSession(Session(Graph(), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(made)
    return made


def step(source: str, target: str, arriving: float, sent: float, steps: int, **others: Any) -> FlowStep:
    link = Link(PortName(f"main/{source}", "y"), PortName(f"main/{target}", "x"))
    return FlowStep(link, arriving, sent, steps, **others)


def table(lens: FlowLens) -> SortedTable:
    found = lens.findChild(SortedTable, "flow_rows")
    assert isinstance(found, SortedTable)
    return found


# Ratios of 1/4, 1, 16 and 0; the names sort otherwise than the numbers.
STEPS = (
    step("d", "B", 4.0, 1.0, 2),
    step("C", "a", 2.0, 2.0, 1),
    step("b", "D", 0.5, 8.0, 3, unusual=4.0),
    step("A", "c", 1.0, 0.0, 4),
)


def shown(lens: FlowLens, *steps: FlowStep) -> list[tuple[str, ...]]:
    lens.show_answer(Flow(steps, 1.0, None, 0))
    return [row.texts for row in table(lens).rows.rows]


def test_each_column_tells_a_number_of_its_step(lens: FlowLens) -> None:
    assert shown(lens, *STEPS) == [
        ("B", "d", "0.25", "shrinks", "4", "1", "2", "1"),
        ("a", "C", "1", "stays", "2", "2", "1", "2"),
        ("D", "b", "16", "grows", "0.5", "8", "3", "2"),
        ("c", "A", "0", "shrinks", "1", "0", "4", "0"),
    ]


def test_bars_are_shares_of_the_largest_change_and_a_zero_is_a_whole_one(lens: FlowLens) -> None:
    shown(lens, *STEPS)
    bars = [table(lens).model().index(row, 3).data(BAR_ROLE)[0] for row in range(4)]
    assert bars == pytest.approx([-0.5, 0, 1, -1])
    # Ratios near each other fill the bar too; where all are 1, or none is known, there is none.
    shown(lens, step("a", "b", 1.0, 1.1, 1))
    assert table(lens).model().index(0, 3).data(BAR_ROLE)[0] == pytest.approx(1)
    shown(lens, step("a", "b", 3.0, 3.0, 1))
    assert table(lens).model().index(0, 3).data(BAR_ROLE)[0] == 0
    shown(lens, step("a", "b", 3.0, 0.0, 1))
    assert table(lens).model().index(0, 3).data(BAR_ROLE)[0] == -1
    shown(lens, step("a", "b", 1.0, math.e**0.5, 1), step("a", "c", 1.0, math.e**-0.25, 1))
    assert table(lens).model().index(1, 3).data(BAR_ROLE)[0] == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("column", "order"),
    [(0, "aBcD"), (1, "cDaB"), (2, "DaBc"), (3, "DaBc"), (4, "BacD"), (5, "DaBc"), (6, "cDBa"), (7, "aDBc")],
)
def test_a_column_sorts_by_its_number_or_its_name(lens: FlowLens, column: int, order: str) -> None:
    shown(lens, *STEPS)
    table(lens).sort_by(column)
    assert [row.texts[0] for row in table(lens).rows.rows] == list(order)


def test_an_outlier_alone_is_marked_and_its_tip_says_so(lens: FlowLens) -> None:
    shown(lens, *STEPS)
    rows = table(lens).rows.rows
    assert [(row.icon, row.tokens) for row in rows] == [("", ("text.primary",))] * 2 + [
        ("warn", ("warn",)), ("", ("text.primary",)),
    ]  # fmt: skip
    assert [row.tip.split(" ", 2)[:2] for row in rows] == [
        ["Similar", "to"], ["Similar", "to"], ["Far", "more"], ["No", "gradient"],
    ]  # fmt: skip
    color = table(lens).model().index(2, 0).data(ROLE.ForegroundRole)
    assert color.name() == theme("dark").css("warn")


def test_columns_have_their_widths_and_block_names_take_what_is_left(
    lens: FlowLens, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Headings of any length in any font take no part.
    monkeypatch.setattr(QHeaderView, "sectionSizeHint", lambda *_: 0)
    shown(lens, *STEPS)
    found = table(lens)
    lens.resize(900, 300)
    lens.show()
    widths = [found.columnWidth(column) for column in range(8)]
    # The last column of texts, which is the source's, fills the width.
    assert [widths[0], *widths[2:]] == [112, 68, 96, 76, 76, 60, 92]
    assert sum(widths) == found.viewport().width()
    headings = found.horizontalHeader().model()
    tips = [headings.headerData(column, Qt.Orientation.Horizontal, ROLE.ToolTipRole) for column in range(8)]
    assert [column for column, tip in enumerate(tips) if "norm" in tip.lower() or "\n" in tip] == [4, 5]


@pytest.mark.parametrize(
    ("flow", "message"),
    [
        (None, "Nothing has been computed yet."),
        (Flow((), None, None, 0), "There is no loss, so nothing has a gradient. Add a Loss block."),
    ],
)
def test_without_steps_it_says_why(lens: FlowLens, flow: Flow | None, message: str) -> None:
    lens.show_answer(Flow(STEPS, 1.0, None, 0))
    said = lens.findChild(QLabel, "flow_summary")
    assert isinstance(said, QLabel) and said.text() != "" and not said.isHidden()
    lens.show_answer(flow)
    assert (said.text(), said.isHidden()) == ("", True)
    assert not table(lens).rows.rows and table(lens).accessibleDescription() == message
