"""Places where the gradients of a graph add up terms, which may cancel; found by structure alone."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of, steps_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.causes.linear_steps import adds_gradients
from gradwire.engine.causes.lossy_sums import counts_as_whole, lossy_share

_Key = TypeVar("_Key", bound=Hashable)
# Products of larger tensors are looked at only if they have lost nearly all digits. Units: elements.
LARGE = 2**16


class TermRow(NamedTuple):
    """Expression of a sum, its operands (terms, or factors of products), and the share below which it is lossy."""

    total: Expression
    operands: Sequence[Expression]
    share: float


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

    def rows(self) -> tuple[dict[Edge, TermRow], dict[Expression, TermRow], dict[Application, TermRow]]:
        """Returns the sums of edges, of expressions with several gradients, and those inside of rules."""
        return (
            self._edge_rows(self._backward.edges),
            self._total_rows(self.arriving),
            {
                step: row
                for step, row in self._inner_rows(self._inner.rows).items()
                if self.edges_by_inner_sum.get(step)
            },
        )

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

    def suspicious(self, survey: Survey) -> tuple[set[Edge], set[Expression], set[Application]]:
        """Returns the edges, totals and sums inside rules that may lose half of their digits, by magnitudes alone."""
        finite = np.where(np.isinf(survey["largest"]), np.nan, survey["largest"])
        edges = self._edges.below_products(survey["largest"], np.maximum(survey["norm"], survey["largest"]))
        return edges, self._totals.below_sums(survey["least"], finite), self._inner.below_sums(survey["least"], finite)

    def carries_gradient(self, item: Expression) -> bool:
        """Returns whether an expression inside a rule depends on the incoming gradients."""
        waiting, seen = [item], {item}
        while waiting:
            item = waiting.pop()
            if self.totals[item]:
                return True
            if item.application not in self._lowered.owners:
                new = [source for source in inputs_of(item.application) if source not in seen]
                seen.update(new)
                waiting += new
        return False

    def _edge_rows(self, edges: Iterable[Edge]) -> dict[Edge, TermRow]:
        ends = {edge: before_moves(self._backward.edges[edge])[0] for edge in edges}
        return {
            edge: TermRow(end, differentiable_inputs(end.application), share_of_products(end))
            for edge, end in ends.items()
            if end.application.type.sums_products
        }

    def _total_rows(self, items: Iterable[Expression]) -> dict[Expression, TermRow]:
        # If an error hides an expression's gradient, some parts are known, but no total.
        totals, edges = self._backward.totals, self._backward.edges
        known = [item for item in items if item in totals and item not in self.seeds]
        parts = {item: [edges[edge] for edge in self.arriving.get(item, ())] for item in known}
        return {
            item: TermRow(totals[item], found, lossy_share(item.dtype))
            for item, found in parts.items()
            if len(found) > 1
        }

    def _inner_rows(self, steps: Iterable[Application]) -> dict[Application, TermRow]:
        inner = [step for step in steps if self._is_inner(step)]
        return {step: TermRow(step.outputs[0], inputs_of(step), lossy_share(step.outputs[0].dtype)) for step in inner}

    def _is_inner(self, step: Application) -> bool:
        if step in self._lowered.owners or not adds_gradients(step, self._slots) or not _is_of_floats(step):
            return False
        # Sums over the wires of a port lie between rules and are judged separately.
        return not any(self.totals[output] and not self.parts[output] for output in step.outputs)


class _Bounds(Generic[_Key]):
    """Sums with their operands: products of factors, or terms. `rows` maps keys to rows."""

    def __init__(self, slots: Mapping[Expression, int], rows: Mapping[_Key, TermRow]) -> None:
        self._slots = slots
        self.rows = {key: row for row, key in enumerate(rows)}
        self._keys = list(rows)
        self._sums = np.array([slots[row.total] for row in rows.values()], np.intp)
        wholes = (counts_as_whole(row.total.spec.size, row.total.dtype) for row in rows.values())
        self._is_whole = np.array(list(wholes), bool)
        self._shares = np.array([row.share for row in rows.values()])
        self._terms = np.array([slots[item] for row in rows.values() for item in row.operands], np.intp)
        # Factors by which norms of lone operands bound their sums; products of norms need none.
        roots = [
            math.sqrt(item.spec.size) if len(row.operands) == 1 else 1.0
            for row in rows.values()
            for item in row.operands
        ]
        self._lone_roots = np.array(roots)
        self._lengths = np.array([len(row.operands) for row in rows.values()], np.intp)

    def exchange(self, gone: Iterable[_Key], rows: Mapping[_Key, TermRow]) -> None:
        """Removes some rows, if they exist, and appends new ones."""
        for key in gone:
            row = self.rows.pop(key, None)
            if row is not None:
                self._shares[row] = 0
        if rows:
            new = _Bounds(self._slots, rows)
            self.rows |= {key: len(self._keys) + row for key, row in new.rows.items()}
            self._keys += new._keys
            for name in ("_sums", "_is_whole", "_shares", "_terms", "_lone_roots", "_lengths"):
                setattr(self, name, np.concatenate([getattr(self, name), getattr(new, name)]))

    def below_products(self, largest: Array, norms: Array) -> set[_Key]:
        """Returns the keys whose sum may be small beside its terms; by Cauchy and Schwarz."""
        # Factor 2, because the bound itself is rounded.
        return self._below(largest[self._sums] / 2, norms[self._terms] * self._lone_roots, np.multiply)

    def below_sums(self, least: Array, largest: Array) -> set[_Key]:
        """Returns the keys whose sum may be small beside its terms: in any element, or in all of a large sum."""
        sums = np.where(self._is_whole, largest[self._sums], least[self._sums])
        return self._below(sums / 2, largest[self._terms], np.add)

    def _below(self, sums: Array, sizes: Array, combine: np.ufunc) -> set[_Key]:
        rows = np.flatnonzero(self._lengths)
        if not len(rows):
            return set()
        starts = np.cumsum(np.append(0, self._lengths[rows][:-1]))
        with np.errstate(all="ignore"):
            bounds = self._shares[rows] * combine.reduceat(sizes, starts)
            found = rows[(sums[rows] <= bounds) & (bounds > 0)].tolist()
        return {self._keys[row] for row in found}


def before_moves(part: Expression) -> tuple[Expression, list[Application]]:
    """Returns the expression before all steps that only move elements, and these steps, last one first."""
    moves = []
    while (before := _moved_input(part.application)) is not None:
        moves.append(part.application)
        part = before
    return part, moves


def _moved_input(application: Application) -> Expression | None:
    """Returns the input of a step that only moves its elements, to one output."""
    if not application.type.only_moves_data or len(application.outputs) > 1:
        return None
    moved = differentiable_inputs(application)
    return moved[0] if len(moved) == 1 else None


def _is_of_floats(application: Application) -> bool:
    return all(item.spec.is_differentiable for item in (*inputs_of(application), *application.outputs))


def share_of_products(end: Expression) -> float:
    """Returns the share of its terms below which the result of a step that sums products is looked at.

    Large products cost too much to be run again for anything else than rounding errors of this one step.
    """
    factors = differentiable_inputs(end.application)
    is_large = len(factors) > 1 and any(item.spec.size > LARGE for item in factors)
    return 8 * float(np.finfo(end.dtype).eps) if is_large else lossy_share(end.dtype)


def differentiable_inputs(application: Application) -> list[Expression]:
    """Returns the inputs that can have a gradient."""
    return [item for item in inputs_of(application) if item.spec.is_differentiable]


def inputs_of(application: Application) -> list[Expression]:
    """Returns the inputs that have a wire."""
    return [item for item in application.inputs if item is not None]
