"""The session of the document that a window shows, and the signals of whichever session that is."""

from __future__ import annotations

from typing import TypeVar, cast

from PySide6.QtCore import QObject, Signal

from gradwire.app.live.session import Session, SessionSignals

P = TypeVar("P", bound=QObject)


class ViewRequests(QObject):
    """What views of the document ask of their window, whichever of them it is.

    `place_chosen(str)` carries the path of a block to show, `wire_chosen(Link)` a wire, `tensor_chosen(str)` a
    block whose tensor is to be edited, `command_chosen(str)` the id of a command, `fix_chosen(Fix)` what is to be done
    about a zero or NaN; `fix_refused()` comes where that is not wanted now. `path_lit(blocks, links)` carries a path to
    highlight on the page, an empty one for none.
    """

    place_chosen = Signal(str)
    wire_chosen = Signal(object)
    tensor_chosen = Signal(str)
    command_chosen = Signal(str)
    fix_chosen = Signal(object)
    fix_refused = Signal()
    path_lit = Signal(object, object)


class CurrentSession(SessionSignals):
    """The session of the document shown. Views connect to it once: it passes on the signals of that session alone.

    `changed(Session)` comes with another session, or when views are to begin anew. The other signals have the names of
    the session's own. `of(Part)` has those of a part, whichever session is shown. `requests` are those of all views.
    """

    changed = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session, self.requests = session, ViewRequests(self)
        # What stands here for the session and for parts of it.
        self._relays: dict[type[QObject], QObject] = {Session: self}
        self._link(Session)

    def of(self, kind: type[P]) -> P:
        """Returns what has the signals of a part of the session shown, to connect to and for nothing else."""
        if kind not in self._relays:
            signals = {
                name: found for name, found in vars(kind).items() if isinstance(found, Signal) and name[0] != "_"
            }
            self._relays[kind] = type(kind.__name__, (QObject,), signals)(self)
            self._link(kind)
        return cast(P, self._relays[kind])  # whoever connects sees no difference

    def show(self, session: Session) -> None:
        """Turns to another session."""
        kinds = list(self._relays)
        for kind in kinds:
            self._link(kind, is_wanted=False)
        self.session = session
        self.begin_anew()
        # Only now: a signal must not reach a view that still shows the session before.
        for kind in kinds:
            self._link(kind)

    def begin_anew(self) -> None:
        """Lets all views show the session as if they had never seen it."""
        self.changed.emit(self.session)

    def _link(self, kind: type[QObject], is_wanted: bool = True) -> None:
        """Passes on the signals of the session or of a part of it, or no longer."""
        part, relay = self.session.part(kind), self._relays[kind]
        for name, found in vars(SessionSignals if relay is self else type(relay)).items():
            if isinstance(found, Signal) and (signal := getattr(part, name, None)) is not None:
                (signal.connect if is_wanted else signal.disconnect)(getattr(relay, name))


class SessionView:
    """A view of the document shown, whichever that is: it is made with `current`, and reads `session` each time."""

    current: CurrentSession

    @property
    def session(self) -> Session:
        """The session of the document shown."""
        return self.current.session
