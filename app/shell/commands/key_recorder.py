"""A button that records the next key pressed, whatever its usual meaning."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.live.keys import key_of
from gradwire.app.look.widgets import ENTER_KEYS


class KeyRecorder(QPushButton):
    """The button: `recorded(str)` carries the key; Escape or losing the focus records nothing."""

    recorded = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("key_recorder")
        self.setAutoDefault(False)
        self.setCheckable(True)
        self.toggled.connect(self._show_state)
        self._show_state(False)

    def start(self) -> None:
        """Waits for a key."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setChecked(True)

    def event(self, event: QEvent) -> bool:
        """Takes keys before shortcuts and before the Tab order do."""
        if isinstance(event, QKeyEvent):
            if self.isChecked() and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if self.isChecked() and event.type() == QEvent.Type.KeyPress:
                self._take(event)
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in ENTER_KEYS:
                self.start()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Stops waiting."""
        self.setChecked(False)
        super().focusOutEvent(event)

    def _take(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setChecked(False)
            return
        key = key_of(event.keyCombination())
        if key:
            self.setChecked(False)
            self.recorded.emit(key)

    def _show_state(self, is_waiting: bool) -> None:
        self.setText(tr("Press the new key, or Esc") if is_waiting else tr("Add a key"))
