"""How far gradients may be from zero and still be zero, numerically."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from engine.bulk_rounding import Judged, Sum, judged
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.inner_sums import InnerSums
from engine.linear_steps import run_application
from engine.lower import Lowered
from engine.number_facts import NumberFacts
from engine.plan import Results
from engine.status import ROUNDING_ERRORS, Status, is_exact, number_status, rounding
from engine.tensor_spec import Array
from engine.term_sums import Sums, before_moves, differentiable_inputs, inputs_of


class Tolerances:
    """How large the rounding error of a gradient may be: eight times that of the terms its last step added up.

    A rule is linear in the gradient that arrives; so what it makes of a numerical zero is a numerical zero too. Where
    no number is small enough to be a rounding error the tolerance is 0.

    What is `for_statuses` only looks for sums that are zero as a whole, which are few: all others have tolerance 0.
    """

    def __init__(
        self,
        lowered: Lowered,
        results: Results,
        facts: NumberFacts,
        sums: Sums | None = None,
        for_statuses: bool = False,
    ) -> None:
        self._results, self._facts, self._backward = results, facts, lowered.backward
        self._sums = Sums(lowered, results.plan) if sums is None else sums
        # None for arrays that there is no room for: they are made again when they are asked for.
        self._edges: dict[Edge, Array | float | None] = {}
        self._totals: dict[Expression, Array | float | None] = {}
        # Edges of which all that they pass on is numerically zero.
        self._passing_zero: set[Edge] = set()
        self._statuses: dict[Edge | Expression, Status] = {}
        self._suspicious_edges, self._suspicious_totals = self._sums.suspicious(facts.survey, is_any=not for_statuses)
        self._judged = self._judged_at_once()
        lost = self._sums.lost_inside(facts.survey)
        self._inner = InnerSums(lowered.backward, results, lost)
        self._suspicious_edges |= {edge for step in lost for edge in self._sums.edges_by_inner_sum[step]}
        self._pass()

    def _pass(self) -> None:
        """From the loss back, through the applications where anything may be a rounding error."""
        places = self._sums.places
        waiting = {places[edge.application] for edge in self._suspicious_edges}
        waiting |= {places[item.application] for item in self._suspicious_totals}
        heap = sorted(waiting)
        while heap:
            application = self._sums.order[heapq.heappop(heap)]
            passes_zero = self._add_up(application)
            for slot, item in enumerate(application.inputs):
                edge = Edge(application, slot)
                if item is None or edge not in self._backward.edges:
                    continue
                if passes_zero:
                    self._passing_zero.add(edge)
                tolerance = self._of_edge(edge)
                if is_exact(tolerance):
                    continue
                self._edges[edge] = self._kept(self._backward.edges[edge], tolerance)
                if places[item.application] not in waiting:
                    waiting.add(places[item.application])
                    heapq.heappush(heap, places[item.application])

    def _add_up(self, application: Application) -> bool:
        """Judges what comes back to the outputs; whether all of it is zero, and some only numerically."""
        reached = [output for output in application.outputs if output in self._backward.totals]
        for output in reached:
            tolerance = self._of_total(output)
            if not is_exact(tolerance):
                self._totals[output] = self._kept(self._backward.totals[output], tolerance)
        is_rounded = any(output in self._totals for output in reached)
        return is_rounded and all(self._is_zero(output) for output in reached)

    def _kept(self, gradient: Expression, tolerance: Array | float) -> Array | float | None:
        return tolerance if self._results.stays(gradient) else None

    def is_rounded(self, at: Edge | Expression) -> bool:
        """Whether what comes back along an edge, or to an expression, may be a rounding error."""
        return at in self._edges or at in self._totals

    def of(self, at: Edge | Expression) -> Array | float:
        """The rounding error of what comes back along an edge, or to an expression."""
        return self.of_edge(at) if isinstance(at, Edge) else self.of_total(at)

    def of_edge(self, edge: Edge) -> Array | float:
        """The rounding error of what comes back along one edge."""
        found = self._edges.get(edge, 0.0)
        return self._of_edge(edge) if found is None else found

    def of_total(self, expression: Expression) -> Array | float:
        """The rounding error of the sum of all that comes back to an expression."""
        found = self._totals.get(expression, 0.0)
        return self._of_total(expression) if found is None else found

    def rounded(self) -> Iterator[tuple[Edge | Expression, Status]]:
        """The edges and expressions of which the tolerance is not 0, with the status of what comes back."""
        yield from ((edge, self.status_of_edge(edge)) for edge in self._edges)
        yield from ((expression, self.status_of_total(expression)) for expression in self._totals)

    def status_of_edge(self, edge: Edge) -> Status:
        """The status of what comes back along an edge, by its numbers."""
        return self._status_of(edge, self._backward.edges[edge])

    def status_of_total(self, expression: Expression) -> Status:
        """The status of all that comes back to an expression, by its numbers."""
        known = self._judged.get(expression)
        if known is not None:
            return Status.ZERO if known.is_zero else Status.FLOW
        return self._status_of(expression, self._backward.totals[expression])

    def _status_of(self, at: Edge | Expression, gradient: Expression) -> Status:
        if at not in self._statuses:
            self._statuses[at] = self._status(gradient, self.of(at))
        return self._statuses[at]

    def _of_total(self, expression: Expression) -> Array | float:
        edges = self._sums.arriving.get(expression, [])
        if expression in self._sums.seeds or not edges:
            return 0.0
        if len(edges) == 1:
            return self.of_edge(edges[0])
        if expression not in self._suspicious_totals and not any(edge in self._edges for edge in edges):
            return 0.0
        own: Array | float = self._own(expression)
        rounded = [edge for edge in edges if edge in self._edges]
        if rounded:
            self._judged.pop(expression, None)
            with np.errstate(over="ignore"):
                own = sum((self.of_edge(edge) for edge in rounded), start=own)
        return own

    def _own(self, expression: Expression) -> Array:
        """The rounding error of a sum by itself."""
        known = self._judged.get(expression)
        if known is not None and known.error is not None:
            return known.error
        parts = [self._results[self._backward.edges[edge]] for edge in self._sums.arriving[expression]]
        with np.errstate(over="ignore"):
            sizes = (np.abs(part) for part in parts if part is not None)
            return rounding(sum(sizes, start=np.zeros((), expression.dtype)))

    def _judged_at_once(self) -> dict[Expression, Judged]:
        """What is known of all sums in which terms may cancel; most are small, and judged by themselves in the end."""
        totals = self._backward.totals
        sums, known = dict[Expression, Sum](), dict[Expression, Judged]()
        # In the order in which they are computed: those that are not kept are then close to one that was used last.
        for item in sorted(self._suspicious_totals, key=lambda item: self._sums.places[item.application]):
            found = self._sum(item)
            if found is not None and self._results.stays(totals[item]):
                sums[item] = found
            elif found is not None:
                known[item] = Judged(None, judged([found])[0].is_zero)
        return known | dict(zip(sums, judged(list(sums.values())), strict=True))

    def _sum(self, item: Expression) -> Sum | None:
        """The sum of all that comes back to an expression; None if it is not finite or not known."""
        total, edges = self._backward.totals[item], self._sums.arriving[item]
        if not total.spec.size or not self._facts.of(total).is_finite:
            return None
        gradient, parts = self._results[total], [self._results[self._backward.edges[edge]] for edge in edges]
        known = [part for part in parts if part is not None]
        return None if gradient is None or len(known) < len(parts) else Sum(gradient, tuple(known))

    def _of_edge(self, edge: Edge) -> Array | float:
        passes_zero = edge in self._passing_zero
        if not passes_zero and edge not in self._suspicious_edges:
            return 0.0
        part = self._backward.edges[edge]
        gradient = self._results[part]
        if gradient is None or gradient.size == 0 or not self._facts.of(part).is_finite:
            return 0.0
        if passes_zero:
            return np.abs(gradient)
        terms, inner = self._of_terms(part), self._inner.rounding_of(edge)
        return terms if is_exact(inner) else terms + inner

    def _is_zero(self, expression: Expression) -> bool:
        return self.status_of_total(expression) is Status.ZERO

    def _status(self, gradient: Expression, tolerance: Array | float) -> Status:
        """As `number_status`, by a look at what is known of the array already; unknown if it is not computed."""
        if not self._results.has(gradient):
            return Status.UNKNOWN
        sizes = self._facts.of(gradient)
        if not sizes.is_finite:
            return Status.NONFINITE
        if not is_exact(tolerance) and (array := self._results[gradient]) is not None:
            return number_status(array, tolerance)
        return Status.FLOW if sizes.largest or not gradient.spec.size else Status.ZERO

    def _of_terms(self, part: Expression) -> Array | float:
        """Looks through steps that only move elements, and reruns a step that adds products on absolute values."""
        part, moves = before_moves(part)
        if not part.application.type.adds_products or not self._may_cancel(part):
            return 0.0
        terms = rounding(_rerun(part.application, [self._results[item] for item in inputs_of(part.application)]))
        for application in reversed(moves):
            terms = np.abs(_rerun(application, [terms]))
        # Not a number: the step refuses absolute values, and nothing is known of its rounding.
        return 0.0 if np.isnan(terms).any() else terms

    def _may_cancel(self, part: Expression) -> bool:
        """A cheap bound first: all elements can be rounding errors only if none exceeds that of all terms together."""
        gradient = self._results[part]
        arrays = [self._results[item] for item in differentiable_inputs(part.application)]
        if gradient is None or gradient.size == 0 or any(item is None for item in arrays):
            return False
        bound = float(np.prod([np.abs(item).sum(dtype=np.float64) for item in arrays if item is not None]))
        return float(np.abs(gradient).max()) <= ROUNDING_ERRORS * float(np.finfo(gradient.dtype).eps) * bound


def _rerun(application: Application, arrays: list[Array | None]) -> Array:
    absolute = [None if item is None else np.abs(item) if item.dtype.kind == "f" else item for item in arrays]
    return run_application(application, absolute)[0]
