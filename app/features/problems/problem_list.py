"""The list of problems as a widget: it paints the rows, with a button on those that have a fix."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyleOptionViewItem, QToolTip, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.problems.problem_rows import CHECKS, FAULT, PASSES, Row, fix_text, key_of
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT, draw_elided, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import Index, RowDelegate
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.tips import plain_tip
from gradwire.app.look.widgets import named

ROW_HEIGHT, FAULT_STRIPE = 44, 4
ALL_WELL = "No problems. No gradient is NaN or Inf, all shapes match."
NOTHING_YET = "Nothing has been computed yet."
SPOKEN = {"error": "Error", "warning": "Warning", "info": "Notice"}
ROW = Qt.ItemDataRole.UserRole
_ICONS = {"error": ("error", "error"), "warning": ("warn", "warn"), "info": ("info", "text.secondary")}
_BY_CODE = {CHECKS: ("check-circle", "text.secondary"), PASSES: ("check-circle", "ok")}


class ProblemModel(CellModel):
    """The model of the rows."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show(self, rows: list[Row]) -> None:
        """Replaces the rows; if only numbers differ, in place, so that nothing scrolls."""
        with self.changing(list(map(key_of, rows)) == list(map(key_of, self.rows))):
            self.rows = rows

    def size(self) -> tuple[int, int]:
        """Returns the number of rows; a row is one cell."""
        return len(self.rows), 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the row itself, its sentence, or its full text for screen readers."""
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.sentence
        if role == Qt.ItemDataRole.AccessibleTextRole:
            fix = tr("Fix: {text}.", text=fix_text(row.fix)) if row.fix is not None else ""
            return f"{tr(SPOKEN[row.severity])}: {row.sentence} {row.detail} {fix} {row.place}"
        return None


class ProblemList(QListView):
    """The list, with a message if it is empty. The button on a row emits `fix_wanted(Row)`."""

    fix_wanted = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, uniformItemSizes=True)
        self._appearance, self._is_well = appearance, False
        self._pressed = QPersistentModelIndex()
        self.setItemDelegate(_Delegate(appearance, self, QSize(200, ROW_HEIGHT)))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        named(self, "problems_list", says=tr("Problems"))
        self.setMouseTracking(True)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        appearance.changed.connect(self._repaint)

    @property
    def message(self) -> str:
        """The message of the empty list."""
        return tr(ALL_WELL) if self._is_well else tr(NOTHING_YET)

    def set_message(self, is_well: bool) -> None:
        """Sets the message: all is well, or nothing is known yet."""
        if is_well != self._is_well:
            self._is_well = is_well
            self.setAccessibleDescription(self.message)
            self._repaint()

    def fix_place(self, index: Index) -> QRect:
        """Returns the rectangle of a row's button, empty if it has none."""
        row = index.data(ROW)
        return QRect() if row is None or row.fix is None else fix_button(self.visualRect(index))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Presses the button of a row, or selects the row."""
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_fix(index, event.position().toPoint()):
            self._pressed = QPersistentModelIndex(index)
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Releases the button; emits `fix_wanted` if the pointer is still on it."""
        pressed, self._pressed = self._pressed, QPersistentModelIndex()
        if not pressed.isValid():
            super().mouseReleaseEvent(event)
        elif self._is_on_fix(pressed, event.position().toPoint()):
            self.fix_wanted.emit(pressed.data(ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the current row visible, as when its reasons open below."""
        super().resizeEvent(event)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the tip of the button, or the full text of the row."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, point: QPoint) -> str:
        index = self.indexAt(point)
        row = index.data(ROW)
        if row is None:
            return ""
        return fix_text(row.fix) if self._is_on_fix(index, point) else f"{row.sentence}\n{row.detail}".strip()

    def _is_on_fix(self, index: Index, point: QPoint) -> bool:
        return self.fix_place(index).contains(point)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows, or the message of the empty list."""
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            theme = self._appearance.theme
            with QPainter(self.viewport()) as painter:
                icon, token = ("check-circle", "ok") if self._is_well else ("clock", "text.secondary")
                draw_icon(painter, icon, theme.color(token), QRectF(14, ROW_HEIGHT / 2 - 8, 16, 16))
                inked(painter, theme.color("text.secondary"), font=font("ui", 12))
                room = QRect(40, 0, self.viewport().width() - 50, ROW_HEIGHT)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.message)

    def _repaint(self) -> None:
        self.viewport().update()


def fix_button(row: QRect) -> QRect:
    """Returns the rectangle of a row's button."""
    width = QFontMetrics(font("ui", 12, 500)).horizontalAdvance(tr("Fix")) + 24
    return QRect(row.right() - width - 12, row.center().y() - 11, width, 24)


class _Delegate(RowDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.data(ROW).code == FAULT:
            painter.fillRect(option.rect, self._appearance.theme.color("error.bg"))
        super().paint(painter, option, index)

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        row = index.data(ROW)
        if row.code == FAULT:
            painter.fillRect(QRect(rect.left(), rect.top(), FAULT_STRIPE, rect.height()), theme.color("error"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("border.subtle"))
        icon, token = _BY_CODE.get(row.code, _ICONS[row.severity])
        token = "alarm" if row.code == "nonfinite" else token
        draw_icon(painter, icon, theme.color(token), QRectF(rect.left() + 14, rect.center().y() - 7, 16, 16))
        self._paint_texts(painter, rect, row)
        if row.fix is not None:
            self._paint_fix(painter, fix_button(rect))

    def _paint_fix(self, painter: QPainter, button: QRect) -> None:
        theme = self._appearance.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inked(painter, QPen(theme.color("border.default"), 1), theme.color("bg.raised"))
        painter.drawRoundedRect(QRectF(button).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        inked(painter, theme.color("text.primary"), font=font("ui", 12, 500))
        painter.drawText(button, Qt.AlignmentFlag.AlignCenter, tr("Fix"))

    def _paint_texts(self, painter: QPainter, rect: QRect, row: Row) -> None:
        theme = self._appearance.theme
        inked(painter, theme.color("text.secondary"), font=font("ui", 12))
        metrics = painter.fontMetrics()
        place = metrics.elidedText(row.place, Qt.TextElideMode.ElideMiddle, rect.width() // 3)
        if row.fix is not None:
            rect = QRect(rect.topLeft(), QPoint(fix_button(rect).left(), rect.bottom()))
        right = QRect(rect.left(), rect.top(), rect.width() - 14, rect.height())
        painter.drawText(right, RIGHT, place)
        room = QRect(rect.left() + 40, rect.top() + 6, rect.width() - 70 - metrics.horizontalAdvance(place), 16)
        inked(painter, theme.color("text.primary"), font=font("ui", 12, 500))
        draw_elided(painter, room if row.detail else room.translated(0, 8), row.sentence)
        inked(painter, theme.color("text.tertiary"), font=font("ui", 11))
        draw_elided(painter, room.translated(0, 16), row.detail)
