"""Tolerances of gradients: magnitudes below which a gradient is numerically zero.

A tolerance is a running error bound (`running_errors`). Only gradients that may consist of rounding errors have one:
those that are small beside the terms that they add up, and those behind them. Cost: O(elements) of the sums that may
cancel, and the bounds of the steps before them.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Status, is_exact, number_status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.causes.lossy_sums import MOST, Sum, lossy, lossy_share
from gradwire.engine.causes.roundings import Roundings
from gradwire.engine.causes.term_sums import Sums, before_moves, inputs_of, share_of_products
from gradwire.engine.executors.magnitudes import NumberFacts

_Key = TypeVar("_Key", bound=Hashable)


class Tolerances:
    """Running error bounds of the gradients that may have lost half of their digits; all others have tolerance 0.

    A gradient is looked at if it is lossy itself, or if a lossy one arrives at its rule or its sum. A rule is linear in
    its incoming gradient, so it maps a numerical zero to a numerical zero, of which no bound is needed.
    """

    def __init__(self, lowered: Lowered, results: Results, facts: NumberFacts, sums: Sums | None = None) -> None:
        self._results, self._facts, self._backward = results, facts, lowered.backward
        self._sums = Sums(lowered, results.plan) if sums is None else sums
        self._roundings = Roundings(results)
        self._lossy: dict[Edge | Expression, None] = {}
        # Those behind numerical zeros only.
        self._passing_zero: set[Edge | Expression] = set()
        self._statuses: dict[Edge | Expression, Status] = {}
        self._pass(*self._found_lossy())

    def rounding_of(self, expression: Expression) -> Array:
        """Returns the running error bound of any expression of the run, whether it is lossy or not."""
        return self._roundings.of_step(expression)

    def is_rounded(self, at: Edge | Expression) -> bool:
        """Returns whether the gradient of an edge or expression may be a rounding error."""
        return at in self._lossy

    def of(self, at: Edge | Expression) -> Array | float:
        """Returns the rounding error of an edge's or expression's gradient."""
        if at not in self._lossy:
            return 0.0
        array = self._results[self._gradient(at)] if at in self._passing_zero else None
        return self._roundings.of(self._gradient(at)) if array is None else np.abs(array)

    def of_edge(self, edge: Edge) -> Array | float:
        """Returns the rounding error of one edge's gradient."""
        return self.of(edge)

    def of_total(self, expression: Expression) -> Array | float:
        """Returns the rounding error of an expression's total gradient."""
        return self.of(expression)

    def rounded(self) -> Iterator[tuple[Edge | Expression, Status]]:
        """Yields the edges and expressions with a nonzero tolerance, with the status of their gradients."""
        yield from ((at, self._status_of(at)) for at in self._lossy)

    def status_of_edge(self, edge: Edge) -> Status:
        """Returns the status of an edge's gradient, by its numbers."""
        return self._status_of(edge)

    def status_of_total(self, expression: Expression) -> Status:
        """Returns the status of an expression's total gradient, by its numbers."""
        return self._status_of(expression)

    def _gradient(self, at: Edge | Expression) -> Expression:
        return self._backward.edges[at] if isinstance(at, Edge) else self._backward.totals[at]

    def _status_of(self, at: Edge | Expression) -> Status:
        if at not in self._statuses:
            self._statuses[at] = self._status(self._gradient(at), self.of(at))
        return self._statuses[at]

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

    def _found_lossy(self) -> tuple[set[Edge], set[Expression]]:
        """Returns the edges and totals in whose own sums terms cancel."""
        edges, totals, steps = self._sums.suspicious(self._facts.survey)
        found = {edge for edge in edges if self._loses(self._backward.edges[edge])}
        inside = [step for step in steps if all(map(self._sums.carries_gradient, inputs_of(step)))]
        for step in self._lossy_sums({step: (step.outputs[0], inputs_of(step)) for step in inside}):
            found.update(self._sums.edges_by_inner_sum[step])
        parts = {item: [self._backward.edges[edge] for edge in self._sums.arriving[item]] for item in totals}
        return found, self._lossy_sums({item: (self._backward.totals[item], terms) for item, terms in parts.items()})

    def _pass(self, edges: set[Edge], totals: set[Expression]) -> None:
        """Walks back from the loss, through the applications where anything may be a rounding error."""
        places = self._sums.places
        waiting = {places[edge.application] for edge in edges} | {places[item.application] for item in totals}
        heap = sorted(waiting)
        while heap:
            application = self._sums.order[heapq.heappop(heap)]
            reached = [output for output in application.outputs if output in self._backward.totals]
            for output in reached:
                arriving = [] if output in self._sums.seeds else self._sums.arriving.get(output, [])
                if output in totals or any(edge in self._lossy for edge in arriving):
                    self._look_at(output, arriving)
            is_lossy = any(output in self._lossy for output in reached)
            for edge in self._backward.edges_into(application):
                if not (is_lossy or edge in edges):
                    continue
                self._look_at(edge, reached)
                place = places[source_of(edge).application]
                if edge in self._lossy and place not in waiting:
                    waiting.add(place)
                    heapq.heappush(heap, place)

    def _look_at(self, at: Edge | Expression, before: Sequence[Edge | Expression]) -> None:
        """Notes an edge or expression if the bound reaches half of the digits of any element.

        `before` are the gradients that arrive there: if all are zero, and some only numerically, so is this one.
        """
        gradient = self._gradient(at)
        array = self._results[gradient] if gradient.spec.size else None
        if array is None or not self._facts.of(gradient).is_finite:
            return
        if any(item in self._lossy for item in before) and all(self._is_zero(item) for item in before):
            self._lossy[at] = None
            self._passing_zero.add(at)
            return
        bound = self._roundings.behind(gradient, map(self._gradient, before))
        if ((bound > 0) & (bound >= lossy_share(gradient.dtype) * np.abs(array))).any():
            self._lossy[at] = None

    def _is_zero(self, at: Edge | Expression) -> bool:
        return self._status_of(at) is Status.ZERO

    def _loses(self, part: Expression) -> bool:
        """Returns whether most elements of an edge's sum of products are small beside their terms.

        It looks through steps that only move elements.
        """
        end = before_moves(part)[0]
        inputs = [None if item is None else self._results[item] for item in end.application.inputs]
        found = self._results[end]
        if found is None or not found.size or not self._facts.of(end).is_finite:
            return False
        absolute = [np.abs(item) if item is not None and item.dtype.kind == "f" else item for item in inputs]
        terms = np.abs(run_application(end.application, absolute)[end.index])
        share = share_of_products(end)
        # An element without terms is an exact zero; NaN means that the step rejects absolute values.
        has_terms = terms > 0
        return bool((np.abs(found) <= share * terms)[has_terms].sum() > MOST * has_terms.sum())

    def _lossy_sums(self, rows: dict[_Key, tuple[Expression, list[Expression]]]) -> set[_Key]:
        """Returns the keys of the sums of known finite numbers in which terms cancel."""
        sums = dict[_Key, Sum]()
        # In the order of computation: an evicted array is then close to a recently used one.
        for key, (total, terms) in sorted(rows.items(), key=lambda row: self._results.plan.slots[row[1][0]]):
            array, parts = self._results[total], [self._results[item] for item in terms]
            known = tuple(part for part in parts if part is not None)
            if array is not None and array.size and len(known) == len(parts) and self._facts.of(total).is_finite:
                sums[key] = Sum(array, known)
        return {key for key, is_lossy in zip(sums, lossy(list(sums.values())), strict=True) if is_lossy}
