"""The lens of paths: bars that add up, cancelling paths, cut paths, and the highlight on the canvas."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.kit.lens.rows import BAR_ROLE, RowsTable
from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.app.window.driver import LEFT, Driver, Key
from tests.engine.explain.test_paths import ladder, softmax
from tests.recorded import make_graph


def see(user: Driver, graph: Graph, block: str) -> None:
    user.show(with_places(graph))
    user.window.parts.panels.show_lens("paths")
    choose(user, block)


def choose(user: Driver, block: str) -> None:
    user.session.select(Selection(blocks=frozenset([block])))
    user.settle()


def table(user: Driver) -> RowsTable:
    return user.child(RowsTable, "paths_list")


def texts(user: Driver) -> list[tuple[str, ...]]:
    return [row.texts for row in table(user).rows.rows]


def said(user: Driver) -> str:
    return user.child(QLabel, "paths_summary").text()


def middle(user: Driver, row: int) -> QPoint:
    return table(user).visualRect(table(user).model().index(row, 0)).center()


def test_the_paths_of_the_maximum_cancel_and_say_so(user: Driver) -> None:
    see(user, softmax(False), "mx")
    found = texts(user)
    assert {row[1] for row in found} == {"2.405", "−2.405"}
    assert [row[3] for row in found] == ["cancels with row 2", "cancels with row 1"]
    assert said(user).startswith("2 paths to the loss add up to ∂L/∂mx.y ≈ ")


def test_bars_are_shares_of_the_largest_amount_with_their_sign(user: Driver) -> None:
    see(user, softmax(False), "mx")
    model = table(user).model()
    bars = [model.data(model.index(row, 2), BAR_ROLE) for row in range(2)]
    assert sorted(bar[0] for bar in bars) == pytest.approx([-1, 1])


def test_cut_paths_come_last_with_what_they_would_carry(user: Driver) -> None:
    see(user, softmax(True), "x")
    found = texts(user)
    assert said(user).startswith("2 paths to the loss add up to ∂L/∂x.y[")
    assert said(user).endswith(" 2 more are blocked.")
    assert [row[3] for row in found] == ["", "", *["blocked by sg; without it"] * 2]


def test_another_element_is_chosen(user: Driver) -> None:
    see(user, softmax(False), "x")
    assert "∂L/∂x.y[1]" in said(user) or "∂L/∂x.y[2]" in said(user)
    box = user.child(QComboBox, "paths_element")
    assert [box.itemText(row) for row in range(box.count())] == ["Largest element", "[0]", "[1]", "[2]"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    user.settle()
    assert "∂L/∂x.y[0] ≈ −0.089" in said(user)


def test_the_chosen_path_and_the_one_pointed_at_are_lit_until_escape(user: Driver) -> None:
    see(user, softmax(False), "mx")
    QTest.mouseClick(table(user).viewport(), LEFT, pos=middle(user, 0))
    user.settle()
    names = texts(user)[0][0].split(" → ")
    assert user.canvas.page_look.lit is not None and user.canvas.page_look.lit.blocks == {"mx", *names}
    assert len(user.canvas.page_look.lit.wires) == len(names)
    QTest.mouseMove(table(user).viewport(), middle(user, 1))
    user.settle()
    other = texts(user)[1][0].split(" → ")
    assert user.canvas.page_look.lit is not None and user.canvas.page_look.lit.blocks == {"mx", *other}
    QTest.keyClick(table(user), Key.Key_Escape)
    assert user.canvas.page_look.lit is None


def test_a_hidden_lens_lights_nothing(user: Driver) -> None:
    see(user, softmax(False), "mx")
    table(user).set_current(table(user).rows.rows[0].key)
    assert user.canvas.page_look.lit is not None
    user.window.parts.panels.open_lens("problems")
    assert user.canvas.page_look.lit is None


@pytest.mark.long
def test_too_many_paths_are_counted_and_taken_apart_one_by_one(user: Driver) -> None:
    see(user, ladder(60), "n0")
    assert [row[0] for row in texts(user)] == ["n1 → … (about 2^59 paths)"] * 2
    table(user).setCurrentIndex(table(user).model().index(0, 0))
    QTest.keyClick(table(user), Key.Key_Return)
    user.settle()
    assert len(texts(user)) == 3 and "n1 → n2 → … (about 2^58 paths)" in {row[0] for row in texts(user)}


def test_a_selected_wire_has_the_paths_that_begin_with_it(user: Driver) -> None:
    see(user, softmax(False), "mx")
    user.session.select(Selection(wires=frozenset([user.wire("mx.x")])))
    user.settle()
    assert said(user).startswith("2 paths to the loss add up to ∂L/∂x → mx.x")


def test_without_a_selection_the_lens_says_what_to_do(user: Driver) -> None:
    user.show(softmax(False))
    user.window.parts.panels.show_lens("paths")
    user.settle()
    assert table(user).accessibleDescription() == "Select a block or a wire to see its paths to the loss."


def misfit() -> Graph:
    """Returns incompatible matrices on a path to a Loss, and a branch that gets whole numbers."""
    blocks = [
        Block("x", "Input", parameters={"value": np.ones((1, 2))}),
        Block("m", "MatMul"),
        Block("loss", "Loss"),
        Block("whole", "Input", parameters={"value": np.array(2)}),
        Block("far", "Cast"),
        Block("ends", "Loss"),
    ]
    wires = [("x.y", "m.a"), ("x.y", "m.b"), ("m.product", "loss.x"), ("whole.y", "far.x"), ("far.y", "ends.x")]
    return make_graph(blocks, wires)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("x", "Unknown until the error or missing input on this path is fixed."),
        ("whole", "Only floating point numbers have a gradient."),
    ],
)
def test_where_nothing_is_known_no_path_is_denied(user: Driver, block: str, expected: str) -> None:
    see(user, misfit(), block)
    assert said(user) == expected and not texts(user)


def test_without_a_loss_that_is_what_is_said(user: Driver) -> None:
    see(user, Graph(pages=(Page("main", {"x": misfit().pages[0].blocks["x"]}),)), "x")
    assert said(user) == "There is no loss, so nothing has a gradient. Add a Loss block."


@pytest.mark.long
def test_a_place_that_is_gone_is_forgotten(user: Driver) -> None:
    see(user, softmax(False), "mx")
    user.session.select(Selection())
    user.settle()
    assert texts(user)
    user.hand.click(user.points.title("mx"))
    user.key(Key.Key_Delete)
    user.settle()
    assert table(user).accessibleDescription() == "Select a block or a wire to see its paths to the loss."
    user.session.undo()
    user.settle()
    assert not texts(user)
