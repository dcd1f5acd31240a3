"""The menu bar and the context menus, made from the table of commands."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QMenuBar

from app.canvas.picking import Target
from app.commands import COMMANDS, Command
from app.panels.block_search import placeable_types

if TYPE_CHECKING:
    from app.main_window import MainWindow

MENUS = ("File", "Edit", "Add", "View", "Graph", "Run", "Window", "Help")
_ON_BLOCK = ("edit_tensor", "rename", "mute", "collapse", "add_loss", "use_loss", "enter", "-", "cut", "copy",
             "duplicate", "delete", "-", "add_frame", "arrange", "fit_selection", "-", "help")  # fmt: skip
_ON_WIRE = ("stop_here", "search", "-", "delete")
_ON_NOTE = ("rename", "delete")
_ON_NOTHING = (
    "search",
    "add_note",
    "add_frame",
    "-",
    "paste",
    "select_all",
    "-",
    "fit",
    "arrange",
    "-",
    "ignore_stops",
)


class MenuBar(QMenuBar):
    """All commands with their shortcuts; in the middle the name of the document."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("menu_bar")
        self._window = window
        self._name = QLabel(self)
        self._name.setObjectName("document_name")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setProperty("look", "quiet")
        self._name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        for title in MENUS:
            menu = self.addMenu(title)
            menu.setObjectName(f"menu_{title.lower()}")
            menu.setToolTipsVisible(True)
            fill(menu, [command for command in COMMANDS if command.menu == title], window)
            if title == "File":
                self._add_recent(menu)
            elif title == "Add":
                self._add_blocks(menu)
            elif title == "Window":
                self._add_panels(menu)

    def set_document_name(self, name: str) -> None:
        """Shows the name of the document."""
        self._name.setText(name)
        self._name.adjustSize()
        self._place_name()

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Keeps the name in the middle."""
        super().resizeEvent(event)
        self._place_name()

    def _place_name(self) -> None:
        used = self.sizeHint() if not self.actions() else self.actionGeometry(self.actions()[-1]).size()
        left = self.actionGeometry(self.actions()[-1]).right() + 24 if self.actions() else used.width()
        room = QSize(self.width() - left - 12, self.height())
        self._name.setVisible(room.width() > 60)
        self._name.resize(min(self._name.sizeHint().width(), room.width()), self.height())
        self._name.move(max((self.width() - self._name.width()) // 2, left), 0)

    def _add_recent(self, menu: QMenu) -> None:
        recent = QMenu("Open recent", menu)
        recent.setObjectName("menu_recent")
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        menu.insertMenu(self._window.actions_by_id["welcome"], recent)

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        files = self._window.settings.recent()
        for item in files:
            action = menu.addAction(str(item.path).replace("&", "&&"))
            action.setEnabled(item.path.exists())
            action.triggered.connect(lambda _=False, path=item.path: self._window.documents.open(path))
        if files:
            menu.addSeparator()
            menu.addAction("Clear the list").triggered.connect(lambda: self._window.settings.forget_recent())
        else:
            menu.addAction("No files yet").setEnabled(False)

    def _add_blocks(self, menu: QMenu) -> None:
        menu.addSeparator()
        types = sorted(placeable_types(), key=lambda item: (item.category, item.name))
        for category, members in groupby(types, key=lambda item: item.category):
            submenu = menu.addMenu(category)
            for block_type in members:
                action = submenu.addAction(block_type.name)
                action.setToolTip(block_type.summary)
                action.triggered.connect(
                    lambda _=False, name=block_type.name: self._window.placer.place_in_middle(name)
                )

    def _add_panels(self, menu: QMenu) -> None:
        first = menu.actions()[0] if menu.actions() else None
        for dock in self._window.docks.values():
            menu.insertAction(first, dock.toggleViewAction()) if first else menu.addAction(dock.toggleViewAction())


def fill(menu: QMenu, commands: list[Command], window: MainWindow) -> None:
    """Puts commands into a menu: groups apart, submenus where they are named."""
    submenus: dict[str, QMenu] = {}
    for _, members in groupby(sorted(commands, key=lambda item: item.group), key=lambda item: item.group):
        if not menu.isEmpty():
            menu.addSeparator()
        for command in members:
            target = menu
            if command.submenu:
                if command.submenu not in submenus:
                    submenus[command.submenu] = menu.addMenu(command.submenu)
                target = submenus[command.submenu]
            target.addAction(window.actions_by_id[command.id])


def context_menu(window: MainWindow, target: Target) -> QMenu:
    """The menu of what is under the pointer, with the shortcut beside each entry."""
    if target.block is not None or target.port is not None:
        names: tuple[str, ...] = _ON_BLOCK
    elif target.wire is not None:
        names = _ON_WIRE
    else:
        names = _ON_NOTE if target.note is not None or target.frame is not None else _ON_NOTHING
    menu = QMenu(window)
    menu.setObjectName("context_menu")
    window.refresh()
    for name in names:
        if name == "-":
            menu.addSeparator()
        elif window.actions_by_id[name].isEnabled():
            menu.addAction(window.actions_by_id[name])
    return menu
