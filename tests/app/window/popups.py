"""The fields, lists, menus and dialogs that open in front of a user."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QListView,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)

from gradwire.app.start.main_window import MainWindow
from tests.app.window.finding import child_of, settle
from tests.app.window.hand import LEFT, NONE, RIGHT, Hand

Key = Qt.Key


def entries_of(menu: QMenu) -> list[QAction]:
    """The entries of a menu and of its submenus, without lines."""
    found: list[QAction] = []
    for item in menu.actions():
        below = item.menu()
        found += entries_of(below) if isinstance(below, QMenu) else [item] * (not item.isSeparator())
    return found


class Popups:
    """Everything that opens over one window for a while."""

    def __init__(self, window: MainWindow, hand: Hand) -> None:
        self._window, self._hand = window, hand

    def inline(self) -> QLineEdit | QPlainTextEdit:
        """The field open over the canvas."""
        found = [item for item in self._window.parts.canvas.findChildren(QWidget, "inline_edit") if item.isVisible()]
        assert len(found) == 1
        assert isinstance(found[0], QLineEdit | QPlainTextEdit)
        return found[0]

    def fields(self) -> int:
        """How many fields are open over the canvas."""
        return sum(item.isVisible() for item in self._window.parts.canvas.findChildren(QWidget, "inline_edit"))

    def type_inline(self, text: str, end: Qt.Key = Key.Key_Return, keys: Qt.KeyboardModifier = NONE) -> None:
        field = self.inline()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, end, keys)
        settle()

    def found(self) -> list[str]:
        """Returns the entries of the search popup."""
        model = child_of(self._window, QListView, "search_list").model()
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def search(self, text: str) -> None:
        """Types into the open search popup and takes the first hit."""
        assert self._window.parts.editor.placer.popup.isVisible()
        field = child_of(self._window, QLineEdit, "search_field")
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
        settle()

    def menu(self) -> QMenu:
        """The open context menu."""
        found = QApplication.activePopupWidget()
        assert isinstance(found, QMenu)
        return found

    def menu_of(self, at: QPointF) -> dict[str, str]:
        """The entries of the context menu at a point, with their shortcuts; closes it again."""
        self._hand.click(at, RIGHT)
        menu = self.menu()
        entries = {item.objectName(): item.shortcut().toString() for item in entries_of(menu)}
        assert all(item.isEnabled() for item in entries_of(menu))
        QTest.keyClick(menu, Key.Key_Escape)
        settle()
        return entries

    def answer(self, name: str, button: QMessageBox.StandardButton | str, during: Callable[[], object]) -> str:
        """Does something that asks in a dialog, clicks a button of that, and gives what the dialog said.

        A button of our own is known by its object name.
        """
        said: list[str] = []

        def press() -> None:
            box = QApplication.activeModalWidget()
            if isinstance(box, QMessageBox):
                said.append(f"{box.objectName()}: {box.text()} {box.informativeText()}")
                pressed = box.findChild(QAbstractButton, button) if isinstance(button, str) else box.button(button)
                QTest.mouseClick(pressed, LEFT)
            else:
                timer.start(5)

        timer = QTimer(self._window)
        timer.setSingleShot(True)
        timer.timeout.connect(press)
        timer.start(0)
        during()
        timer.stop()
        timer.deleteLater()
        settle()
        assert len(said) == 1, said
        assert said[0].startswith(name)
        return said[0].removeprefix(f"{name}: ")
