"""All results of one run: the value and gradient of every port and wire, their statuses, and the problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import overload

from engine.cause import Cause
from engine.expand import Link, PortName
from engine.origins import Origin
from engine.problems import Problem
from engine.status import Status
from engine.tensor_spec import Array

Later = Array | Callable[[], Array | None] | None


class Tensor:
    """A field that holds an array, or what gives it each time it is read: not all arrays of a large run are kept."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, record: None, owner: type) -> None: ...
    @overload
    def __get__(self, record: object, owner: type) -> Array | None: ...
    def __get__(self, record: object | None, owner: type) -> Array | None:
        if record is None:
            return None  # the default
        held: Later = vars(record)[self._name]
        return held() if callable(held) else held

    def __set__(self, record: object, value: Later) -> None:
        vars(record)[self._name] = value


@dataclass(frozen=True)
class InnerPart:
    """What flows back into a port that a Gradients block (`by`) reads without a wire."""

    by: str
    gradient: Tensor = Tensor()


@dataclass(frozen=True)
class Tie:
    """Equal elements at the block `at`, `count` of them, among which a rule had to choose or share."""

    at: str
    count: int


@dataclass(frozen=True)
class ZeroCause:
    """Why elements of a gradient are zero, or as good as zero where a block saturates.

    `cause` is that of most elements, `at` the block where it arises, `details` the number of elements of each cause.
    """

    cause: Cause
    at: str
    details: Mapping[Cause, int]


@dataclass(frozen=True)
class PortResult:
    """An output port: `gradient` is the sum over its wires and inner parts.

    None stands for what is not known, or cannot exist for the dtype. `by` names the cuts of a blocked port, `zero`
    says why it is zero or where it has zeros, `origin` where NaN or infinity in value or gradient come from.
    """

    value: Tensor = Tensor()
    gradient: Tensor = Tensor()
    status: Status = Status.UNKNOWN
    by: tuple[str, ...] = ()
    inner: tuple[InnerPart, ...] = ()
    zero: ZeroCause | None = None
    tie: Tie | None = None
    origin: Origin | None = None


@dataclass(frozen=True)
class WireResult:
    """A wire: `gradient` is what comes back along it alone, `withheld` what a StopGradient keeps back from it."""

    gradient: Tensor = Tensor()
    status: Status = Status.UNKNOWN
    by: tuple[str, ...] = ()
    withheld: Tensor = Tensor()
    zero: ZeroCause | None = None
    tie: Tie | None = None
    origin: Origin | None = None


@dataclass(frozen=True)
class LossResult:
    """The loss: the name of its block, None for the sum of several; its value, None where an error hides it."""

    name: str | None
    value: Array | None


@dataclass(frozen=True)
class Snapshot:
    """Everything about one run of a graph, frozen."""

    loss: LossResult | None
    ports: Mapping[PortName, PortResult]
    wires: Mapping[Link, WireResult]
    problems: tuple[Problem, ...]

    @property
    def has_errors(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def port(self, name: str) -> PortResult:
        """The result of an output port by its name `page/block.port`.

        Raises: KeyError if there is no such port.
        """
        path, _, port = name.rpartition(".")
        return self.ports[PortName(path, port)]

    def wire(self, source: str, target: str) -> WireResult:
        """The result of a wire by the names of its ends.

        Raises: KeyError if there is no such wire.
        """
        ends = [PortName(*name.rsplit(".", 1)) for name in (source, target)]
        return self.wires[Link(*ends)]
