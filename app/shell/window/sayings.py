"""Sentences that a window says beside the pointer and in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStatusBar, QToolTip

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.look.tips import plain_tip

SAYING_MS = 8000


class Sayings(QObject):
    """Says why something was refused, and what the canvas has to say.

    It ends with the status bar of its window, and with it the connections to what all windows share.
    """

    def __init__(self, canvas: Canvas, status: QStatusBar) -> None:
        super().__init__(status)
        self._canvas, self._status = canvas, status
        canvas.said.connect(self.say_briefly)
        canvas.current.refused.connect(self.say)

    def say(self, sentence: str) -> None:
        """Says a sentence beside the pointer and in the status bar."""
        self._status.showMessage(sentence, SAYING_MS)
        at = self._canvas.mapToGlobal(self._canvas.pointer.view.toPoint())
        QToolTip.showText(at, plain_tip(sentence), self._canvas, msecShowTime=SAYING_MS)

    def say_briefly(self, reason: str) -> None:
        """Shows a sentence in the status bar alone; "" takes away the one that is there."""
        self._status.showMessage(reason, SAYING_MS)
