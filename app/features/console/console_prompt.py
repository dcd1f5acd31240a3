"""The prompt of the console."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.features.console.console_completion import completed

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class ConsolePrompt(QLineEdit):
    """A line with a history (Up, Down) and completion (Tab); while it is empty, Tab leaves it.

    `entered(str)` carries the typed line or several pasted ones; `choices_found(tuple)` the candidates for a name;
    `cancelled()` is emitted by Escape in an empty line.
    """

    entered = Signal(str)
    choices_found = Signal(object)
    cancelled = Signal()

    def __init__(self, names: Callable[[], Collection[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names
        # The lines that Up and Down recall, the last one at the end.
        self.history: Sequence[str] = ()
        # The line's distance back in the history, and the text typed before.
        self._back, self._draft = 0, ""
        self.returnPressed.connect(self._enter)
        self.textChanged.connect(self._take_lines)
        self.textEdited.connect(self._forget_place)

    def event(self, event: QEvent) -> bool:
        """Handles Tab here: Qt moves the focus before `keyPressEvent` sees it."""
        is_press = event.type() == QEvent.Type.KeyPress and self.text() != ""
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab:
            self._complete()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Moves through the history, and clears the line."""
        if event.key() in _STEPS:
            self._turn_back(_STEPS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self._forget_place()
            self.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        text = self.text()
        self._forget_place()
        self.clear()
        self.entered.emit(text)

    def _take_lines(self, text: str) -> None:
        """Runs several pasted lines at once; Qt keeps the line breaks but does not show them."""
        if len(text.splitlines()) > 1 or text.endswith("\n"):
            self._enter()

    def _forget_place(self, *_: object) -> None:
        self._back = 0

    def _turn_back(self, step: int) -> None:
        back = self._back - step
        if not 0 <= back <= len(self.history):
            return
        if self._back == 0:
            self._draft = self.text()
        self._back = back
        self.setText(self.history[-back] if back else self._draft)

    def _complete(self) -> None:
        before, behind = self.text()[: self.cursorPosition()], self.text()[self.cursorPosition() :]
        found = completed(before, self._names())
        if found.before != before:
            self._forget_place()
            self.setText(found.before + behind)
            self.setCursorPosition(len(found.before))
        elif found.choices:
            self.choices_found.emit(found.choices)
