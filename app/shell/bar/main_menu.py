"""The menu of the program: twelve entries. Every other command is found by the search, and has its key."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QMenu, QMenuBar

from gradwire.app.base.translation import tr
from gradwire.app.look.tips import add_entry
from gradwire.app.look.widgets import named
from gradwire.app.shell.commands.window_parts import WindowParts

_EXPORT = ("save_picture", "export_code", "save_derivation", "export_page")
_HELP = ("help", "tour", "first_steps", "keyboard_map", "wire_help", "report_problem", "about")
SUBMENUS: Mapping[str, tuple[str, tuple[str, ...]]] = {"export": ("Export", _EXPORT), "help": ("Help", _HELP)}
# The ids of commands and of the menus above, with a line between groups.
ENTRIES = ("new", "open", "recent", "-", "save", "save_as", "versions", "menu:export", "-", "close", "new_window", "-",
           "settings", "menu:help", "-", "quit")  # fmt: skip


class MainMenu(QMenu):
    """The menu at the right end of the bar; on macOS the same stands in the system's menu bar."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(tr("Menu"), window.frame)
        named(self, "main_menu").setToolTipsVisible(True)
        self._window = window
        for name in ENTRIES:
            if name == "-":
                self.addSeparator()
            elif name == "recent":
                self.addMenu(filled_menu("recent", tr("Open recent"), self.fill_recent, self))
            elif name.startswith("menu:"):
                title, commands = SUBMENUS[name.removeprefix("menu:")]
                below = named(self.addMenu(tr(title)), f"menu_{title.lower()}")
                below.setToolTipsVisible(True)
                below.addActions([window.actions_by_id[command] for command in commands])
            else:
                self.addAction(window.actions_by_id[name])
        if sys.platform == "darwin":
            self._system_bar = QMenuBar()
            self._system_bar.addMenu(self)

    def fill_recent(self, menu: QMenu) -> None:
        """Fills a menu with the files that were open last."""
        files = self._window.frame.settings.recent()
        for item in files:
            action = add_entry(menu, str(item.path))
            action.setEnabled(os.path.exists(item.path))
            action.triggered.connect(lambda _=False, path=item.path: self._window.documents.opening.open(path))
        if files:
            menu.addSeparator()
            menu.addAction(tr("Clear the list")).triggered.connect(lambda: self._window.frame.settings.forget_recent())
        else:
            menu.addAction(tr("No files yet")).setEnabled(False)


def filled_menu(name: str, title: str, fill: Callable[[QMenu], None], parent: QMenu) -> QMenu:
    """Returns a menu that is filled anew each time it is shown."""
    made = named(QMenu(title, parent), f"menu_{name}")

    def show() -> None:
        made.clear()
        fill(made)

    made.aboutToShow.connect(show)
    return made
