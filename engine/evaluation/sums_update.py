"""The sums of a graph brought up to date after an edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from engine.expression import Application, Expression
from engine.gradients import Edge, source_of
from engine.lower import Lowered
from engine.plan import Plan
from engine.relower import Moves, Relowering
from engine.term_sums import Sums, before_moves

_Key = TypeVar("_Key")


class Recounting:
    """Sums that follow the moves of their graph; they are changed in place."""

    def __init__(self, sums: Sums, lowered: Lowered, plan: Plan) -> None:
        self._sums, self._backward, self._slots = sums, lowered.backward, plan.slots
        self._parts = dict(lowered.backward.edges)
        self._totals = dict(lowered.backward.totals)
        # The edges whose gradient a step makes, or moves about afterwards.
        self._made: dict[Application, dict[Edge, None]] = {}
        for edge, part in self._parts.items():
            self._note(edge, part)

    def follow(self, relowering: Relowering, moves: Moves, steps: Mapping[Application, bool]) -> None:
        """Brings the sums up to date after some moves; `steps` says of applications whether the plan has them now."""
        sums = self._sums
        sums.order, sums.places = relowering.order, relowering.places
        other = _exchange(self._parts, self._backward.edges, moves.edges, sums.parts)
        other |= _exchange(self._totals, self._backward.totals, moves.items, sums.totals)
        items = {**moves.items, **{source_of(edge): None for edge in moves.edges}}
        for item in items:
            sums.arriving[item] = relowering.edges_to(item)
        edges = dict(moves.edges)
        for application in steps:
            edges |= self._made.pop(application, {})
        for edge in edges:
            if edge in self._parts:
                self._note(edge, self._parts[edge])
        made = {item.application: True for item in other if item in self._slots}
        sums.renew(edges, items, made | dict(steps))

    def _note(self, edge: Edge, part: Expression) -> None:
        end, moves = before_moves(part)
        for application in (end.application, *moves):
            self._made.setdefault(application, {})[edge] = None


def _exchange(
    known: dict[_Key, Expression], now: Mapping[_Key, Expression], keys: Iterable[_Key], counts: Counter[Expression]
) -> set[Expression]:
    """Takes over what some keys have now; the expressions that are counted otherwise than before."""
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
