"""Why a wire or a port has the gradient that it has, in one or two plain sentences with the numbers of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.live.readings import PortReading, Reading, Results, WireReading
from app.look.numbers import MINUS, count_text, fmt
from engine.block_type import Role
from engine.expand import Instance, Link, PortName
from engine.lookup import title_of
from engine.problems import Problem
from engine.status import Status

GLYPHS = {
    Status.FLOW: "arrow",
    Status.ZERO: "ring",
    Status.BLOCKED: "wall",
    Status.NON_DIFFERENTIABLE: "step",
    Status.NO_PATH: "dashes",
    Status.NO_GRADIENT_DTYPE: "none",
    Status.NONFINITE: "triangle",
    Status.UNKNOWN: "clock",
}
CUTS_NAMED = 3


@dataclass(frozen=True)
class Why:
    """An explanation: its status, the name of the status's glyph, the result as a short text, and the sentences."""

    status: Status
    glyph: str
    result: str
    sentence: str


@dataclass(frozen=True)
class Facts:
    """What is known of a run: the blocks by path, the readings, and what was found worth saying."""

    instances: Mapping[str, Instance]
    results: Results | None
    problems: Sequence[Problem] = ()


def explain_wire(facts: Facts, link: Link) -> Why:
    """Why the gradient that comes back along one wire is what it is."""
    reading = None if facts.results is None else facts.results.wire(link)
    start = _Start(facts, link.source, " along this wire")
    if reading is None:
        return _why(Status.UNKNOWN, "?", _unknown(facts, link.target.path))
    if reading.status is Status.FLOW and reading.gradient is not None:
        return _why(Status.FLOW, result_text(reading.gradient), _wire_flow(facts, link, reading.gradient))
    if reading.status is Status.BLOCKED and (link.target.path,) == reading.by and _is_stop(facts, link.target.path):
        sentence = f"This wire ends at {_cut(facts, link.target.path)}."
        return _why(Status.BLOCKED, "0 blocked", sentence + _without_stops(facts, link))
    why = _by_status(start, reading)
    return why if why.status is not Status.BLOCKED else _longer(why, _without_stops(facts, link))


def explain_port(facts: Facts, name: PortName) -> Why:
    """Why the gradient of an output port, the sum over its wires, is what it is."""
    reading = None if facts.results is None else facts.results.port(name)
    if facts.results is None or reading is None:
        return _why(Status.UNKNOWN, "?", _unknown(facts, name.path))
    if reading.status is Status.FLOW and reading.gradient is not None:
        if facts.results.loss is not None and facts.results.loss.name in (name.path, None) and _is_loss(facts, name):
            return _why(
                Status.FLOW, result_text(reading.gradient), "This is the loss itself: ∂L/∂L is 1 by definition."
            )
        return _why(Status.FLOW, result_text(reading.gradient), _port_flow(facts, name, reading.gradient))
    return _by_status(_Start(facts, name, ""), reading)


def result_text(gradient: Reading) -> str:
    """A gradient in a few characters: a scalar's number, else the norm."""
    return fmt(gradient.first[0]) if gradient.shape == () else f"norm {fmt(gradient.norm)}"


def _amount(gradient: Reading) -> str:
    return fmt(gradient.first[0]) if gradient.shape == () else f"a gradient of norm {fmt(gradient.norm)}"


@dataclass(frozen=True)
class _Start:
    """Where the ways to the loss begin: `along` narrows them down to those through one wire."""

    facts: Facts
    port: PortName
    along: str

    @property
    def name(self) -> str:
        """How a sentence names the block that the port belongs to."""
        return _name(self.facts, self.port.path)


def _by_status(start: _Start, reading: WireReading | PortReading) -> Why:
    status, gradient, facts = reading.status, reading.gradient, start.facts
    if status is Status.ZERO and gradient is not None:
        return _why(status, "0" if gradient.norm == 0 else "≈ 0", _zero(gradient))
    if status is Status.BLOCKED:
        return _why(status, "0 blocked", _ways_cut(start, reading.by))
    if status is Status.NON_DIFFERENTIABLE:
        return _why(status, "0 no derivative", _ways_cut(start, reading.by))
    if status is Status.NO_PATH:
        return _why(status, "no path", _no_path(start))
    if status is Status.NO_GRADIENT_DTYPE:
        dtype = "of this dtype" if reading.value is None else reading.value.dtype
        sentence = f"The values here are {dtype}; only floating point values have a gradient."
        return _why(status, "none", sentence)
    if status is Status.NONFINITE:
        return _why(status, *_nonfinite(reading))
    return _why(Status.UNKNOWN, "?", _unknown(facts, start.port.path))


def _why(status: Status, result: str, sentence: str) -> Why:
    return Why(status, GLYPHS[status], result, sentence)


def _longer(why: Why, more: str) -> Why:
    return _why(why.status, why.result, why.sentence + more)


def _wire_flow(facts: Facts, link: Link, gradient: Reading) -> str:
    target = _title(facts, link.target.path)
    ties = [item.message for item in facts.problems if item.at == link.target.path and item.code == "tie"]
    total = None if facts.results is None else facts.results.port(link.source)
    if total is None or total.gradient is None or len(_wires_from(facts, link.source)) < 2:
        share = f"It is all that {_name(facts, link.source.path)} gets."
    else:
        share = f"With its other wires, {_name(facts, link.source.path)} gets {_amount(total.gradient)}."
    return " ".join([f"{target} sends back {_amount(gradient)}.", share, *ties])


