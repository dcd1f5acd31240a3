"""The table of wires: its texts, sorting, filtering, going to a wire, copying, and updates with the graph."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QTableView

from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.canvas.pages import example
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import chain

FIELDS = ["No.", "From", "To", "Shape", "Dtype", "Value", "Gradient", "Size", "Status"]


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    open_table(user)
    return user


def open_table(user: Driver) -> None:
    user.key(Key.Key_W, Mod.ControlModifier | Mod.ShiftModifier)
    assert user.window.parts.dialogs.wires.isVisible()


def table(user: Driver) -> QTableView:
    return user.child(QTableView, "wires_rows")


def column(user: Driver, name: str) -> list[str]:
    model = table(user).model()
    return [str(model.index(row, FIELDS.index(name)).data()) for row in range(model.rowCount())]


def test_every_wire_has_a_row_with_what_the_canvas_shows(here: Driver) -> None:
    model = table(here).model()
    assert [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())] == FIELDS
    assert column(here, "From") == ["x", "Exp e", "ReduceSum s"]
    assert column(here, "To") == ["Exp e x", "ReduceSum s x", "Loss x"]
    assert column(here, "No.") == ["1", "2", "3"]
    assert column(here, "Value")[0] == "1 2 3"
    assert column(here, "Shape") == ["[3]", "[3]", "[]"]
    assert set(column(here, "Dtype")) == {"float64"}
    # The gradient of a sum is one for each element, of norm sqrt(3).
    assert (column(here, "Gradient")[1], column(here, "Size")[1]) == ("1 1 1", "1.732")


def test_a_status_says_its_reason(user: Driver) -> None:
    user.show(example("softmax_stable"))
    open_table(user)
    found = dict(zip(column(user, "To"), column(user, "Status"), strict=True))
    assert found["StopGradient stop x"] == "gradient 0, blocked by StopGradient stop"


def test_choosing_a_row_selects_the_wire_and_brings_it_into_view(here: Driver) -> None:
    here.canvas.viewport.zoom_to(2.0)
    here.canvas.viewport.centre_at(QPointF(-3000, -3000))
    QTest.keyClick(table(here), Key.Key_Down)
    QTest.keyClick(table(here), Key.Key_Down)
    here.settle()
    (wire,) = here.selection.wires
    row = table(here).currentIndex().row()
    assert row > 0 and wire == list(here.page.wires.values())[row]
    middle = here.points.view(here.canvas.mirror.path(here.canvas.mirror.wire_rows[wire]).pointAtPercent(0.5))
    assert here.canvas.rect().adjusted(40, 40, -40, -40).contains(middle.toPoint())


def test_opening_the_table_selects_nothing_and_leaves_the_view(here: Driver) -> None:
    here.window.parts.dialogs.wires.close()
    here.session.select(Selection())
    before = here.canvas.camera
    here.window.parts.dialogs.wires.open_for_keys()
    here.settle()
    assert not here.selection and here.canvas.camera == before


def test_a_wire_selected_on_the_canvas_becomes_the_current_row_and_the_view_stays(here: Driver) -> None:
    camera = here.canvas.camera
    here.session.select(Selection(wires=frozenset([here.wire("s.x")])))
    here.settle()
    assert table(here).currentIndex().row() == 1
    assert here.canvas.camera == camera


def test_the_filter_keeps_rows_that_have_every_word(here: Driver) -> None:
    QTest.keyClicks(here.child(QLineEdit, "wires_filter"), "exp Reducesum")
    assert column(here, "To") == ["ReduceSum s x"]
    assert here.child(QLabel, "wires_count").text() == "1 wire"
    here.child(QLineEdit, "wires_filter").clear()
    assert len(column(here, "To")) == 3


def test_norms_are_sorted_as_numbers(here: Driver) -> None:
    here.child(QComboBox, "wires_column").setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(here.child(QComboBox, "wires_column"), "No")
    QTest.keyClick(here.child(QComboBox, "wires_column"), Key.Key_End)
    QTest.keyClick(here.child(QComboBox, "wires_column"), Key.Key_Up)
    # The loss has 1, each of three elements of its sum 1, and each exp(x) its own value.
    norms = [1, np.sqrt(3), np.linalg.norm(np.exp([1, 2, 3]))]
    assert [float(text) for text in column(here, "Size")] == pytest.approx(norms, rel=1e-3)
    here.qtbot.mouseClick(here.child(Switch, "wires_descending"), LEFT, pos=QPoint(8, 10))
    assert column(here, "No.") == ["1", "2", "3"]


def test_a_click_on_a_heading_sorts_and_a_second_one_the_other_way(here: Driver) -> None:
    header = table(here).horizontalHeader()
    at = QPoint(header.sectionPosition(1) + 20, 8)
    here.qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    assert column(here, "From") == ["Exp e", "ReduceSum s", "x"]
    here.qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    assert column(here, "From") == ["x", "ReduceSum s", "Exp e"]
    assert here.child(Switch, "wires_descending").isChecked()


def test_values_and_wires_follow_the_graph(here: Driver) -> None:
    here.session.apply("Set", edits.set_parameter, "main", "x", "value", np.array([4.0, 5.0]))
    here.settle()
    assert column(here, "Value")[0] == "4 5"
    here.session.apply("Connect", edits.connect, "main", Port("c", "y"), Port("t", "x"))
    here.settle()
    assert set(column(here, "To")) == {"Exp e x", "ReduceSum s x", "Loss x", "Tanh t x"}
    here.trigger("undo")
    assert len(column(here, "To")) == 3


def test_another_document_and_another_page_are_followed(here: Driver) -> None:
    here.show(example("softmax_stable"))
    assert len(column(here, "To")) == len(here.page.wires)
    here.trigger("add_page")
    assert column(here, "To") == []


def test_the_rows_shown_are_copied_as_csv(here: Driver) -> None:
    QTest.keyClicks(here.child(QLineEdit, "wires_filter"), "reducesum")
    here.qtbot.mouseClick(here.child(QPushButton, "wires_copy"), LEFT)
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert rows[0] == FIELDS and [row[2] for row in rows[1:]] == ["ReduceSum s x", "Loss x"]
    here.child(QLineEdit, "wires_filter").clear()
    QTest.keyClick(table(here), Key.Key_C, Mod.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 4


def test_a_row_says_its_whole_wire_to_a_listener(here: Driver) -> None:
    text = table(here).model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("Wire from x to Exp e x: value 1, 2, 3; gradient")


def test_escape_closes_the_table(here: Driver) -> None:
    QTest.keyClick(table(here), Key.Key_Escape)
    assert not here.window.parts.dialogs.wires.isVisible()


@pytest.mark.long
def test_of_many_wires_only_the_rows_in_sight_are_computed(user: Driver) -> None:
    blocks = {f"c{n}": Block(f"c{n}", "Tanh", at=(n * 200, 0)) for n in range(250)}
    wires = [Wire(Port("c0", "y"), Port(f"c{n + 1}", "x")) for n in range(249)]
    user.show(Graph((Page("main", blocks, {wire.target: wire for wire in wires}),)))
    asked: list[Wire] = []
    user.window.parts.dialogs.wires._model.row, row = (
        (lambda wire: (asked.append(wire), row(wire))[1]),
        user.window.parts.dialogs.wires._model.row,
    )
    open_table(user)
    user.window.parts.dialogs.wires.grab()
    assert table(user).model().rowCount() == 249
    assert 0 < len(set(asked)) < 60


def test_the_table_fits_its_window(here: Driver) -> None:
    view = table(here)
    assert QRectF(here.window.parts.dialogs.wires.rect()).contains(QRectF(view.geometry()))
    assert view.horizontalHeader().length() <= view.width() + 20
