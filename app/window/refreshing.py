"""The moment at which menus, toolbar and title of a window show what is possible now."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.pace import Pace
from gradwire.app.live.session import Session


class Refreshing(QObject):
    """Collects changes of one window. Whoever shows its state listens to `due()`, others come after: `refreshed()`."""

    due = Signal()
    refreshed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._pace = Pace(self)
        self._pace.due.connect(self._refresh)
        self._connect()

    def set_session(self, session: Session) -> None:
        """Listens to another document."""
        self._disconnect()
        self._session = session
        self._connect()

    def soon(self, *_: object) -> None:
        """Refreshes once the events that have come so far are over."""
        self._pace.next()

    def now(self) -> None:
        """Lets everything show what is possible and what is on."""
        self._pace.now()

    def _take_edit(self, *_: object) -> None:
        """Refreshes soon; the values that a training brings come again and again, as those of a drag do."""
        if self._session.training.is_applying:
            self._pace.soon()
        else:
            self.soon()

    def _refresh(self) -> None:
        self.due.emit()
        self.refreshed.emit()

    def _connect(self) -> None:
        session = self._session
        session.graph_changed.connect(self._take_edit)
        session.results_changed.connect(self._pace.soon)
        session.selection_changed.connect(self.soon)
        session.mode_changed.connect(self.soon)
        session.page_changed.connect(self.soon)
        session.file.saved_changed.connect(self.soon)
        session.file.turned.connect(self.soon)
        session.training.changed.connect(self.soon)
        session.data.changed.connect(self.soon)

    def _disconnect(self) -> None:
        session = self._session
        session.graph_changed.disconnect(self._take_edit)
        session.results_changed.disconnect(self._pace.soon)
        session.selection_changed.disconnect(self.soon)
        session.mode_changed.disconnect(self.soon)
        session.page_changed.disconnect(self.soon)
        session.file.saved_changed.disconnect(self.soon)
        session.file.turned.disconnect(self.soon)
        session.training.changed.disconnect(self.soon)
        session.data.changed.disconnect(self.soon)
