"""The arrays of a run of which not all are kept: a large one that is gone is computed again when it is asked for."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.anchors import Anchors, anchors_of, large_slots
from engine.errors import BlockError
from engine.expression import Application, Expression
from engine.plan import HeavyCalls, Passes, Plan, Results, Step, last_uses, result_of, run, run_step
from engine.store import Store
from engine.survey import Survey, as_numbers, as_survey, empty_survey, survey_of
from engine.tensor_spec import Array
from engine.twins import twins
from engine.watching import BlockWatch

# Where there is hardly any room, the same arrays are computed and dropped again and again on the way to another one,
# in graphs with many ways without end. After so many times the steps that would do, they are held until it is there.
_PATIENCE = 20


@dataclass(frozen=True)
class Keeping:
    """How much of a run is kept: arrays up to `limit`, and of larger ones not more than `budget` and what a step needs.

    `look` is given each large array while it is there, with its row of a survey; what it says stays known. With `store`
    the budget is that of all runs that have this one, and what they make is there for each other to be dropped.
    Units: bytes.
    """

    look: Callable[[Array, Survey], Any]  # Any: whoever looks knows at what
    limit: int = 2**20
    budget: int = 2**28
    store: Store | None = None

    def covers(self, plan: Plan) -> bool:
        """Whether all large arrays of a plan may stay; beside another run that is so where there are none."""
        large = sum(large_slots(plan, self.limit).values())
        return large <= self.budget if self.store is None else not large


@dataclass
class _Frame:
    """A step that waits for some of its inputs; `held` are those that it has, and later its outputs."""

    step: Step
    waits: list[int]
    held: dict[int, Array] = field(default_factory=dict)

    def take(self, found: Mapping[int, Array]) -> None:
        """Takes what it waits for."""
        self.held |= {slot: found[slot] for slot in self.waits if slot in found}
        self.waits = [slot for slot in self.waits if slot not in found]


def run_within(
    plan: Plan, keeping: Keeping | None, watch: BlockWatch | None = None, before: Results | None = None
) -> Results:
    """Runs a plan; of its large arrays no more is kept than there is room for. `watch` is told of steps at work.

    What a run `before` this one has computed alike is taken from there; that has to compute it again.
    """
    old = before.values if before is not None and isinstance(before.values, KeptValues) else None
    if keeping is None or keeping.covers(plan):
        if old is not None:
            old.let_go()
        return run(plan, watch=watch)
    return KeptValues(plan, keeping if old is None else old.keeping, watch, old).results


class Overlay(dict[int, Array | None]):
    """Arrays that stand in place of some of a run's."""

    def __init__(self, below: Sequence[Array | None], above: Mapping[int, Array | None]) -> None:
        super().__init__(above)
        self._below = below

    def __missing__(self, slot: int) -> Array | None:
        return self._below[slot]


