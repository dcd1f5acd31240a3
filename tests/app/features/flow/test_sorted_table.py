"""A table sorted by its columns, by click or by its box, and the bars in it."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.flow.sorted_table import Column, Entry, SortedTable
from gradwire.app.kit.lens.rows import BAR_ROLE
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import drawn

DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder


class Plant(NamedTuple):
    name: str
    height: float


COLUMNS = (
    Column("Name", 100, lambda plant: plant.name, lambda plant: plant.name, is_number=False),
    Column("Height", 80, lambda plant: f"{plant.height:g} m", lambda plant: plant.height, tip="In metres"),
    Column("Share", 104, lambda _: "", lambda plant: -plant.height, bar=lambda plant: plant.height / 10),
)
PLANTS = [Plant("fir", 9), Plant("ash", 2), Plant("oak", 5)]


@pytest.fixture
def table(qtbot: QtBot) -> SortedTable:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = SortedTable(Appearance("dark"), "As found", COLUMNS, holder)
    made.show_entries([Entry(plant.name, plant, "value", "warn", "A tree") for plant in PLANTS], "No plants")
    return made


def names(table: SortedTable) -> str:
    return " ".join(row.texts[0] for row in table.rows.rows)


def test_entries_are_rows_with_their_colour_icon_tip_and_bar(table: SortedTable) -> None:
    row = table.rows.rows[0]
    assert row == ("fir", ("fir", "9 m", ""), ("value",), "warn", "A tree", (0.9, False))
    assert table.rows.numbers == {1, 2} and table.rows.tips == ("", "In metres", "")
    plain = SortedTable(Appearance("dark"), "As found", COLUMNS[:2], table.parentWidget())
    plain.show_entries([Entry("fir", PLANTS[0])])
    assert plain.rows.rows[0] == ("fir", ("fir", "9 m"), ("text.primary",), "", "", None)
    plain.show_entries([], "No plants")
    assert plain.accessibleDescription() == "No plants"


@pytest.mark.parametrize(
    ("clicks", "order", "indicated"),
    [
        ([], "fir ash oak", None),
        ([0], "ash fir oak", UP),
        ([0, 0], "oak fir ash", DOWN),
        ([1], "fir oak ash", DOWN),
        ([1, 1], "ash oak fir", UP),
        ([1, 1, 1], "fir oak ash", DOWN),
        ([2], "ash oak fir", DOWN),
        ([1, 0], "ash fir oak", UP),
    ],
)
def test_a_click_sorts_numbers_from_the_largest_and_another_one_turns_the_order(
    table: SortedTable, clicks: list[int], order: str, indicated: Qt.SortOrder | None
) -> None:
    told = list[bool]()
    table.order_changed.connect(lambda: told.append(True))
    for column in clicks:
        table.horizontalHeader().sectionClicked.emit(column)
    header = table.horizontalHeader()
    assert (names(table), len(told)) == (order, len(clicks))
    assert header.isSortIndicatorShown() is bool(clicks)
    if clicks:
        assert (header.sortIndicatorOrder(), header.sortIndicatorSection()) == (indicated, clicks[-1])
        assert table.choice.currentIndex() == clicks[-1] + 1


def test_the_box_sorts_as_clicks_do_and_restores_the_order(table: SortedTable) -> None:
    box = table.choice
    assert [box.itemText(place) for place in range(box.count())] == ["As found", "Name", "Height", "Share"]
    assert box.isHidden() and box.maximumHeight() == 26
    orders = []
    for place in (2, 1, 0):
        box.activated.emit(place)
        orders.append(names(table))
    assert orders == ["fir oak ash", "ash fir oak", "fir ash oak"]
    assert not table.horizontalHeader().isSortIndicatorShown()
    table.sort_by(0, True)
    assert names(table) == "oak fir ash"
    table.show_entries([Entry("yew", Plant("yew", 1)), Entry("elm", Plant("elm", 7))])
    assert names(table) == "yew elm"


@pytest.mark.parametrize("bar", [None, (0.5, False), (-0.5, False), (1.0, True)])
def test_a_bar_goes_from_the_middle_to_its_side_and_a_cut_one_is_dashed(
    table: SortedTable, bar: tuple[float, bool] | None
) -> None:
    """A share of 1 is half of the column but 6 px at its end; a bar is 10 px high and its zero line 6 px lower."""
    table.show_rows([table.rows.rows[0]._replace(bar=bar, icon="")])
    table.resize(216, 100)
    table.show()
    for column, width in ((0, 50), (1, 50), (2, 100)):
        table.setColumnWidth(column, width)
    lines = drawn(table, 216, 100)
    (left, top), (width, height) = (
        found.toTuple()
        for place in [table.visualRect(table.rows.index(0, 2))]
        for found in (place.topLeft(), place.size())
    )
    middle, half = left + width / 2, (width - 12) / 2
    assert table.rows.index(0, 2).data(BAR_ROLE) == bar
    assert lines[0] == f"line {middle:g} {top + 3} {middle:g} {top + height - 3} 1px border.strong"
    if bar is None:
        assert len(lines) == 1
        return
    share, is_cut = bar
    color = Appearance("dark").theme.diverging(0.9 if share > 0 else -0.9).name()
    box = f"{min(middle, middle + share * half):g} {top + height / 2 - 5:g} {abs(share) * half:g} 10"
    assert lines[1:] == [f"rect {box} 1px dashed {color}" if is_cut else f"fill {box} on {color}"]
