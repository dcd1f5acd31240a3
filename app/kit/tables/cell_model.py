"""The base of all models of tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractTableModel, QModelIndex

from gradwire.app.look.rows import Index

ROOT = QModelIndex()


class CellModel(QAbstractTableModel):
    """A table of cells without children. A subclass tells its `size`, and changes its contents in `changing`."""

    def size(self) -> tuple[int, int]:
        """Returns the numbers of rows and columns."""
        raise NotImplementedError

    def rowCount(self, parent: Index = ROOT) -> int:
        """Returns the number of rows."""
        return 0 if parent.isValid() else self.size()[0]

    def columnCount(self, parent: Index = ROOT) -> int:
        """Returns the number of columns."""
        return 0 if parent.isValid() else self.size()[1]

    @contextmanager
    def changing(self, keeps_cells: bool = False) -> Iterator[None]:
        """Tells views of a change: if the cells stay the same ones, a selection and a scrolled place stay as well."""
        if not keeps_cells:
            self.beginResetModel()
        yield
        rows, columns = self.size()
        if not keeps_cells:
            self.endResetModel()
        elif rows and columns:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, columns - 1))
