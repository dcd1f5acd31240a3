"""Why a gradient is zero, as a chain of reasons from a wire or port to the root, for a person to read."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from engine.cause import Cause
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.expression import Expression
from engine.gradients import Edge
from engine.snapshot import PortResult, WireResult
from engine.status import Status
from engine.zero_amounts import Factor, Sum, factors_of, first, sum_of
from engine.zero_codes import Root

Place = PortName | Link


class Kind(enum.StrEnum):
    """What a reason says; the first three lead on, all others are roots."""

    ARRIVES = "arrives"
    ONE_WIRE = "one_wire"
    ALL_WIRES = "all_wires"

    CANCELLED = "cancelled"
    NOT_SELECTED = "not_selected"
    FLAT = "flat"
    SATURATED = "saturated"
    ZERO_FACTOR = "zero_factor"
    UNDERFLOW = "underflow"
    AT_OPTIMUM = "at_optimum"

    BLOCKED = "blocked"
    NON_DIFFERENTIABLE = "non_differentiable"
    NO_PATH = "no_path"
    NO_GRADIENT_DTYPE = "no_gradient_dtype"
    NONFINITE = "nonfinite"
    UNKNOWN = "unknown"
    FLOW = "flow"

    @property
    def is_root(self) -> bool:
        """Whether a chain ends here."""
        return self not in (Kind.ARRIVES, Kind.ONE_WIRE, Kind.ALL_WIRES)


@dataclass(frozen=True)
class Reason:
    """One link of a chain: `kind` holds for `count` of the `size` elements of the gradient at `place`.

    `at` are the blocks to which it is put down. `place` is None inside a block, where there are no wires. A root has
    the numbers of its first element, at `index`: what was multiplied by, or what was added up.
    """

    place: Place | None
    kind: Kind
    at: tuple[str, ...]
    count: int = 0
    size: int = 0
    index: tuple[int, ...] = ()
    factors: tuple[Factor, ...] = ()
    sum: Sum | None = None


def why_zero(evaluation: Evaluation, place: Place, cause: Cause | None = None) -> tuple[Reason, ...]:
    """The chain from a wire or an output port to the root of its zeros, or to whatever else its gradient is due to.

    `cause` chooses among several; without it, the chain is that of most elements.
    Raises: KeyError if there is no such place; ValueError if nothing there has this cause.
    """
    snapshot = evaluation.snapshot
    result = snapshot.wires[place] if isinstance(place, Link) else snapshot.ports[place]
    if result.zero is None:
        return (_other(place, result),)
    return tuple(_Walk(evaluation).chain(place, cause or result.zero.cause))


def _other(place: Place, result: PortResult | WireResult) -> Reason:
    """A gradient of which no element is zero, or that has a status of its own."""
    own = place.target.path if isinstance(place, Link) else place.path
    if result.status is Status.NONFINITE and result.origin is not None and result.origin.first is not None:
        own = result.origin.first.at
    size = 0 if result.gradient is None else result.gradient.size
    # A zero whose root could not be worked out, which is a problem of the run.
    kind = Kind.UNKNOWN if result.status is Status.ZERO else Kind(str(result.status))
    return Reason(place, kind, result.by or (own,), size, size)


class _Walk:
    """Goes from a place to a root, one edge and one sum of edges after the other."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation, self._zeros = evaluation, evaluation.zeros
        lowered = evaluation.lowered
        self._owners, self._backward = lowered.owners, lowered.backward
        self._ports = {expression: name for name, expression in lowered.ports.items()}
        links = {link.target: link for link in evaluation.snapshot.wires}
        self._links = {edge: links[target] for target, edge in lowered.edges.items() if target in links}

    def chain(self, place: Place, cause: Cause) -> list[Reason]:
        """The reasons from a place on."""
        lowered, chain = self._evaluation.lowered, []
        at: Edge | Expression = lowered.edges[place.target] if isinstance(place, Link) else lowered.ports[place]
        root = _main(self._zeros.of_edge(at) if isinstance(at, Edge) else self._zeros.of_total(at), cause)
        while not self._is_root(at, root):
            reason, at = self._further(at, root)
            if reason.place is not None:
                chain.append(reason)
        return [*chain, self._last(at, root)]

    def _is_root(self, at: Edge | Expression, root: Root) -> bool:
        if isinstance(at, Edge):
            return root.edge is not None and root.application is at.application
        return root.port is at

    def _further(self, at: Edge | Expression, root: Root) -> tuple[Reason, Edge | Expression]:
        """What leads on to the root: from an edge the sum behind its block, from a sum one of its edges."""
        if isinstance(at, Edge):
            outputs = [item for item in at.application.outputs if item in self._backward.totals]
            return self._reason(at, Kind.ARRIVES, root), next(item for item in outputs if self._has(item, root))
        edges = self._zeros.arriving(at)
        kind = Kind.ONE_WIRE if len(edges) == 1 else Kind.ALL_WIRES
        return self._reason(at, kind, root), next(edge for edge in edges if self._has(edge, root))

    def _has(self, at: Edge | Expression, root: Root) -> bool:
        return bool(self._zeros.marks(at, root).any())

    def _gradient(self, at: Edge | Expression) -> Expression:
        return self._backward.edges[at] if isinstance(at, Edge) else self._backward.totals[at]

    def _reason(self, at: Edge | Expression, kind: Kind, root: Root) -> Reason:
        place = self._links.get(at) if isinstance(at, Edge) else self._ports.get(at)
        marks, owner = self._zeros.marks(at, root), self._owners[at.application]
        return Reason(place, kind, (owner,), int(marks.sum()), marks.size)

    def _last(self, at: Edge | Expression, root: Root) -> Reason:
        """The root itself, with its numbers."""
        lowered, results = self._evaluation.lowered, self._evaluation.results
        reason, gradient = self._reason(at, Kind(str(root.cause)), root), self._gradient(at)
        index = first(self._zeros.marks(at, root))
        added = sum_of(root, self._zeros, lowered, results) if root.cause is Cause.CANCELLED else None
        factors = () if added else factors_of(root, self._zeros, lowered, results, gradient.shape, index)
        return replace(reason, index=index, factors=factors, sum=added)


def _main(roots: dict[Root, int], cause: Cause) -> Root:
    """The root of a cause that most elements have."""
    return max((root for root in roots if root.cause is cause), key=lambda root: roots[root])
