"""Checks made from the selection: the author's expectations, which every later run is checked against."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gradwire.app.base.translation import tr
from gradwire.app.live.asking import ask_once
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from gradwire.engine.explain.contracts import Check

# An expected size of a gradient lies between the present one divided by this factor, and its multiple.
FACTOR = 2.0


def has_ports(session: Session) -> bool:
    """Returns whether a block or wire with an output port is selected; asked after each change of the selection."""
    outputs, prefix, chosen = session.inferred.outputs, session.prefix, session.selection
    return bool(chosen.wires) or any(outputs.get(f"{prefix}/{name}") for name in chosen.blocks)


def selected_ports(session: Session) -> list[PortName]:
    """Returns the output ports of the selected blocks, then the sources of the selected wires."""
    paths = [f"{session.prefix}/{name}" for name in sorted(session.selection.blocks)]
    found = [PortName(path, port) for path in paths for port in session.inferred.outputs.get(path, ())]
    return list(dict.fromkeys([*found, *(link.source for link in selected_links(session))]))


def selected_links(session: Session) -> list[Link]:
    """Returns the selected wires by the names of their ends."""
    return sorted(session.link(wire) for wire in session.selection.wires)


def expect_status(session: Session, status: str) -> None:
    """Adds checks of the status of the selected wires, and of the selected blocks' ports."""
    links = selected_links(session)
    passed = {link.source for link in links}
    ports = [port for port in selected_ports(session) if port not in passed]
    checks: list[Check] = [{"at": str(port), "status": status} for port in ports]
    checks += [{"wire": [str(link.source), str(link.target)], "status": status} for link in links]
    _add(session, checks)


def expect_finite(session: Session) -> None:
    """Adds checks that values and gradients hold neither NaN nor infinity."""
    _add(session, [{"at": str(port), "finite": True} for port in selected_ports(session)])


def expect_size(session: Session) -> None:
    """Adds checks that gradients stay about as large as they are."""
    ports = selected_ports(session)
    readings = [(port, None if session.results is None else session.results.port(port)) for port in ports]
    sizes = {port: item.gradient.norm for port, item in readings if item is not None and item.gradient is not None}
    _add(session, [{"at": str(port), "norm": _around(size)} for port, size in sizes.items() if math.isfinite(size)])


def _around(size: float) -> list[float]:
    return [float(f"{bound:.4g}") for bound in (size / FACTOR, size * FACTOR)]


def expect_numbers(session: Session, key: str) -> None:
    """Adds checks that values or gradients, which the key says, stay as they are: one edit for all whole tensors."""
    wanted = [TensorName(port, is_gradient=key == "gradient") for port in selected_ports(session)]
    found: dict[TensorName, Array | None] = {}

    def take(name: TensorName, array: Array | None) -> None:
        found[name] = array
        if len(found) == len(wanted):
            arrays = {item: found[item] for item in wanted if found[item] is not None}
            _add(session, [{"at": str(item.place), key: array} for item, array in arrays.items()])

    for name in wanted:
        ask_once(session, name, partial(take, name))


def _add(session: Session, checks: Sequence[Mapping[str, object]]) -> None:
    if checks:
        session.apply(tr("Add check"), edits.add_checks, checks)
    else:
        session.refused.emit(tr("There are no numbers to check yet."))


@dataclass(frozen=True)
class Expectation:
    """A kind of check for the selection, as commands and menus list it."""

    id: str
    title: str
    tip: str
    add: Callable[[Session], None]


EXPECTATIONS = (
    Expectation("blocked", "Expect blocked", "A check: the gradient here is 0, because StopGradient blocks every path",
                partial(expect_status, status="blocked")),
    Expectation("flow", "Expect a gradient", "A check: the gradient here is not zero",
                partial(expect_status, status="flow")),
    Expectation("finite", "Expect finite numbers", "A check: neither NaN nor infinity, in value and gradient",
                expect_finite),
    Expectation("norm", "Expect about this size", "A check: the gradient stays between half and twice its size now",
                expect_size),
    Expectation("value", "Expect this value", "A check: the value stays as it is now",
                partial(expect_numbers, key="value")),
    Expectation("gradient", "Expect this gradient", "A check: the gradient stays as it is now",
                partial(expect_numbers, key="gradient")),
)  # fmt: skip
