"""How far gradients may be from zero and still be zero, numerically."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.bulk_rounding import Judged, Sum, judged
from engine.expression import Application, Expression
from engine.gradients import Edge, steps_of
from engine.inner_sums import InnerSums, adds_gradients
from engine.linear_steps import run_application
from engine.lower import Lowered
from engine.number_facts import NumberFacts
from engine.plan import Plan, Results
from engine.status import ROUNDING_ERRORS, Status, is_exact, number_status, rounding
from engine.survey import Survey
from engine.tensor_spec import Array


class Sums:
    """Where the gradients of a graph add up terms, which may cancel: by structure alone, so that a glance at the sizes
    of numbers says at which of these places to look.
    """

    def __init__(self, lowered: Lowered, plan: Plan) -> None:
        self._backward, self._slots = lowered.backward, plan.slots
        backward = lowered.backward
        self.order = list(reversed(backward.order))
        self.places = {application: place for place, application in enumerate(self.order)}
        self.arriving: dict[Expression, list[Edge]] = {}
        self.seeds = frozenset(lowered.losses)
        for application in self.order:
            for slot, item in enumerate(application.inputs):
                edge = Edge(application, slot)
                if item is not None and edge in backward.edges:
                    self.arriving.setdefault(item, []).append(edge)
        added = [(edge, _before_moves(part)[0]) for edge, part in backward.edges.items()]
        self._edges = [(edge, part) for edge, part in added if part.application.type.adds_products]
        # Of what an error hides only parts are known, and no total.
        known = backward.totals.keys() - self.seeds
        summed = {item: edges for item, edges in self.arriving.items() if len(edges) > 1 and item in known}
        self._totals = list(summed)
        factors = [_differentiable(part.application) for _, part in self._edges]
        self._edge_bounds = _Bounds(self._slots, [part for _, part in self._edges], factors)
        parts = [[backward.edges[edge] for edge in edges] for edges in summed.values()]
        self._total_bounds = _Bounds(self._slots, [backward.totals[item] for item in summed], parts)
        # Sums over the wires of a port stand between rules, and are judged by themselves.
        between = set(backward.totals.values()).difference(backward.edges.values())
        outside = {*backward.order, *(total.application for total in between)}
        steps = [step.application for step in plan.steps if step.application not in outside]
        self._inner = [step for step in steps if adds_gradients(step, self._slots) and _is_of_floats(step)]
        left = [step.outputs[0] for step in self._inner]
        self._inner_bounds = _Bounds(self._slots, left, [_inputs(step) for step in self._inner])

    def lost_inside(self, survey: Survey) -> set[Application]:
        """The sums inside rules of which only rounding errors may be left."""
        largest = survey["largest"]
        finite = np.where(np.isinf(largest), np.nan, largest)
        rows = self._inner_bounds.below_sums(finite, finite)
        return {self._inner[row] for row in rows}

    @functools.cached_property
    def edges_by_inner_sum(self) -> dict[Application, list[Edge]]:
        """In which edges the sums inside rules take part."""
        forward = dict.fromkeys(self._backward.order)
        found: dict[Application, list[Edge]] = {step: [] for step in self._inner}
        for edge in self._backward.edges:
            for step in steps_of(edge, self._backward, forward):
                if step in found:
                    found[step].append(edge)
        return found

    def suspicious(self, survey: Survey) -> tuple[set[Edge], set[Expression]]:
        """The edges and totals in which terms may cancel, as far as the sizes of all numbers tell."""
        edges = self._edge_bounds.below_products(survey["largest"])
        # Twice as much, for the bound is rounded too.
        totals = self._total_bounds.below_sums(survey["least"] / 2, survey["largest"])
        return {self._edges[row][0] for row in edges}, {self._totals[row] for row in totals}


class _Bounds:
    """Sums, and what each is made of: products of factors, or terms."""

    def __init__(
        self, slots: Mapping[Expression, int], sums: Sequence[Expression], terms: Sequence[Sequence[Expression]]
    ) -> None:
        self._sums = np.array([slots[item] for item in sums], np.intp)
        self._errors = np.array([ROUNDING_ERRORS * np.finfo(item.dtype).eps for item in sums])
        self._terms = np.array([slots[item] for group in terms for item in group], np.intp)
        self._counts = np.array([max(item.spec.size, 1) for group in terms for item in group], float)
        self._lengths = np.array([len(group) for group in terms], np.intp)

    def below_products(self, largest: Array) -> list[int]:
        """The rows whose sum may be smaller than the rounding errors of sums of products of their factors."""
        return self._below(largest / 2, largest[self._terms] * self._counts, np.multiply)

    def below_sums(self, sums: Array, largest: Array) -> list[int]:
        """The rows whose sum may be smaller than the rounding errors of their terms, element by element."""
        return self._below(sums, largest[self._terms], np.add)

    def _below(self, sums: Array, sizes: Array, combine: np.ufunc) -> list[int]:
        rows = np.flatnonzero(self._lengths)
        if not len(rows):
            return []
        starts = np.cumsum(np.append(0, self._lengths[rows][:-1]))
        with np.errstate(all="ignore"):
            bounds = self._errors[rows] * combine.reduceat(sizes, starts)
            found: list[int] = rows[(sums[self._sums[rows]] <= bounds) & (bounds > 0)].tolist()
        return found


class Tolerances:
    """How large the rounding error of a gradient may be: eight times that of the terms its last step added up.

    A rule is linear in the gradient that arrives; so what it makes of a numerical zero is a numerical zero too. Where
    no number is small enough to be a rounding error the tolerance is 0.
    """

    def __init__(self, lowered: Lowered, results: Results, facts: NumberFacts, sums: Sums | None = None) -> None:
        self._results, self._facts, self._backward = results, facts, lowered.backward
        self._sums = Sums(lowered, results.plan) if sums is None else sums
        self._edges: dict[Edge, Array | float] = {}
        self._totals: dict[Expression, Array | float] = {}
        self._suspicious_edges, self._suspicious_totals = self._sums.suspicious(facts.survey)
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
        part, moves = _before_moves(part)
        if not part.application.type.adds_products or not self._may_cancel(part):
            return 0.0
        terms = rounding(_rerun(part.application, [self._results[item] for item in _inputs(part.application)]))
        for application in reversed(moves):
            terms = np.abs(_rerun(application, [terms]))
        # Not a number: the step refuses absolute values, and nothing is known of its rounding.
        return 0.0 if np.isnan(terms).any() else terms

    def _may_cancel(self, part: Expression) -> bool:
        """A cheap bound first: all elements can be rounding errors only if none exceeds that of all terms together."""
        gradient = self._results[part]
        arrays = [self._results[item] for item in _differentiable(part.application)]
        if gradient is None or gradient.size == 0 or any(item is None for item in arrays):
            return False
        bound = float(np.prod([np.abs(item).sum(dtype=np.float64) for item in arrays if item is not None]))
        return float(np.abs(gradient).max()) <= ROUNDING_ERRORS * float(np.finfo(gradient.dtype).eps) * bound


def _before_moves(part: Expression) -> tuple[Expression, list[Application]]:
    """What steps that only move elements have moved, and these steps, the last one first."""
    moves = []
    while part.application.type.moves_elements and part.application.inputs[0] is not None:
        moves.append(part.application)
        part = part.application.inputs[0]
    return part, moves


def _is_of_floats(application: Application) -> bool:
    return all(item.spec.is_differentiable for item in (*_inputs(application), *application.outputs))


def _differentiable(application: Application) -> list[Expression]:
    return [item for item in _inputs(application) if item.spec.is_differentiable]


def _rerun(application: Application, arrays: list[Array | None]) -> Array:
    absolute = [None if item is None else np.abs(item) if item.dtype.kind == "f" else item for item in arrays]
    return run_application(application, absolute)[0]


def _inputs(application: Application) -> list[Expression]:
    return [item for item in application.inputs if item is not None]
