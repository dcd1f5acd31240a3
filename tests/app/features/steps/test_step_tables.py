"""The numbers of a step as a table, and a step as a station: made by hand. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QStringListModel, Qt
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.steps.number_grid import NumberGrid
from gradwire.app.features.steps.stations import CELL, StationDelegate
from gradwire.app.features.steps.step_texts import Cell
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.explain.step_numbers import Column, NumberTable
from tests.app.strokes import Stroke, placed, strokes, texts

CSS = theme("dark").css
WAYS = Qt.Orientation
COLUMNS = (
    Column("y", "arrives", (1.0, 2.0)),
    Column("x", "value", (0.5, 1.5, 2.5)),
    Column("x", "sends", (3.0, 4.0), 5.0),
    Column("p", "part", (6.0,), 7.0),
)


@pytest.fixture
def grid(qtbot: QtBot) -> NumberGrid:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(600, 400)
    made = NumberGrid(Appearance("dark"), parent)
    made.resize(600, 200)
    return made


def shown(grid: NumberGrid) -> list[list[str]]:
    model = grid.model()
    ways = [model.headerData(at, WAYS.Horizontal) for at in range(model.columnCount())]
    rows = [
        [model.headerData(row, WAYS.Vertical)] + [model.data(model.index(row, at)) for at in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    return [["", *ways], *rows]


def test_columns_are_named_by_their_role_with_totals_below(grid: NumberGrid) -> None:
    grid.show_numbers(NumberTable(("[0]", "[1]"), COLUMNS, 3), is_forward=False)
    assert shown(grid) == [
        ["", "∂L/∂y", "x", "∂L/∂x", "part of p"],
        ["[0]", "1", "0.5", "3", "6"],
        ["[1]", "2", "1.5", "4", ""],
        ["", "", "2.5", "", ""],
        ["", "", "", "|5|", "7"],
    ]
    model, role = grid.model(), Qt.ItemDataRole
    last = model.rowCount() - 1
    assert [model.data(model.index(last, at), role.ToolTipRole) for at in (2, 3)] == ["Size", "Sum"]
    assert model.data(model.index(0, 2), role.ToolTipRole) is None
    colours = [model.data(model.index(row, at), role.ForegroundRole).name() for row, at in ((0, 0), (0, 1), (last, 2))]
    assert colours == [CSS("grad.text"), CSS("value"), CSS("text.tertiary")]


def test_forward_names_are_plain(grid: NumberGrid) -> None:
    grid.show_numbers(NumberTable((), COLUMNS, 3), is_forward=True)
    assert shown(grid)[0] == ["", "y", "x", "x", "part of p"]
    model = grid.model()
    assert model.data(model.index(0, 0), Qt.ItemDataRole.ForegroundRole).name() == CSS("value")
    grid.show_numbers(NumberTable((), (), 0), is_forward=False)
    assert (grid.model().rowCount(), grid.model().columnCount()) == (0, 0)


def test_a_table_is_as_high_as_its_rows_and_a_bar_where_it_does_not_fit(grid: NumberGrid) -> None:
    def height(columns: int, width: int) -> int:
        grid.resize(width, 200)
        many = tuple(Column(f"x{at}", "value", (1.0, 2.0)) for at in range(columns))
        grid.show_numbers(NumberTable((), many, 2), is_forward=False)
        return grid.sizeHint().height()

    one = height(2, 600)
    top = max(22, grid.horizontalHeader().sizeHint().height())
    assert one == top + 4 + 2 * 20
    assert height(40, 600) == one + 12
    assert grid.minimumSizeHint().height() == one + 12
    # It comes back only with so much room more that the bar cannot come and go.
    assert height(2, 600) == one


# Stations


def station(cell: Cell, row: int = 1) -> list[Stroke]:
    """What is drawn of a step among three."""
    model = QStringListModel(["", "", ""])

    class Index:
        """An index with a cell, which a list of texts does not keep."""

        def data(self, role: int) -> object:
            return cell if role == CELL else None

        def row(self) -> int:
            return row

        def model(self) -> QStringListModel:
            return model

    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 78, 62)  # type: ignore[attr-defined]  # PySide's stubs lack it
    delegate = StationDelegate(Appearance("dark"), None)  # type: ignore[arg-type]  # no parent is needed
    return strokes(lambda painter: delegate.paint(painter, option, Index()))  # type: ignore[arg-type]


def cell(**others: object) -> Cell:
    usual = {
        "icon": "exp", "name": "Exp", "is_stop": False, "is_done": False, "is_current": False,
        "is_forward": False, "spoken": "",
    }  # fmt: skip
    return Cell(**{**usual, **others})  # type: ignore[arg-type]


def test_a_step_is_a_circle_on_the_line_with_its_name_below(qapp: object) -> None:
    found = station(cell())
    assert placed(found, "line") == [(0, 21, 39, 21), (39, 21, 78, 21)]
    assert placed(found, "ellipse") == [(27, 9, 24, 24)]
    assert [(item.text, item.at[1]) for item in found if item.kind == "text"] == [("Exp", 41)]
    assert placed(station(cell(), row=0), "line") == [(39, 21, 78, 21)]
    assert placed(station(cell(), row=2), "line") == [(0, 21, 39, 21)]


def test_what_is_done_or_current_is_strong(qapp: object) -> None:
    strong, weak = CSS("grad.text"), CSS("border.default")

    def lines(**state: object) -> list[str]:
        return [item.pen for item in station(cell(**state)) if item.kind == "line"]

    assert lines() == [weak, weak]
    assert lines(is_current=True) == [strong, weak]
    assert lines(is_done=True) == [strong, strong]
    assert len(placed(station(cell(is_current=True)), "ellipse")) == 2
    forward = station(cell(is_current=True, is_forward=True))
    assert next(item.pen for item in forward if item.kind == "line") == CSS("value")


def test_a_stop_is_an_octagon(qapp: object) -> None:
    found = station(cell(is_stop=True))
    assert placed(found, "path") == [(27, 9, 24, 24)] and placed(found, "ellipse") == []
    assert [item.pen for item in found if item.kind == "path"] == [CSS("stop")]


def test_a_long_name_is_shortened(qapp: object) -> None:
    (name,) = texts(station(cell(name="SigmoidCrossEntropyWithLogits")))
    assert name.endswith("…") and len(name) < 18
