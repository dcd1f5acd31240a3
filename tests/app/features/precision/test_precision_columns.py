"""The columns of the lens of precision, made from findings by hand: marks, order, tips and widths."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.features.precision.precision_lens import PrecisionLens
from gradwire.app.features.precision.precision_rows import digits_left
from gradwire.app.kit.lens.sorted_table import SortedTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.explain.precision import Accumulation, Deviation, Precision, Underflow
from gradwire.engine.graph.graph import Graph


def port(name: str) -> PortName:
    return PortName(f"main/{name}", "y")


# 4, 3, 2 and 0 digits are left.
GOOD, LIMIT = Accumulation(port("b"), True, "", (0,), 0.5, 500.0, 7.0), Deviation(port("C"), 1e-3)
FEW, LOST = Accumulation(port("A"), False, "ReduceSum", (0,), 1.0, 1e5, 7.0), Underflow(port("d"), (0,), 3, -51.8)
FOUND = Precision((GOOD, FEW), "float64", (LIMIT,), (LOST,))


@pytest.fixture
def lens(qtbot: QtBot) -> PrecisionLens:
    made = PrecisionLens(CurrentSession(Session(Graph(), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(made)
    made.show_answer(FOUND)
    return made


def table(lens: PrecisionLens) -> SortedTable:
    found = lens.findChild(SortedTable, "precision_rows")
    assert isinstance(found, SortedTable)
    return found


def test_below_three_digits_a_finding_is_marked(lens: PrecisionLens) -> None:
    rows = [(*row.texts[:3], row.icon, row.tokens) for row in table(lens).rows.rows]
    assert rows == [
        ("d", "0.0", "", "warn", ("warn",)),
        ("A", "2.0", "κ 1e5", "warn", ("warn",)),
        ("C", "3.0", "0.001", "", ("text.primary",)),
        ("b", "4.0", "κ 1000", "", ("text.primary",)),
    ]


@pytest.mark.parametrize(("column", "order"), [(0, "AbCd"), (1, "bCAd"), (2, "dAbC"), (3, "CAbd")])
def test_a_column_sorts_by_its_number_or_its_words(lens: PrecisionLens, column: int, order: str) -> None:
    table(lens).sort_by(column)
    assert [row.texts[0] for row in table(lens).rows.rows] == list(order)


def test_findings_at_one_place_are_told_apart(lens: PrecisionLens) -> None:
    both = [Accumulation(port("x"), is_gradient, what, (0,), 0.5, 500.0, 7.0)
            for is_gradient, what in ((True, ""), (True, "Sum"), (False, "Sum"))]  # fmt: skip
    lens.show_answer(Precision(tuple(both), "float64", (Deviation(port("x"), 0.5),), ()))
    rows = table(lens).rows.rows
    assert len({row.key for row in rows}) == len(rows) == 4
    heard: list[object] = []
    lens.place_chosen.connect(heard.append)
    table(lens).row_chosen.emit(rows[0].key)
    assert heard == ["main/x"]


def test_columns_have_their_widths_and_words_take_what_is_left(
    lens: PrecisionLens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QHeaderView, "sectionSizeHint", lambda *_: 0)
    lens.resize(900, 300)
    lens.show()
    assert [table(lens).columnWidth(column) for column in range(3)] == [120, 74, 80]
    assert table(lens).columnWidth(3) == table(lens).viewport().width() - 274 >= 300
    lens.resize(574, 300)
    assert table(lens).columnWidth(3) == 300
    headings, role = table(lens).horizontalHeader().model(), Qt.ItemDataRole.ToolTipRole
    tips = [headings.headerData(column, Qt.Orientation.Horizontal, role) for column in range(4)]
    assert ["\n" in tip for tip in tips] == [False, False, True, True]


def test_without_findings_it_says_why(lens: PrecisionLens) -> None:
    said = lens.findChild(QLabel, "precision_summary")
    assert isinstance(said, QLabel) and said.text().startswith("The 0 at d ") and not said.isHidden()
    lens.show_answer(None)
    assert (said.text(), said.isHidden(), len(table(lens).rows.rows)) == ("", True, 0)
    assert table(lens).accessibleDescription() == "Nothing has been evaluated yet."


@pytest.mark.parametrize(
    ("difference", "digits"),
    [(0.0, 7), (1e-9, 7), (1e-7, 7), (1e-6, 6), (0.01, 2), (1.0, 0), (10.0, 0), (1e300, 0), (math.inf, 0)],
)
def test_digits_that_agree_lie_between_none_and_those_of_single_precision(difference: float, digits: float) -> None:
    assert digits_left(Deviation(port("x"), difference)) == pytest.approx(digits)
