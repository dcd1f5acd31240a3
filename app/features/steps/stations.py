"""The steps as stations on a line, from left to right."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
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

# At texts of 100 %. Units: px.
WIDTH, HEIGHT, RADIUS, LINE, NAME = 78, 62, 12.0, 21.0, 41.0
CELL = Qt.ItemDataRole.UserRole


class StationModel(SessionView, CellModel):
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
        cell = cell_of(self.session, index.row() + 1)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell.spoken
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.name
        return cell if role == CELL else None


class StationDelegate(QStyledItemDelegate):
    """A delegate that paints a station: its circle with an icon on the common line, and its name."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # Qt's name
        """Returns the fixed size of a station; the scaling of all panels' texts enlarges it too."""
        return QSize(WIDTH, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws one station."""
        cell = index.data(CELL)
        if not isinstance(cell, Cell):
            return
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(QPointF(option.rect.topLeft()))
            self._draw_line(painter, cell, index.row() == 0, index.row() == index.model().rowCount() - 1)
            self._draw_circle(painter, QPointF(WIDTH / 2, LINE), cell)
            face = font("ui", 11, 600 if cell.is_current else 500)
            token = "text.primary" if cell.is_current or cell.is_done else "text.secondary"
            inked(painter, self._appearance.theme.color(token), font=face)
            shown = QFontMetricsF(face).elidedText(cell.name, Qt.TextElideMode.ElideRight, WIDTH - 2)
            painter.drawText(QRectF(0, NAME, WIDTH, 16), CENTRE, shown)

    def _strong(self, cell: Cell) -> Any:  # Any: a colour
        return self._appearance.theme.color("value" if cell.is_forward else "grad.text")

    def _draw_line(self, painter: QPainter, cell: Cell, is_first: bool, is_last: bool) -> None:
        middle, theme = WIDTH / 2, self._appearance.theme
        halves = (0.0, middle, is_first, cell.is_done or cell.is_current), (middle, float(WIDTH), is_last, cell.is_done)
        for start, end, is_none, is_strong in halves:
            if not is_none:
                color = self._strong(cell) if is_strong else theme.color("border.default")
                painter.setPen(QPen(color, 3 if is_strong else 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                painter.drawLine(QPointF(start, LINE), QPointF(end, LINE))

    def _draw_circle(self, painter: QPainter, at: QPointF, cell: Cell) -> None:
        theme, is_strong = self._appearance.theme, cell.is_done or cell.is_current
        edge = self._strong(cell) if is_strong else theme.color("stop" if cell.is_stop else "border.strong")
        if cell.is_current:
            inked(painter, QPen(edge, 1.4), theme.color("bg.app")).drawEllipse(at, RADIUS + 3.2, RADIUS + 3.2)
        inked(painter, QPen(edge, 1.6), self._strong(cell) if is_strong else theme.color("bg.app"))
        if cell.is_stop:
            painter.drawPath(octagon(2 * RADIUS, 2 * RADIUS, 0, 7).translated(at - QPointF(RADIUS, RADIUS)))
        else:
            painter.drawEllipse(at, RADIUS, RADIUS)
        color = theme.color("text.on-accent" if is_strong else "text.secondary")
        box = QRectF(at.x() - 7, at.y() - 7, 14, 14)
        draw_icon(painter, "check" if cell.is_done else cell.icon, color, box)


def stations(parent: QWidget) -> QListView:
    """Returns the list of the steps; the current row is the current step."""
    made = QListView(parent, flow=QListView.Flow.LeftToRight, isWrapping=False, uniformItemSizes=True)
    made.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFrameShape(QListView.Shape.NoFrame)
    return named(made, "stations", says=tr("Steps"), look="bare", own_sizes=True)
