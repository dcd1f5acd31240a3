"""Expressions computed again and again with nothing kept but what is asked for: the plan that training runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from engine.call_list import CallList
from engine.duplicates import drop_duplicates, drop_unread
from engine.errors import DtypeError, ShapeError
from engine.expression import Expression
from engine.lean_arena import LeanArena
from engine.loops import Strided
from engine.plan import make_plan
from engine.primitives import Constant
from engine.tensor_spec import Array, spec_of


class LeanPlan:
    """Computes the expressions in `keep`, then puts what `updates` has for a source into its place for the next run.

    All updates are made at once, from what was there before. Sums over all of a large tensor may differ by rounding
    from those of NumPy, but have the same bits in every run, with one thread or several.
    """

    def __init__(
        self, keep: Iterable[Expression], updates: Mapping[Expression, Expression] | None = None, threads: int = 1
    ) -> None:
        keep, updates = dict.fromkeys(keep), updates or {}
        plan = make_plan([*keep, *updates, *updates.values()])
        calls = CallList(plan)
        sources = {item: slot for item, slot in plan.slots.items() if not item.application.inputs}
        changing = [item for item in sources if item in updates or item.application.type is not Constant]
        drop_duplicates(calls, {calls.places[sources[item]].buffer for item in changing})
        places = {expression: calls.places[slot] for expression, slot in plan.slots.items()}
        self._sources = {item: places[item] for item in changing}
        moved = {places[target].buffer for target in updates}

        def safe(item: Expression) -> Strided:
            return calls.copied(places[item]) if places[item].buffer in moved else places[item]

        self._kept = {item: safe(item) for item in keep}
        for target, new in [(target, safe(new)) for target, new in updates.items()]:
            calls.works += calls.copying(new, places[target])
        kept = {place.buffer for place in self._kept.values()}
        drop_unread(calls, kept | calls.contents.keys())
        self._arena = LeanArena(calls, kept, threads)

    @property
    def bytes(self) -> int:
        """How much memory all tensors take together."""
        return self._arena.bytes

    def __getitem__(self, expression: Expression) -> Array:
        """The array of a kept expression, over memory that the next run changes."""
        return self._arena.array(self._kept[expression])

    def source(self, expression: Expression) -> Array:
        """What stands in the place of a source now."""
        return self._arena.array(self._sources[expression])

    def put(self, expression: Expression, array: Array) -> None:
        """Gives a source, but no Constant, another array.

        Raises: ShapeError or DtypeError if it is not like the one before.
        """
        if array.shape != expression.shape:
            raise ShapeError(f"its shape is {list(array.shape)}, and it has to stay {list(expression.shape)}")
        if array.dtype != expression.dtype:
            raise DtypeError(f"its dtype is {spec_of(array)}, and it has to stay {expression.spec}")
        np.copyto(self.source(expression), array)

    def run(self) -> None:
        """Computes everything once.

        Raises: BlockError if a step fails.
        """
        self._arena.run()
