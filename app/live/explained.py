"""What can be asked of the gradient of what is selected: why it is as it is, and whether it is right."""

from __future__ import annotations

from app.live.readings import PortReading, WireReading
from app.live.session import Session
from engine.graph import Port
from engine.status import Status

_ZEROS = (Status.ZERO, Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH)


def is_explained(session: Session) -> bool:
    """Whether one wire or one block is selected, of whose gradient it can be asked why."""
    return _is_one(session) and not session.walk.is_on


def is_checkable(session: Session) -> bool:
    """Whether one wire or one block is selected whose gradient can be compared with central differences."""
    if not is_explained(session) or not session.losses:
        return False
    known = (item for item in _readings(session) if item is not None)
    return any(item.status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE) for item in known)


def shows_zero(session: Session) -> bool:
    """Whether the gradient of the one wire selected, or of every output of the one block, is zero."""
    found = _readings(session) if _is_one(session) else []
    return bool(found) and all(item is not None and item.status in _ZEROS for item in found)


def _is_one(session: Session) -> bool:
    return len(session.selection.wires) + len(session.selection.blocks) == 1


def _readings(session: Session) -> list[WireReading | PortReading | None]:
    """What is known of the selected wire, or of every output of the selected block."""
    chosen = session.selection
    found: list[WireReading | PortReading | None] = [session.wire(wire) for wire in chosen.wires]
    for name in chosen.blocks & session.page.blocks.keys():
        ports = session.inferred.outputs.get(session.port_name(Port(name, "")).path, ())
        known = (session.port(Port(name, port)) for port in ports)
        found += [item for item in known if item is not None]
    return found
