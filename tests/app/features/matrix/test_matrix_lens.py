"""The lens of losses and variables in a real window: its cells, and the path of a chosen cell."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView

from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.features.matrix.matrix_lens import COLUMN_WIDTH, LEAST_WIDTH
from gradwire.engine.graph.graph import Block, Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import with_block
from tests.engine.explain.test_loss_matrix import gan
from tests.recorded import make_graph
from tests.sweeps import a_third_of


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
    lit = user.canvas.page_look.lit
    assert lit is not None and lit.blocks == way
    assert {wire.target.block for wire in lit.wires} == way - {"w"}
    assert user.selection.blocks == {"w"}
    QTest.keyClick(cells(user), Key.Key_Escape)
    assert user.canvas.page_look.lit is None


def test_it_follows_the_graph_and_says_what_is_missing(user: Driver) -> None:
    see(user, Graph())
    assert "Add a Loss block" in user.child(QLabel, "matrix_said").text()
    user.session.apply("Add", lambda _: with_block(gan(stops=True), "more", "Loss", (0, 0)))
    user.settle()
    assert cells(user).isVisible() and cells(user).model().rowCount() == 2


def row_of_variables(count: int) -> Graph:
    """Returns a Loss of the sum of this many Variables."""
    names = [f"v{number}" for number in range(count)]
    blocks = [Block(name, "Variable", parameters={"value": np.array(1.0)}) for name in names]
    wires = [(f"{name}.y", f"sum.values_{number}") for number, name in enumerate(names)]
    return make_graph([*blocks, Block("sum", "AddN"), Block("loss", "Loss")], [*wires, ("sum.z", "loss.x")])


@pytest.mark.parametrize(("count", "is_narrow"), [(3, False), (6, True)])
def test_columns_give_way_before_the_matrix_scrolls_sideways(user: Driver, count: int, is_narrow: bool) -> None:
    see(user, row_of_variables(count))
    assert cells(user).columnWidth(0) == COLUMN_WIDTH or is_narrow
    cells(user).resize(600, 160)
    user.settle()
    assert cells(user).horizontalScrollBar().maximum() == 0
    assert (cells(user).columnWidth(0) < COLUMN_WIDTH) is is_narrow
    cells(user).resize(300, 160)
    assert cells(user).columnWidth(0) == LEAST_WIDTH


@pytest.mark.parametrize("lens", a_third_of(["matrix"]))
def test_a_loss_without_a_value_is_not_said_to_be_missing(user: Driver, lens: str) -> None:
    user.show(with_block(Graph(), "loss", "Loss", (0, 0)))
    user.trigger(f"lens_{lens}")
    user.settle()
    shown = user.window.parts.panels.bottom.lens(lens)
    assert shown is not None
    labels = [item.text() for item in shown.findChildren(QLabel) if item.isVisible()]
    tables = [item.accessibleDescription() for item in shown.findChildren(QTableView) if item.isVisible()]
    assert [text for text in (*labels, *tables) if text] == [
        "No Loss has a value, so there are no gradients. See Problems."
    ]


def choose(user: Driver, row: int, column: int) -> None:
    index = cells(user).model().index(row, column)
    user.qtbot.mouseClick(cells(user).viewport(), LEFT, pos=cells(user).visualRect(index).center())
    user.settle()


def test_a_way_out_of_sight_is_fitted_and_one_in_sight_leaves_the_page_where_it_is(user: Driver) -> None:
    see(user, gan(stops=False))
    user.canvas.viewport.centre_at(QPointF(9000, 9000))
    choose(user, 1, 3)
    lit = user.canvas.page_look.lit
    assert lit is not None
    area, view = extent(user.canvas.mirror, lit), QRectF(user.canvas.rect())
    assert view.contains(user.canvas.camera.rect_to_view(area))
    before = user.canvas.camera
    choose(user, 1, 3)
    assert user.canvas.camera == before and user.selection.blocks == {"w"}
    user.trigger("back")
    assert user.canvas.camera != before
