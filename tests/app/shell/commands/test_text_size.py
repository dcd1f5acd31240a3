"""Text size: panels grow with their texts and shrink again; the canvas keeps its own size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QTableView, QToolButton, QTreeView, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from gradwire.app.features.compare.compare_strip import CompareStrip
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.shell.window import accessibility
from gradwire.app.shell.window.modes import Mode
from gradwire.app.shell.window.panel_texts import PanelTexts
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain


@pytest.fixture(scope="module", autouse=True)
def _program_as_before(qapp: QApplication) -> Iterator[None]:
    yield
    Appearance("dark")


@pytest.fixture
def here(one_window: MainWindow, user: Driver) -> Driver:
    """A user in front of a graph, in the size of texts of the test before: another one takes long to apply."""
    user.show(chain())
    return user


def row_height(user: Driver, kind: type[QTreeView] | type[QListView], name: str) -> int:
    view = user.child(kind, name)
    return int(view.visualRect(view.model().index(0, 0)).height())


def pixels_of(widget: QWidget) -> int:
    return widget.fontInfo().pixelSize()


@pytest.mark.long
def test_texts_grow_with_the_fields_that_hold_them(here: Driver) -> None:
    here.trigger("text_scale_100")
    here.session.select(Selection(frozenset(["e"])))
    here.child(QToolButton, "inspector_more").click()
    here.settle()
    field = here.child(QLineEdit, "parameter_block_name")
    around, before = field.height() - field.fontMetrics().height(), pixels_of(here.window.bars.top.menu)
    for percent in accessibility.TEXT_SIZES:
        here.trigger(f"text_scale_{percent}")
        here.settle()
        assert pixels_of(here.window.bars.top.menu) == round(before * percent / 100)
        assert field.height() - field.fontMetrics().height() >= around - 1
        assert abs(pixels_of(field) - 12 * percent / 100) <= 1


@pytest.mark.long
def test_painted_rows_grow_too_and_shrink_again(here: Driver) -> None:
    here.trigger("text_scale_100")
    before = row_height(here, QListView, "search_list")
    here.trigger("text_scale_150")
    assert row_height(here, QListView, "search_list") == pytest.approx(before * 1.5, abs=1)
    here.trigger("text_scale_100")
    assert row_height(here, QListView, "search_list") == before


@pytest.mark.long
def test_tables_of_lenses_grow_in_font_rows_and_headings(here: Driver) -> None:
    here.trigger("text_scale_100")
    here.window.parts.panels.show_lens("compare")
    here.window.parts.documents.comparing._compare("itself", here.graph)
    here.window.parts.panels.bottom.raise_panel(True)
    table = here.child(RowsTable, "compare_list")
    here.qtbot.waitUntil(lambda: bool(table.rows.rows))
    usual = table.rowHeight(0), table.rows.data(table.rows.index(0, 0), Qt.ItemDataRole.FontRole).pixelSize()
    here.trigger("text_scale_150")
    here.settle()
    grown = table.rowHeight(0), table.rows.data(table.rows.index(0, 0), Qt.ItemDataRole.FontRole).pixelSize()
    assert grown == (round(usual[0] * 1.5), round(usual[1] * 1.5))
    header = table.horizontalHeader()
    needed = [header.sectionSizeHint(column) for column in range(table.rows.columnCount())]
    has_room = sum(needed) <= table.viewport().width()
    assert not has_room or all(table.columnWidth(column) >= width for column, width in enumerate(needed))
    assert table.horizontalScrollBar().maximum() == 0


@pytest.mark.long
def test_the_strip_of_a_comparison_is_as_high_as_what_stands_in_it(here: Driver) -> None:
    here.window.parts.modes.choose(Mode.COMPARE)
    here.trigger("text_scale_150")
    here.settle()
    strip = here.window.findChild(CompareStrip)
    assert strip is not None
    shown = [part for part in strip.findChildren(QWidget) if part.isVisible()]
    assert len(shown) > 8
    assert all(part.mapTo(strip, QPoint(0, part.height())).y() <= strip.height() for part in shown)
    here.window.parts.modes.choose(Mode.BUILD)


@pytest.mark.long
def test_a_short_table_of_values_needs_no_scrolling_at_any_size(here: Driver) -> None:
    here.trigger("text_scale_150")
    here.session.select(Selection(frozenset(["x"])))
    here.settle()
    table = here.child(QTableView, "value_table")
    assert table.verticalScrollBar().maximum() == 0


@pytest.mark.long
def test_the_canvas_keeps_its_texts(here: Driver) -> None:
    here.canvas.viewport.zoom_to(1.0)
    here.trigger("text_scale_100")
    height = here.canvas.mirror.rect("e").height()
    here.trigger("text_scale_150")
    assert here.canvas.mirror.rect("e").height() == height


def test_a_widget_that_goes_while_others_grow_is_left_alone(qtbot: QtBot) -> None:
    class Removing(QLabel):
        removed: QWidget | None = None

        def changeEvent(self, event: QEvent) -> None:
            if event.type() == QEvent.Type.FontChange and self.removed is not None and isValid(self.removed):
                delete(self.removed)

    root = QWidget()
    qtbot.addWidget(root)
    removing, beside, last = Removing("a", root), QLabel("b", root), QLabel("c", root)
    for label in (removing, beside, last):
        label.setFont(font("ui", 12))
    removing.removed = beside
    PanelTexts(root).set_scale(1.5)
    assert not isValid(beside)
    assert last.font().pixelSize() == 18
