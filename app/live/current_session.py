"""The session of the document that a window shows, and the signals of whichever session that is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, SignalInstance

from gradwire.app.live.session import Session


class CurrentSession(QObject):
    """The session of the document shown. Views connect to it once: it passes on the signals of that session alone.

    `changed(Session)` comes with another session, or when views are to begin anew. The other signals have the names of
    the session's own. One of a part begins with the part's name: `steps_changed` is `session.steps.changed`.
    """

    changed = Signal(object)
    graph_changed = Signal(object, object)
    inferred_changed = Signal(object)
    refused = Signal(str)
    results_changed = Signal(object)
    replied = Signal(object)
    busy_changed = Signal(bool)
    mode_changed = Signal()
    selection_changed = Signal(object)
    page_changed = Signal(str)
    file_saved_changed = Signal(bool)
    file_turned = Signal(str)
    steps_changed = Signal()
    steps_advanced = Signal()
    steps_interrupted = Signal()
    training_changed = Signal()
    training_advanced = Signal()
    training_shown = Signal()
    checks_changed = Signal()
    console_changed = Signal()
    data_changed = Signal()
    prediction_changed = Signal()
    slices_changed = Signal(str)
    monitors_changed = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        for name in _PASSED_ON:
            _signal(session, name).connect(getattr(self, name))

    def show(self, session: Session) -> None:
        """Turns to another session."""
        for name in _PASSED_ON:
            _signal(self.session, name).disconnect(getattr(self, name))
        self.session = session
        self.begin_anew()
        # Only now: a signal must not reach a view that still shows the session before.
        for name in _PASSED_ON:
            _signal(session, name).connect(getattr(self, name))

    def begin_anew(self) -> None:
        """Lets all views show the session as if they had never seen it."""
        self.changed.emit(self.session)


_PASSED_ON = [name for name, found in vars(CurrentSession).items() if isinstance(found, Signal) and name != "changed"]


def _signal(session: Session, name: str) -> SignalInstance:
    """Returns the signal of a session, or of one of its parts, that has a name here."""
    part, _, of_part = name.partition("_")
    owner, found = (session, name) if hasattr(session, name) else (getattr(session, part), of_part)
    signal: SignalInstance = getattr(owner, found)
    return signal


class SessionView:
    """A view of the document shown, whichever that is: it is made with `current`, and reads `session` each time."""

    current: CurrentSession

    @property
    def session(self) -> Session:
        """The session of the document shown."""
        return self.current.session
