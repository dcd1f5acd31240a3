"""The menu bar and the context menus, made from the table of commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import get_args

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar

from gradwire.app.base.translation import alphabetical, tr
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.features.checks.expecting import EXPECTATIONS
from gradwire.app.kit.command import Menu
from gradwire.app.kit.controls.logo import draw_logo
from gradwire.app.kit.controls.themed import ThemedWidget
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.theme import font, size
from gradwire.app.look.tips import add_entry, literal_tip
from gradwire.app.look.widgets import make_label, named
from gradwire.app.shell.commands.command import Command
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.explained import shows_zero
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.features import LENSES
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.interop.search.block_search import placeable_types

_NAME = "Gradwire"
_BY_ID = {command.id: command for command in COMMANDS}
_OPENING_LENSES = {feature.command for feature in LENSES}
MENUS: tuple[str, ...] = get_args(Menu)
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


class MenuBar(QMenuBar):
    """All commands with their shortcuts; in the middle the name of the document."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.frame.widget)
        self.setObjectName("menu_bar")
        self._window, self._full_name = window, ""
        self._name = make_label("", self, name="document_name", look="quiet")
        self._name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setCornerWidget(Mark(window, self), Qt.Corner.TopLeftCorner)
        self._commands = CommandsButton(window)
        self.setCornerWidget(self._commands, Qt.Corner.TopRightCorner)
        window.layout.refreshing.refreshed.connect(self._name_why)
        for title in MENUS:
            menu = named(self.addMenu(tr(title)), f"menu_{title.lower()}")
            menu.setToolTipsVisible(True)
            fill(menu, [command for command in COMMANDS if command.menu == title], window)
            if title == "File":
                recent = self._filled_menu("recent", tr("Open recent"), self._fill_recent)
                menu.insertMenu(window.actions_by_id["welcome"], recent)
            elif title == "Add":
                menu.addMenu(self._filled_menu("use_page", tr("Page as a block"), self._fill_used_pages))
                self._add_blocks(menu)
            elif title == "Window":
                panels = [dock.toggleViewAction() for dock in window.docking.docks.values()]
                menu.insertActions(menu.actions()[0], panels)
                menu.addMenu(self._filled_menu("windows", tr("All windows"), self._fill_windows))

    def set_document_name(self, name: str) -> None:
        """Shows the name of the document."""
        self._full_name = plain(name)
        self._place_name()

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Keeps the name in the middle."""
        super().resizeEvent(event)
        self._place_name()

    def _place_name(self) -> None:
        left = self.actionGeometry(self.actions()[-1]).right() + 24
        room = QSize(self._commands.x() - left - 12, self.height())
        self._name.setVisible(room.width() > 60)
        middle = Qt.TextElideMode.ElideMiddle
        self._name.setText(self._name.fontMetrics().elidedText(self._full_name, middle, room.width()))
        self._name.resize(min(self._name.sizeHint().width(), room.width()), self.height())
        self._name.move(max((self.width() - self._name.width()) // 2, left), 0)

    def _name_why(self) -> None:
        """The question as one would ask it of what is selected."""
        is_zero = self._window.has_document and shows_zero(self._window.session)
        text = tr("Why is this gradient zero?") if is_zero else tr("Why this gradient?")
        self._window.actions_by_id["why"].setText(text)

    def _filled_menu(self, name: str, title: str, fill: Callable[[QMenu], None]) -> QMenu:
        """Returns a menu that is filled anew each time it is shown."""
        made = named(QMenu(title, self), f"menu_{name}")

        def show() -> None:
            made.clear()
            fill(made)

        made.aboutToShow.connect(show)
        return made

    def _fill_recent(self, menu: QMenu) -> None:
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

    def _fill_used_pages(self, menu: QMenu) -> None:
        for name in self._window.editor.pages.usable():
            menu.addAction(name).triggered.connect(lambda _=False, page=name: self._window.editor.pages.use(page))
        if menu.isEmpty():
            menu.addAction(tr("No other pages yet")).setEnabled(False)

    def _add_blocks(self, menu: QMenu) -> None:
        menu.addSeparator()
        for title, types in blocks_by_category():
            submenu = menu.addMenu(title)
            # Hundreds of actions, which few ever open.
            submenu.aboutToShow.connect(partial(self._fill_category, submenu, types))

    def _fill_category(self, menu: QMenu, types: tuple[BlockType, ...]) -> None:
        if menu.isEmpty():
            for block_type in types:
                action = menu.addAction(block_type.name)
                action.setToolTip(literal_tip(block_type.summary))
                action.triggered.connect(partial(self._window.editor.placer.place_in_middle, block_type.name))

    def _fill_windows(self, menu: QMenu) -> None:
        for window in self._window.frame.windows.windows:
            action = add_entry(menu, window.shown_title)
            action.setCheckable(True)
            action.setChecked(window is self._window.frame.window)
            action.triggered.connect(window.come_forward)


class Mark(ThemedWidget):
    """The logo with the name of the program, at the left end of the menu bar."""

    def __init__(self, window: WindowParts, parent: QMenuBar) -> None:
        super().__init__(window.frame.appearance, parent, font=font("ui", 12, 600))

    def sizeHint(self) -> QSize:
        """Logo and name."""
        return QSize(40 + self.fontMetrics().horizontalAdvance(_NAME), int(size("menubar")) - 4)

    def paintEvent(self, _: QPaintEvent) -> None:
        """A wire with its port, and the name."""
        with smooth(self) as painter:
            draw_logo(painter, self._appearance.theme, QRectF(10, self.height() / 2 - 8, 16, 16))
            inked(painter, self._appearance.theme.color("text.primary"), font=self.font())
            painter.drawText(self.rect().adjusted(32, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, _NAME)


class CommandsButton(QAbstractButton):
    """The button at the right of the menu bar that opens the command box; it shows the key that does so too."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__()
        self._window = window
        named(self, "commands_button", font=font("ui", 12), focus=Qt.FocusPolicy.NoFocus)
        self.setText(tr("Commands"))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(window.actions_by_id["commands"].trigger)
        window.keys.changed.connect(self._key_changed)
        window.frame.appearance.changed.connect(self.update)
        self._key_changed()

    def sizeHint(self) -> QSize:
        """Icon, text and key."""
        width = 36 + self.fontMetrics().horizontalAdvance(self.text())
        key = QFontMetrics(font("mono", 10)).horizontalAdvance(self._key())
        high = max(int(size("menubar")) - 4, self.fontMetrics().height() + 4)
        return QSize(width + (key + 28 if key else 8), high)

    def paintEvent(self, _: QPaintEvent) -> None:
        """A magnifying glass, the word, and the key in a box."""
        theme = self._window.frame.appearance.theme
        with QPainter(self) as painter:
            color = theme.color("text.primary" if self.underMouse() else "text.secondary")
            middle = self.height() / 2
            draw_icon(painter, "search", color, QRectF(8, middle - 7, 14, 14))
            inked(painter, color, font=self.font())
            painter.drawText(self.rect().adjusted(28, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
            if self._key():
                draw_key_chip(painter, theme, self._key(), self.width() - 10, middle)

    def _key(self) -> str:
        return self._window.keys.shown("commands")

    def _key_changed(self) -> None:
        self.setToolTip(self._window.actions_by_id["commands"].toolTip())
        self.updateGeometry()
        self.update()


def blocks_by_category() -> list[tuple[str, tuple[BlockType, ...]]]:
    """Returns the titles of the categories with their block types, both sorted in the current language."""
    titled = [(tr(item.category), item) for item in placeable_types()]
    titled.sort(key=lambda pair: (alphabetical(pair[0]), pair[0], alphabetical(pair[1].name)))
    return [(title, tuple(item for _, item in pairs)) for title, pairs in groupby(titled, key=lambda pair: pair[0])]


def fill(menu: QMenu, commands: list[Command], window: WindowParts) -> None:
    """Puts commands into a menu: groups apart, submenus where they are named."""
    for _, members in groupby(sorted(commands, key=lambda item: item.group), key=lambda item: item.group):
        if not menu.isEmpty():
            menu.addSeparator()
        for command in _lenses_sorted(members, window):
            add_command(menu, command, window)


def _lenses_sorted(commands: Iterable[Command], window: WindowParts) -> Iterator[Command]:
    """Yields commands in their order, but those that open lenses by their titles in the current language."""
    for are_lenses, run in groupby(commands, key=lambda command: command.id in _OPENING_LENSES):
        listed = list(run)
        if are_lenses:
            listed.sort(key=lambda command: alphabetical(window.actions_by_id[command.id].text()))
        yield from listed


def add_command(menu: QMenu, command: Command, window: WindowParts) -> None:
    """Adds a command to a menu, or to its submenu there, which is made when first needed."""
    name = f"submenu_{command.submenu}"
    target = menu
    if command.submenu:
        found = menu.findChild(QMenu, name, Qt.FindChildOption.FindDirectChildrenOnly)
        target = found or menu.addMenu(tr(command.submenu))
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
