"""Why a wire has the gradient that it has: the eight statuses, decided by structure first and by numbers last."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

import numpy as np

from engine.block_type import Role
from engine.expression import Application, Expression
from engine.gradients import Backward, Edge, lets_gradients_pass
from engine.inner_sums import ROUNDING_ERRORS, InnerSums, rounding
from engine.linear_steps import run_application
from engine.lower import Lowered
from engine.number_facts import NumberFacts
from engine.plan import Results
from engine.tensor_spec import Array


class Status(enum.StrEnum):
    """The statuses, in their order of precedence."""

    UNKNOWN = "unknown"
    NONFINITE = "nonfinite"
    NO_GRADIENT_DTYPE = "no_gradient_dtype"
    NO_PATH = "no_path"
    BLOCKED = "blocked"
    NON_DIFFERENTIABLE = "non_differentiable"
    ZERO = "zero"
    FLOW = "flow"


@dataclass
class Cuts:
    """Where the ways to the loss are cut: for each expression and edge that no gradient reaches, the first cut of
    every way. An expression or edge that is absent has no way to the loss, or has a gradient.
    """

    expressions: dict[Expression, frozenset[Application]] = field(default_factory=dict)
    edges: dict[Edge, frozenset[Application]] = field(default_factory=dict)


def find_cuts(backward: Backward) -> Cuts:
    """Follows every way from the loss back to the first place where it is cut, by structure alone."""
    cuts = Cuts()
    for application in reversed(backward.order):
        for slot, item in enumerate(application.inputs):
            edge = Edge(application, slot)
            if (
                item is None
                or not item.spec.is_differentiable
                or edge in backward.edges
                or edge in backward.hidden_edges
            ):
                continue
            found = _cut_at(application, backward, cuts)
            cuts.edges[edge] = found
            cuts.expressions[item] = cuts.expressions.get(item, frozenset()) | found
    return cuts


def _cut_at(application: Application, backward: Backward, cuts: Cuts) -> frozenset[Application]:
    has_gradient = any(output in backward.totals for output in application.outputs)
    if has_gradient or not lets_gradients_pass(application):
        return frozenset((application,))
    further = frozenset().union(*(cuts.expressions.get(output, frozenset()) for output in application.outputs))
    # Nothing further: the only way on is through an output that cannot carry a gradient (the indices of a TopK).
    return further or frozenset((application,))


def cut_status(cuts: frozenset[Application]) -> Status:
    """Blocked if a StopGradient is among the cuts, else non-differentiable."""
    return Status.BLOCKED if any(cut.type.role is Role.STOP for cut in cuts) else Status.NON_DIFFERENTIABLE


def number_status(gradient: Array, tolerance: Array | float) -> Status:
    """The status of a gradient that arrives: `zero` if no element exceeds the rounding error in `tolerance`.

    Shapes: `tolerance` broadcasts against `gradient`.
    """
    if not np.isfinite(gradient).all():
        return Status.NONFINITE
    if gradient.size == 0:
        return Status.FLOW
    return Status.FLOW if (np.abs(gradient) > tolerance).any() else Status.ZERO


def is_exact(tolerance: Array | float) -> bool:
    """Whether nothing may be rounded away; a NumPy scalar is a float too."""
    return type(tolerance) is float


class Tolerances:
    """How large the rounding error of a gradient may be: eight times that of the terms its last step added up.

    A rule is linear in the gradient that arrives; so what it makes of a numerical zero is a numerical zero too.
    """

    def __init__(self, lowered: Lowered, results: Results, facts: NumberFacts) -> None:
        self._results, self._facts = results, facts
        self._backward = lowered.backward
        self._inner = InnerSums(lowered.backward, results, facts)
        self._edges: dict[Edge, Array | float] = {}
        self._totals: dict[Expression, Array | float] = {}
        seeds = set(lowered.losses)
        arriving: dict[Expression, list[Edge]] = {}
        for application in reversed(lowered.backward.order):
            reached = [output for output in application.outputs if output in lowered.backward.totals]
            for output in reached:
                self._totals[output] = self._of_total(output, arriving.get(output, []), output in seeds)
            passes_zero = all(self._is_zero(output) for output in reached)
            for slot, item in enumerate(application.inputs):
                edge = Edge(application, slot)
                if item is not None and edge in lowered.backward.edges:
                    self._edges[edge] = self._of_edge(edge, passes_zero)
                    arriving.setdefault(item, []).append(edge)

    def of_edge(self, edge: Edge) -> Array | float:
        """The rounding error of what comes back along one edge."""
        return self._edges.get(edge, 0.0)

    def of_total(self, expression: Expression) -> Array | float:
        """The rounding error of the sum of all that comes back to an expression."""
        return self._totals.get(expression, 0.0)

    def status_of_edge(self, edge: Edge) -> Status:
        """The status of what comes back along an edge, by its numbers."""
        return self._status(self._backward.edges[edge], self.of_edge(edge))

    def status_of_total(self, expression: Expression) -> Status:
        """The status of all that comes back to an expression, by its numbers."""
        return self._status(self._backward.totals[expression], self.of_total(expression))

    def _of_total(self, expression: Expression, edges: list[Edge], is_seed: bool) -> Array | float:
        if is_seed or not edges:
            return 0.0
        if len(edges) == 1:
            return self._edges[edges[0]]
        if self._is_clear(expression, edges):
            return 0.0
        parts = [self._results[self._backward.edges[edge]] for edge in edges]
        known = [part for part in parts if part is not None]
        with np.errstate(over="ignore"):
            total = sum((np.abs(part) for part in known), start=np.zeros((), expression.dtype))
            own: Array | float = rounding(total)
            for edge in edges:
                own = own + self._edges[edge]
        return own

    def _is_clear(self, expression: Expression, edges: list[Edge]) -> bool:
        """A cheap bound: whether every element of a sum is larger than all rounding errors of its parts together."""
        total = self._backward.totals[expression]
        if self._results[total] is None or not all(is_exact(self._edges[edge]) for edge in edges):
            return False
        terms = sum(self._facts.of(self._backward.edges[edge]).largest for edge in edges)
        # Twice as much, for the bound is rounded too; not true of NaN and infinity.
        return self._facts.of(total).least > 2 * ROUNDING_ERRORS * float(np.finfo(expression.dtype).eps) * terms

    def _of_edge(self, edge: Edge, passes_zero: bool) -> Array | float:
        part = self._backward.edges[edge]
        gradient = self._results[part]
        if gradient is None or gradient.size == 0 or not self._facts.of(part).is_finite:
            return 0.0
        if passes_zero:
            return np.abs(gradient)
        terms, inner = self._of_terms(part), self._inner.rounding_of(edge)
        return terms if is_exact(inner) else terms + inner

    def _is_zero(self, expression: Expression) -> bool:
        return self._status(self._backward.totals[expression], self._totals[expression]) is Status.ZERO

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
        moves = []
        while part.application.type.moves_elements and part.application.inputs[0] is not None:
            moves.append(part.application)
            part = part.application.inputs[0]
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
        arrays = [self._results[item] for item in _inputs(part.application) if item.spec.is_differentiable]
        if gradient is None or gradient.size == 0 or any(item is None for item in arrays):
            return False
        bound = float(np.prod([np.abs(item).sum(dtype=np.float64) for item in arrays if item is not None]))
        return float(np.abs(gradient).max()) <= ROUNDING_ERRORS * float(np.finfo(gradient.dtype).eps) * bound


def _rerun(application: Application, arrays: list[Array | None]) -> Array:
    absolute = [None if item is None else np.abs(item) if item.dtype.kind == "f" else item for item in arrays]
    return run_application(application, absolute)[0]


def _inputs(application: Application) -> list[Expression]:
    return [item for item in application.inputs if item is not None]
