"""The lens of losses and variables: which loss trains which variable, and the path of its gradient."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.matrix.matrix_model import MatrixModel
from gradwire.app.features.matrix.matrix_questions import MatrixName, PathQuestion
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.run_lens import RunLens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import ENTER_KEYS, named
from gradwire.engine.explain.loss_matrix import LossMatrix

# The preferred and the least width of a column. Units: px.
COLUMN_WIDTH, LEAST_WIDTH, ROW_HEIGHT = 104, 72, 28


class MatrixLens(RunLens):
    """A row for each loss, a column for each variable. A selected cell highlights its path on the canvas."""

    question = MatrixName()

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        self._table = _Cells(appearance, self)
        self._model = MatrixModel(appearance, self)
        self._table.setModel(self._model)
        self._table.cell_chosen.connect(self._choose)
        self._table.clicked.connect(self._choose)
        self._table.left.connect(self._put_out)
        self._said = self.lay_out("matrix_said", self._table)

    def take(self, reply: Reply) -> None:
        """Shows the matrix, or the requested path."""
        if isinstance(reply.question, MatrixName):
            self.show_answer(reply.answer)
        elif isinstance(reply.question, PathQuestion) and reply.answer:
            self.path_chosen.emit(reply.question.variable, reply.answer)
            self.path_lit.emit([end.path for link in reply.answer for end in link], reply.answer)
        else:
            self._said.setText(tr("No wire leads from this variable to this loss."))

    def show_answer(self, matrix: LossMatrix | None) -> None:
        """Shows the matrix."""
        self._said.setText(self._sentence(matrix))
        has_cells = matrix is not None and bool(matrix.losses and matrix.variables)
        self._table.setVisible(has_cells)
        if matrix is not None and has_cells:
            self._model.show(matrix)
            self._table.share_width()

    def _sentence(self, matrix: LossMatrix | None) -> str:
        if matrix is None:
            return tr("Nothing has been computed yet.")
        if not matrix.losses:
            return self.no_loss()
        if not matrix.variables:
            return tr("There is nothing to train. Add a Variable, or an Input.")
        return tr("Gradient size of each loss alone. Choose a cell to see its paths.")

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Removes the highlight of a hidden lens."""
        self._put_out()
        super().hideEvent(event)

    def _put_out(self) -> None:
        self.path_lit.emit((), ())

    def _choose(self, index: QModelIndex) -> None:
        matrix = self._model.matrix
        if index.isValid():
            self.ask(PathQuestion(matrix.losses[index.row()], matrix.variables[index.column()]))


class _Cells(QTableView):
    """The cells; Enter chooses one, Escape emits `left`."""

    cell_chosen = Signal(QModelIndex)
    left = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, wordWrap=False, cornerButtonEnabled=False)
        self.setTabKeyNavigation(False)
        self._appearance = appearance
        named(self, "matrix_rows", says=tr("Losses and variables"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            header.setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(LEAST_WIDTH)

    def share_width(self) -> None:
        """Gives the columns their preferred width, or less if the table is narrow."""
        scale, count = self._appearance.text_scale, self.model().columnCount()
        self.verticalHeader().setDefaultSectionSize(round(ROW_HEIGHT * scale))
        self.verticalHeader().setMaximumWidth(round(min(2 * COLUMN_WIDTH * scale, self.width() / 3)))
        room = self.maximumViewportSize().width() - self.verticalHeader().sizeHint().width()
        # Always leave space for the vertical scroll bar, or each scroll bar would make the other one appear.
        room -= self.verticalScrollBar().sizeHint().width()
        width = min(max(room // max(count, 1), round(LEAST_WIDTH * scale)), round(COLUMN_WIDTH * scale))
        for column in range(count):
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Shares the width among the columns."""
        super().resizeEvent(event)
        self.share_width()

    def changeEvent(self, event: QEvent) -> None:
        """Fits rows and columns to another text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self.share_width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Chooses the current cell on Enter, emits `left` on Escape."""
        if event.key() in ENTER_KEYS:
            self.cell_chosen.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


FEATURE = Feature("matrix", "Trained by", "Which loss trains which variable", "table", MatrixLens)
