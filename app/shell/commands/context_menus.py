"""The context menus, made from the table of commands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.features.problems.expecting import EXPECTATIONS
from gradwire.app.look.widgets import named
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.graph.graph import COLORS

_BY_ID = {command.id: command for command in COMMANDS}
_OWN_GRADIENT = ("give_gradient", "show_gradient", "remove_gradient")
_COLOURS = ("colour_none", *(f"colour_{color}" for color in COLORS))
_CHECKS = ("check_gradient", *(f"expect_{kind.id}" for kind in EXPECTATIONS))
# At most ten entries stand in a menu; the others of these commands stand under More.
_ON_BLOCK = ("cut", "copy", "paste", "duplicate", "delete", "-", "rename", "dissolve", "mute", "-", "why", "More",
             "use_setting", "edit_tensor", "collapse", "add_loss", "use_loss", "-", "group", "ungroup", "fold",
             "unroll", "enter", *_OWN_GRADIENT, "-", "copy_to_readers", "disconnect", "add_frame", "arrange",
             "fit_selection", "ways", "-", *_CHECKS, "-", "help")  # fmt: skip
_ON_STOP = ("ignore_stops", "mode_compare", "-")
_ON_WIRE = ("why", "stop_here", *_CHECKS, "-", "search", "track", "-", "ways", "card", "-", "delete")
_ON_NOTE = ("cut", "copy", "paste", "duplicate", "delete", "-", "rename", *_COLOURS)
_ON_NOTHING = ("search", "add_note", "add_frame", "add_page", "-", "paste", "select_all", "-", "fit", "arrange",
               "leave", "More", *_OWN_GRADIENT, "ignore_stops")  # fmt: skip


def context_menu(window: WindowParts, target: Target) -> QMenu:
    """The menu of what is under the pointer, with the shortcut beside each entry."""
    block = window.session.page.blocks.get(target.block or "")
    if block is not None and block.type == "StopGradient":
        names: tuple[str, ...] = (*_ON_STOP, *_ON_BLOCK)
    elif target.block is not None or target.port is not None:
        names = _ON_BLOCK
    elif target.wire is not None:
        names = _ON_WIRE
    else:
        names = _ON_NOTE if target else _ON_NOTHING
    menu = part = named(QMenu(window.frame), "context_menu")
    window.layout.refreshing.now()
    for name in names:
        if name == "-":
            part.addSeparator()
        elif name == "More":
            menu.addSeparator()
            part = _submenu(menu, name)
        elif window.actions_by_id[name].isEnabled():
            subtopic = _BY_ID[name].subtopic
            (_submenu(part, subtopic) if subtopic else part).addAction(window.actions_by_id[name])
    return menu


def _submenu(menu: QMenu, title: str) -> QMenu:
    """Returns the submenu of a title, which is made when first needed."""
    found = menu.findChild(QMenu, f"submenu_{title}", Qt.FindChildOption.FindDirectChildrenOnly)
    below = found or named(menu.addMenu(tr(title)), f"submenu_{title}")
    below.setToolTipsVisible(True)
    return below
