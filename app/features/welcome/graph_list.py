"""A list of graphs: each row has a thumbnail, a name and some lines. Thumbnails are drawn when idle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPen, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyleOptionViewItem, QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr_sentence
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_elided, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import Index, RowDelegate
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ENTER_KEYS
from gradwire.engine.base.errors import FileError

PICTURE = QSize(144, 88)
# The space around the thumbnail and the texts. Units: px.
MARGIN, GAP, LINE = 10, 14, 4
# What the model holds for each row: the entry, and its thumbnail once that is drawn.
ENTRY, DRAWN = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
DrawGraph = Callable[[QSize, Appearance, float], QPixmap]


@dataclass(frozen=True)
class Entry:
    """One graph: its name, the lines below, the function that draws its thumbnail, and its fault.

    `fault` says why the graph cannot be opened. `draw` raises a FileError if it cannot read the file.
    """

    name: str
    lines: tuple[str, ...]
    draw: DrawGraph
    fault: str = ""

    @property
    def spoken(self) -> str:
        """The whole text of the row, for screen readers."""
        return ". ".join(filter(None, (self.name, *self.lines, self.fault)))


class GraphList(QListView):
    """A list of graphs with one current entry. Enter and double click emit `activated_entry(int)`."""

    activated_entry = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(appearance, self, PICTURE))
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.doubleClicked.connect(lambda index: self.activated_entry.emit(index.row()))
        self._idle = make_timer(self, self._draw_next, repeats=True)
        appearance.changed.connect(self._forget_pictures)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the rows."""
        return tuple(item.data(ENTRY) for item in self._items())

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Shows the entries; the first one becomes current."""
        self._model.clear()
        for entry in entries:
            item = QStandardItem()
            self._model.appendRow(item)
            self._put(item.row(), entry)
        self.setCurrentIndex(self._model.index(0, 0))
        self._idle.start(0)

    def remove(self, row: int) -> None:
        """Removes one entry."""
        self._model.removeRow(row)

    def say_fault(self, row: int, fault: str) -> None:
        """Shows why one entry cannot be opened."""
        self._put(row, replace(self.entries[row], fault=fault))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Opens the current entry on Enter."""
        if event.key() in ENTER_KEYS and self.currentIndex().isValid():
            self.activated_entry.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _put(self, row: int, entry: Entry) -> None:
        item = self._model.item(row)
        item.setData(entry, ENTRY)
        item.setData(entry.spoken, Qt.ItemDataRole.AccessibleTextRole)

    def _draw_next(self) -> None:
        item = next((item for item in self._items() if item.data(DRAWN) is None), None)
        if item is None:
            self._idle.stop()
            return
        try:
            item.setData(item.data(ENTRY).draw(PICTURE, self._appearance, self.devicePixelRatioF()), DRAWN)
        except FileError as error:
            item.setData(QPixmap(), DRAWN)
            self.say_fault(item.row(), tr_sentence(str(error)))

    def _forget_pictures(self) -> None:
        for item in self._items():
            item.setData(None, DRAWN)
        self._idle.start(0)

    def _items(self) -> list[QStandardItem]:
        return [self._model.item(row) for row in range(self._model.rowCount())]


class _Delegate(RowDelegate):
    def sizeHint(self, _: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ENTRY)
        lines = QFontMetrics(self._font(12)).height() + LINE
        return QSize(300, 2 * MARGIN + max(PICTURE.height(), lines * (1 + len(entry.lines) + bool(entry.fault))))

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        entry = index.data(ENTRY)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("border.subtle"))
        box = QRect(rect.left() + MARGIN, rect.top() + MARGIN, PICTURE.width(), PICTURE.height())
        self._paint_picture(painter, box, index.data(DRAWN), bool(entry.fault))
        left = box.right() + GAP
        self._paint_texts(painter, QRect(left, box.top(), rect.right() - MARGIN - left, box.height()), entry)

    def _paint_picture(self, painter: QPainter, box: QRect, picture: QPixmap | None, is_broken: bool) -> None:
        theme = self._appearance.theme
        painter.fillRect(box, theme.color("bg.canvas"))
        if picture is not None and not picture.isNull():
            painter.drawPixmap(box, picture)
        elif is_broken:
            middle = box.center()
            draw_icon(painter, "error", theme.color("error"), QRectF(middle.x() - 10, middle.y() - 10, 20, 20))
        inked(painter, QPen(theme.color("border.default"), 1)).drawRect(box)

    def _paint_texts(self, painter: QPainter, room: QRect, entry: Entry) -> None:
        theme = self._appearance.theme
        top = self._paint_line(painter, room, room.top(), entry.name, self._font(13, 600), "text.primary")
        for line in entry.lines:
            top = self._paint_line(painter, room, top, line, self._font(12), "text.secondary")
        if entry.fault:
            inked(painter, theme.color("error"), font=self._font(12))
            below = QRect(room.left(), top, room.width(), room.bottom() + MARGIN - top)
            painter.drawText(below, Qt.TextFlag.TextWordWrap, entry.fault)

    def _paint_line(self, painter: QPainter, room: QRect, top: int, text: str, drawn: QFont, token: str) -> int:
        inked(painter, self._appearance.theme.color(token), font=drawn)
        line = QRect(room.left(), top, room.width(), painter.fontMetrics().height())
        draw_elided(painter, line, text, Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle)
        return top + line.height() + LINE

    def _font(self, px: int, weight: int = 400) -> QFont:
        return font("ui", px * self._appearance.text_scale, weight)
