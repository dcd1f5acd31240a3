"""Columns and rows in narrow tables."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from gradwire.app.features.stops.stop_rows import two_lines
from gradwire.app.kit.lens.column_fit import fitted
from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font

pytestmark = pytest.mark.usefixtures("qapp")


def test_columns_are_as_wide_as_they_want_to_be_and_the_last_fills_the_room() -> None:
    assert fitted((100, 50, 50), (20, 20, 20), 300) == [100, 50, 150]


def test_another_column_may_fill_the_room() -> None:
    assert fitted((100, 50, 50), (20, 20, 20), 300, 0) == [200, 50, 50]


def test_where_room_lacks_each_column_gives_of_what_it_has_to_spare() -> None:
    assert fitted((100, 60, 40), (20, 20, 40), 140) == [60, 40, 40]


def test_no_column_is_narrower_than_its_least() -> None:
    assert fitted((100, 60, 40), (50, 50, 40), 10) == [50, 50, 40]


@pytest.mark.parametrize("room", range(150, 260, 7))
def test_the_columns_are_never_wider_than_a_room_that_holds_their_leasts(room: int) -> None:
    assert sum(fitted((97, 83, 71), (50, 50, 50), room)) == room


def test_a_text_with_room_is_one_line() -> None:
    assert two_lines("Changes nothing", font("ui", 12), 400) == ["Changes nothing"]


def test_a_text_without_room_has_two_lines_and_an_ellipsis() -> None:
    used, text = font("ui", 12), "one two three four five six seven eight nine ten eleven twelve thirteen"
    first, second = two_lines(text, used, 160)
    assert text.startswith(f"{first} {second[:-1].strip()}") and second.endswith("…")
    assert max(QFontMetrics(used).horizontalAdvance(line) for line in (first, second)) <= 160


def test_a_single_word_that_is_too_long_ends_in_an_ellipsis() -> None:
    used = font("ui", 12)
    for line in two_lines("x" * 80, used, 100):
        assert QFontMetrics(used).horizontalAdvance(line) <= 100


def table(qtbot: QtBot, width: int, appearance: Appearance) -> RowsTable:
    """Returns a table of four columns, the second of numbers, with one row."""
    made = RowsTable(appearance, lambda: ("Where", "Norm", "What", "By"), (100, 80, 100, 100), (1,))
    qtbot.addWidget(made)
    made.resize(width, 120)
    made.show_rows([TableRow("a", ("x", "1.5", "grows", "Exp"), tip="A tip")])
    made.show()
    return made


def shown(made: RowsTable) -> list[str]:
    names = [str(made.model().headerData(at, Qt.Orientation.Horizontal)) for at in range(made.model().columnCount())]
    return [name for at, name in enumerate(names) if not made.isColumnHidden(at)]


@pytest.mark.parametrize("width", [180, 240, 300, 500])
def test_a_table_never_scrolls_sideways(qtbot: QtBot, width: int) -> None:
    made = table(qtbot, width, Appearance("dark"))
    assert made.horizontalScrollBar().maximum() == 0
    assert shown(made) == ["Where", "Norm", "What", "By"][: 3 if width < 224 else 4]


def test_the_tip_tells_the_columns_that_have_no_room(qtbot: QtBot) -> None:
    made = table(qtbot, 180, Appearance("dark"))
    tip = made.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "x\nA tip\nBy: Exp"
    made.resize(400, 120)
    assert made.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "x\nA tip"


def test_rows_and_columns_grow_with_the_texts(qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    made = table(qtbot, 600, appearance)
    usual, high = made.columnWidth(0), made.rowHeight(0)
    appearance.set_text_scale(1.25)
    try:
        assert made.rowHeight(0) > high and made.columnWidth(1) == round(80 * 1.25) and usual == 100
        assert made.model().index(0, 0).data(Qt.ItemDataRole.FontRole).pixelSize() == 15
        assert made.horizontalScrollBar().maximum() == 0
    finally:
        appearance.set_text_scale(1.0)
    assert (made.columnWidth(0), made.rowHeight(0)) == (usual, high)
