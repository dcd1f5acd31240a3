"""The lens of losses and variables in a real window: its cells, and the way that a chosen one shows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView

from engine.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import with_block
from tests.engine.test_loss_matrix import gan


def cells(user: Driver) -> QTableView:
    return user.child(QTableView, "matrix_rows")


def see(user: Driver, graph: Graph) -> None:
    user.show(graph)
    user.trigger("lens_matrix")
    user.settle()


def test_cells_hold_norms_or_say_why_there_is_none(user: Driver) -> None:
    see(user, gan(stops=True))
    model = cells(user).model()
    names = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    losses = [model.headerData(row, Qt.Orientation.Vertical) for row in range(model.rowCount())]
    assert (losses, names) == (["loss_d", "loss_g"], ["a", "b", "c", "w"])
    shown = [[model.index(row, column).data() for column in range(4)] for row in range(2)]
    assert shown == [["0 blocked", "0 blocked", "0.254", "0.172"], ["0.167", "0.334", "0 blocked", "0 blocked"]]
    heard = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heard == "loss_d at a: 0 blocked by fake_stop"


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_cell_that_is_chosen_lights_the_way_of_its_leak(user: Driver, by_mouse: bool) -> None:
    see(user, gan(stops=False))
    index = cells(user).model().index(1, 3)
    if by_mouse:
        user.qtbot.mouseClick(cells(user).viewport(), LEFT, pos=cells(user).visualRect(index).center())
    else:
        assert cells(user).hasFocus()
        cells(user).setCurrentIndex(index)
        QTest.keyClick(cells(user), Key.Key_Return)
    user.settle()
    way = {"w", "w_stop", "w_fooled", "fooled", "fooled_minus", "of_g", "loss_g"}
    lit = user.canvas.lit
    assert lit is not None and lit.blocks == way
    assert {wire.target.block for wire in lit.wires} == way - {"w"}
    assert user.selection.blocks == {"w"}
    QTest.keyClick(cells(user), Key.Key_Escape)
    assert user.canvas.lit is None


def test_it_follows_the_graph_and_says_what_is_missing(user: Driver) -> None:
    see(user, Graph())
    assert "Add a Loss block" in user.child(QLabel, "matrix_said").text()
    user.session.apply("Add", lambda _: with_block(gan(stops=True), "more", "Loss", (0, 0)))
    user.settle()
    assert cells(user).isVisible() and cells(user).model().rowCount() == 2
