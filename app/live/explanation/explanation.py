"""The explanation of a gradient: the facts of a run that cards, voice and inspector put into words."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from gradwire.app.live.explanation.run_facts import Chain, Facts
from gradwire.app.live.readings.readings import PortReading, Reading, Results, WireReading
from gradwire.app.look.statuses import CUT
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes.births import Origin
from gradwire.engine.evaluation.snapshot import Tie

Place = PortName | Link


class Case(enum.Enum):
    """What there is to say of a gradient; several cases share a status."""

    UNKNOWN = enum.auto()
    NONFINITE = enum.auto()
    NO_GRADIENT = enum.auto()
    NO_LOSS = enum.auto()
    ASKED_FOR = enum.auto()
    NO_PATH = enum.auto()
    ENDS_AT_STOP = enum.auto()
    CUT = enum.auto()
    ZERO = enum.auto()
    SEED = enum.auto()
    FLOW = enum.auto()


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
    case: Case
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
    results = facts.results
    reading = None if results is None else results.wire(place) if isinstance(place, Link) else results.port(place)
    if results is None or reading is None:
        path = place.target.path if isinstance(place, Link) else place.path
        return Explanation(place, path, Case.UNKNOWN, Status.UNKNOWN)
    is_missing = reading.gradient is None and reading.status in (Status.FLOW, Status.ZERO)
    status = Status.UNKNOWN if is_missing else reading.status
    return Explanation(
        place,
        place.source.path if isinstance(place, Link) else place.path,
        _case(facts, results, place, status, reading.by),
        status,
        reading.value,
        reading.gradient,
        reading.by,
        reading.withheld if isinstance(reading, WireReading) else None,
        _zeros(facts, place, reading),
        None if reading.gradient is None or status in CUT else reading.tie,
        reading.origin,
    )


_CASES: dict[Status, Case] = {
    Status.UNKNOWN: Case.UNKNOWN,
    Status.NONFINITE: Case.NONFINITE,
    Status.NO_GRADIENT_DTYPE: Case.NO_GRADIENT,
    Status.NO_PATH: Case.NO_PATH,
    Status.BLOCKED: Case.CUT,
    Status.NON_DIFFERENTIABLE: Case.CUT,
    Status.ZERO: Case.ZERO,
    Status.FLOW: Case.FLOW,
}


def _case(facts: Facts, results: Results, place: Place, status: Status, by: tuple[str, ...]) -> Case:
    end = place.target.path if isinstance(place, Link) else place.path
    role, is_wire = facts.role(end), isinstance(place, Link)
    if status is Status.BLOCKED and is_wire and role is Role.STOP and by == (end,):
        return Case.ENDS_AT_STOP
    # A wire into a Gradients block only names the value to differentiate.
    if status is Status.NO_PATH and is_wire and role is Role.GRADIENTS:
        return Case.ASKED_FOR
    if status is Status.NO_PATH and results.loss is None:
        return Case.NO_LOSS
    is_used = results.loss is not None and results.loss.name in (end, None)
    if status is Status.FLOW and not is_wire and role is Role.LOSS and is_used:
        return Case.SEED
    return _CASES[status]


def _zeros(facts: Facts, place: Place, reading: WireReading | PortReading) -> Zeros | None:
    zero, gradient = reading.zero, reading.gradient
    if zero is None or gradient is None or reading.status in CUT:
        return None
    chain = facts.chains.get(place, ())
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
