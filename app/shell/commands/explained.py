"""The questions that apply to the gradient of the selection: why it has its value, and whether it is correct."""

from __future__ import annotations

from gradwire.app.live.readings.readings import PlaceReading
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.status import Status
from gradwire.engine.graph.graph import Port

_ZEROS = (Status.ZERO, Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH)


def is_explained(session: Session) -> bool:
    """Returns whether one wire or one block is selected whose gradient can be explained."""
    return _is_one(session) and session.pause is None


def is_checkable(session: Session) -> bool:
    """Returns whether one wire or one block is selected whose gradient can be compared with central differences."""
    if not is_explained(session) or not session.losses:
        return False
    known = (item for item in _readings(session) if item is not None)
    return any(item.status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE) for item in known)


def shows_zero(session: Session) -> bool:
    """Returns whether the gradient of the selected wire, or of every output of the selected block, is zero."""
    found = _readings(session) if _is_one(session) else []
    return bool(found) and all(item is not None and item.status in _ZEROS for item in found)


def _is_one(session: Session) -> bool:
    return len(session.selection.wires) + len(session.selection.blocks) == 1


def _readings(session: Session) -> list[PlaceReading | None]:
    """Returns the reading of the selected wire, or of every output of the selected block."""
    chosen = session.selection
    found: list[PlaceReading | None] = [session.wire(wire) for wire in chosen.wires]
    for name in chosen.blocks & session.page.blocks.keys():
        ports = session.inferred.outputs.get(session.port_name(Port(name, "")).path, ())
        known = (session.port(Port(name, port)) for port in ports)
        found += [item for item in known if item is not None]
    return found