def _port_flow(facts: Facts, name: PortName, gradient: Reading) -> str:
    wires = _wires_from(facts, name)
    parts = f" It is the sum of what comes back along {count_text(len(wires), 'wire')}." if len(wires) > 1 else ""
    return _slope(_name(facts, name.path), gradient) + parts


def _slope(name: str, gradient: Reading) -> str:
    """What the gradient says about the loss: how fast it changes with the element that matters most."""
    if not gradient.has_all or not gradient.first:
        elements = f"One number for each of the {gradient.size:,} elements of {name}"
        return f"{elements}, from {fmt(gradient.low)} to {fmt(gradient.high)}."
    place, top = max(enumerate(gradient.first), key=lambda item: abs(item[1]))
    direction = "raises" if top > 0 else "lowers"
    size = fmt(top).removeprefix(MINUS)
    amount = "by as much" if size == "1" else f"{size} times as much"
    if gradient.shape == ():
        return f"Raising {name} a little {direction} the loss {amount}."
    index = ", ".join(map(str, _index(place, gradient.shape or ())))
    return f"The loss reacts most to {name}[{index}]: raising it a little {direction} the loss {amount}."


def _index(place: int, shape: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for size in reversed(shape):
        place, at = divmod(place, size)
        found.insert(0, at)
    return found


def _zero(gradient: Reading) -> str:
    if gradient.norm == 0:
        return "A way to the loss is open, but what comes back is exactly 0."
    amount = fmt(gradient.first[0]) if gradient.shape == () else f"norm {fmt(gradient.norm)}"
    return f"What comes back ({amount}) is no larger than its rounding error, so it counts as 0."


def _ways_cut(start: _Start, by: Sequence[str]) -> str:
    if not by:
        return f"Every way from {start.name}{start.along} to the loss is cut."
    named = [_cut(start.facts, path) for path in by[:CUTS_NAMED]]
    if len(by) == 1:
        return f"The only way from {start.name}{start.along} to the loss runs through {named[0]}."
    rest = f", and {count_text(len(by) - CUTS_NAMED, 'more block')}" if len(by) > CUTS_NAMED else ""
    ways = f"Every way from {start.name}{start.along} to the loss is cut"
    return f"{ways}: by {', and by '.join(named)}{rest}."


def _cut(facts: Facts, path: str) -> str:
    """A block that lets no gradient through, with what it does instead."""
    title = _title(facts, path)
    if not _is_stop(facts, path):
        return f"{title}, which has no derivative to pass back"
    return f"{title}, which returns 0 whatever arrives{_kept_back(facts, path)}"


def _kept_back(facts: Facts, path: str) -> str:
    reading = None if facts.results is None else facts.results.port(PortName(path, "y"))
    if reading is None or reading.gradient is None or reading.status not in (Status.FLOW, Status.ZERO):
        return ""
    return f" (it keeps back {_amount(reading.gradient)})"


def _without_stops(facts: Facts, link: Link) -> str:
    others = None if facts.results is None else facts.results.without_stops
    reading = None if others is None else others.wire(link)
    if reading is None or reading.gradient is None:
        return ""
    return f" Without StopGradient it would be {result_text(reading.gradient)}."


def _no_path(start: _Start) -> str:
    if start.facts.results is not None and start.facts.results.loss is None:
        return "There is no loss, so nothing has a gradient. Add a Loss block."
    return f"No way leads from {start.name}{start.along} to the loss: the loss does not depend on it."


def _nonfinite(reading: WireReading | PortReading) -> tuple[str, str]:
    for what, item in (("gradient", reading.gradient), ("value", reading.value)):
        if item is not None and not item.is_finite:
            counts = [f"{item.nan:,} NaN"] * bool(item.nan) + [f"{item.infinite:,} infinite"] * bool(item.infinite)
            short = f"NaN {item.nan:,} of {item.size:,}" if item.nan else f"inf {item.infinite:,} of {item.size:,}"
            return short, f"The {what} has {' and '.join(counts)} of {count_text(item.size, 'element')}."
    return "NaN", "NaN or infinity arises here."


def _unknown(facts: Facts, path: str) -> str:
    if facts.results is None:
        return "Nothing has been computed yet."
    errors = [item for item in facts.problems if item.at == path and item.severity == "error"]
    if errors:
        return f"{_title(facts, path)} has an error: {errors[0].message}"
    return "It is not known: an error or a missing input lies on the way."


def _wires_from(facts: Facts, source: PortName) -> list[Link]:
    return [] if facts.results is None else [link for link in facts.results.wire_rows if link.source == source]


def _is_stop(facts: Facts, path: str) -> bool:
    return path in facts.instances and facts.instances[path].role is Role.STOP


def _is_loss(facts: Facts, name: PortName) -> bool:
    return name.path in facts.instances and facts.instances[name.path].role is Role.LOSS


def _title(facts: Facts, path: str) -> str:
    instance = facts.instances.get(path)
    return path if instance is None else title_of(instance.block)


def _name(facts: Facts, path: str) -> str:
    instance = facts.instances.get(path)
    return path if instance is None else instance.block.id
