"""Columns and rows of tables."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from tests.app.drawn_shapes import drawn

pytestmark = pytest.mark.usefixtures("qapp")


def empty_table(qtbot: QtBot, width: int, appearance: Appearance, numbers: Sequence[int] = (1,)) -> RowsTable:
    """Returns a table of four columns, some of them of numbers."""
    parent = QWidget()
    qtbot.addWidget(parent)
    made = RowsTable(appearance, lambda: ("Where", "Norm", "What", "By"), (100, 80, 100, 100), numbers, parent)
    # A window of its own, which shows its width as it is.
    made.setParent(None)
    qtbot.addWidget(made)
    made.resize(width, 120)
    return made


def table(qtbot: QtBot, width: int, appearance: Appearance) -> RowsTable:
    """Returns a table of four columns, the second of numbers, with one row."""
    made = empty_table(qtbot, width, appearance)
    made.show_rows([TableRow("a", ("x", "1.5", "grows", "Exp"), tip="A tip")])
    made.show()
    return made


@pytest.mark.parametrize("width", [340, 380, 500])
def test_a_table_never_scrolls_sideways(qtbot: QtBot, width: int) -> None:
    """Three columns want 280 px in all, and the one that fills the rest has at least 52."""
    made = table(qtbot, width, Appearance("dark"))
    assert made.horizontalScrollBar().maximum() == 0
    assert [made.columnWidth(column) for column in range(4)] == [100, 80, 100, made.viewport().width() - 280]


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


ROW = TableRow("a", ("x", "1.5", "grows", "Exp"), ("value", "grad.text"), "warn", "It grows")
OTHER = TableRow("b", ("y", "2", "same", "Tanh"))
ROLES = Qt.ItemDataRole
LEFT, RIGHT = (
    int(side | Qt.AlignmentFlag.AlignVCenter) for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


def told(made: RowsTable, role: int, row: int = 0) -> list[object]:
    return [made.rows.data(made.rows.index(row, column), role) for column in range(4)]


def test_a_row_tells_its_texts_colours_and_tips(qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    made, color = table(qtbot, 600, appearance), appearance.theme.color
    made.show_rows([ROW, OTHER])
    assert told(made, ROLES.DisplayRole) == ["x", "1.5", "grows", "Exp"]
    # What the tip says already is not said twice.
    assert told(made, ROLES.ToolTipRole) == ["x\nIt grows", "1.5\nIt grows", "It grows", "Exp\nIt grows"]
    assert told(made, ROLES.AccessibleTextRole) == ["Where: x, Norm: 1.5, What: grows, By: Exp", "1.5", "grows", "Exp"]
    assert told(made, ROLES.ForegroundRole) == [color("value"), *[color("grad.text")] * 3]
    assert told(made, ROLES.ForegroundRole, 1) == [color("text.primary")] * 4
    assert told(made, ROLES.FontRole) == [font("ui", 12), font("mono", 12), font("ui", 12), font("ui", 12)]
    assert told(made, ROLES.TextAlignmentRole) == [LEFT, RIGHT, LEFT, LEFT]
    assert [icon is not None for icon in told(made, ROLES.DecorationRole)] == [True, False, False, False]
    assert told(made, ROLES.DecorationRole, 1) == told(made, ROLES.StatusTipRole) == [None] * 4


def test_headings_stand_as_their_columns_and_may_be_read_where_they_are_cut(qtbot: QtBot) -> None:
    made = table(qtbot, 600, Appearance("dark"))

    def headings(role: int) -> list[object]:
        return [made.rows.headerData(column, Qt.Orientation.Horizontal, role) for column in range(4)]

    assert headings(ROLES.DisplayRole) == ["Where", "Norm", "What", "By"]
    assert headings(ROLES.TextAlignmentRole) == [LEFT, RIGHT, LEFT, LEFT]
    assert headings(ROLES.ToolTipRole) == ["Where", "Norm", "What", "By"]
    assert headings(ROLES.FontRole) == [None] * 4
    assert made.rows.headerData(0, Qt.Orientation.Vertical) is None


def test_rows_of_the_same_keys_change_in_place_and_others_anew(qtbot: QtBot) -> None:
    made, heard = table(qtbot, 600, Appearance("dark")), list[object]()
    made.show_rows([ROW, OTHER])
    made.setCurrentIndex(made.rows.index(1, 2))
    made.rows.modelReset.connect(lambda: heard.append("reset"))
    made.rows.headerDataChanged.connect(lambda *told: heard.append(told))
    made.show_rows([ROW._replace(tip="Another"), OTHER])
    headings = (Qt.Orientation.Horizontal, 0, 3)
    assert heard == [headings] and made.currentIndex() == made.rows.index(1, 2)
    made.show_rows([OTHER, ROW])
    assert heard == [headings, headings, "reset"]
    assert (made.current_key, made.currentIndex().row(), made.currentIndex().column()) == ("b", 0, 0)
    made.show_rows([ROW])
    assert made.current_key is None


def test_a_table_without_rows_shows_its_message_instead_of_headings(qtbot: QtBot) -> None:
    made = table(qtbot, 600, Appearance("dark"))
    assert (drawn(made, 300, 100), made.accessibleDescription()) == ([], "")
    assert not made.horizontalHeader().isHidden()
    made.show_rows([], "Nothing here")
    assert made.horizontalHeader().isHidden() and made.accessibleDescription() == "Nothing here"
    room = made.viewport().size()
    place = f"14 8 {room.width() - 28} {room.height() - 8}"
    assert drawn(made, 300, 100) == [f"text {place} left 12px text.secondary “Nothing here”"]
    made.show_rows([])
    assert drawn(made, 300, 100) == []
    made.show_rows([ROW], "Nothing here")
    assert (drawn(made, 300, 100), made.accessibleDescription()) == ([], "")


def test_a_row_is_chosen_by_click_and_enter_and_escape_leaves(qtbot: QtBot) -> None:
    made, heard = table(qtbot, 600, Appearance("dark")), list[object]()
    made.show_rows([ROW, OTHER])
    made.row_chosen.connect(heard.append)
    made.left.connect(lambda: heard.append("left"))
    made.row_pointed_at.connect(lambda key: heard.append(("at", key)))
    qtbot.keyClick(made, Qt.Key.Key_Return)
    assert heard == []
    made.set_current("b")
    qtbot.keyClick(made, Qt.Key.Key_Return)
    qtbot.keyClick(made, Qt.Key.Key_Up)
    qtbot.keyClick(made, Qt.Key.Key_Enter)
    qtbot.keyClick(made, Qt.Key.Key_Escape)
    assert heard == ["b", "a", "left"]
    place = made.visualRect(made.rows.index(1, 0)).center()
    qtbot.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, pos=place)
    made.entered.emit(made.rows.index(0, 1))
    made.leaveEvent(QEvent(QEvent.Type.Leave))
    assert heard[3:] == ["b", ("at", "a"), ("at", None)]
    made.set_current("gone")
    assert made.current_key is None


def test_the_first_column_of_texts_from_the_right_takes_the_spare_width(qtbot: QtBot) -> None:
    """Columns want 100, 80, 100 and 100 px; numbers must not stand far from the others."""
    for numbers, filler in (((1,), 3), ((2, 3), 1), ((1, 2, 3), 0), ((0, 1, 2, 3), 3)):
        made = empty_table(qtbot, 600, Appearance("dark"), numbers)
        made.show_rows([ROW])
        made.show()
        widths = [made.columnWidth(column) for column in range(4)]
        usual = [100, 80, 100, 100]
        usual[filler] += made.viewport().width() - 380
        assert widths == usual
