"""Tolerances of gradients: magnitudes below which a gradient is numerically zero.

Source: the error of a sum is bounded by the absolute values of its terms; Higham, Accuracy and Stability of Numerical
Algorithms (2002), section 4.2. A fixed factor stands for the number of terms. Cost: O(elements) of the sums that may
cancel, and one rerun of the steps that add them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.lower import Lowered
from gradwire.engine.autodiff.status import ROUNDING_ERRORS, Status, is_exact, number_status, rounding
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.bulk_rounding import Judged, Sum, judged
from gradwire.engine.causes.inner_sums import InnerSums
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.causes.term_sums import Sums, before_moves, differentiable_inputs, inputs_of
from gradwire.engine.executors.magnitudes import NumberFacts


class Tolerances:
    """Rounding errors of gradients: eight times that of the terms that the last step adds.

    A rule is linear in its incoming gradient, so it maps a numerical zero to a numerical zero. The tolerance is 0 if no
    number is small enough to be a rounding error.
    With `for_statuses`, only sums that are zero as a whole get a tolerance, and these are few; all others have
    tolerance 0.
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
        # None for arrays that do not fit; they are computed again on demand.
        self._edges: dict[Edge, Array | float | None] = {}
        self._totals: dict[Expression, Array | float | None] = {}
        # Edges whose incoming gradients are all numerically zero.
        self._passing_zero: set[Edge] = set()
        self._statuses: dict[Edge | Expression, Status] = {}
        self._suspicious_edges, self._suspicious_totals = self._sums.suspicious(facts.survey, is_any=not for_statuses)
        self._judged = self._judged_at_once()
        lost = self._sums.lost_inside(facts.survey)
        self._inner = InnerSums(lowered.backward, results, lost)
        self._suspicious_edges |= {edge for step in lost for edge in self._sums.edges_by_inner_sum[step]}
        self._pass()

    def _pass(self) -> None:
        """Walks back from the loss, through the applications where anything may be a rounding error."""
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
        """Judges the gradients of the outputs; returns whether all are zero, and some only numerically."""
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
        """Returns whether the gradient of an edge or expression may be a rounding error."""
        return at in self._edges or at in self._totals

    def of(self, at: Edge | Expression) -> Array | float:
        """Returns the rounding error of an edge's or expression's gradient."""
        return self.of_edge(at) if isinstance(at, Edge) else self.of_total(at)

    def of_edge(self, edge: Edge) -> Array | float:
        """Returns the rounding error of one edge's gradient."""
        found = self._edges.get(edge, 0.0)
        return self._of_edge(edge) if found is None else found

    def of_total(self, expression: Expression) -> Array | float:
        """Returns the rounding error of an expression's total gradient."""
        found = self._totals.get(expression, 0.0)
        return self._of_total(expression) if found is None else found

    def rounded(self) -> Iterator[tuple[Edge | Expression, Status]]:
        """Yields the edges and expressions with a nonzero tolerance, with the status of their gradients."""
        yield from ((edge, self.status_of_edge(edge)) for edge in self._edges)
        yield from ((expression, self.status_of_total(expression)) for expression in self._totals)

    def status_of_edge(self, edge: Edge) -> Status:
        """Returns the status of an edge's gradient, by its numbers."""
        return self._status_of(edge, self._backward.edges[edge])

    def status_of_total(self, expression: Expression) -> Status:
        """Returns the status of an expression's total gradient, by its numbers."""
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
        """Returns the rounding error of a sum without those of its terms."""
        known = self._judged.get(expression)
        if known is not None and known.error is not None:
            return known.error
        parts = [self._results[self._backward.edges[edge]] for edge in self._sums.arriving[expression]]
        with np.errstate(over="ignore"):
            sizes = (np.abs(part) for part in parts if part is not None)
            return rounding(sum(sizes, start=np.zeros((), expression.dtype)))

    def _judged_at_once(self) -> dict[Expression, Judged]:
        """Judges all sums in which terms may cancel, small ones of equal shape together."""
        totals = self._backward.totals
        sums, known = dict[Expression, Sum](), dict[Expression, Judged]()
        # In the order of computation: an evicted array is then close to a recently used one.
        for item in sorted(self._suspicious_totals, key=lambda item: self._sums.places[item.application]):
            found = self._sum(item)
            if found is not None and self._results.stays(totals[item]):
                sums[item] = found
            elif found is not None:
                known[item] = Judged(None, judged([found])[0].is_zero)
        return known | dict(zip(sums, judged(list(sums.values())), strict=True))

    def _sum(self, item: Expression) -> Sum | None:
        """Returns the sum of an expression's gradients; None if it is not finite or unknown."""
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
        """Returns the same as `number_status`, by the known statistics of the array; unknown if it is not computed."""
        if not self._results.has(gradient):
            return Status.UNKNOWN
        sizes = self._facts.of(gradient)
        if not sizes.is_finite:
            return Status.NONFINITE
        if not is_exact(tolerance) and (array := self._results[gradient]) is not None:
            return number_status(array, tolerance)
        return Status.FLOW if sizes.largest or not gradient.spec.size else Status.ZERO

    def _of_terms(self, part: Expression) -> Array | float:
        """Returns the rounding error of a step that adds products, by a rerun on absolute values.

        It looks through steps that only move elements.
        """
        part, moves = before_moves(part)
        if not part.application.type.sums_products or not self._may_cancel(part):
            return 0.0
        terms = rounding(_rerun(part.application, [self._results[item] for item in inputs_of(part.application)]))
        for application in reversed(moves):
            terms = np.abs(_rerun(application, [terms]))
        # NaN means that the step rejects absolute values, so nothing is known about its rounding.
        return 0.0 if np.isnan(terms).any() else terms

    def _may_cancel(self, part: Expression) -> bool:
        """Returns whether all elements may be rounding errors, by a cheap bound over all terms together."""
        gradient = self._results[part]
        arrays = [self._results[item] for item in differentiable_inputs(part.application)]
        if gradient is None or gradient.size == 0 or any(item is None for item in arrays):
            return False
        bound = float(np.prod([np.abs(item).sum(dtype=np.float64) for item in arrays if item is not None]))
        return float(np.abs(gradient).max()) <= ROUNDING_ERRORS * float(np.finfo(gradient.dtype).eps) * bound


def _rerun(application: Application, arrays: list[Array | None]) -> Array:
    absolute = [None if item is None else np.abs(item) if item.dtype.kind == "f" else item for item in arrays]
    return run_application(application, absolute)[0]
