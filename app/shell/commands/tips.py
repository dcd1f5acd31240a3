"""Tips: after three slow actions of one kind, the user learns the faster way, once."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.widgets import make_button, make_label, make_row
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.window_parts import WindowParts

ENOUGH = 3
COUNTS, SHOWN, SWITCH = "slow_ways", "tips_shown", "tips"
HEIGHT, EDGE, PADDING = 36, 16, 12
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_COMMANDS = {command.id: command for command in COMMANDS}


class Tips(QObject):
    """A counter of slow actions in one window: commands without their key."""

    def __init__(self, window: WindowParts, bar: QWidget) -> None:
        super().__init__(window.frame.widget)
        self._window = window
        self._bar = TipBar(window)
        buttons = bar.findChildren(QToolButton)
        self._buttons = {button: button.objectName().removeprefix("tool_") for button in buttons}
        for menu in bar.findChildren(QMenu):
            self.watch(menu)
        for button, command in self._buttons.items():
            if command in _COMMANDS:
                button.installEventFilter(self)

    def watch(self, menu: QMenu) -> None:
        """Counts the choices in a menu."""
        menu.installEventFilter(self)

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
            self._bar.say(sentence)

    def _sentence(self, way: str) -> str:
        """Returns the sentence about the faster way, "" if there is none."""
        keys = self._window.keys
        if way == "wire":
            return tr("Drag with Ctrl and the right button across wires: that cuts them all at once.")
        command = way.partition(":")[2]
        key, text = keys.shown(command), _COMMANDS[command].title.rstrip(" …")
        return tr('Shortcut: {key} for "{command}".', key=key, command=text) if key else ""


class TipBar(QFrame):
    """A bar with one sentence at the bottom of the canvas, until the user closes it."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.canvas)
        self.setObjectName("tip_bar")
        self._window = window
        self._icon, self._text = QLabel(self), make_label(parent=self, name="tip_text")
        self._never = make_button(tr("Show no more tips"), self._stop_tips, self, name="tip_never")
        self._seen = make_button(tr("Got it"), self.hide, self, name="tip_seen")
        parts = self._icon, (self._text, 1), self._never, self._seen
        self._row = make_row(*parts, inside=self, margins=(12, 0, 5, 0))
        window.canvas.resized.connect(self._place)
        window.frame.appearance.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def say(self, sentence: str) -> None:
        """Shows a sentence."""
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        self._place()
        self.show()
        self.raise_()

    def _place(self) -> None:
        """Places the bar at the bottom in the middle, above the covered corner if there is little room."""
        canvas = self._window.canvas
        self._fit(canvas.width() - 2 * EDGE)
        left, bottom = (canvas.width() - self.width()) // 2, canvas.height() - EDGE
        covered = canvas.viewport.covered
        if left < covered.right() + EDGE:
            room = canvas.width() - covered.right() - 2 * EDGE
            if self.width() <= room:
                left = canvas.width() - EDGE - self.width()
            else:
                bottom = self._window.viewing.corner.minimap.geometry().top() - EDGE // 2
        self.move(left, bottom - self.height())

    def _fit(self, room: int) -> None:
        """Fits the text into one line if there is room, else into as many as it needs."""
        self._text.setWordWrap(False)
        self._text.setWordWrap(self.sizeHint().width() > room)
        if self._text.wordWrap():
            self.setFixedSize(room, max(HEIGHT, self._row.heightForWidth(room) + PADDING))
        else:
            self.setFixedSize(self.sizeHint().width(), HEIGHT)

    def _stop_tips(self) -> None:
        self._window.frame.settings.set_flag(SWITCH, False)
        self.hide()

    def _restyle(self, _: object = None) -> None:
        color = self._window.frame.appearance.theme.css("text.secondary")
        self._icon.setPixmap(icon_pixmap("info", color, 14, self.devicePixelRatioF()))
