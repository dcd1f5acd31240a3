"""Explanation of a zero gradient: a chain of reasons from a wire or port to the root."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.causes.upstream_roots import UpstreamRoots
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult, WireResult
from gradwire.engine.explain.claims.claims import Claim, claims_of
from gradwire.engine.explain.claims.constant_slopes import constant_slopes
from gradwire.engine.explain.claims.zero_factors import ZeroFactor, zero_factor_of
from gradwire.engine.explain.zero_amounts import Factor, Sum, factors_of, first, sum_of

Place = PortName | Link


class Kind(enum.StrEnum):
    """Kind of a reason; the first three lead on, all others are roots."""

    ARRIVES = "arrives"
    ONE_WIRE = "one_wire"
    ALL_WIRES = "all_wires"

    CANCELLED = Cause.CANCELLED
    NOT_SELECTED = Cause.NOT_SELECTED
    FLAT = Cause.FLAT
    SATURATED = Cause.SATURATED
    ZERO_FACTOR = Cause.ZERO_FACTOR
    UNDERFLOW = Cause.UNDERFLOW
    AT_OPTIMUM = Cause.AT_OPTIMUM

    BLOCKED = "blocked"
    NON_DIFFERENTIABLE = "non_differentiable"
    NO_PATH = "no_path"
    NO_GRADIENT_DTYPE = "no_gradient_dtype"
    NONFINITE = "nonfinite"
    UNKNOWN = "unknown"
    FLOW = "flow"

    @property
    def is_root(self) -> bool:
        """True if a chain ends here."""
        return self not in (Kind.ARRIVES, Kind.ONE_WIRE, Kind.ALL_WIRES)


@dataclass(frozen=True)
class Reason:
    """One link of a chain: `kind` holds for `count` of the `size` elements of the gradient at `place`.

    `at` are the responsible blocks. `place` is None inside a block, where there are no wires. A root has the numbers of
    its first element, at `index`: its factors, or the terms of its sum. Where a root receives nothing itself,
    `upstream` leads on from it to the block where the gradient ended. `claims` hold for its first element, and `zero`
    is the number that multiplies it. `constant` names the blocks that make the result of a Gradients block constant,
    where this cuts the only path; None elsewhere.
    """

    place: Place | None
    kind: Kind
    at: tuple[str, ...]
    count: int = 0
    size: int = 0
    index: tuple[int, ...] = ()
    factors: tuple[Factor, ...] = ()
    sum: Sum | None = None
    upstream: tuple[Reason, ...] = ()
    zero: ZeroFactor | None = None
    claims: frozenset[Claim] = frozenset()
    constant: tuple[str, ...] | None = None


def why_zero(evaluation: Evaluation, place: Place, cause: Cause | None = None) -> tuple[Reason, ...]:
    """Returns the chain from a wire or an output port to the root of its zeros, or to another cause.

    `cause` chooses among several; without it, the chain is that of most elements.
    Raises: KeyError if there is no such place; ValueError if nothing there has this cause.
    """
    snapshot = evaluation.snapshot
    result = snapshot.wires[place] if isinstance(place, Link) else snapshot.ports[place]
    if result.zero is None:
        return (_other(evaluation, place, result),)
    return tuple(_Walk(evaluation).chain(place, cause or result.zero.cause))


def _other(evaluation: Evaluation, place: Place, result: PortResult | WireResult) -> Reason:
    """Returns the reason for a gradient without zeros, or with a status of its own."""
    own = place.target.path if isinstance(place, Link) else place.path
    if result.status is Status.NONFINITE and result.origin is not None and result.origin.first is not None:
        own = result.origin.first.at
    size = 0 if result.gradient is None else result.gradient.size
    # This zero has no root, which the run reports as a problem.
    kind = Kind.UNKNOWN if result.status is Status.ZERO else Kind(str(result.status))
    is_cut = kind is Kind.NON_DIFFERENTIABLE and len(result.by) == 1
    constant = constant_slopes(evaluation, result.by[0]) if is_cut else None
    return Reason(place, kind, result.by or (own,), size, size, constant=constant)


class _Walk:
    """Walk from a place to a root, alternating between edges and sums of edges."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation, self._zeros = evaluation, evaluation.zeros
        lowered = evaluation.lowered
        self._upstream_roots = UpstreamRoots(evaluation.zeros, lowered.backward.totals)
        self._owners, self._backward = lowered.owners, lowered.backward
        self._ports = {expression: name for name, expression in lowered.ports.items()}
        links = {link.target: link for link in evaluation.snapshot.wires}
        self._links = {edge: links[target] for target, edge in lowered.edges.items() if target in links}

    def chain(self, place: Place, cause: Cause) -> list[Reason]:
        """Returns the reasons from a place to the root."""
        lowered = self._evaluation.lowered
        at: Edge | Expression = lowered.edges[place.target] if isinstance(place, Link) else lowered.ports[place]
        root = _main(self._zeros.of_edge(at) if isinstance(at, Edge) else self._zeros.of_total(at), cause)
        *chain, last = self._to_root(at, root)
        claims = claims_of(self._evaluation, root, last.index, at, first(self._zeros.marks(at, root)))
        return [*chain, replace(last, upstream=tuple(self._upstream(root)), claims=claims)]

    def _upstream(self, root: Root) -> Iterator[Reason]:
        """Yields the reasons from a root that receives nothing to the one where the gradient ended."""
        while (further := self._upstream_roots.behind(root)) is not None:
            output, root = further
            yield from self._to_root(output, root)

    def _to_root(self, at: Edge | Expression, root: Root) -> Iterator[Reason]:
        while not self._is_root(at, root):
            reason, at = self._further(at, root)
            if reason.place is not None:
                yield reason
        yield self._last(at, root)

    def _is_root(self, at: Edge | Expression, root: Root) -> bool:
        if isinstance(at, Edge):
            return root.edge is not None and root.application is at.application
        return root.port is at

    def _further(self, at: Edge | Expression, root: Root) -> tuple[Reason, Edge | Expression]:
        """Returns the next link towards the root.

        From an edge this is the sum behind its block, from a sum one of its edges.
        """
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
        """Returns the root with its numbers."""
        lowered, results = self._evaluation.lowered, self._evaluation.results
        reason, gradient = self._reason(at, Kind(str(root.cause)), root), self._gradient(at)
        index = first(self._zeros.marks(at, root))
        added = sum_of(root, self._zeros, lowered, results) if root.cause is Cause.CANCELLED else None
        factors = () if added else factors_of(root, self._zeros, lowered, results, gradient.shape, index)
        named, is_factor = [factor.port for factor in factors], root.cause is Cause.ZERO_FACTOR
        zero = zero_factor_of(self._evaluation, root, index, named) if is_factor else None
        return replace(reason, index=index, factors=factors, sum=added, zero=zero)


def _main(roots: dict[Root, int], cause: Cause) -> Root:
    """Returns the root with this cause that most elements have."""
    return max((root for root in roots if root.cause is cause), key=lambda root: roots[root])
