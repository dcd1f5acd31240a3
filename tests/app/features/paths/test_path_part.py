"""The paths in the card: a list that adds up, elements, groups, and what the page lights."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.paths.path_part import PathPart
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.engine.autodiff.expand import Link, PortName
from tests.app.kit.parts import first_place, part_of, said, show
from tests.app.window.finding import settle
from tests.engine.explain.test_paths import ladder, softmax

MX, X = PortName("main/mx", "y"), PortName("main/x", "y")


def table(part: QWidget) -> RowsTable:
    found = part.findChild(RowsTable, "paths_list")
    assert isinstance(found, RowsTable)
    return found


def test_the_paths_of_the_maximum_cancel_and_say_so(qtbot: QtBot) -> None:
    part = part_of(PathPart, softmax(False), qtbot)
    show(part, MX)
    rows = table(part).rows.rows
    assert {row.texts[1] for row in rows} == {"2.405", "−2.405"}
    assert [row.tip.splitlines()[1] for row in rows] == ["cancels with row 2", "cancels with row 1"]
    assert said(part, "paths_summary").startswith("2 paths to the loss add up to ∂L/∂mx.y ≈ ")


def test_an_element_chosen_in_the_table_of_values_has_its_paths(qtbot: QtBot) -> None:
    part = part_of(PathPart, softmax(False), qtbot)
    show(part, X)
    part.choose_element((0,))
    settle()
    assert "∂L/∂x.y[0] ≈ −0.089" in said(part, "paths_summary")
    part.choose_element((0, 0))
    settle()
    assert "∂L/∂x.y[0]" in said(part, "paths_summary")


def test_the_row_pointed_at_is_lit_from_its_block_on_until_the_part_is_hidden(qtbot: QtBot) -> None:
    part = part_of(PathPart, softmax(False), qtbot)
    show(part, MX)
    lit: list[tuple[object, object]] = []
    part.current.requests.path_lit.connect(lambda blocks, links: lit.append((blocks, links)))
    table(part).set_current(None)
    assert part.chosen is None
    first = table(part).rows.rows[0].key
    table(part).set_current(first)
    blocks, links = lit[-1]
    assert isinstance(blocks, tuple) and blocks[0] == "main/mx" and len(list(links)) == len(blocks) - 1
    assert part.chosen is not None and part.chosen[0] == MX
    part.hide()
    assert lit[-1] == ((), ())
    table(part).row_pointed_at.emit(first)
    assert lit[-1] == ((), ())


def test_a_group_of_paths_is_taken_apart_one_by_one(qtbot: QtBot) -> None:
    part = part_of(PathPart, ladder(60), qtbot)
    show(part, PortName("main/n0", "y"))
    assert [row.texts[0] for row in table(part).rows.rows] == ["n1 → … (about 2^59 paths)"] * 2
    table(part).row_chosen.emit(table(part).rows.rows[0].key)
    settle()
    assert len(table(part).rows.rows) == 3


@pytest.mark.parametrize("has_loss", [True, False])
def test_its_command_goes_to_the_first_wire_with_a_gradient(has_loss: bool, qtbot: QtBot) -> None:
    y = gw.Square(gw.Input(2.0, name="x"), name="s")
    found = first_place(PathPart, gw.graph(gw.Loss(y) if has_loss else y), qtbot)
    assert isinstance(found, Link if has_loss else str)
