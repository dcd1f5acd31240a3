"""Incremental update of the sums in a graph's gradients after an edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.causes.term_sums import Sums, before_moves
from gradwire.engine.evaluation.lowered_diff import LoweredDiff
from gradwire.engine.evaluation.lowered_index import LoweredIndex

_Key = TypeVar("_Key")


class IncrementalSums:
    """Sums that follow the edits of their graph; they are changed in place."""

    def __init__(self, sums: Sums, lowered: Lowered, plan: Plan) -> None:
        self._sums, self._backward, self._slots = sums, lowered.backward, plan.slots
        self._parts = dict(lowered.backward.edges)
        self._totals = dict(lowered.backward.totals)
        # Edges whose gradients each step computes, or moves afterwards.
        self._made: dict[Application, dict[Edge, None]] = {}
        for edge, part in self._parts.items():
            self._note(edge, part)

    def update(self, index: LoweredIndex, diff: LoweredDiff, steps: Mapping[Application, bool]) -> None:
        """Updates the sums after an edit; `steps` says of applications whether the plan has them now.

        Costs O(n) in the edges and expressions of the difference.
        """
        sums = self._sums
        sums.order, sums.places = index.order, index.places
        other = _exchange(self._parts, self._backward.edges, diff.edges, sums.parts)
        other |= _exchange(self._totals, self._backward.totals, diff.items, sums.totals)
        items = {**diff.items, **{source_of(edge): None for edge in diff.edges}}
        for item in items:
            sums.arriving[item] = index.edges_to(item)
        edges = dict(diff.edges)
        for application in steps:
            edges |= self._made.pop(application, {})
        for edge in edges:
            if edge in self._parts:
                self._note(edge, self._parts[edge])
        made = dict.fromkeys((item.application for item in other), True)
        sums.renew(edges, items, made | dict(steps))

    def _note(self, edge: Edge, part: Expression) -> None:
        end, moves = before_moves(part)
        for application in (end.application, *moves):
            self._made.setdefault(application, {})[edge] = None


def _exchange(
    known: dict[_Key, Expression], now: Mapping[_Key, Expression], keys: Iterable[_Key], counts: Counter[Expression]
) -> set[Expression]:
    """Updates the values of some keys and the counts; returns the expressions whose counts change."""
    other: set[Expression] = set()
    for key in keys:
        before, after = known.pop(key, None), now.get(key)
        if after is not None:
            known[key] = after
            counts[after] += 1
        if before is not None:
            counts[before] -= 1
        if before is not after:
            other |= {item for item in (before, after) if item is not None}
    return other
