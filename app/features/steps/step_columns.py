"""The steps as columns: a list that runs from left to right."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.painting.blocks.block_painter import octagon
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import Cell, cell_of
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import CENTRE, inked, kept
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named

WIDTH, HEIGHT, RADIUS = 104, 128, 11.0
CELL = Qt.ItemDataRole.UserRole
# Family, size in px, and weight of a font.
Face = tuple[Literal["ui", "mono"], float, int]


class StepModel(SessionView, CellModel):
    """The model of the steps of a session's step mode, one row each."""

    def __init__(self, current: CurrentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._count = current, 0
        self._subject: object = None

    def show(self) -> None:
        """Shows the present step of a session's step mode."""
        steps = self.session.part(StepMode)
        subject = self.session, steps.is_forward
        with self.changing((subject, steps.count) == (self._subject, self._count)):
            self._count, self._subject = steps.count, subject

    def size(self) -> tuple[int, int]:
        """Returns the number of steps; a step is one cell."""
        return self._count, 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # Any: Qt decides by the role
        """Returns the name of a step's block, its full text, or its cell."""
        if not index.isValid() or index.row() >= self.session.part(StepMode).count:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_of(self.session, index.row() + 1).name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell_of(self.session, index.row() + 1).spoken
        return cell_of(self.session, index.row() + 1) if role == CELL else None


class StepDelegate(QStyledItemDelegate):
    """A delegate that paints a step: icon, circle on the common line, name, action and magnitude."""

    def __init__(self, appearance: Appearance, is_forward: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self.is_forward = appearance, is_forward

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # Qt's name
        """Returns the fixed size of a column; the scaling of all panels' texts enlarges it too."""
        return QSize(WIDTH, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws one column."""
        cell = index.data(CELL)
        if not isinstance(cell, Cell):
            return
        box = QRectF(option.rect)
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_back(painter, box, cell)
            theme, middle = self._appearance.theme, box.center().x()
            draw_icon(painter, cell.icon, theme.color(cell.token), QRectF(middle - 9, box.top() + 12, 18, 18))
            self._draw_line(painter, box, cell, index.row() == 0, index.row() == index.model().rowCount() - 1)
            self._draw_circle(painter, QPointF(middle, box.top() + 52), cell)
            weight = 600 if cell.number and (cell.is_current or cell.is_done) else 500
            self._draw_text(painter, box, 70, cell.name, ("ui", 11.5, weight), theme.color("text.primary"))
            self._draw_text(painter, box, 87, cell.action, ("ui", 10.5, 400), theme.color("text.tertiary"))
            amount = self._strong if cell.is_current or cell.is_done else theme.color("text.tertiary")
            self._draw_text(painter, box, 104, cell.amount, ("mono", 10.5, 500), amount)

    @property
    def _strong(self) -> QColor:
        return self._appearance.theme.color("value" if self.is_forward else "grad.text")

    def _draw_back(self, painter: QPainter, box: QRectF, cell: Cell) -> None:
        if cell.is_current:
            theme = self._appearance.theme
            inked(painter, QPen(self._strong, 1.2), theme.color("accent.soft" if self.is_forward else "grad.soft"))
            painter.drawRoundedRect(box.adjusted(3, 2, -3, -2), 6, 6)

    def _draw_line(self, painter: QPainter, box: QRectF, cell: Cell, is_first: bool, is_last: bool) -> None:
        y, middle, theme = box.top() + 52, box.center().x(), self._appearance.theme
        ends = (
            (box.left(), middle, is_first, cell.is_done or cell.is_current),
            (middle, box.right() + 1, is_last, cell.is_done),
        )
        for start, end, is_none, is_strong in ends:
            if not is_none:
                color = self._strong if is_strong else theme.color("border.default")
                painter.setPen(QPen(color, 3 if is_strong else 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                painter.drawLine(QPointF(start, y), QPointF(end, y))

    def _draw_circle(self, painter: QPainter, at: QPointF, cell: Cell) -> None:
        theme, is_strong = self._appearance.theme, cell.is_done or cell.is_current
        edge = self._strong if is_strong else theme.color("stop" if cell.is_stop else "border.strong")
        inked(painter, QPen(edge, 1.6), self._strong if is_strong else theme.color("bg.app"))
        if cell.is_stop:
            painter.drawPath(octagon(2 * RADIUS, 2 * RADIUS, 0, 6.5).translated(at - QPointF(RADIUS, RADIUS)))
        else:
            painter.drawEllipse(at, RADIUS, RADIUS)
        color = theme.color("text.on-accent" if is_strong else "text.primary")
        if cell.is_done:
            draw_icon(painter, "check", color, QRectF(at.x() - 6, at.y() - 6, 12, 12))
        else:
            inked(painter, color, font=font("mono", 10.5 if cell.number < 100 else 8, 600))
            painter.drawText(QRectF(at.x() - 20, at.y() - 10, 40, 20), CENTRE, str(cell.number))

    def _draw_text(self, painter: QPainter, box: QRectF, top: float, text: str, face: Face, color: QColor) -> None:
        used, room = font(*face), box.width() - 10
        inked(painter, color, font=used)
        shown = QFontMetricsF(used).elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(box.left() + 5, box.top() + top, room, 17), CENTRE, shown)


def step_columns(parent: QWidget) -> QListView:
    """Returns the list of the steps; the current row is the current step."""
    made = QListView(parent, flow=QListView.Flow.LeftToRight, isWrapping=False, uniformItemSizes=True)
    made.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFrameShape(QListView.Shape.NoFrame)
    return named(made, "step_columns", says=tr("Steps"))
