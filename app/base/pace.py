"""The pace at which panels follow a drag, which changes their numbers more often than anybody can read them."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from gradwire.app.base.timers import make_timer

# The least time between two beats. The first one waits a part of it for the results of an edit, so that an edit and its
# results are one change. Units: ms.
BEAT = 100
FIRST_PART = 4


class Pace(QObject):
    """A pace that collects changes; `due()` comes once for all of them, behind the events that have come so far."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = make_timer(self, self.now)
        self._since_last = QElapsedTimer()

    def soon(self, *_: object) -> None:
        """Collects a change that a drag makes again and again: `due()` waits until a beat after the last one."""
        if not self._timer.isActive():
            rest = BEAT - self._since_last.elapsed() if self._since_last.isValid() else 0
            self._timer.start(max(BEAT // FIRST_PART, rest))

    def next(self, *_: object) -> None:
        """Collects a change that the user waits for: `due()` comes without delay."""
        self._timer.start(0)

    def flush(self) -> None:
        """Tells of the changes that wait."""
        if self._timer.isActive():
            self.now()

    def now(self) -> None:
        """Tells of all changes at once."""
        self._timer.stop()
        self._since_last.start()
        self.due.emit()