class KeptValues(Sequence[Array | None]):
    """The arrays in the slots of a plan, which is run at once.

    Small arrays and those of sources stay. Of the others some stay as anchors, and those that were used last as long
    as there is room; what is gone is computed again from these, with the same result. A run that starts beside this one
    takes the room of its anchors; what is left then it takes anew when something is computed again.
    """

    def __init__(
        self, plan: Plan, keeping: Keeping, watch: BlockWatch | None = None, before: KeptValues | None = None
    ) -> None:
        self.failures: dict[Application, BlockError] = {}
        # What was said of large arrays while they were there.
        self.seen: dict[int, Any] = {}
        store = keeping.store or Store(keeping.budget)
        # What may be kept of another run as long as this one is there.
        self.keeping = replace(keeping, store=store)
        self._plan, self._heavy = plan, HeavyCalls(watch)
        self._share, self._anchors = store.share(), Anchors(frozenset(), {}, 0)
        weakref.finalize(self, self._share.leave).atexit = False
        self._makers = {slot: place for place, step in enumerate(plan.steps) for slot in step.outputs}
        self._last_uses = last_uses([step.application for step in plan.steps], plan.slots)
        self._count = max(self._makers, default=-1) + 1
        self._known: set[int] = set()
        self._staying: dict[int, Array] = {}
        self._survey, self._stale = as_numbers(empty_survey(len(self))), set[int]()
        # A run that failed may hold other numbers than its graph says.
        taken = set() if before is None or before.failures else self._take_over(before)
        self._passes = self._run(
            place for place, step in enumerate(plan.steps) if not step.inputs or not taken.issuperset(step.outputs)
        )

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, slot: int) -> Array | None:  # type: ignore[override]  # nobody takes several at once
        found = self._here(slot)
        return self._again(slot) if found is None and slot in self._known else found

    def __setitem__(self, slot: int, array: Array) -> None:
        self._known.add(slot)
        if self._place(slot, array):
            self._stale.add(slot)
        else:
            numbers = survey_of([array])
            self._survey[slot] = as_numbers(numbers)
            self.seen[slot] = self.keeping.look(array, numbers[0])

    @property
    def results(self) -> Results:
        """The results of the newest run."""
        return KeptResults(self._plan, self, self.failures, self._passes)

    @property
    def size(self) -> int:
        """The memory that large arrays take, with those of the runs beside this one.

        Units: bytes.
        """
        return self._share.size

    def has(self, slot: int) -> bool:
        """Whether a slot has an array, be it here or not."""
        return slot in self._known

    def stays(self, slot: int) -> bool:
        """Whether the array of a slot is here for good: it is small, or the graph holds it."""
        return slot in self._staying

    def run(self, changed: Mapping[int, Array]) -> None:
        """Puts arrays into the slots of some sources, and runs all that depends on them.

        Raises: BlockError if a step fails, also one of the first run.
        """
        for slot, array in changed.items():
            self._drop(slot)
            self._share.give(slot, array)
            self[slot] = result_of(array)
        self._passes = self._run(self._dependent(changed))
        for error in self.failures.values():
            raise error

    def fits(self, slot: int, array: Array) -> bool:
        """Whether an array may be put into the slot of a source."""
        before = self._staying.get(slot)
        return before is not None and (before.shape, before.dtype) == (array.shape, array.dtype)

    def survey(self) -> Survey:
        """What the numbers in each slot are like now; it changes with the next survey."""
        stale = sorted(self._stale)
        self._survey[stale] = as_numbers(survey_of([self._staying[slot] for slot in stale]))
        self._stale.clear()
        return as_survey(self._survey)

    def let_go(self) -> None:
        """Gives up what can be computed again: something else needs the room."""
        self._share.drop_all()

    def _take_over(self, before: KeptValues) -> set[int]:
        """Takes what another run has computed alike; gives the slots. What shows elements of sources is made anew."""
        before.survey()
        taken = set()
        for slot, other in twins(self._plan, before._plan).items():
            array = before._staying.get(other)
            if before.has(other) and (array is None or self._share.weight(array)):
                taken.add(slot)
                self._survey[slot] = before._survey[other]
                if other in before.seen:
                    self.seen[slot] = before.seen[other]
                if array is not None:
                    self._staying[slot] = array
                self._share.take_over(slot, before._share, other)
        self._known |= taken
        return taken

    def _run(self, places: Iterable[int]) -> Passes:
        """Runs the steps at some places, from the first to the last."""
        self._take_anchors()
        places = list(places)
        for place in places:
            for slot in self._plan.steps[place].outputs:
                self._forget(slot)
        start = time.perf_counter()
        self._run_steps(place for place in places if place < self._plan.forward)
        middle = time.perf_counter()
        self._run_steps(place for place in places if place >= self._plan.forward)
        return Passes(middle - start, time.perf_counter() - middle)

    def _run_steps(self, places: Iterable[int]) -> None:
        with np.errstate(all="ignore"):
            for place in places:
                step = self._plan.steps[place]
                if not step.inputs:
                    self._note_source(step)
                run_step(step, self, self.failures, self._heavy)
                for slot in self._last_uses.get(place, ()):
                    self._share.pass_by(slot)

    def _note_source(self, step: Step) -> None:
        """What the graph holds takes no more memory."""
        for slot in step.outputs:
            for given in step.parameters.values():
                if isinstance(given, np.ndarray):
                    self._share.give(slot, given)

    def _dependent(self, slots: Iterable[int]) -> list[int]:
        """The places of the steps that read some slots, or what depends on them."""
        reached, places = set(slots), []
        for place, step in enumerate(self._plan.steps):
            if not reached.isdisjoint(step.inputs):
                reached.update(step.outputs)
                places.append(place)
        return places

    def _here(self, slot: int) -> Array | None:
        found = self._staying.get(slot)
        return self._share.get(slot) if found is None else found

    def _place(self, slot: int, array: Array) -> bool:
        """Puts an array where it belongs; whether it stays because it is small."""
        self._drop(slot)
        weight, limit = self._share.weight(array), self.keeping.limit
        if weight > limit:
            self._share.put(slot, array, slot in self._anchors.slots)
        else:
            self._staying[slot] = array
        return max(weight, array.nbytes) <= limit

    def _take_anchors(self) -> None:
        if not self._share.has_anchors:
            self._anchors = anchors_of(self._plan, self.keeping.limit, self._share.left)
            self._share.anchor(self._anchors.slots, self._anchors.size)

    def _drop(self, slot: int) -> None:
        self._staying.pop(slot, None)
        self._share.drop(slot)

    def _forget(self, slot: int) -> None:
        self._drop(slot)
        self._known.discard(slot)
        self._stale.discard(slot)
        self.seen.pop(slot, None)
        self._survey[slot] = np.nan

    def _again(self, slot: int) -> Array | None:
        """Computes an array once more, and whatever it is made of that is not there: one after the other."""
        self._take_anchors()
        waiting, held, patience = [self._frame(slot)], dict[int, Array](), _PATIENCE * self._distance_in_steps(slot)
        with np.errstate(all="ignore"):
            while True:
                frame = waiting[-1]
                while frame.waits and (array := held.get(frame.waits[-1], self._here(frame.waits[-1]))) is not None:
                    frame.take({frame.waits[-1]: array})
                if frame.waits:
                    waiting.append(self._frame(frame.waits[-1]))
                    continue
                made = self._computed(waiting.pop())
                if not made or not waiting:
                    return made.get(slot)
                waiting[-1].take(made)
                patience -= 1
                if patience < 0:
                    held |= made

    def _distance_in_steps(self, slot: int) -> int:
        """How many steps it takes to compute an array once more, if each is taken once."""
        steps, waiting = set[int](), [slot]
        while waiting:
            place = self._makers[waiting.pop()]
            if place not in steps:
                steps.add(place)
                inputs = self._plan.steps[place].inputs
                waiting += [item for item in inputs if item is not None and not self._is_here(item)]
        return len(steps)

    def _is_here(self, slot: int) -> bool:
        return slot in self._share or slot in self._staying

    def _frame(self, slot: int) -> _Frame:
        """The step that makes a slot; it waits first for what takes longest, so that it holds little meanwhile."""
        step = self._plan.steps[self._makers[slot]]
        inputs = {item for item in step.inputs if item is not None}
        return _Frame(step, sorted(inputs, key=self._distance))

    def _distance(self, slot: int) -> tuple[bool, int, int]:
        return self._makers[slot] >= self._plan.forward, self._anchors.depths[slot], slot

    def _computed(self, frame: _Frame) -> dict[int, Array]:
        """The outputs of a step; none if it fails, which is a failure as at first."""
        run_step(frame.step, frame.held, self.failures, self._heavy)
        made = {slot: frame.held[slot] for slot in frame.step.outputs if slot in frame.held}
        for slot, array in made.items():
            self._place(slot, array)
        return made


def known_survey(results: Results) -> Survey | None:
    """What the numbers of a run are like, as far as somebody has looked at them; None if nobody has."""
    return results.values.survey() if isinstance(results.values, KeptValues) else None


@dataclass
class KeptResults(Results):
    """Results whose arrays are there when they are asked for."""

    values: KeptValues

    def has(self, expression: Expression) -> bool:
        """Whether an expression has been computed."""
        return self.values.has(self.plan.slots[expression])

    def later(self, expression: Expression) -> Array | Callable[[], Array | None] | None:
        """The array of an expression if it stays, or what gives it when it is wanted."""
        slot = self.plan.slots[expression]
        is_here = self.values.stays(slot) or not self.values.has(slot)
        return self.values[slot] if is_here else lambda: self.values[slot]

    def stays(self, expression: Expression, /) -> bool:
        """Whether there is room for the array of an expression."""
        return self.values.stays(self.plan.slots[expression])
