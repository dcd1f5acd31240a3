"""Tips: after three slow actions of one kind, the status line tells of the faster way, once."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.window_parts import WindowParts

ENOUGH = 3
COUNTS, SHOWN, SWITCH = "slow_ways", "tips_shown", "tips"
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_COMMANDS = {command.id: command for command in COMMANDS}


class Tips(QObject):
    """A counter of slow actions in one window, commands without their key; further menus get it as their filter."""

    def __init__(self, window: WindowParts, bar: QWidget) -> None:
        super().__init__(window.frame)
        self._window = window
        buttons = bar.findChildren(QToolButton)
        self._buttons = {button: button.objectName().removeprefix("tool_") for button in buttons}
        for menu in bar.findChildren(QMenu):
            menu.installEventFilter(self)
        for button, command in self._buttons.items():
            if command in _COMMANDS:
                button.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Observes choices, and leaves their handling to others."""
        if isinstance(watched, QMenu):
            self._see_menu(watched, event)
        elif isinstance(watched, QToolButton) and watched.isDown() and event.type() == QEvent.Type.MouseButtonRelease:
            self._count_command(self._buttons[watched])
        return super().eventFilter(watched, event)

    def _see_menu(self, menu: QMenu, event: QEvent) -> None:
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _ENTER
        if is_key or event.type() == QEvent.Type.MouseButtonRelease:
            action = menu.activeAction()
            if isinstance(action, QAction) and action.isEnabled() and action.objectName() in _COMMANDS:
                self._count_command(action.objectName())

    def _count_command(self, command: str) -> None:
        chosen = self._window.session.selection
        is_wire = command == "delete" and bool(chosen.wires) and not chosen.blocks
        self._count("wire" if is_wire else f"command:{command}")

    def _count(self, way: str) -> None:
        settings = self._window.frame.settings
        if not settings.flag(SWITCH, True) or settings.uses(SHOWN).get(way):
            return
        sentence = self._sentence(way)
        if sentence and settings.count(COUNTS, way) >= ENOUGH:
            settings.count(SHOWN, way)
            self._window.layout.sayings.say_briefly(sentence)

    def _sentence(self, way: str) -> str:
        """Returns the sentence about the faster way, "" if there is none."""
        keys = self._window.keys
        if way == "wire":
            return tr("Drag with Ctrl and the right button across wires: that cuts them all at once.")
        command = way.partition(":")[2]
        key, text = keys.shown(command), _COMMANDS[command].title.rstrip(" …")
        return tr('Shortcut: {key} for "{command}".', key=key, command=text) if key else ""
