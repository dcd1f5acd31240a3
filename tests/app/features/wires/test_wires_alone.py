"""The window with the table of wires over a bare canvas: sizes, order by clicks, and the row of the selected wire."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.wires.wires_table import WiresTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from tests.app.arranged import arranged
from tests.app.canvas.pages import chain


class Bench:
    """The table of x -> e -> s -> loss, beside a canvas of 800 x 500."""

    def __init__(self, session: Session, qtbot: QtBot) -> None:
        look = Appearance("dark")
        self.canvas = Canvas(CurrentSession(session), look)
        qtbot.addWidget(self.canvas)
        self.canvas.resize(800, 500)
        self.canvas.show()
        self.dialog = WiresTable(self.canvas, look, self.canvas)
        found = self.dialog.findChild(QTableView, "wires_rows")
        assert isinstance(found, QTableView)
        self.table = found
        self.dialog.open_for_keys()

    @property
    def row(self) -> int:
        return self.table.currentIndex().row()

    def numbers(self) -> list[str]:
        model = self.table.model()
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def select(self, *rows: int) -> None:
        wires = [self.canvas.mirror.wires[row] for row in rows]
        self.canvas.session.select(Selection(wires=frozenset(wires)))
        self.dialog._read()


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    session = Session(chain(1.0, 2.0), InlineEvaluator)
    yield Bench(session, qtbot)
    session.close()


def test_the_window_has_room_for_all_columns(bench: Bench) -> None:
    assert bench.dialog.size().toTuple() == (1024, 420)
    widths = [bench.table.columnWidth(column) for column in range(8)]
    assert widths == [56, 144, 152, 68, 68, 140, 140, 72]
    assert bench.table.rowHeight(0) == 24 and bench.table.font().pixelSize() == 11
    # The last column takes what is left.
    assert bench.table.horizontalHeader().length() == bench.table.viewport().width()
    found = arranged(bench.dialog)["wires_table"]
    assert found.endswith(
        "QLabel wires_filter QLabel wires_column wires_descending 0:1 wires_count wires_copy) wires_rows:1"
    )
    words = [label.text() for label in bench.dialog.findChildren(QLabel) if label.buddy() is not None]
    assert words == ["&Filter", "&Sort by"]
    assert [bench.dialog._filter.accessibleName(), bench.dialog._column.accessibleName()] == ["Filter", "Sort by"]


def test_a_click_on_a_heading_sorts_and_another_one_turns_it_round(bench: Bench) -> None:
    column, descending = bench.dialog.findChild(QComboBox, "wires_column"), bench.dialog._descending
    assert isinstance(column, QComboBox) and bench.numbers() == ["1", "2", "3"]
    for clicked, is_descending in ((0, True), (0, False), (7, False), (7, True), (0, False)):
        bench.dialog._sort_by_click(clicked)
        assert (column.currentIndex(), descending.isChecked()) == (clicked, is_descending)
        header = bench.table.horizontalHeader()
        order = Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder
        assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (clicked, order)
        if clicked == 0:
            assert bench.numbers() == sorted(["1", "2", "3"], reverse=is_descending)
    # The largest gradient is that of the exponential.
    bench.dialog._sort_by_click(7)
    bench.dialog._sort_by_click(7)
    assert bench.numbers()[0] == "1"


def test_the_row_of_the_one_selected_wire_is_the_current_one(bench: Bench) -> None:
    bench.select(1)
    assert bench.row == 1
    bench.table.setCurrentIndex(bench.table.model().index(1, 4))
    bench.select(2)
    assert (bench.row, bench.table.currentIndex().column()) == (2, 4)
    bench.select(0, 1)
    assert bench.row == -1
    bench.select(1)
    bench.dialog._filter.setText("loss")
    assert bench.dialog._count.text() == "1 wire" and bench.row == -1
    bench.dialog._filter.setText("")
    assert bench.row == 1 and bench.dialog._count.text() == "3 wires"


def test_a_row_shows_the_middle_of_its_wire_with_60_px_around(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[QRectF] = []
    monkeypatch.setattr(bench.canvas.viewport, "show_rect", shown.append)
    bench.table.setCurrentIndex(bench.table.model().index(2, 0))
    wire = bench.canvas.mirror.wires[2]
    assert bench.canvas.session.selection == Selection(wires=frozenset((wire,)))
    middle = bench.canvas.mirror.path(bench.canvas.mirror.wire_rows[wire]).pointAtPercent(0.5)
    assert shown == [QRectF(middle.x() - 60, middle.y() - 60, 120, 120)]
    bench.dialog._go_to_row(QModelIndex())
    bench.dialog._is_following = True
    bench.dialog._go_to_row(bench.table.model().index(0, 0))
    assert len(shown) == 1


def test_it_reads_only_while_it_is_seen(bench: Bench) -> None:
    bench.dialog._later.stop()
    bench.dialog._read_soon()
    assert bench.dialog._later.isActive()
    bench.dialog._later.stop()
    bench.dialog.hide()
    bench.dialog._read_soon()
    assert not bench.dialog._later.isActive()


def test_the_rows_are_copied_with_their_headings(bench: Bench) -> None:
    field = bench.dialog.findChild(QLineEdit, "wires_filter")
    assert isinstance(field, QLineEdit)
    field.setText("loss")
    bench.dialog.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 1 + bench.table.model().rowCount() and lines[0].startswith("No.,From,To,")
