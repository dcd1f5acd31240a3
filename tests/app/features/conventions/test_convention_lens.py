"""The convention lens in a real window: rows, rules, numbers, and the link from a tie in the problems."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView, QMenu

from gradwire.app.base.examples import example_path
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.engine.cause_graphs import x

pytestmark = pytest.mark.long


def kinks() -> Graph:
    line = x([0.0, 1.0]).then("a", "Abs").source("c", [3.0, 3.0], "Constant").then("m", "Multiply", "c.y")
    return line.on("x.y").then("r", "Relu").then("s", "Add", "m.z").loss()


def see(user: Driver, graph: Graph) -> RowsTable:
    user.show(graph)
    user.window.parts.panels.show_lens("conventions")
    user.settle()
    return table(user)


def table(user: Driver) -> RowsTable:
    return user.child(RowsTable, "conventions_list")


def rules(user: Driver) -> str:
    return user.child(QLabel, "conventions_rules").text()


def test_a_row_for_each_point_those_that_differ_first(user: Driver) -> None:
    rows = see(user, kinks()).rows.rows
    assert [row.texts for row in rows] == [
        ("a.x", "0", "0", "1", "Kink at 0", "[0]"),
        ("r.x", "0", "0", "0", "Kink at 0", "[0]"),
    ]
    assert [row.icon for row in rows] == ["compare", ""]


def test_the_numbers_are_those_of_what_arrives_if_chosen(user: Driver) -> None:
    see(user, kinks())
    box = user.child(ChoiceBox, "conventions_measure")
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down)
    assert table(user).rows.rows[0].texts[1:4] == ("0", "0", "3")


def test_the_chosen_row_tells_the_rules_and_goes_to_its_block(user: Driver) -> None:
    found = see(user, kinks())
    QTest.mouseClick(found.viewport(), LEFT, pos=found.visualRect(found.model().index(0, 0)).center())
    user.settle()
    assert user.selection.blocks == {"a"}
    assert rules(user).splitlines()[2] == "JAX 0.10: The slope of the right side, 1."
    assert "TensorFlow 2.21" in rules(user)


def test_the_row_of_the_selected_block_is_current(user: Driver) -> None:
    see(user, kinks())
    user.session.select(Selection(frozenset(["r"])))
    user.qtbot.waitUntil(lambda: "All three" in rules(user))


def test_where_everything_has_a_slope_the_lens_says_so(user: Driver) -> None:
    found = see(user, x(np.array([1.0])).then("e", "Exp").loss())
    assert not found.rows.rows
    assert found.accessibleDescription().startswith("No block is at a kink")


def test_a_tie_in_the_problems_leads_to_its_conventions(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_nosg"))
    user.window.parts.panels.show_lens("problems")
    problems = user.child(QListView, "problems_list")
    row = next(
        row for row in range(problems.model().rowCount()) if "equal maxima" in problems.model().index(row, 0).data()
    )
    problems.setCurrentIndex(problems.model().index(row, 0))
    problems.customContextMenuRequested.emit(problems.visualRect(problems.currentIndex()).center())
    menu = user.child(QMenu, "problem_menu")
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    user.settle()
    assert user.window.parts.panels.bottom.shown == "conventions"
    ((_, *numbers, point, places),) = [row.texts for row in table(user).rows.rows if row.texts[0] == "mx.x"]
    assert (point, places, numbers) == ("Equal extremes", "[1] [2]", ["0.5  0.5"] * 3)


def test_many_equal_numbers_are_counted_instead_of_cut(user: Driver) -> None:
    rows = see(user, x([2.0, 2.0, 2.0, 2.0]).then("m", "ReduceMax").loss()).rows.rows
    assert rows[0].texts[1:4] == ("0.25 × 4",) * 3
