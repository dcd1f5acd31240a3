"""The moment at which menus, toolbar and title of a window show what is possible now."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.pace import Pace
from gradwire.app.base.signals import call_on
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.file_status import FileStatus


class Refreshing(SessionView, QObject):
    """Collects changes of one window. Whoever shows its state listens to `due()`."""

    due = Signal()

    def __init__(self, current: CurrentSession, parent: QObject) -> None:
        super().__init__(parent)
        self.current = current
        self._pace = Pace(self)
        self._pace.due.connect(self.due)
        # A drag and a training change them again and again.
        call_on(self._pace.soon, current.graph_changed, current.results_changed, current.of(FileStatus).saved_changed)
        call_on(self.soon, current.selection_changed, current.mode_changed, current.page_changed,
                current.of(FileStatus).turned, current.of(TrainingDesk).changed,
                current.of(DataFiles).changed)  # fmt: skip

    def soon(self, *_: object) -> None:
        """Refreshes once the events that have come so far are over."""
        self._pace.next()

    def now(self) -> None:
        """Lets everything show what is possible and what is on."""
        self._pace.now()

    def flush(self) -> None:
        """Refreshes at once if something waits for it."""
        self._pace.flush()
