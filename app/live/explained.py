"""What can be asked of the gradient of what is selected: why it is as it is, and whether it is right."""

from __future__ import annotations

from app.live.readings import PortReading, WireReading
from app.live.session import Session
from engine.graph import Port
from engine.status import Status

_ZEROS = (Status.ZERO, Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH)


def is_explained(session: Session) -> bool:
    """Whether one wire or one block is selected, of whose gradient it can be asked why."""
    chosen = session.selection
    return len(chosen.wires) + len(chosen.blocks) == 1 and not session.walk.is_on


def is_checkable(session: Session) -> bool:
    """Whether one wire or one block is selected whose gradient can be compared with central differences."""
    known = (item for item in _readings(session) if item is not None)
    can_be = any(item.status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE) for item in known)
    return is_explained(session) and bool(session.losses) and can_be


def shows_zero(session: Session) -> bool:
    """Whether the gradient of the selected wire, or of every output of the selected block, is zero."""
    found = _readings(session)
    return bool(found) and all(item is not None and item.status in _ZEROS for item in found)


def _readings(session: Session) -> list[WireReading | PortReading | None]:
    """What is known of the selected wires and of every output of the selected blocks."""
    chosen, page = session.selection, session.page
    found: list[WireReading | PortReading | None] = [session.wire(wire) for wire in chosen.wires]
    if chosen.blocks and session.results is not None:
        paths = {session.port_name(Port(name, "")).path for name in chosen.blocks if name in page.blocks}
        found += [session.results.port(name) for name in session.results.port_rows if name.path in paths]
    return found
