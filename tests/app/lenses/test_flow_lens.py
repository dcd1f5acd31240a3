"""The lens of flow, as somebody sees it and walks through it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QTableView
from pytestqt.qtbot import QtBot

from app.lenses.flow_lens import FlowLens
from app.live.evaluator import InlineEvaluator
from app.live.session import Session
from app.look.appearance import Appearance
from engine.expand import Link
from engine.graph import Graph
from tests.app.window.driver import LEFT
from tests.app.window.graphs import with_block
from tests.engine.test_flow import chain, recurrent


def lens_of(qtbot: QtBot, graph: Graph) -> FlowLens:
    lens = FlowLens(Session(graph, InlineEvaluator), Appearance("dark"))
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


def rows(lens: FlowLens) -> list[str]:
    model = table(lens).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (chain("Sigmoid", 20), "The gradient shrinks by 0.225 a step over 20 blocks: 1.1e−13 of it is left at x."),
        (chain("Relu", 5), "The gradient keeps its size over 5 blocks: 1 of it is left at x."),
        (recurrent(1.5, 0.1, 20), "The gradient grows by 1.5 a step over 20 blocks: 3325 times as much arrives at h0."),
        (chain("Sigmoid", 1), "One block lies between x and the loss: 0.235 of the gradient arrives."),
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
    assert box.currentText() == "Sent back" and rows(lens) == ["b4", "b3", "b2", "b1"]


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


def test_a_listener_hears_the_whole_row(qtbot: QtBot) -> None:
    index = table(lens_of(qtbot, chain("Square", 1, 3.0))).model().index(0, 0)
    heard = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert heard.startswith("Block: b1, Back to: x, Ratio: 6")
