"""Checks stored in a file: the author's expectations about values, gradients and statuses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.schema import JsonFault, items, number, shown, tensor
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot
from gradwire.engine.graph.graph import Graph

Check = Mapping[str, object]


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one check: its title, whether it holds, a sentence that explains a failure, and the port it names."""

    title: str
    holds: bool
    message: str = ""
    place: str = ""


class _Broken(GradwireError):
    """Failure of a check; the sentence states what was found."""


def run_checks(graph: Graph, snapshot: Snapshot) -> list[CheckResult]:
    """Returns the outcome of every check of the graph, in order; an unintelligible check fails."""
    return [_run(check, graph, snapshot) for check in graph.checks]


def _run(check: Check, graph: Graph, snapshot: Snapshot) -> CheckResult:
    title, place = _title(check), place_of(check)
    try:
        for key, test in _TESTS.items():
            if key in check:
                test(check, graph, snapshot)
                return CheckResult(title, True, place=place)
    except _Broken as broken:
        return CheckResult(title, False, str(broken), place)
    return CheckResult(title, False, f"It says nothing to check; use one of {', '.join(_TESTS)}.", place)


def place_of(check: Check) -> str:
    """Returns the port or wire that a check names, as written in the file; empty if it names none."""
    place = check.get("at", check.get("wire", ""))
    return " -> ".join(map(str, place)) if isinstance(place, list | tuple) else str(place)


def kind_of(check: Check) -> str:
    """Returns the kind of a check: `value`, `gradient`, `status` ...; empty if the kind is unknown."""
    return next((key for key in _TESTS if key in check), "")


def is_recorded(check: Check) -> bool:
    """Returns whether a check compares with the recorded numbers of a run, and expects no law."""
    return kind_of(check) in ("value", "gradient")


def _title(check: Check) -> str:
    if isinstance(check.get("title"), str):
        return str(check["title"])
    what, where = kind_of(check), place_of(check) or "check"
    return f"{what} of {where}" if what else where


def _check_value(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    _compare(_port(check.get("at"), snapshot).value, check["value"], check, "value")


def _check_gradient(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    _compare(_port(check.get("at"), snapshot).gradient, check["gradient"], check, "gradient")


def _check_status(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    ends = check.get("wire")
    if ends is None:
        found = _port(check.get("at"), snapshot).status
    else:
        link = _link(ends)
        wire = snapshot.wires.get(link)
        if wire is None:
            raise _Broken(f"There is no wire {link.source} -> {link.target}.")
        found = wire.status
    if not isinstance(check["status"], str) or check["status"] != str(found):
        raise _Broken(f"The status is {found}, not {_word(check['status'])}.")


def _check_finite(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    if not isinstance(check["finite"], bool):
        raise _Broken("finite must be true or false.")
    port = _port(check.get("at"), snapshot)
    arrays = [array for array in (port.value, port.gradient) if array is not None]
    is_finite = bool(arrays) and all(bool(np.isfinite(array).all()) for array in arrays)
    if is_finite is not check["finite"]:
        raise _Broken("It holds NaN or infinity." if check["finite"] else "Everything is finite.")


def _check_norm(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    bounds = check["norm"]
    try:
        low, high = map(number, items(bounds))
    except (JsonFault, ValueError):
        raise _Broken("norm must be two numbers: the lowest and the highest norm of the gradient.") from None
    gradient = _port(check.get("at"), snapshot).gradient
    norm = np.inf if gradient is None else norm_of(gradient)
    if not low <= norm <= high:
        raise _Broken(f"The norm of the gradient is {norm:g}, not between {low:g} and {high:g}.")


def _check_gradients_equal(check: Check, graph: Graph, snapshot: Snapshot) -> None:
    """Checks that the gradient of `at` under `loss` equals that of `gradient_equals` under `other_loss`."""
    first = _under(check.get("loss"), graph, snapshot)
    second = _under(check.get("other_loss"), graph, snapshot)
    expected = _port(check["gradient_equals"], second).gradient
    _compare(_port(check.get("at"), first).gradient, expected, check, "gradient")


_TESTS: dict[str, Callable[[Check, Graph, Snapshot], None]] = {
    "gradient_equals": _check_gradients_equal,
    "gradient": _check_gradient,
    "value": _check_value,
    "status": _check_status,
    "finite": _check_finite,
    "norm": _check_norm,
}


def _word(value: object) -> str:
    return value if isinstance(value, str) else shown(value)


def _under(loss: object, graph: Graph, snapshot: Snapshot) -> Snapshot:
    if loss is not None and not isinstance(loss, str):
        raise _Broken(f"loss must name a Loss block, not {shown(loss)}.")
    if loss is None or loss == graph.loss:
        return snapshot
    under = evaluate(dataclasses.replace(graph, loss=loss))
    if under.loss is None:
        # Without a loss all gradients are zero, so any two would be equal.
        raise _Broken(f"There is no Loss block {loss}.")
    return under


def _port(name: object, snapshot: Snapshot) -> PortResult:
    if not isinstance(name, str) or "." not in name:
        raise _Broken(f"at must name a port such as main/x.y, not {shown(name)}.")
    path, _, port = name.rpartition(".")
    found = snapshot.ports.get(PortName(path, port))
    if found is None:
        raise _Broken(f"There is no port {name}.")
    return found


def _link(ends: object) -> Link:
    if not isinstance(ends, list | tuple) or len(ends) != 2 or not all("." in str(end) for end in ends):
        raise _Broken("wire must be a pair of ports such as main/x.y and main/z.x.")
    source, target = (PortName(*str(end).rsplit(".", 1)) for end in ends)
    return Link(source, target)


def _compare(found: Array | None, expected: object, check: Check, what: str) -> None:
    if found is None:
        raise _Broken(f"There is no {what}.")
    try:
        wanted = tensor(expected)
    except JsonFault:
        raise _Broken(f"The expected {what} must be a tensor.") from None
    if found.shape != wanted.shape:
        raise _Broken(f"The {what} has shape {list(found.shape)}, not {list(wanted.shape)}.")
    rtol, atol = _tolerance(check, "rtol", 1e-9), _tolerance(check, "atol", 1e-12)
    with np.errstate(all="ignore"):
        close = np.isclose(found, wanted, rtol=rtol, atol=atol, equal_nan=True)
    if not close.all():
        index = int(np.flatnonzero(~close)[0])
        place = [int(item) for item in np.unravel_index(index, found.shape)]
        where = f" at {place}" if place else ""
        raise _Broken(f"The {what}{where} is {found.flat[index]}, not {wanted.flat[index]}.")


def _tolerance(check: Check, name: str, default: float) -> float:
    try:
        return number(check.get(name, default))
    except JsonFault:
        raise _Broken(f"{name} must be a number.") from None
