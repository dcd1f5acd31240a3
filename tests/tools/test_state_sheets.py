"""The sheets of all states of blocks and wires, drawn from real graphs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize

from gradwire.app.look.appearance import Appearance
from tools.state_sheets import BLOCK_CELL, CAPTION, COLUMNS, GAP, SCALE, WIRE_CELL, sheet
from tools.states import State, block_states, wire_states


@pytest.mark.long
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("states", "size"), [(block_states(), BLOCK_CELL), (wire_states(), WIRE_CELL)])
def test_the_states_are_drawn_in_cells_of_which_no_two_are_alike(states: list[State], size: QSize) -> None:
    image = sheet(states, Appearance("dark"), size, size == WIRE_CELL)
    across, down = size.width() + GAP, size.height() + CAPTION + GAP
    cells = set()
    for index in range(len(states)):
        corner = QPoint(GAP + index % COLUMNS * across, GAP + index // COLUMNS * down)
        cells.add(bytes(image.copy(QRect(corner * SCALE, size * SCALE)).constBits()))
    assert len(cells) == len(states)
