"""The line of the console in which Python is typed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.lenses.console_completion import completed

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class ConsolePrompt(QLineEdit):
    """A line with a history (Up, Down) and completion (Tab); Tab leaves it while it is empty.

    `entered(str)` carries what was typed or, in several lines, pasted; `choices_found(tuple)` the names that the
    beginning of one may become; `cancelled()` comes by Escape when there is nothing to clear.
    """

    entered = Signal(str)
    choices_found = Signal(object)
    cancelled = Signal()

    def __init__(self, names: Callable[[], Collection[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names
        self._history: Sequence[str] = ()
        # How far back in the history the line shown is, and what had been typed before.
        self._back, self._draft = 0, ""
        self.returnPressed.connect(self._enter)
        self.textChanged.connect(self._take_lines)
        self.textEdited.connect(self._forget_place)

    def set_history(self, lines: Sequence[str]) -> None:
        """Up and Down bring these lines back, the last one first."""
        self._history = lines

    def event(self, event: QEvent) -> bool:
        """Tab would go to the next widget before it is a key."""
        is_press = event.type() == QEvent.Type.KeyPress and self.text() != ""
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab:
            self._complete()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Goes through the history, and clears the line."""
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
        """What is pasted in several lines is run at once; Qt keeps the breaks that it does not show."""
        if len(text.splitlines()) > 1 or text.endswith("\n"):
            self._enter()

    def _forget_place(self, *_: object) -> None:
        self._back = 0

    def _turn_back(self, step: int) -> None:
        back = self._back - step
        if not 0 <= back <= len(self._history):
            return
        if self._back == 0:
            self._draft = self.text()
        self._back = back
        self.setText(self._history[-back] if back else self._draft)

    def _complete(self) -> None:
        before, behind = self.text()[: self.cursorPosition()], self.text()[self.cursorPosition() :]
        found = completed(before, self._names())
        if found.before != before:
            self._forget_place()
            self.setText(found.before + behind)
            self.setCursorPosition(len(found.before))
        elif found.choices:
            self.choices_found.emit(found.choices)
