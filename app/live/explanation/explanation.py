"""The explanation of a gradient: the facts of a run that cards, voice and inspector put into words."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from gradwire.app.live.explanation.run_facts import Chain, Facts, Place
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.look.statuses import CUT
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes.births import Origin
from gradwire.engine.evaluation.snapshot import Tie
from gradwire.engine.graph.paths import is_in_gradient


class Case(enum.Enum):
    """What there is to say of a gradient where its status does not say all."""

    NO_LOSS = enum.auto()
    ASKED_FOR = enum.auto()
    ENDS_AT_STOP = enum.auto()
    SEED = enum.auto()
    IN_GRADIENT = enum.auto()


@dataclass(frozen=True)
class Zeros:
    """The zeros of a gradient: `count` of `size` elements have this cause, which arises at the block `at`.

    `is_tiny` says that they are not quite zero. `others` counts the elements of other causes, `upstream` is where the
    gradient ended if the block receives none itself. `chain` leads to the root, () if it is unknown or belongs to a
    run with another cause.
    """

    cause: Cause
    at: str
    count: int
    size: int
    is_tiny: bool
    others: Mapping[Cause, int]
    upstream: tuple[Cause, str] | None
    chain: Chain

    @property
    def is_whole(self) -> bool:
        """True if every element has this cause."""
        return self.count == self.size


@dataclass(frozen=True)
class Explanation:
    """All facts about the gradient of a port or wire; `path` is the block that it is about, `by` are its cuts."""

    place: Place
    path: str
    case: Case | None
    status: Status
    value: Reading | None = None
    gradient: Reading | None = None
    by: tuple[str, ...] = ()
    withheld: float | None = None
    zeros: Zeros | None = None
    tie: Tie | None = None
    origin: Origin | None = None

    @property
    def mark(self) -> str:
        """The glyph: that of the cause if the whole gradient is zero, else that of the status."""
        return self.zeros.cause if self.status is Status.ZERO and self.zeros is not None else self.status


def explain(facts: Facts, place: Place) -> Explanation:
    """Returns what a run knows about a gradient. Cost: that of one reading."""
    reading = facts.reading(place)
    start, end = (place.source.path, place.target.path) if isinstance(place, Link) else (place.path, place.path)
    if reading is None:
        return Explanation(place, end, None, Status.UNKNOWN)
    is_missing = reading.gradient is None and reading.status in (Status.FLOW, Status.ZERO)
    status = Status.UNKNOWN if is_missing else reading.status
    return Explanation(
        place,
        start,
        _case(facts, end, isinstance(place, Link), status, reading.by),
        status,
        reading.value,
        reading.gradient,
        reading.by,
        reading.withheld,
        _zeros(facts, place, reading),
        None if reading.gradient is None or status in CUT else reading.tie,
        reading.origin,
    )


def _case(facts: Facts, end: str, is_wire: bool, status: Status, by: tuple[str, ...]) -> Case | None:
    role, loss = facts.role(end), None if facts.results is None else facts.results.loss
    if status is Status.BLOCKED and is_wire and role is Role.STOP and by == (end,):
        return Case.ENDS_AT_STOP
    # A wire into a Gradients block only names the value to differentiate.
    if status is Status.NO_PATH and is_wire and role is Role.GRADIENTS:
        return Case.ASKED_FOR
    if status is Status.NO_PATH and loss is None:
        return Case.NO_LOSS
    if status is Status.NO_PATH and is_in_gradient(end):
        return Case.IN_GRADIENT
    is_used = loss is not None and loss.name in (end, None)
    return Case.SEED if status is Status.FLOW and not is_wire and role is Role.LOSS and is_used else None


def _zeros(facts: Facts, place: Place, reading: PlaceReading) -> Zeros | None:
    zero, gradient = reading.zero, reading.gradient
    if zero is None or gradient is None or reading.status in CUT:
        return None
    chain = facts.chain(place)
    fits = chain and (str(chain[-1].kind), chain[-1].at) == (str(zero.cause), (zero.at,))
    return Zeros(
        zero.cause,
        zero.at,
        zero.details[zero.cause],
        gradient.size,
        reading.status is Status.FLOW and zero.cause is Cause.SATURATED,
        {cause: count for cause, count in zero.details.items() if cause != zero.cause},
        zero.upstream,
        chain if fits else (),
    )
