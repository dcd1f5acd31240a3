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
        self._edges: dict[Edge, Array | float] = {}
        self._totals: dict[Expression, Array | float] = {}
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
                tolerance = self._of_edge(edge, passes_zero)
                if is_exact(tolerance):
                    continue
                self._edges[edge] = tolerance
                if places[item.application] not in waiting:
                    waiting.add(places[item.application])
                    heapq.heappush(heap, places[item.application])

    def _add_up(self, application: Application) -> bool:
        """Judges what comes back to the outputs; whether all of it is zero, and some only numerically."""
        reached = [output for output in application.outputs if output in self._backward.totals]
        for output in reached:
            tolerance = self._of_total(output)
            if not is_exact(tolerance):
                self._totals[output] = tolerance
        is_rounded = any(output in self._totals for output in reached)
        return is_rounded and all(self._is_zero(output) for output in reached)

    def of_edge(self, edge: Edge) -> Array | float:
        """The rounding error of what comes back along one edge."""
        return self._edges.get(edge, 0.0)

    def of_total(self, expression: Expression) -> Array | float:
        """The rounding error of the sum of all that comes back to an expression."""
        return self._totals.get(expression, 0.0)

    def rounded(self) -> Iterator[tuple[Edge | Expression, Status]]:
        """The edges and expressions of which the tolerance is not 0, with the status of what comes back."""
        yield from ((edge, self.status_of_edge(edge)) for edge in self._edges)
        yield from ((expression, self.status_of_total(expression)) for expression in self._totals)

    def status_of_edge(self, edge: Edge) -> Status:
        """The status of what comes back along an edge, by its numbers."""
        return self._status(self._backward.edges[edge], self.of_edge(edge))

    def status_of_total(self, expression: Expression) -> Status:
        """The status of all that comes back to an expression, by its numbers."""
        known = self._judged.get(expression)
        if known is not None:
            return Status.ZERO if known.is_zero else Status.FLOW
        return self._status(self._backward.totals[expression], self.of_total(expression))

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
        if known is not None:
            return known.error
        parts = [self._results[self._backward.edges[edge]] for edge in self._sums.arriving[expression]]
        with np.errstate(over="ignore"):
            sizes = (np.abs(part) for part in parts if part is not None)
            return rounding(sum(sizes, start=np.zeros((), expression.dtype)))

    def _judged_at_once(self) -> dict[Expression, Judged]:
        """What is known of all sums in which terms may cancel; most are small, and judged by themselves in the end."""
        backward, found = self._backward, dict[Expression, Sum]()
        for item in self._suspicious_totals:
            gradient = self._results[backward.totals[item]]
            parts = [self._results[backward.edges[edge]] for edge in self._sums.arriving[item]]
            known = [part for part in parts if part is not None]
            is_finite = self._facts.of(backward.totals[item]).is_finite
            if gradient is not None and gradient.size and is_finite and len(known) == len(parts):
                found[item] = Sum(gradient, tuple(known))
        return dict(zip(found, judged(list(found.values())), strict=True))

    def _of_edge(self, edge: Edge, passes_zero: bool) -> Array | float:
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
        array = self._results[gradient]
        if array is None:
            return Status.UNKNOWN
        sizes = self._facts.of(gradient)
        if not sizes.is_finite:
            return Status.NONFINITE
        if not is_exact(tolerance):
            return number_status(array, tolerance)
        return Status.FLOW if sizes.largest or not array.size else Status.ZERO

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
