"""Of what a selection holds it can be asked why its gradient is as it is."""

from __future__ import annotations

from app.live.readings import PortReading, WireReading
from app.live.session import Session
from engine.graph import Port
from engine.status import Status

_ZEROS = (Status.ZERO, Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH)


def is_explained(session: Session) -> bool:
    """Whether one wire or one block is selected, of whose gradient it can be asked why."""
    chosen = session.selection
    return len(chosen.wires) + len(chosen.blocks) == 1


def shows_zero(session: Session) -> bool:
    """Whether the gradient of the selected wire, or of every output of the selected block, is zero."""
    chosen, page = session.selection, session.page
    found: list[WireReading | PortReading | None] = [session.wire(wire) for wire in chosen.wires]
    if chosen.blocks and session.results is not None:
        paths = {session.port_name(Port(name, "")).path for name in chosen.blocks if name in page.blocks}
        found = [session.results.port(name) for name in session.results.port_rows if name.path in paths]
    return bool(found) and all(item is not None and item.status in _ZEROS for item in found)
