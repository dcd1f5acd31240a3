"""The sentence about StopGradients that let pass: which wires and which gradients of inputs change."""

from __future__ import annotations

from gradwire.app.base.translation import listed, tr, tr_count
from gradwire.app.live.readings.stop_changes import changed_ports, changed_wires
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.untrusted_text import plain

INPUTS = ("Input", "Variable")
# So many changed inputs are named.
NAMED = 4


def ignored_stops_text(session: Session) -> str:
    """Returns what the labels show, and once the run is there, how much changes."""
    about = tr("StopGradients let pass; a wire that changes shows with → without.")
    results = session.results
    if results is None or results.compared is None:
        return about
    count = len(changed_wires(results))
    if not count:
        return f"{about} {tr('Here no wire changes.')}"
    inputs = _inputs(session)
    changed = changed_ports(results, inputs)
    if changed:
        gradients = listed([f"∂L/∂{_name(port)}" for port in changed], NAMED)
        effect = tr_count(
            "Here {count} wire changes, and with it {gradients}.",
            "Here {count} wires change, and with them {gradients}.",
            count, gradients=gradients,
        )  # fmt: skip
    else:
        effect = tr_count(
            "Here {count} wire changes, and no gradient of {name} does.",
            "Here {count} wires change, and no gradient of {name} does.",
            count, name=_name(inputs[0]) if len(inputs) == 1 else tr("an input"),
        )  # fmt: skip
    return f"{about} {effect}"


def _inputs(session: Session) -> list[PortName]:
    """Returns the outputs of blocks that are trained or fed; constants stay as they are."""
    inferred = session.inferred
    return [
        PortName(path, port)
        for path, instance in inferred.expanded.instances.items()
        if instance.block.type in INPUTS
        for port in inferred.outputs.get(path, ())
    ]


def _name(port: PortName) -> str:
    return plain(port.path.rpartition("/")[2])
