"""A test language that puts every translated text into «», so that the rest is untranslated English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, QTranslator
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialogButtonBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from gradwire.app.features.search.search_popup import SearchPopup
from gradwire.app.kit.search.entries import ENTRY

OF_QT = {"ScrollLeftButton", "ScrollRightButton", "qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"}
# More rows show nothing new.
ROWS = 400
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
_WORD = re.compile(r"[^\W\d_][\w]*")
_MARKUP = re.compile(r"<[^>]*>")


class Brackets(QTranslator):
    """The catalogue of that language."""

    def isEmpty(self) -> bool:  # Qt's name
        return False

    def translate(self, context: str, text: str, *_: object) -> str | None:
        """Returns a text in brackets; a sentence that already has some stays unchanged."""
        return f"«{text}»" if context in ("texts", "sentences") and "«" not in text else None


def english_words(text: str) -> list[str]:
    """Returns the words of a text outside brackets; a truncated text may lack one of a pair."""
    kept: list[str] = []
    depth = 0
    for sign in _MARKUP.sub(" ", text):
        if sign == "«":
            depth += 1
        elif sign == "»" and depth:
            depth -= 1
        elif sign == "»":
            kept = []
        elif not depth:
            kept.append(sign)
    return _WORD.findall("".join(kept))


def texts_of(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yields all texts of a widget and its children, each with its place."""
    for item in [root, *root.findChildren(QObject)]:
        where = f"{type(item).__name__} {item.objectName()}"
        if isinstance(item, QAction):
            for text in (item.text(), item.toolTip(), item.statusTip()):
                yield where, text
        elif isinstance(item, QWidget) and not _is_of_qt(item):
            for text in _texts_of_widget(item):
                yield where, text


def _is_of_qt(widget: QWidget) -> bool:
    """Returns whether Qt has named the widget: a standard button."""
    parent = widget.parent()
    if widget.objectName() in OF_QT:
        return True
    return isinstance(parent, QDialogButtonBox) and isinstance(widget, QAbstractButton) and not widget.objectName()


def _texts_of_widget(widget: QWidget) -> Iterator[str]:
    yield from (widget.windowTitle(), widget.toolTip(), widget.statusTip(), widget.whatsThis())
    yield from (widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QAbstractButton | QLabel):
        yield widget.text()
    elif isinstance(widget, QLineEdit):
        yield widget.placeholderText()
        yield "" if isinstance(widget.parent(), QAbstractSpinBox) else widget.text()
    elif isinstance(widget, QPlainTextEdit):
        yield from (widget.placeholderText(), widget.toPlainText())
    elif isinstance(widget, QMenu):
        yield widget.title()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(row) for row in range(widget.count()))
    elif isinstance(widget, QDockWidget):
        yield widget.toggleViewAction().text()
    elif isinstance(widget, QTreeView):
        yield from _texts_of_rows(widget.model(), QModelIndex(), 1)
    elif isinstance(widget, QTableView) and widget.model() is not None:
        columns = range(widget.model().columnCount())
        across = Qt.Orientation.Horizontal
        yield from (str(widget.model().headerData(column, across) or "") for column in columns)
        yield from _texts_of_rows(widget.model(), QModelIndex(), len(columns))
    elif isinstance(widget, QListView) and widget.model() is not None:
        yield from _texts_of_rows(widget.model(), QModelIndex(), 1)


def _texts_of_rows(model: QAbstractItemModel, parent: QModelIndex, columns: int) -> Iterator[str]:
    for row in range(min(model.rowCount(parent), ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (text for role in ROLES if isinstance(text := index.data(role), str))
        # A list would count its rows again below each of them.
        if not parent.isValid() and isinstance(model, QStandardItemModel):
            yield from _texts_of_rows(model, model.index(row, 0, parent), columns)


def entries_of(box: SearchPopup) -> Iterator[tuple[str, str]]:
    """Yields the texts in the rows of the command box, beside their names."""
    for view in box.findChildren(QAbstractItemView):
        for row in range(view.model().rowCount()):
            entry = view.model().index(row, 0).data(ENTRY)
            yield from ((f"entry {entry.id}", text) for text in (entry.text, entry.detail, entry.tip))
