"""The keys that a canvas takes itself: Escape, Backspace, the key that pans, and those of its keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from gradwire.app.canvas.geometry.folded_page import Opened
from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.keyboard import Keyboard
from gradwire.app.live.session import Selection


class KeyPresses(QObject):
    """The keys that become edits and gestures; other keys belong to the actions.

    `escapes` holds what Escape closes first: calls that tell whether they closed something. `key_takers` get keys
    before anything else does, and tell whether they took them. While one of `pan_keys` is held the left button pans.
    With `holds_letters` no letter or digit is a shortcut.
    """

    backspace_pressed = Signal()

    def __init__(self, controls: Controls, keyboard: Keyboard) -> None:
        super().__init__(controls.widget)
        self._controls, self._keyboard = controls, keyboard
        self.is_pan_key_held = self.holds_letters = False
        self.pan_keys: tuple[str, ...] = ("Space",)
        self.escapes: list[Callable[[], bool]] = []
        self.key_takers: list[Callable[[QKeyEvent], bool]] = []

    def press(self, event: QKeyEvent) -> bool:
        """Takes a key; returns False if it means nothing here."""
        if any(take(event) for take in self.key_takers) or self._keyboard.press(event):
            return True
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        elif event.key() == Qt.Key.Key_Backspace:
            # Inside a used page this key belongs to the action that leaves it, and does not come here.
            self.backspace_pressed.emit()
        elif self._is_pan_key(event):
            self.is_pan_key_held = True
            self._controls.widget.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            return False
        return True

    def release(self, event: QKeyEvent) -> None:
        """Ends panning when its key is released."""
        if self._is_pan_key(event):
            self.is_pan_key_held = False
            self._controls.widget.unsetCursor()

    def leave(self) -> None:
        """Holds no key any more, as the focus is gone."""
        self.is_pan_key_held = False

    def _escape(self) -> None:
        gestures = self._controls.gestures
        if gestures.is_dragging:
            gestures.cancel()
        elif gestures.is_knife_ready:
            gestures.put_knife_down()
        elif not any(close() for close in self.escapes):
            session = self._controls.page.session
            if session.selection or not session.part(Opened).close():
                session.select(Selection())

    def _is_pan_key(self, event: QKeyEvent) -> bool:
        return not event.isAutoRepeat() and QKeySequence(event.key()).toString() in self.pan_keys
