"""The check of a gradient in the inspector: a button starts it, a line and a table show its result."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableWidget, QToolButton
from pytestqt.qtbot import QtBot

from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.features import FEATURES
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.app.window.driver import LEFT
from tests.engine.explain.checks.test_element_check import source, td
from tests.engine.explain.test_flow import chain
from tests.recorded import make_graph


def see(qtbot: QtBot, graph: Graph, selected: str) -> Inspector:
    """Returns the inspector of a block, or of the wire that ends at `block.port`."""
    session = Session(graph, InlineEvaluator)
    inspector = Inspector(CurrentSession(session), Appearance("dark"), FEATURES)
    qtbot.addWidget(inspector)
    inspector.resize(320, 700)
    inspector.show()
    if "." in selected:
        session.select(Selection(wires=frozenset([session.page.wires[Port(*selected.split("."))]])))
    else:
        session.select(Selection(frozenset([selected])))
    unfold(inspector)
    return inspector


def unfold(inspector: Inspector) -> None:
    next(item for item in inspector.findChildren(QToolButton, "inspector_more") if item.isVisible()).click()


def button(inspector: Inspector) -> QPushButton:
    (found,) = [item for item in inspector.findChildren(QPushButton, "check_gradient") if item.isVisible()]
    return found


def said(inspector: Inspector, name: str = "check_outcome") -> str:
    found = [item.text() for item in inspector.findChildren(QLabel, name) if item.isVisible()]
    return found[0] if found else ""


def rows(inspector: Inspector) -> list[list[str]]:
    (table,) = [item for item in inspector.findChildren(QTableWidget, "check_rows") if item.isVisible()]
    columns = [column for column in range(table.columnCount()) if not table.isColumnHidden(column)]
    return [[table.item(row, column).text() for column in columns] for row in range(table.rowCount())]


@pytest.mark.parametrize("by_mouse", [True, False])
def test_the_button_brings_the_elements_with_their_differences(qtbot: QtBot, by_mouse: bool) -> None:
    inspector = see(qtbot, chain("Square", 1, [3.0, -0.5]), "b1.x")
    if by_mouse:
        qtbot.mouseClick(button(inspector), LEFT)
    else:
        button(inspector).setFocus()
        QTest.keyClick(button(inspector), Qt.Key.Key_Space)
    assert said(inspector) == "Both elements agree with central differences."
    assert rows(inspector) == [["[0]", "6", "6", "agrees"], ["[1]", "−1", "−1", "agrees"]]
    assert said(inspector, "check_withheld") == ""


def test_a_kink_is_told_with_the_step(qtbot: QtBot) -> None:
    inspector = see(qtbot, chain("Relu", 1, [0.0, 1.0]), "x")
    button(inspector).click()
    assert said(inspector) == "1 of 2 elements are within 6.1e−6 of a kink."
    assert [row[-1] for row in rows(inspector)] == ["kink", "agrees"]


def test_what_a_stop_keeps_back_is_said(qtbot: QtBot) -> None:
    inspector = see(qtbot, td(), "w1")
    button(inspector).click()
    assert said(inspector) == "It agrees with its central difference."
    assert said(inspector, "check_withheld") == (
        "This curve treats StopGradient as a constant. The true slope is 1.26, not 0: StopGradient withholds 1.26."
    )
    assert rows(inspector) == [["[]", "0", "0", "1.26", "agrees"]]


def test_what_was_found_is_kept_for_its_value_and_gone_with_the_next_run(qtbot: QtBot) -> None:
    inspector = see(qtbot, chain("Square", 2), "b1.x")
    session = inspector.session
    first = session.selection
    button(inspector).click()
    session.select(Selection(frozenset(["b2"])))
    unfold(inspector)
    assert said(inspector) == "" and button(inspector).isVisible()
    session.select(first)
    assert said(inspector) == "It agrees with its central difference."
    session.apply("Change", edits.set_parameter, "main", "x", "value", np.array(2.0))
    qtbot.waitUntil(lambda: said(inspector) == "" and button(inspector).isVisible())


def test_where_there_is_no_gradient_there_is_nothing_to_check(qtbot: QtBot) -> None:
    graph = make_graph([source("x", 1.0), source("n", 2), Block("loss", "Loss")], [("x.y", "loss.x")])
    inspector = see(qtbot, graph, "n")
    assert not [item for item in inspector.findChildren(QPushButton, "check_gradient") if item.isVisible()]
