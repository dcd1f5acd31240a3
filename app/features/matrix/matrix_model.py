"""The matrix of losses and variables as a table: a row for each loss, a column for each variable."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from gradwire.app.base.translation import tr
from gradwire.app.kit.lens.flow_text import name_of
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt
from gradwire.app.look.rows import Index
from gradwire.app.look.status_texts import status_label
from gradwire.app.look.statuses import LOOKS
from gradwire.app.look.theme import font
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.loss_matrix import LossMatrix, Pull


class MatrixModel(CellModel):
    """The model of each loss's pull at each variable."""

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance, self.matrix = appearance, LossMatrix((), (), ())

    def show(self, matrix: LossMatrix) -> None:
        """Replaces the matrix; if losses and variables are the same, in place."""
        old = self.matrix
        with self.changing((old.losses, old.variables) == (matrix.losses, matrix.variables)):
            self.matrix = matrix

    def size(self) -> tuple[int, int]:
        """Returns the numbers of losses and variables."""
        return len(self.matrix.losses), len(self.matrix.variables)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns a pull as a number or in words; tool tips and screen readers get a full sentence."""
        pull, theme = self.matrix.pulls[index.row()][index.column()], self._appearance.theme
        if role == Qt.ItemDataRole.DisplayRole:
            return pull_text(pull)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return sentence(self.matrix.losses[index.row()], self.matrix.variables[index.column()], pull)
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.color(LOOKS[pull.status].token)
        is_flow = pull.status is Status.FLOW
        if role == Qt.ItemDataRole.BackgroundRole and is_flow:
            return theme.color("grad.soft")
        if role == Qt.ItemDataRole.FontRole:
            return font("mono" if is_flow else "ui", 12 * self._appearance.text_scale)
        return int(Qt.AlignmentFlag.AlignCenter) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the names: of variables for the columns, of losses for the rows."""
        is_column = orientation is Qt.Orientation.Horizontal
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            # The tip shows the whole name if the heading elides it.
            return name_of((self.matrix.variables if is_column else self.matrix.losses)[section])
        return None


def pull_text(pull: Pull) -> str:
    """Returns a pull as a word or a number."""
    if pull.status in (Status.FLOW, Status.NONFINITE) and pull.norm is not None:
        return fmt(pull.norm)
    return status_label(pull.status, pull.norm)


def sentence(loss: str, variable: str, pull: Pull) -> str:
    """Returns a pull as a sentence, with the blocks that cut its path."""
    text = tr("{loss} at {variable}: {pull}", loss=name_of(loss), variable=name_of(variable), pull=pull_text(pull))
    return text if not pull.by else tr("{text} by {blocks}", text=text, blocks=", ".join(map(name_of, pull.by)))
