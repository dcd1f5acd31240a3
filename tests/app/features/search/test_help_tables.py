"""Tables of ports and parameters in the help on a block type: their columns, and what stands in them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.search.block_help import BlockHelp, parameter_row, port_row
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library


def known(name: str) -> BlockType:
    found = library.get(name)
    assert found is not None
    return found


@pytest.fixture
def page(qtbot: QtBot) -> BlockHelp:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = BlockHelp(Appearance("dark"), parent)
    made.show_type("ReduceMax")
    return made


def test_the_window_is_600_by_680(page: BlockHelp) -> None:
    assert page.size().toTuple() == (600, 680) and page.windowTitle() == "Help: ReduceMax"


def test_names_are_as_wide_as_labels_and_defaults_have_most_room(page: BlockHelp) -> None:
    section = page.findChild(QWidget, "help_parameters_section")
    assert isinstance(section, QWidget)
    (grid,) = section.findChildren(QGridLayout)
    assert [grid.columnStretch(column) for column in range(3)] == [0, 1, 2]
    assert [grid.columnMinimumWidth(column) for column in range(3)] == [80, 0, 0]
    names = [page.findChild(QLabel, f"help_parameters_{line}_0") for line in range(2)]
    assert [label.text() for label in names if label is not None] == ["axis", "keepdims"]
    assert [label.wordWrap() for label in (names[0], page.findChild(QLabel, "help_parameters_0_1"))] == [False, True]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Concat", [("x_0 …", "input", "any type, as many as are connected"), ("y", "output", "")]),
        ("Exp", [("x", "input", "numbers"), ("y", "output", "")]),
    ],
)
def test_ports_tell_direction_and_number(name: str, rows: list[tuple[str, str, str]]) -> None:
    block_type = known(name)
    found = [port_row(port) for port in (*block_type.inputs, *block_type.outputs)]
    assert [row[1] for row in found] == [row[1] for row in rows]
    assert [row[2].partition(",")[1:] for row in found] == [row[2].partition(",")[1:] for row in rows]
    assert [("…" in row[0]) for row in found] == [("…" in row[0]) for row in rows]


def test_a_parameter_tells_its_choices_and_its_default() -> None:
    rows = {item.name: parameter_row(item) for item in known("ReduceMax").parameters.values()}
    assert rows["keepdims"][0] == "keepdims" and rows["keepdims"][2] == "default false"
    assert " (" not in rows["keepdims"][1]
    required = [item for kind in library for item in known(kind.name).parameters.values() if item.is_required]
    assert required and parameter_row(required[0])[2] == "required"
    choosing = [item for kind in library for item in known(kind.name).parameters.values() if item.kind.choices]
    assert parameter_row(choosing[0])[1].endswith(f" ({', '.join(choosing[0].kind.choices)})")
