"""Results of one run: value and gradient of every port and wire, their statuses, and the problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import overload

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes.births import Origin

Later = Array | Callable[[], Array | None] | None


class Tensor:
    """Field with an array, or with a function that returns it on each access.

    Large runs do not keep all arrays.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, record: None, owner: type) -> None: ...
    @overload
    def __get__(self, record: object, owner: type) -> Array | None: ...
    def __get__(self, record: object | None, owner: type) -> Array | None:
        if record is None:
            return None  # The default of the dataclass field.
        held: Later = vars(record)[self._name]
        return held() if callable(held) else held

    def __set__(self, record: object, value: Later) -> None:
        vars(record)[self._name] = value


@dataclass(frozen=True)
class InnerPart:
    """Gradient that flows into a port through a Gradients block (`by`), which reads it without a wire."""

    by: str
    gradient: Tensor = Tensor()


@dataclass(frozen=True)
class Tie:
    """Equal elements at the block `at`, `count` of them, among which a rule had to choose or share."""

    at: str
    count: int


@dataclass(frozen=True)
class ZeroCause:
    """Cause of zeros in a gradient, or of tiny elements where a block saturates.

    `cause` is that of most elements, `at` the block where it arises, `details` the number of elements of each cause.
    Where that block receives nothing itself, `upstream` is the cause and the block where the gradient ended.
    """

    cause: Cause
    at: str
    details: Mapping[Cause, int]
    upstream: tuple[Cause, str] | None = None


@dataclass(frozen=True)
class PortResult:
    """Result of an output port: `gradient` is the sum over its wires and inner parts.

    None stands for an unknown array, or one that cannot exist for the dtype. `by` names the cuts of a blocked port,
    `zero` explains its zeros, `origin` its NaN or infinity.
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
    """Result of a wire:

    `gradient` is its own cotangent, `withheld` the gradient that a StopGradient withholds from it. `own` is the use of
    a page where it ends, if that page has a gradient of its own.
    """

    gradient: Tensor = Tensor()
    status: Status = Status.UNKNOWN
    by: tuple[str, ...] = ()
    withheld: Tensor = Tensor()
    zero: ZeroCause | None = None
    tie: Tie | None = None
    origin: Origin | None = None
    own: str | None = None


@dataclass(frozen=True)
class LossResult:
    """Loss: its block's name, None for the sum of several, and its value, None where an error hides it."""

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
        """True if any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def port(self, name: str) -> PortResult:
        """Returns the result of an output port by its name `page/block.port`.

        Raises: KeyError if there is no such port.
        """
        path, _, port = name.rpartition(".")
        return self.ports[PortName(path, port)]

    def wire(self, source: str, target: str) -> WireResult:
        """Returns the result of a wire by the names of its ends.

        Raises: KeyError if there is no such wire.
        """
        ends = [PortName(*name.rpartition(".")[::2]) for name in (source, target)]
        return self.wires[Link(*ends)]
