"""The context menus, made from the table of commands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.features.checks.expecting import EXPECTATIONS
from gradwire.app.look.widgets import named
from gradwire.app.shell.commands.command import Command
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.window_parts import WindowParts

_BY_ID = {command.id: command for command in COMMANDS}
_OWN_GRADIENT = ("give_gradient", "show_gradient", "remove_gradient")
_ON_GRADIENT = ("check_gradient", *(f"expect_{kind.id}" for kind in EXPECTATIONS))
_ON_BLOCK = ("use_setting", "edit_tensor", "rename", "mute", "collapse", "add_loss", "use_loss", "-", "group",
             "ungroup", "fold", "unroll", "enter", *_OWN_GRADIENT, "-", "cut", "copy", "duplicate",
             "copy_to_readers", "delete", "dissolve", "disconnect", "-", "add_frame", "arrange", "fit_selection",
             "ways", "-", "why", *_ON_GRADIENT, "-", "help")  # fmt: skip
_ON_WIRE = ("why", *_ON_GRADIENT, "-", "stop_here", "search", "track", "-", "ways", "card", "-", "delete")
_ON_NOTE = ("rename", "delete")
_ON_NOTHING = ("search", "add_note", "add_frame", "-", "paste", "select_all", "-", "leave", *_OWN_GRADIENT, "-",
               "fit", "arrange", "-", "ignore_stops")  # fmt: skip


def add_command(menu: QMenu, command: Command, window: WindowParts) -> None:
    """Adds a command to a menu, or to its submenu there, which is made when first needed."""
    name = f"submenu_{command.subtopic}"
    target = menu
    if command.subtopic:
        found = menu.findChild(QMenu, name, Qt.FindChildOption.FindDirectChildrenOnly)
        target = found or menu.addMenu(tr(command.subtopic))
        target.setObjectName(name)
        target.setToolTipsVisible(True)
    target.addAction(window.actions_by_id[command.id])


def context_menu(window: WindowParts, target: Target) -> QMenu:
    """The menu of what is under the pointer, with the shortcut beside each entry."""
    if target.block is not None or target.port is not None:
        names: tuple[str, ...] = _ON_BLOCK
    elif target.wire is not None:
        names = _ON_WIRE
    else:
        names = _ON_NOTE if target.note is not None or target.frame is not None else _ON_NOTHING
    menu = named(QMenu(window.frame.widget), "context_menu")
    window.layout.refreshing.now()
    for name in names:
        if name == "-":
            menu.addSeparator()
        elif window.actions_by_id[name].isEnabled():
            add_command(menu, _BY_ID[name], window)
    return menu
