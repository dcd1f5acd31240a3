"""One step of a plan of training, laid out for a page: its instructions, and where each of its numbers lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.export.live.drawn import DrawnNumbers
from gradwire.engine.export.live.laid_plan import LaidPlan
from gradwire.engine.export.live.loops import DTYPES
from gradwire.engine.export.live.variant import NOTHING, Json, Numbers
from gradwire.engine.training.lowered_step import LoweredStep


class LaidStep:
    """A step with its instructions; `known` names the sources that a reader of the page can change.

    Raises: GradwireError if the step computes something that only Python can.
    """

    def __init__(self, lowered: LoweredStep, known: Set[str], metrics: Iterable[str], numbers: Numbers) -> None:
        self.lowered, self._numbers = lowered, numbers
        self._moved = {name: uses for name, uses in lowered.all_sources().items() if name in known}
        self._metrics = [lowered.port(name) for name in metrics]
        self._updates = lowered.updates
        loss = [] if lowered.loss is None else [lowered.loss]
        kept = [*loss, *lowered.gradients.values(), *self._metrics]
        plan = make_plan([*kept, *self._updates, *self._updates.values()])
        self._slots = plan.slots
        self.laid = LaidPlan(plan, run(plan).values, numbers.recordings)
        self._unknown = self._behind_python()
        self._check([*loss, *lowered.gradients.values(), *self._updates.values()])
        self.rows = self.laid.rows(numbers.of_loops(self.laid.loops))

    @property
    def writes(self) -> bool:
        """Whether the step changes a variable."""
        return bool(self._updates)

    def entries(self, drawn: DrawnNumbers) -> Json:
        """Returns the entries of the step in the document of a page."""
        lowered = self.lowered
        news = [lowered.moves[lowered.sources[name][0]] for name in lowered.gradients]
        results = [*lowered.gradients.values(), *lowered.assigned.values()]
        loss = [] if lowered.loss is None else [lowered.loss]
        checked = [] if lowered.is_measuring else [*loss, *results, *news]
        return {
            "loss": NOTHING if lowered.loss is None else self._view(lowered.loss),
            "tested": list(dict.fromkeys(self._view(item) for item in checked if item.spec.is_differentiable)),
            "guards": [offset for offset, _ in self.laid.guards],
            "updates": self._update_entries(),
            "scalars": [[name, self._view(item)] for (name, _), item in lowered.scalars.items() if self._has(item)],
            "uses": {name: self._views(uses) for name, uses in self._moved.items() if any(map(self._has, uses))},
            "written": list(dict.fromkeys([*lowered.gradients, *lowered.assigned])),
            "draws": list(self._draw_entries(drawn)),
            "metrics": [NOTHING if self._slots[item] in self._unknown else self._view(item) for item in self._metrics],
            "gradients": {name: self._view(item) for name, item in lowered.gradients.items()},
        }

    def _update_entries(self) -> list[list[object]]:
        """Returns the view of each new value with those of all places that it goes to."""
        found: dict[int, list[int]] = {}
        for target, new in self._updates.items():
            found.setdefault(self._view(new), []).append(self._view(target))
        return [[new, targets] for new, targets in found.items()]

    def _draw_entries(self, drawn: DrawnNumbers) -> Iterable[list[object]]:
        draws = self.lowered.draws
        for path, items in draws.numbers.items():
            if any(map(self._has, items)):
                views = [self._view(item) if self._has(item) else NOTHING for item in items]
                yield [*drawn.entry(path, draws.recipes[path]), views]

    def _behind_python(self) -> frozenset[int]:
        """Returns the slots that change from round to round, and that only Python can compute anew."""
        given = [*self.lowered.draws.sources, *self.lowered.scalars.values(), *self._updates]
        given += [use for uses in self._moved.values() for use in uses]
        changing = self.laid.reached(self._slots[item] for item in given if self._has(item))
        self._called = [step for step in self.laid.called if not changing.isdisjoint(step.inputs)]
        return self.laid.reached(slot for step in self._called for slot in step.outputs)

    def _check(self, needed: Sequence[Expression]) -> None:
        """Raises: GradwireError if a number that training needs is computed by Python alone."""
        odd = next((item for item in needed if item.dtype.name not in DTYPES), None)
        if odd is not None:
            raise GradwireError(f"Numbers of {odd.dtype.name} are for Gradwire alone, so training stays there.")
        if any(self._slots[item] in self._unknown for item in needed):
            owners = map(self.lowered.owner, (step.application for step in self._called))
            path = next(filter(None, owners), "a rule")
            raise GradwireError(f"{path}: It is computed by Gradwire alone, so training stays there.")

    def _has(self, item: Expression) -> bool:
        return item in self._slots

    def _view(self, item: Expression) -> int:
        return self._numbers.of_view(self.laid.view(self._slots[item]))

    def _views(self, items: Iterable[Expression]) -> list[int]:
        return [self._view(item) for item in items if self._has(item)]
