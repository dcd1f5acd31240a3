"""Plan for training: computes expressions repeatedly and keeps only the requested ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from gradwire.engine.base.errors import DtypeError, ShapeError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.blocktypes.primitives import Constant
from gradwire.engine.executors.ufunc_loops import Strided
from gradwire.engine.step_compiler.call_list import CallList
from gradwire.engine.step_compiler.common_subexpressions import drop_duplicates, eliminate_dead_code
from gradwire.engine.step_compiler.tiled_arena import TiledArena


class TrainingPlan:
    """Repeated computation of the expressions in `keep`, and of `updates` of sources for the next run.

    All updates happen simultaneously, from the values before, and only when they are committed. `given` are constants
    that change between runs. Sums over all of a large tensor may differ by rounding
    from NumPy's, but have the same bits in every run on one machine, with one thread or several.
    """

    @collection_paused()
    def __init__(
        self,
        keep: Iterable[Expression],
        updates: Mapping[Expression, Expression] | None = None,
        threads: int = 1,
        given: Collection[Expression] = (),
    ) -> None:
        keep, updates = dict.fromkeys(keep), updates or {}
        plan = make_plan([*keep, *updates, *updates.values()])
        calls = CallList(plan)
        sources = {item: slot for item, slot in plan.slots.items() if not item.application.inputs}
        known = {*updates, *given}
        changing = [item for item in sources if item in known or item.application.type is not Constant]
        drop_duplicates(calls, {calls.places[sources[item]].buffer for item in changing})
        places = {expression: calls.places[slot] for expression, slot in plan.slots.items()}
        self._sources = {item: places[item] for item in changing}
        moved = {places[target].buffer for target in updates}

        def safe(item: Expression) -> Strided:
            return calls.copied(places[item]) if places[item].buffer in moved else places[item]

        self._kept = {item: safe(item) for item in keep}
        self._news = {target: safe(new) for target, new in updates.items()}
        kept = {place.buffer for place in (*self._kept.values(), *self._news.values())}
        eliminate_dead_code(calls, kept)
        copies = [call for target, new in self._news.items() for call in calls.copying(new, places[target])]
        self._arena = TiledArena(calls, kept, threads, copies)

    @property
    def bytes(self) -> int:
        """Total memory of all tensors. Units: bytes."""
        return self._arena.bytes

    def __getitem__(self, expression: Expression) -> Array:
        """Returns the array of a kept expression, a view of memory that the next run overwrites."""
        return self._arena.array(self._kept[expression])

    def has_source(self, expression: Expression) -> bool:
        """Returns whether anything here is computed from this source."""
        return expression in self._sources

    def update_of(self, expression: Expression) -> Array:
        """Returns the array that a source gets with the next commit."""
        return self._arena.array(self._news[expression])

    def source(self, expression: Expression) -> Array:
        """Returns the current array of a source."""
        return self._arena.array(self._sources[expression])

    def put(self, expression: Expression, array: Array) -> None:
        """Gives a source, but no Constant, another array.

        Raises: ShapeError or DtypeError if it differs from the one before in shape or dtype.
        """
        if array.shape != expression.shape:
            raise ShapeError(f"its shape is {list(array.shape)}, and it has to stay {list(expression.shape)}")
        if array.dtype != expression.dtype:
            raise DtypeError(f"its dtype is {spec_of(array)}, and it has to stay {expression.spec}")
        np.copyto(self.source(expression), array)

    def compute(self) -> None:
        """Computes everything once; the sources stay as they are.

        Raises: BlockError if a step fails.
        """
        self._arena.run()

    def commit(self) -> None:
        """Gives the sources the values that were computed for them."""
        self._arena.commit()

    def run(self) -> None:
        """Computes everything once and gives the sources their new values.

        Raises: BlockError if a step fails.
        """
        self._arena.run()
        self._arena.commit()
