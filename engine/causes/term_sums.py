"""Places where the gradients of a graph add up terms, which may cancel; found by structure alone."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of, steps_of
from gradwire.engine.autodiff.lower import Lowered
from gradwire.engine.autodiff.status import ROUNDING_ERRORS
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.causes.inner_sums import adds_gradients

_Key = TypeVar("_Key", bound=Hashable)
# Expression of a sum, and its operands: terms, or the factors of products.
_Row = tuple[Expression, Sequence[Expression]]


class Sums:
    """All sums of gradients; the magnitudes of a run's numbers then tell which of them may cancel.

    `order` is that of the backward pass, `places` maps applications to their index in it, and `arriving` has the edges
    whose gradients an expression receives. `parts` and `totals` count the edges and the expressions whose gradient an
    expression is.
    """

    def __init__(self, lowered: Lowered, plan: Plan) -> None:
        self._lowered, self._backward, self._slots = lowered, lowered.backward, plan.slots
        self.seeds = frozenset(lowered.losses)
        self.order = lowered.backward.order[::-1]
        self.places = {application: place for place, application in enumerate(self.order)}
        self.arriving: dict[Expression, list[Edge]] = {}
        for edge in sorted(self._backward.edges, key=lambda edge: (self.places[edge.application], edge.slot)):
            self.arriving.setdefault(source_of(edge), []).append(edge)
        self.parts, self.totals = Counter(self._backward.edges.values()), Counter(self._backward.totals.values())
        self._edges = _Bounds[Edge](plan.slots, self._edge_rows(self._backward.edges))
        self._totals = _Bounds[Expression](plan.slots, self._total_rows(self.arriving))
        self._inner = _Bounds[Application](plan.slots, self._inner_rows(step.application for step in plan.steps))

    def renew(self, edges: Iterable[Edge], items: Iterable[Expression], steps: Mapping[Application, bool]) -> None:
        """Updates some edges, expressions with gradients, and steps; some may have been removed."""
        edges, items = list(edges), list(items)
        self.__dict__.pop("edges_by_inner_sum", None)
        self._edges.exchange(edges, self._edge_rows(edge for edge in edges if edge in self._backward.edges))
        self._totals.exchange(items, self._total_rows(items))
        self._inner.exchange(steps, self._inner_rows(step for step, is_there in steps.items() if is_there))

    def lost_inside(self, survey: Survey) -> set[Application]:
        """Returns the sums inside rules that may consist of rounding errors only."""
        largest = survey["largest"]
        finite = np.where(np.isinf(largest), np.nan, largest)
        return self._inner.below_sums(finite, finite)

    @functools.cached_property
    def edges_by_inner_sum(self) -> dict[Application, list[Edge]]:
        """Edges to which each sum inside a rule contributes."""
        forward = dict.fromkeys(self._backward.order)
        found: dict[Application, list[Edge]] = {step: [] for step in self._inner.rows}
        for edge in self._backward.edges:
            for step in steps_of(edge, self._backward, forward):
                if step in found:
                    found[step].append(edge)
        return found

    def suspicious(self, survey: Survey, is_any: bool) -> tuple[set[Edge], set[Expression]]:
        """Returns the edges and totals in which terms may cancel, judged by magnitudes alone.

        Totals are those of which any element may be rounding only (`is_any`), or those of which all elements may be.
        """
        edges = self._edges.below_products(survey["largest"])
        # Factor 2, because the bound itself is rounded.
        return edges, self._totals.below_sums(survey["least" if is_any else "largest"] / 2, survey["largest"])

    def _edge_rows(self, edges: Iterable[Edge]) -> dict[Edge, _Row]:
        ends = {edge: before_moves(self._backward.edges[edge])[0] for edge in edges}
        return {
            edge: (end, differentiable_inputs(end.application))
            for edge, end in ends.items()
            if end.application.type.sums_products
        }

    def _total_rows(self, items: Iterable[Expression]) -> dict[Expression, _Row]:
        # If an error hides an expression's gradient, some parts are known, but no total.
        totals, edges = self._backward.totals, self._backward.edges
        known = [item for item in items if item in totals and item not in self.seeds]
        parts = {item: [edges[edge] for edge in self.arriving.get(item, ())] for item in known}
        return {item: (totals[item], found) for item, found in parts.items() if len(found) > 1}

    def _inner_rows(self, steps: Iterable[Application]) -> dict[Application, _Row]:
        return {step: (step.outputs[0], inputs_of(step)) for step in steps if self._is_inner(step)}

    def _is_inner(self, step: Application) -> bool:
        if step in self._lowered.owners or not adds_gradients(step, self._slots) or not _is_of_floats(step):
            return False
        # Sums over the wires of a port lie between rules and are judged separately.
        return not any(self.totals[output] and not self.parts[output] for output in step.outputs)


class _Bounds(Generic[_Key]):
    """Sums with their operands: products of factors, or terms. `rows` maps keys to rows."""

    def __init__(self, slots: Mapping[Expression, int], rows: Mapping[_Key, _Row]) -> None:
        self._slots = slots
        self.rows = {key: row for row, key in enumerate(rows)}
        self._keys = list(rows)
        self._sums = np.array([slots[item] for item, _ in rows.values()], np.intp)
        self._errors = np.array([ROUNDING_ERRORS * np.finfo(item.dtype).eps for item, _ in rows.values()])
        terms = [term for _, group in rows.values() for term in group]
        self._terms = np.array([slots[item] for item in terms], np.intp)
        self._counts = np.array([max(item.spec.size, 1) for item in terms], float)
        self._lengths = np.array([len(group) for _, group in rows.values()], np.intp)

    def exchange(self, gone: Iterable[_Key], rows: Mapping[_Key, _Row]) -> None:
        """Removes some rows, if they exist, and appends new ones."""
        for key in gone:
            row = self.rows.pop(key, None)
            if row is not None:
                self._errors[row] = 0
        if rows:
            new = _Bounds(self._slots, rows)
            self.rows |= {key: len(self._keys) + row for key, row in new.rows.items()}
            self._keys += new._keys
            for name in ("_sums", "_errors", "_terms", "_counts", "_lengths"):
                setattr(self, name, np.concatenate([getattr(self, name), getattr(new, name)]))

    def below_products(self, largest: Array) -> set[_Key]:
        """Returns the keys whose sum may be below the rounding errors of sums of products."""
        return self._below(largest / 2, largest[self._terms] * self._counts, np.multiply)

    def below_sums(self, sums: Array, largest: Array) -> set[_Key]:
        """Returns the keys whose sum may be below the rounding errors of its terms, element by element."""
        return self._below(sums, largest[self._terms], np.add)

    def _below(self, sums: Array, sizes: Array, combine: np.ufunc) -> set[_Key]:
        rows = np.flatnonzero(self._lengths)
        if not len(rows):
            return set()
        starts = np.cumsum(np.append(0, self._lengths[rows][:-1]))
        with np.errstate(all="ignore"):
            bounds = self._errors[rows] * combine.reduceat(sizes, starts)
            found = rows[(sums[self._sums[rows]] <= bounds) & (bounds > 0)].tolist()
        return {self._keys[row] for row in found}


def before_moves(part: Expression) -> tuple[Expression, list[Application]]:
    """Returns the expression before all steps that only move elements, and these steps, last one first."""
    moves = []
    while part.application.type.only_moves_data and part.application.inputs[0] is not None:
        moves.append(part.application)
        part = part.application.inputs[0]
    return part, moves


def _is_of_floats(application: Application) -> bool:
    return all(item.spec.is_differentiable for item in (*inputs_of(application), *application.outputs))


def differentiable_inputs(application: Application) -> list[Expression]:
    """Returns the inputs that can have a gradient."""
    return [item for item in inputs_of(application) if item.spec.is_differentiable]


def inputs_of(application: Application) -> list[Expression]:
    """Returns the inputs that have a wire."""
    return [item for item in application.inputs if item is not None]
