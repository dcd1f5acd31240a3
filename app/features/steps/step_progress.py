"""How far step mode is on the page shown."""

from __future__ import annotations

from collections.abc import Mapping

from gradwire.app.canvas.geometry.progress import Mark, Progress, Turn
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.session import Session


def progress_of(session: Session) -> Progress | None:
    """Returns how far step mode is on the page shown; None while it is off, or no steps are known."""
    steps, page = session.part(StepMode), session.page
    if not steps.is_on or not steps.count:
        return None
    wires = {wire: session.link(wire) for wire in page.wires.values()}
    reached = frozenset(wire for wire, link in wires.items() if steps.is_seen(link))
    paths = {name: f"{session.prefix}/{name}" for name in page.blocks}
    current = tuple(wire for wire, link in wires.items() if steps.step_of_link(link) == steps.at)
    return Progress(
        steps.is_forward,
        frozenset() if steps.is_forward else reached,
        frozenset(wires) - reached if steps.is_forward else frozenset(),
        _marks(session, {path: name for name, path in paths.items()}),
        current,
        steps.count,
        next((wire for wire, link in wires.items() if steps.ahead is not None and link == steps.ahead.link), None),
    )


def _marks(session: Session, names: Mapping[str, str]) -> dict[str, Mark]:
    steps, found = session.part(StepMode), dict[str, Mark]()
    for number in range(1, steps.count + 1):
        name = names.get(steps.path_of(number))
        if name is None or (name in found and found[name].turn is Turn.CURRENT):
            continue
        turn = Turn.CURRENT if number == steps.at else Turn.DONE if number < steps.at else Turn.LATER
        # The loss has two steps: between them it is neither done nor later.
        found[name] = Mark(number, turn)
    return found
