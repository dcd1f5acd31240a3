"""The numbers of a training as a table: what the charts show, for the keyboard and screen readers."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.look.drawing import RIGHT
from gradwire.app.look.numbers import fmt
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.base.runs_of_equals import starts_of_runs


class TrainingModel(CellModel):
    """A row for each logged round, newest first, and a column for each series."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._log, self._names, self._rounds = RoundLog(), list[str](), np.zeros(0, np.int64)

    def show_log(self, log: RoundLog, names: list[str]) -> None:
        """Shows some series of a log as it is now."""
        rounds = [log.series(name).rounds for name in names]
        known = np.sort(np.concatenate([np.zeros(0, np.int64), *rounds]))
        with self.changing():
            self._log, self._names, self._rounds = log, names, known[starts_of_runs(known)][::-1]

    def size(self) -> tuple[int, int]:
        """Returns the number of rounds; the number of series, and one for the round."""
        return len(self._rounds), len(self._names) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Returns the text of a cell; a dash where nothing was measured in its round."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        n = int(self._rounds[index.row()])
        if index.column() == 0:
            return f"{n:,}"
        number = self._log.measured(self._names[index.column() - 1], n)
        return "–" if number is None else fmt(number)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Returns the name of a series."""
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        return tr("Round") if section == 0 else self._names[section - 1]


class TrainingTable(QTableView):
    """The table; arrows walk through its cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, showGrid=False, wordWrap=False)
        self.setTabKeyNavigation(False)
        named(self, "training_table", says=tr("Numbers of the training"), font=font("mono", 11))
        self.numbers = TrainingModel(self)
        self.setModel(self.numbers)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(22)
