"""The command box, which finds every command and place by a few letters of its name."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.commands.box_entries import Entry, all_entries, nearest_entries, ranked
from gradwire.app.commands.window_parts import WindowParts
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.theme import Theme, font
from gradwire.app.panels.palette.list_popup import CHOICE, ROW_HEIGHT, ListPopup
from gradwire.app.panels.palette.palette import draw_key_chip, draw_row_back

SIZE = QSize(560, 420)
USES = "box_uses"
_TOP = 46
_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CommandBox(ListPopup[Entry]):
    """A popup in the middle below the menu bar, which remembers frequent choices."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.appearance, "command", tr("Search commands, blocks and files"), SIZE, window.frame)
        self._window = window
        self._entries: list[Entry] = []
        self._list.setAccessibleName(tr("Found commands, blocks and files"))
        self.set_delegate(_Delegate(window.appearance, self))

    def open_box(self) -> None:
        """Opens with all current entries."""
        window = self._window
        self._entries = all_entries(window)
        frame = window.frame
        self.open_with_corner(frame.mapToGlobal(QPoint((frame.width() - SIZE.width()) // 2, _TOP)))

    def found(self, query: str) -> tuple[list[Entry], str]:
        """Returns the matching entries, best first; or similar ones with a sentence that nothing matches."""
        rows = ranked(self._entries, self._window, query, self._window.settings.uses(USES))
        if rows:
            return rows, ""
        near, name = nearest_entries(self._entries, query), query.strip()
        if near:
            return near, tr('No entry is called "{name}". Similar names:', name=name)
        return near, tr('No entry is called "{name}". Try a word of a menu, a block or a file.', name=name)

    def take(self, row: Entry) -> None:
        """Counts and runs an entry if it is possible; otherwise the box stays open."""
        if row.is_possible:
            self.close()
            self._window.settings.count(USES, row.id)
            row.call()


class _Delegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _: QStyleOptionViewItem, __: _Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, entry = self._appearance.theme, index.data(CHOICE)
        rect: QRect = option.rect
        painter.save()
        draw_row_back(painter, theme, option)
        right = rect.right() - 10.0
        if entry.key:
            right = draw_key_chip(painter, theme, entry.key, right, rect.center().y()) - 10
        _draw_entry(painter, theme, rect.adjusted(10, 0, round(right) - rect.right(), 0), entry)
        painter.restore()


def _draw_entry(painter: QPainter, theme: Theme, rect: QRect, entry: Entry) -> None:
    """Draws icon and name on the left and the place on the right, as far as there is room."""
    if entry.icon:
        token = entry.token if entry.is_possible else "text.disabled"
        draw_icon(painter, entry.icon, theme.color(token), QRectF(rect.left(), rect.center().y() - 6, 14, 14))
    room = rect.adjusted(22, 0, 0, 0)
    painter.setFont(font("ui", 12))
    painter.setPen(theme.color("text.primary" if entry.is_possible else "text.disabled"))
    name = painter.fontMetrics().elidedText(entry.text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, _LEFT, name)
    rest = room.adjusted(painter.fontMetrics().horizontalAdvance(name) + 16, 0, 0, 0)
    painter.setFont(font("ui", 11))
    painter.setPen(theme.color("text.tertiary" if entry.is_possible else "text.disabled"))
    said = entry.place if entry.kind == tr("Command") else f"{entry.kind}: {entry.place}"
    painter.drawText(rest, _RIGHT, painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideMiddle, rest.width()))
