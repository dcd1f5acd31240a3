"""One step of a plan of training, compiled: loss, gradients, clipping, decay, rule and assignments."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Set
from typing import Any

import numpy as np

from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.norms import change_of, norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.graph.graph import Graph
from gradwire.engine.step_compiler.training_plan import TrainingPlan
from gradwire.engine.training.lowered_step import LoweredStep
from gradwire.engine.training.plan import Step
from gradwire.engine.training.round import Sizes


class CompiledStep:
    """Step of a plan with memory of its own for all tensors, the variables too.

    `ignored_stops` let gradients pass.
    `trained` names the variables that it trains, `assigned` those that it assigns; `updates` counts its updates.
    `memory` has the views of what its rule remembers, by variable; `batches` counts rows and batches by data block.
    Raises: GradwireError if the graph has an error, or no Loss where one is needed; NameUnknownError if a port in
    `watch` does not exist; ShapeError or DtypeError if a value to assign does not fit.
    """

    @collection_paused()
    def __init__(
        self,
        graph: Graph,
        step: Step,
        watch: Iterable[str] = (),
        threads: int = 1,
        ignored_stops: Set[str] = frozenset(),
        seed: int = 0,
    ) -> None:
        self.step = step
        self.lowered = lowered = LoweredStep(graph, step, ignored_stops, seed)
        self.sources = lowered.sources
        self.trained, self.assigned = tuple(lowered.gradients), tuple(step.assign)
        results = [*lowered.gradients.values(), *lowered.assigned.values()]
        loss = [] if lowered.loss is None else [lowered.loss]
        # A step that only measures writes nothing, so nothing needs to be kept out.
        flags = [] if lowered.is_measuring else _flags([*loss, *results])
        moved_flags = _flags(lowered.moves[self.sources[name][0]] for name in self.trained)
        watched = [lowered.port(name) for name in watch]
        totals = [total for total in map(lowered.total, watched) if total is not None]
        # What is kept decides how sums are cut, and so the bits: the same is kept in every run.
        keep = [*flags, *moved_flags, *watched, *totals, *loss, *lowered.gradients.values()]
        draws = lowered.draws
        self.plan = TrainingPlan(keep, lowered.updates, threads, [*lowered.scalars.values(), *draws.sources])
        draws.attach(self.plan)
        # Gives what changes with round and repetition its numbers.
        self.draw, self.batches = draws.draw, draws.facts
        self.updates = 0
        self._flags = [self.plan[flag] for flag in flags]
        self._moved_flags = [self.plan[flag] for flag in moved_flags]
        self._loss_view = None if lowered.loss is None else self.plan[lowered.loss]
        # Dual averaging has no use for decoupled decay: its new values do not depend on the old ones.
        used = [(name, item) for (name, _), item in lowered.scalars.items() if self.plan.has_source(item)]
        self._scalar_views = [(name, self.plan.source(item)) for name, item in used]
        self._given: tuple[float, int] | None = None
        self.memory = {
            name: [self.plan.source(item) for item in remembered] for name, remembered in lowered.memory.items()
        }

    @property
    def loss(self) -> Array | None:
        """Loss of the newest computation, a view; None for a step that only assigns."""
        return self._loss_view

    def compute(self, rate: float) -> bool:
        """Computes everything with a rate; returns whether loss, gradients and new values are finite.

        Raises: BlockError if a block fails.
        """
        if self._given != (rate, self.updates):
            self._given = rate, self.updates
            self._give_scalars(rate)
        self.plan.compute()
        return not any(self._flags) and not any(self._moved_flags)

    def commit(self) -> None:
        """Gives the variables their new values."""
        self.plan.commit()
        self.updates += 1

    def views(self, name: str) -> list[Array]:
        """Returns the current arrays of a source, one for each use; empty if nothing here needs it."""
        return [self.plan.source(use) for use in self.sources.get(name, ()) if self.plan.has_source(use)]

    def broken_variable(self) -> str | None:
        """Returns the first variable whose new value is not finite though loss and gradients are, or None."""
        if any(self._flags):
            return None
        news = ((name, self.plan.update_of(self.sources[name][0])) for name in self.trained)
        return next((name for name, array in news if not np.isfinite(array).all()), None)

    def sizes(self, names: Iterable[str] | None = None) -> dict[str, Sizes]:
        """Returns the sizes of gradient and step of some variables, None for all, before the commit."""
        found = {}
        for name in self.trained if names is None else [name for name in names if name in self.trained]:
            gradient, new, old = self._sized_views[name]
            found[name] = Sizes(norm_of(gradient), change_of(new, old) if old.any() else math.inf)
        return found

    @functools.cached_property
    def _sized_views(self) -> dict[str, tuple[Array, Array, Array]]:
        """Views of the gradient of each trained variable, of its new value and of its old one."""
        uses = ((name, gradient, self.sources[name][0]) for name, gradient in self.lowered.gradients.items())
        return {
            name: (self.plan[gradient], self.plan.update_of(use), self.plan.source(use)) for name, gradient, use in uses
        }

    def value(self, port: str) -> Array:
        """Returns the newest value of a watched port, a view."""
        return self.plan[self.lowered.port(port)]

    def gradient(self, port: str) -> Array:
        """Returns the newest gradient of a watched port; zeros if no path from the loss reaches it."""
        expression = self.lowered.port(port)
        total = self.lowered.total(expression)
        return np.zeros(expression.shape, expression.dtype) if total is None else self.plan[total]

    def _give_scalars(self, rate: float) -> None:
        given = self.lowered.coefficients(rate, self.updates) if self._scalar_views else {}
        for name, view in self._scalar_views:
            view[()] = given[name]


def _flags(checked: Iterable[Expression]) -> list[Expression]:
    """Returns a scalar for each dtype that is 0 if all elements are finite, else NaN: no other number times 0 is 0."""
    found: dict[np.dtype[Any], Expression] = {}
    for item in dict.fromkeys(checked):
        if item.spec.is_differentiable:
            zero = SumTo(item * 0.0, shape=())
            found[item.dtype] = found[item.dtype] + zero if item.dtype in found else zero
    return list(found.values())
