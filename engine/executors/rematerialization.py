"""Rematerialisation: a run keeps some large arrays (checkpoints) and computes the others again on demand."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gradwire.engine.base.array_statistics import Survey, as_numbers, as_survey, empty_survey
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import HeavyCalls, Passes, Plan, Results, Step, last_uses, result_of, run, run_step
from gradwire.engine.blocktypes.progress import BlockWatch
from gradwire.engine.executors.array_pool import ArrayPool
from gradwire.engine.executors.checkpoints import Checkpoints, checkpoints_of, large_slots
from gradwire.engine.executors.magnitudes import survey_of_run
from gradwire.engine.executors.plan_matching import matching_slots

# With very little room, graphs with many paths compute and drop the same arrays endlessly on the way to another one.
# After this many times the minimal number of steps, intermediate arrays are held until the wanted one exists.
_PATIENCE = 20


@dataclass(frozen=True)
class Keeping:
    """Memory policy of a run: keeps small arrays, and larger ones within a budget.

    Arrays up to `limit` stay, and of larger ones at most `budget` plus the inputs of a step. `look` receives each large
    array when it exists, with its row of a survey; its answer is cached. With `store` the budget is shared by all runs
    with the same store, and each may evict the arrays of the others.
    Units: bytes.
    """

    look: Callable[[Array, Survey], Any]  # Any: the caller defines the result of a look
    limit: int = 2**20
    budget: int = 2**28
    store: ArrayPool | None = None

    def covers(self, plan: Plan) -> bool:
        """Returns whether all large arrays of a plan may stay; with a shared store, whether there are none."""
        large = sum(large_slots(plan, self.limit).values())
        return large <= self.budget if self.store is None else not large


@dataclass
class _Frame:
    """Step that waits for some of its inputs; `held` are those available, and later its outputs."""

    step: Step
    waits: list[int]
    held: dict[int, Array] = field(default_factory=dict)

    def take(self, found: Mapping[int, Array]) -> None:
        """Moves available arrays from `waits` to `held`."""
        self.held |= {slot: found[slot] for slot in self.waits if slot in found}
        self.waits = [slot for slot in self.waits if slot not in found]


def run_within(
    plan: Plan, keeping: Keeping | None, watch: BlockWatch | None = None, before: Results | None = None
) -> Results:
    """Runs a plan and keeps no more large arrays than the policy allows; announces running steps to `watch`.

    Takes over equal arrays of the run `before`, which must then rematerialise them itself.
    """
    old = before.values if before is not None and isinstance(before.values, Rematerialization) else None
    if keeping is None or keeping.covers(plan):
        if old is not None:
            old.let_go()
        return run(plan, watch=watch)
    return Rematerialization(plan, keeping if old is None else old.keeping, watch, old).results


class Overlay(dict[int, Array | None]):
    """Mapping of slots to arrays that shadows some arrays of a run."""

    def __init__(self, below: Sequence[Array | None], above: Mapping[int, Array | None]) -> None:
        super().__init__(above)
        self._below = below

    def __missing__(self, slot: int) -> Array | None:
        return self._below[slot]


class Rematerialization(Sequence[Array | None]):
    """Arrays in the slots of a plan, which the constructor runs.

    Small arrays and those of sources stay. Of the others, checkpoints stay, and the most recently used stay while there
    is room; all others are rematerialised from these, bit for bit. A run that starts with the same store takes the room
    of the checkpoints; this run chooses new ones within the rest when it next rematerialises an array.
    """

    def __init__(
        self, plan: Plan, keeping: Keeping, watch: BlockWatch | None = None, before: Rematerialization | None = None
    ) -> None:
        self.failures: dict[Application, BlockError] = {}
        # Answers of `look` about large arrays, cached while the arrays are gone.
        self.seen: dict[int, Any] = {}
        store = keeping.store or ArrayPool(keeping.budget)
        # Memory policy for other runs beside this one.
        self.keeping = replace(keeping, store=store)
        self._plan, self._heavy = plan, HeavyCalls(watch)
        self._share, self._checkpoints = store.share(), Checkpoints()
        weakref.finalize(self, self._share.leave).atexit = False
        self._makers = {slot: place for place, step in enumerate(plan.steps) for slot in step.outputs}
        self._last_uses = last_uses([step.application for step in plan.steps], plan.slots)
        self._count = max(self._makers, default=-1) + 1
        self._known: set[int] = set()
        self._staying: dict[int, Array] = {}
        self._survey, self._stale = as_numbers(empty_survey(len(self))), set[int]()
        # A failed run may hold numbers that do not match its graph.
        taken = set() if before is None or before.failures else self._take_over(before)
        self._passes = self._run(
            place for place, step in enumerate(plan.steps) if not step.inputs or not taken.issuperset(step.outputs)
        )

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, slot: int) -> Array | None:  # type: ignore[override]  # nobody asks for a slice
        found = self._here(slot)
        return self._again(slot) if found is None and slot in self._known else found

    def __iter__(self) -> Iterator[Array | None]:
        # That of a Sequence ends with an IndexError, for which each look at a slot would have to check.
        return map(self.__getitem__, range(self._count))

    def __setitem__(self, slot: int, array: Array) -> None:
        self._known.add(slot)
        if self._place(slot, array):
            self._stale.add(slot)
        else:
            numbers = survey_of_run([array])
            self._survey[slot] = as_numbers(numbers)
            self.seen[slot] = self.keeping.look(array, numbers[0])

    @property
    def results(self) -> Results:
        """Results of the newest run."""
        return KeptResults(self._plan, self, self.failures, self._passes)

    @property
    def size(self) -> int:
        """Memory of large arrays, including those of runs with the same store.

        Units: bytes.
        """
        return self._share.size

    def has(self, slot: int) -> bool:
        """Returns whether a slot has an array, in memory or not."""
        return slot in self._known

    def stays(self, slot: int) -> bool:
        """Returns whether the array of a slot is permanently in memory: it is small, or the graph holds it."""
        return slot in self._staying

    def run(self, changed: Mapping[int, Array]) -> None:
        """Puts arrays into the slots of some sources, and runs all steps that depend on them.

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
        """Returns whether an array may be put into the slot of a source."""
        before = self._staying.get(slot)
        return before is not None and (before.shape, before.dtype) == (array.shape, array.dtype)

    def survey(self) -> Survey:
        """Returns statistics of the numbers in each slot; the next survey overwrites them."""
        stale = sorted(self._stale)
        self._survey[stale] = as_numbers(survey_of_run([self._staying[slot] for slot in stale]))
        self._stale.clear()
        return as_survey(self._survey)

    def let_go(self) -> None:
        """Drops all arrays that can be rematerialised, to make room."""
        self._share.drop_all()

    def _take_over(self, before: Rematerialization) -> set[int]:
        """Takes over arrays that another run computed equally; returns their slots.

        Views of sources' elements are computed again.
        """
        before.survey()
        taken = set()
        for slot, other in matching_slots(self._plan, before._plan).items():
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
        """Runs the steps at some places, in order."""
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
        """Tells the store that the graph holds these arrays anyway, so they take no extra memory."""
        for slot in step.outputs:
            for given in step.parameters.values():
                if isinstance(given, np.ndarray):
                    self._share.give(slot, given)

    def _dependent(self, slots: Iterable[int]) -> list[int]:
        """Returns the places of the steps that depend on some slots."""
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
        """Stores an array as small, checkpoint or evictable; returns whether it stays because it is small."""
        self._drop(slot)
        weight, limit = self._share.weight(array), self.keeping.limit
        if weight > limit:
            self._share.put(slot, array, slot in self._checkpoints.slots)
        else:
            self._staying[slot] = array
        return max(weight, array.nbytes) <= limit

    def _take_anchors(self) -> None:
        if not self._share.has_anchors:
            self._checkpoints = checkpoints_of(self._plan, self.keeping.limit, self._share.left)
            self._share.anchor(self._checkpoints.slots, self._checkpoints.size)

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
        """Rematerialises an array, and everything missing that it depends on, one step at a time.

        Source: Briggs, Cooper and Torczon, Rematerialization (1992). Cost: at first a step may run again for each of
        its readers, so that little is held; after `_PATIENCE` times the distinct steps all results are held. So it is
        O(distinct steps).
        """
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
        """Returns the number of distinct steps that rematerialise an array."""
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
        """Returns the step that makes a slot.

        It first waits for the input that takes longest, so that it holds little meanwhile.
        """
        step = self._plan.steps[self._makers[slot]]
        inputs = {item for item in step.inputs if item is not None}
        return _Frame(step, sorted(inputs, key=self._distance))

    def _distance(self, slot: int) -> tuple[bool, int, int]:
        return self._makers[slot] >= self._plan.forward, self._checkpoints.depths[slot], slot

    def _computed(self, frame: _Frame) -> dict[int, Array]:
        """Returns the outputs of a step; empty if it fails, which is recorded as a failure."""
        run_step(frame.step, frame.held, self.failures, self._heavy)
        made = {slot: frame.held[slot] for slot in frame.step.outputs if slot in frame.held}
        for slot, array in made.items():
            self._place(slot, array)
        return made


def known_survey(results: Results) -> Survey | None:
    """Returns statistics of a run's numbers, as far as they have been read already; None if not at all."""
    return results.values.survey() if isinstance(results.values, Rematerialization) else None


@dataclass
class KeptResults(Results):
    """Results whose arrays may be rematerialised on access."""

    values: Rematerialization

    def has(self, expression: Expression) -> bool:
        """Returns whether an expression has been computed."""
        return self.values.has(self.plan.slots[expression])

    def later(self, expression: Expression) -> Array | Callable[[], Array | None] | None:
        """Returns the array of an expression if it stays in memory, else a function that returns it."""
        slot = self.plan.slots[expression]
        is_here = self.values.stays(slot) or not self.values.has(slot)
        return self.values[slot] if is_here else lambda: self.values[slot]

    def stays(self, expression: Expression, /) -> bool:
        """Returns whether the array of an expression is permanently in memory."""
        return self.values.stays(self.plan.slots[expression])
