"""Findings about parameters, and the report of them as text."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gradwire.engine.graph.graph import Graph

# A group names so many parameters; the findings have them all.
_MOST_NAMED: Final = 6


class State(enum.StrEnum):
    """State of a parameter's gradient, the most important first; the last ones are no faults."""

    FAILED = "failed"
    EXPLODING = "exploding"
    NONFINITE = "nonfinite"
    CROSSED_SHAPES = "crossed_shapes"
    BLOCKED = "blocked"
    NON_DIFFERENTIABLE = "non_differentiable"
    ZERO = "zero"
    DEAD_UNITS = "dead_units"
    VANISHING = "vanishing"
    UNREGISTERED = "unregistered"
    UNUSED = "unused"
    UNKNOWN = "unknown"
    IN_EVAL = "in_eval"
    ZERO_AT_FIRST = "zero_at_first"
    AT_REST = "at_rest"
    HARMLESS = "harmless"
    FROZEN = "frozen"


_WORDS: Final[Mapping[State, str]] = {
    State.FAILED: "does not run in PyTorch",
    State.NONFINITE: "NaN or infinite",
    State.CROSSED_SHAPES: "compares each row with every other one",
    State.BLOCKED: "blocked, no gradient arrives",
    State.NON_DIFFERENTIABLE: "no gradient, a step has no derivative",
    State.ZERO: "zero gradient",
    State.DEAD_UNITS: "zero gradient for dead units",
    State.EXPLODING: "exploding gradient",
    State.VANISHING: "vanishing gradient",
    State.UNREGISTERED: "not registered",
    State.UNUSED: "unused, no gradient",
    State.UNKNOWN: "unknown",
    State.IN_EVAL: "of unusual size in eval mode",
    State.ZERO_AT_FIRST: "zero gradient in this step",
    State.AT_REST: "zero gradient, nothing is wrong",
    State.HARMLESS: "zero gradient, without effect",
    State.FROZEN: "frozen",
}
_CROSSED: Final = "The loss compares shapes that do not fit. "
_WITHOUT_NEED: Final = (State.ZERO_AT_FIRST, State.AT_REST, State.HARMLESS)
_NOTES: Final = (State.IN_EVAL, *_WITHOUT_NEED, State.FROZEN)


@dataclass(frozen=True)
class Spot:
    """A place in a script: its line `model.py:12`, the text there, and the operation; for a graph the block's path.

    `path` is that of the block in any case; several blocks of one line are one spot.
    """

    where: str = ""
    code: str = ""
    operation: str = ""
    path: str = field(default="", compare=False)


@dataclass(frozen=True)
class Finding:
    """A parameter that does not learn as it should, or "loss" for a loss that is no number, or compares wrong shapes.

    `status` is a state, `cause` a finer key such as `saturated`, `where` the line `model.py:12` with its text `code`,
    `operation` the guilty operation there, `reason` a sentence that holds for all parameters of this cause.
    """

    parameter: str
    status: State
    cause: str
    reason: str
    spot: Spot = Spot()

    @property
    def where(self) -> str:
        """The line of source, `model.py:12`; the path of the block where there is no source."""
        return self.spot.where

    @property
    def operation(self) -> str:
        """The guilty operation, as PyTorch calls it."""
        return self.spot.operation

    @property
    def code(self) -> str:
        """The text of the line."""
        return self.spot.code

    @property
    def is_note(self) -> bool:
        """Whether it is no fault: frozen on purpose, or without effect."""
        return self.status in _NOTES

    @property
    def words(self) -> str:
        """The status in words."""
        return _WORDS[self.status]

    @property
    def sentence(self) -> str:
        """One sentence or two with all of it."""
        # An empty place stands in every reason.
        place = "" if self.where in self.reason else f" ({self.where})"
        return f"{self.parameter}: {_WORDS[self.status]}{place}. {self.reason}"


class Group(NamedTuple):
    """Findings of one cause: parameters and status as a title, the first parameter, the place, and the reason."""

    title: str
    parameter: str
    spot: Spot
    reason: str


