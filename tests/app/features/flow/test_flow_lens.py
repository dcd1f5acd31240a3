"""The lens of flow, as users see and navigate it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QTableView
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.features.flow.flow_lens import FlowLens
from gradwire.app.kit.lens.rows import BAR_ROLE
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT
from tests.app.window.graphs import with_block
from tests.engine.explain.test_flow import chain, recurrent


def lens_of(qtbot: QtBot, graph: Graph) -> FlowLens:
    lens = FlowLens(CurrentSession(Session(graph, InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(lens)
    lens.resize(600, 200)
    lens.show()
    qtbot.waitUntil(lambda: bool(said(lens) or table(lens).accessibleDescription()))
    return lens


def table(lens: FlowLens) -> QTableView:
    found = lens.findChild(QTableView, "flow_rows")
    assert isinstance(found, QTableView)
    return found


def said(lens: FlowLens) -> str:
    label = lens.findChild(QLabel, "flow_summary")
    assert isinstance(label, QLabel)
    return label.text()


def cell(model: QAbstractItemModel, row: int, column: int) -> str:
    return str(model.index(row, column).data())


def rows(lens: FlowLens) -> list[str]:
    model = table(lens).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (
            chain("Sigmoid", 20),
            "The gradient shrinks: each of 20 blocks multiplies it by 0.225 on average; 1.1e−13 of it",
        ),
        (chain("Relu", 5), "The gradient keeps its size over 5 blocks: 1 of it remains at x."),
        (
            recurrent(1.5, 0.1, 20),
            "The gradient grows: each of 20 blocks multiplies it by 1.5 on average; at h0 it is 3325 times as large",
        ),
        (chain("Sigmoid", 1), "One block separates x from the loss: 0.235 of the gradient remains."),
    ],
)
def test_the_whole_way_is_said_in_a_sentence(qtbot: QtBot, graph: Graph, sentence: str) -> None:
    assert said(lens_of(qtbot, graph)).startswith(sentence)


def test_there_is_a_row_for_each_wire_with_its_numbers(qtbot: QtBot) -> None:
    model = table(lens_of(qtbot, chain("Square", 1, 3.0))).model()
    assert [model.index(0, column).data() for column in range(8)] == ["b1", "x", "6", "grows", "1", "6", "1", "6"]


def test_a_heading_sorts_and_turns_round_and_the_box_does_the_same(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, chain("Sigmoid", 4))
    header, box = table(lens).horizontalHeader(), lens.controls
    assert isinstance(box, QComboBox)
    at = header.sectionViewportPosition(6) + 8
    for expected in (["b1", "b2", "b3", "b4"], ["b4", "b3", "b2", "b1"]):
        QTest.mouseClick(header.viewport(), LEFT, pos=header.viewport().rect().center().__class__(at, 8))
        assert rows(lens) == expected
    assert box.currentText() == "Steps"
    box.show()
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert box.currentText() == "Returned" and rows(lens) == ["b4", "b3", "b2", "b1"]


def test_what_rounding_leaves_of_a_sum_that_cancels_is_no_ratio(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, load(example_path("softmax_stable")).graph)
    model = table(lens).model()
    (row,) = [row for row in range(model.rowCount()) if cell(model, row, 1) == "stop"]
    assert [cell(model, row, column) for column in (0, 2, 5)] == ["z", "≈ 0", "≈ 0"]
    # The bars compare the remaining gradient: a rounding error would shrink them to nothing.
    bars = [model.index(row, 0).data(BAR_ROLE)[0] for row in range(model.rowCount())]
    assert max(bars) > 0.3


def test_where_no_block_passes_anything_on_nothing_is_called_typical(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, load(example_path("causes")).graph)
    assert said(lens).startswith("The gradient is 0 at x_")
    assert said(lens).endswith(", one block from the loss. No block passes anything on.")


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_row_leads_to_its_wire(qtbot: QtBot, by_mouse: bool) -> None:
    lens = lens_of(qtbot, chain("Sigmoid", 3))
    chosen: list[Link] = []
    lens.wire_chosen.connect(chosen.append)
    view = table(lens)
    row = rows(lens).index("b2")
    if by_mouse:
        qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(row, 2)).center())
    else:
        view.setFocus()
        view.setCurrentIndex(view.model().index(row, 0))
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert [(str(link.source), str(link.target)) for link in chosen] == [("main/b1.y", "main/b2.x")]


def test_it_says_what_is_missing(qtbot: QtBot) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(1.0))
    assert "Add a Loss block" in table(lens_of(qtbot, graph)).accessibleDescription()


def test_where_all_is_nan_it_does_not_ask_for_wires(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, chain("Log", 2, -1.0))
    assert said(lens) == "2 wires with NaN or Inf are not included."
    assert table(lens).accessibleDescription().startswith("No gradient is finite: ")


def test_a_listener_hears_the_whole_row(qtbot: QtBot) -> None:
    index = table(lens_of(qtbot, chain("Square", 1, 3.0))).model().index(0, 0)
    heard = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert heard.startswith("Block: b1, Back to: x, Ratio: 6")
