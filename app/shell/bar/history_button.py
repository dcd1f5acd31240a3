"""The buttons for undo and redo: a press goes one edit, a longer one lists the edits to which one can go."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.look.tips import add_entry
from gradwire.app.look.widgets import named, pop_up
from gradwire.app.shell.commands.window_parts import WindowParts

# A press that lasts longer opens the list, which has so many edits at most.
HOLD_MS, LISTED = 300, 20


class HistoryButton(QToolButton):
    """The button of one direction; held, or asked for its menu, it lists the next edits by name, the nearest first."""

    def __init__(self, window: WindowParts, is_redo: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._is_redo = window, is_redo
        hold = make_timer(self, self.open_list, HOLD_MS)
        self.pressed.connect(hold.start)
        self.released.connect(hold.stop)

    def open_list(self) -> None:
        """Opens the list; choosing an edit goes there."""
        session = self._window.session
        past, future = [text for text, _ in session.document.past], session.document.future
        go, names = (session.redo, future) if self._is_redo else (session.undo, past)
        menu = named(QMenu(self), "history_list")
        for count, name in enumerate(names[:LISTED], 1):
            add_entry(menu, name).triggered.connect(lambda _=False, count=count: go(count))
        self.setDown(False)
        pop_up(menu, self.mapToGlobal(QPoint(0, self.height())))

    def contextMenuEvent(self, _: QContextMenuEvent) -> None:  # Qt's name
        """Opens the list at once, also by the key for menus."""
        self.open_list()