@dataclass(frozen=True)
class Report:
    """What keeps parameters from learning, the most important first; its text is for people.

    `findings` has a record for each parameter, `parameters` counts all trainable ones, `notes` say what was assumed.
    `graph` is the one that was asked, None where PyTorch alone has said it.
    """

    findings: tuple[Finding, ...]
    parameters: int
    notes: tuple[str, ...] = ()
    graph: Graph | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        """True if there are trainable parameters, and each receives a sound gradient, or needs none."""
        return self.parameters > 0 and all(finding.is_note for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join([self.head, *_lines(self.groups()), *(f"Note: {line}" for line in self.notes)])

    __repr__ = __str__

    def groups(self) -> Iterator[Group]:
        """Yields the findings of each cause together, the most important first."""
        for found in of_one_cause(self.findings):
            names = [item.parameter for item in found]
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            title = f"{', '.join(names[:_MOST_NAMED])}{more}: {_WORDS[found[0].status]}"
            yield Group(title, names[0], found[0].spot, found[0].reason)

    @property
    def head(self) -> str:
        """The sentence above all findings."""
        faulty = {item.parameter for item in self.findings if not item.is_note and item.parameter != "loss"}
        of_loss = {item.status for item in self.findings if item.parameter == "loss"}
        is_crossed = of_loss == {State.CROSSED_SHAPES}
        loss = "" if not of_loss else _CROSSED if is_crossed else "The loss is not a finite number. "
        count = f"{self.parameters} parameter{'s' * (self.parameters != 1)}"
        if faulty == {"model"}:
            return "There are no gradients."
        if not self.parameters:
            return loss + "There is no parameter that is to be trained."
        zero = {item.parameter for item in self.findings if item.status in _WITHOUT_NEED}
        if not faulty and zero:
            verb = "receives" if len(zero) == 1 else "receive"
            return loss + f"Nothing is wrong, though {len(zero)} of {count} {verb} a gradient of 0 now:"
        if not faulty:
            return loss + f"Every gradient flows, to {count}."
        verb = "does not learn as it should" if len(faulty) == 1 else "do not learn as they should"
        return loss + f"{len(faulty)} of {count} {verb}:"


def report_of(findings: Iterable[Finding], parameters: int, notes: Iterable[str], graph: Graph | None = None) -> Report:
    """Returns the report of some findings; gradients whose sizes say little in eval mode are a note."""
    found = [*findings]
    in_eval = [item for item in found if item.status is State.IN_EVAL]
    many = "1 gradient is" if len(in_eval) == 1 else f"{len(in_eval)} gradients are"
    said = [f"{many} far smaller or larger than others. {in_eval[0].reason}"] if in_eval else []
    rest = _ordered(item for item in found if item.status is not State.IN_EVAL)
    return Report(rest, parameters, (*said, *filter(None, notes)), graph)


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns the findings in groups of one cause, the most important first: by state, then by number."""
    states = [*State]
    first = sorted(of_one_cause(findings), key=lambda group: (_rank(group, states), -len(group)))
    return tuple(item for group in first for item in group)


def of_one_cause(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Returns the findings of each cause together, in the order in which the causes come first."""
    groups: dict[tuple[State, str, Spot], list[Finding]] = {}
    for item in findings:
        groups.setdefault(_key(item), []).append(item)
    return [*groups.values()]


def _rank(group: list[Finding], states: list[State]) -> tuple[bool, int]:
    return all(item.parameter != "loss" for item in group), states.index(group[0].status)


def _key(item: Finding) -> tuple[State, str, Spot]:
    return item.status, item.reason, item.spot


def _lines(groups: Iterable[Group]) -> Iterator[str]:
    for number, (title, _, spot, reason) in enumerate(groups, 1):
        yield f"\n{number}. {title}"
        if spot.where:
            yield f"   {spot.where}" + (f"  {spot.code}" if spot.code else "")
        yield f"   {reason}"
