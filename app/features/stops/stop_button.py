"""The button in the status bar that stops a long run."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named

HEIGHT = 20
# Only a run longer than this can be stopped here. Units: seconds.
LONG = 3.0
# The interval of the look at the running block. Units: ms.
_EVERY = 500


class StopButton(SessionView, QPushButton):
    """A button that stops a run; it is visible during a long run, and emits `looked()` at intervals."""

    looked = Signal()

    def __init__(self, current: CurrentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.current = current
        tip = tr("Stop computing; F5 or an edit starts again")
        named(self, "stop_button", tip=tip, height=HEIGHT, focus=Qt.FocusPolicy.TabFocus, font=font("ui", 11))
        self.setText(tr("Stop"))
        # The buttons of dialogs are too high for the bar.
        self.setStyleSheet("padding: 0 10px; margin-right: 8px")
        self.clicked.connect(lambda: self.session.stop())
        self._clock = make_timer(self, self._look, _EVERY, repeats=True)
        current.busy_changed.connect(self._take_busy)
        current.changed.connect(self._begin_document)
        self._begin_document()

    @property
    def is_long(self) -> bool:
        """True if one run has taken long."""
        return self.session.scheduler.seconds >= LONG

    def _begin_document(self, *_: object) -> None:
        self._take_busy(self.session.scheduler.is_busy)

    def _take_busy(self, is_busy: bool) -> None:
        self._clock.start() if is_busy else self._clock.stop()
        self.setVisible(self.is_long)

    def _look(self) -> None:
        self.setVisible(self.is_long)
        self.looked.emit()
