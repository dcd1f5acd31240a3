"""Tables of cells: cells have no children, and views hear of a change exactly what they need."""

from __future__ import annotations

import pytest

from gradwire.app.kit.tables.cell_model import CellModel


class Board(CellModel):
    """A table of a size."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.sizes = rows, columns

    def size(self) -> tuple[int, int]:
        return self.sizes

    def data(self, *_: object) -> None:
        return None


def heard(board: Board, keeps_cells: bool, rows: int, columns: int) -> list[object]:
    """Returns what views hear of a change to another size: resets, and the corners of the cells that changed."""
    found: list[object] = []
    board.modelReset.connect(lambda: found.append("reset"))
    board.dataChanged.connect(lambda a, b: found.append((a.row(), a.column(), b.row(), b.column())))
    with board.changing(keeps_cells):
        board.sizes = rows, columns
    return found


def test_a_table_has_rows_and_columns_and_its_cells_have_none() -> None:
    board = Board(3, 2)
    assert (board.rowCount(), board.columnCount()) == (3, 2)
    assert (board.rowCount(board.index(0, 0)), board.columnCount(board.index(0, 0))) == (0, 0)


@pytest.mark.parametrize(
    ("keeps_cells", "size", "told"),
    [
        (False, (3, 2), ["reset"]),
        (True, (3, 2), [(0, 0, 2, 1)]),
        (True, (1, 1), [(0, 0, 0, 0)]),
        (True, (0, 2), []),
        (True, (3, 0), []),
    ],
)
def test_views_hear_of_new_cells_or_of_changed_ones(keeps_cells: bool, size: tuple[int, int], told: object) -> None:
    board = Board(*size)
    assert heard(board, keeps_cells, *size) == told


def test_cells_begin_anew_in_the_new_size() -> None:
    board = Board(3, 2)
    assert heard(board, False, 5, 4) == ["reset"]
    assert (board.rowCount(), board.columnCount()) == (5, 4)
