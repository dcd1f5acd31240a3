"""The rows of the table of wires without a window: texts, order, filter and roles."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt

from gradwire.app.canvas.access.sentences import wire_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.features.wires.wire_rows import Row, WiresModel, headings, row_of
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.app.canvas.pages import MAIN, chain, mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")
Role, Order = Qt.ItemDataRole, Qt.SortOrder


def broken() -> Mirror:
    """x -> e -> s -> loss, x -> t, a second wire into e, and one from a block that is gone."""
    graph = wired(with_block(chain(1.0, 2.0), "t", "Tanh", (240, 200)), "x.y > t.x")
    page = graph.page(MAIN)
    lost = Wire(Port("gone", "y"), Port("t", "more"))
    surplus = (Wire(Port("t", "y"), Port("e", "x")),)
    return mirror_of(Graph((dataclasses.replace(page, wires={**page.wires, lost.target: lost}, surplus=surplus),)))


def model_of(mirror: Mirror) -> tuple[WiresModel, QObject]:
    parent = QObject()
    model = WiresModel(parent)
    model.read(mirror)
    return model, parent


def test_a_row_has_number_ends_shape_value_gradient_norm_and_status() -> None:
    mirror = mirror_of(chain(1.0, 2.0))
    wire = mirror.session.page.wires[Port("s", "x")]
    assert row_of(mirror, wire) == Row(
        "2", "Exp e", "ReduceSum s x", "[2]", "float64", "2.7 7.4", "1 1", "1.414", "gradient is not zero"
    )
    long = mirror_of(chain(*np.arange(9.0)))
    value = row_of(long, long.session.page.wires[Port("e", "x")]).value
    eight = mirror_of(chain(*np.arange(8.0)))
    assert (
        row_of(eight, eight.session.page.wires[Port("e", "x")]).value == "0 1 2 3 4 5 6 7"
        and value != "0 1 2 3 4 5 6 7 8"
    )


def test_a_wire_that_is_not_connected_or_not_evaluated_says_so_alone() -> None:
    mirror = broken()
    for row in mirror.broken:
        found = row_of(mirror, mirror.wires[row])
        assert found.number == found.shape == found.value == found.gradient == found.norm == ""
        assert found.status in ("not computed", "is not connected")
    session = Session(chain(1.0), InlineEvaluator)
    session.runs.set_live(False)
    fresh = Mirror(session)
    fresh.rebuild()
    session.close()


def test_wires_are_sorted_by_a_column_numbers_as_numbers() -> None:
    mirror = mirror_of(chain(*np.arange(3.0)))
    model, _ = model_of(mirror)
    ends = [str(wire.target) for wire in model.shown]
    assert ends == ["e.x", "s.x", "loss.x"]
    for column, expected in (
        (0, ["e.x", "s.x", "loss.x"]),
        (1, ["e.x", "s.x", "loss.x"]),  # Exp e, ReduceSum s, x
        (7, ["loss.x", "s.x", "e.x"]),  # 1, √3, and the norm of exp
    ):
        model.sort(column)
        first = [str(wire.target) for wire in model.shown]
        model.sort(column, Order.DescendingOrder)
        assert [str(wire.target) for wire in model.shown] == first[::-1]
        if column != 1:
            assert first == expected
        else:
            assert first == ["s.x", "loss.x", "e.x"]


@pytest.mark.parametrize("column", [0, 7])
@pytest.mark.parametrize("order", [Order.AscendingOrder, Order.DescendingOrder])
def test_wires_without_a_number_come_last_in_either_order(column: int, order: Qt.SortOrder) -> None:
    mirror = broken()
    model, _ = model_of(mirror)
    model.sort(column, order)
    texts = [model.row(wire)[column] for wire in model.shown]
    known = [text for text in texts if text]
    assert 0 < len(known) < len(texts) and texts[: len(known)] == known
    numbers = [float(text) for text in known]
    assert numbers == sorted(numbers, reverse=order is Order.DescendingOrder)


def test_a_filter_asks_for_every_word_in_any_column() -> None:
    model, _ = model_of(mirror_of(chain(1.0, 2.0)))
    for text, count in (
        ("", 3),
        ("exp", 2),
        ("EXP reducesum", 1),
        ("exp loss", 0),
        ("[2]", 2),
        ("not zero", 3),
        ("  ", 3),
    ):
        model.set_filter(text)
        assert (len(model.shown), model.size()) == (count, (count, 9))


def test_cells_have_texts_tips_words_and_sides() -> None:
    mirror = mirror_of(chain(1.0, 2.0))
    model, _ = model_of(mirror)
    row = row_of(mirror, model.shown[0])
    for column in range(9):
        index = model.index(0, column)
        assert model.data(index) == row[column] == model.data(index, Role.DisplayRole)
        assert row[column] in str(model.data(index, Role.ToolTipRole))
        words = wire_sentence(mirror, model.shown[0]) if column == 0 else row[column]
        assert model.data(index, Role.AccessibleTextRole) == words
        side = model.data(index, Role.TextAlignmentRole)
        assert side == model.headerData(column, Qt.Orientation.Horizontal, Role.TextAlignmentRole)
        assert bool(side & Qt.AlignmentFlag.AlignRight) is (column in (0, 7))  # type: ignore[operator]
        assert model.headerData(column, Qt.Orientation.Horizontal) == headings()[column]
        assert model.headerData(column, Qt.Orientation.Vertical) is None
        assert model.headerData(column, Qt.Orientation.Horizontal, Role.ToolTipRole) is None
        assert model.data(index, Role.DecorationRole) is None
    assert model.csv().splitlines()[:2] == [",".join(headings()), ",".join(row)]


def test_without_a_page_there_are_no_rows() -> None:
    parent = QObject()
    model = WiresModel(parent)
    model.set_filter("x")
    assert (model.shown, model.size()) == ([], (0, 9))
