"""Executor that lays out a plan in one piece of memory and runs it repeatedly, whole or in part."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

import numpy as np

from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import Passes, Plan, Results, Step, call_into
from gradwire.engine.blocktypes.progress import BlockWatch
from gradwire.engine.executors.arena_survey import ArenaSurvey
from gradwire.engine.executors.chosen import Program, spread, survey
from gradwire.engine.executors.leading_elements import LeadingElements, Runs
from gradwire.engine.executors.memory_layout import NONE, memory_for
from gradwire.engine.executors.step_layout import StepLayout, at_work
from gradwire.engine.executors.step_table import CALLED, COUNT, FIRST
from gradwire.engine.executors.tracing import Recordings
from gradwire.engine.executors.ufunc_loops import contiguous, view_of

_Part = Callable[[], object]
# Number of changed sets of slots for which the arena caches its prepared work.
_KEPT = 16


class _GuardError(Exception):
    """Failure of an assumption under which the instructions of some steps were recorded."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__(rows)
        self.rows = rows


class Arena:
    """Arrays of all slots of a plan in one buffer of bytes, with the instructions that compute them.

    Arrays read from `results` change with the next run. The arena announces steps that may take long to `watch`.
    Arenas that share `recordings` trace each function once.
    Raises: BlockError where a step cannot be computed, from every method that runs.
    """

    def __init__(self, plan: Plan, watch: BlockWatch | None = None, recordings: Recordings | None = None) -> None:
        self._watch, self._laid = watch, StepLayout(plan, watch, recordings)
        self._places, self._table = self._laid.places, self._laid.table
        self._memory = memory_for(self._places.top)
        self._program = Program(self._memory)
        self._survey = ArenaSurvey(self._memory, self._places, survey)
        self._values: list[Array | None] = []
        self.results = Results(plan, self._values)
        self._settle(self._laid.order, [slot for slot, layout in enumerate(self._places.layouts) if layout != NONE])

    def run(self, changed: Mapping[int, Array]) -> None:
        """Copies arrays into source slots and runs all steps that depend on them.

        Raises: BlockError if a step fails.
        """
        for slot, array in changed.items():
            np.copyto(self._writable(slot), array, casting="no")
        self.results.passes = self.prepared(changed.keys()).timed()

    def prepared(self, slots: Set[int]) -> Work:
        """Returns the steps that depend on some slots, prepared to run after the caller has changed those slots."""
        key = frozenset(slots)
        if key not in self._prepared:
            if len(self._prepared) == _KEPT:
                del self._prepared[next(iter(self._prepared))]
            self._prepared[key] = self._work(*self._spread(slots))
        return self._prepared[key]

    def trial(self, slot: int) -> Trial:
        """Returns the array of a source to try other numbers in."""
        return Trial(self._writable(slot), self.prepared({slot}))

    def update(self, plan: Plan, gone: Sequence[int], added: Sequence[int]) -> bool:
        """Updates the arena incrementally to a new plan: lays out new steps and runs everything that depends on them.

        The new plan lacks the steps at the places `gone` of the old plan and adds those at its own places `added`. All
        other steps are the same, in the same order, and slots keep their numbers. Returns False if the memory is too
        small; the arena is then unusable.
        """
        left = {slot for place in gone for slot in self._laid.plan.steps[place].outputs}
        laid = self._laid.update(plan, gone, added)
        if self._places.top > len(self._memory):
            return False
        written = {slot for place in laid for slot in plan.steps[place].outputs}
        self._values = self._values.copy()
        self.results = Results(plan, self._values)
        for slot in left - written:
            self._values[slot] = None
        self._settle(np.array(laid, np.intp), written)
        return True

    def fits(self, slot: int, array: Array) -> bool:
        """Returns whether an array matches the memory layout of a slot."""
        layout = self._places.known[self._places.layouts[slot]]
        is_whole = layout.strides == contiguous(layout.shape, layout.dtype.itemsize)
        return is_whole and array.shape == layout.shape and array.dtype == layout.dtype

    def survey(self) -> Survey:
        """Returns statistics of the numbers in each slot; the next survey overwrites them."""
        return self._survey.read(self._values)

    def leading_elements(self, slots: Sequence[int], count: int) -> LeadingElements:
        """Returns where the first `count` elements of some slots lie."""
        return LeadingElements(self._memory, self._places, slots, count)

    def runs(self, slots: Sequence[int], count: int) -> Runs:
        """Returns where the first `count` elements of some contiguous slots of one dtype lie."""
        offsets, layouts = self._places.offsets, self._places.layouts
        dtype = self._places.known[layouts[slots[0]]].dtype
        return Runs(self._memory, dtype, [offsets[slot] for slot in slots], count)

    def dependent(self, slots: Set[int]) -> set[int]:
        """Returns the slots that depend on the given ones, including these."""
        return set(np.flatnonzero(self._spread(slots)[1]).tolist())

    def _settle(self, laid: Array, slots: Iterable[int]) -> None:
        """Writes all new layouts and instructions, then runs the new steps and everything that depends on them."""
        self._program.add(*self._laid.written(self._memory))
        values, places = self._values, self._places
        values.extend([None] * (len(places.offsets) - len(values)))
        frozen = self._memory.data.toreadonly()
        for slot in slots:
            shape, strides, dtype = places.known[places.layouts[slot]]
            values[slot] = np.ndarray(shape, dtype, frozen, places.offsets[slot], strides)
        self._prepared: dict[frozenset[int], Work] = {}
        self.results.passes = self._work(*self._spread((), laid)).timed()

    def _writable(self, slot: int) -> Array:
        return view_of(self._places.strided(slot), self._memory)

    def _spread(self, slots: Iterable[int], places: Sequence[int] | Array = ()) -> tuple[Array, Array]:
        """Returns masks of the steps and the slots that depend on some slots or on the steps at some places."""
        hit, marked = np.zeros(len(self._laid.order), bool), np.zeros(len(self._places.offsets), bool)
        hit[np.array(places, np.intp)], marked[list(slots)] = True, True
        spread(self._laid.order, self._table.rows, self._table.links, hit, marked)
        return hit, marked

    def _work(self, hit: Array, marked: Array) -> Work:
        places = np.flatnonzero(hit)
        rows, half = self._laid.order[places], int(np.searchsorted(places, self._laid.plan.forward))

        def passes() -> tuple[list[_Part], list[_Part]]:
            return self._parts(rows[:half]), self._parts(rows[half:])

        return Work(self._survey, marked, passes, self._always_call)

    def _always_call(self, rows: Iterable[int]) -> None:
        """Replaces the instructions of some steps by calls of their functions."""
        for row in rows:
            self._laid.called[row] = self._laid.guarded[row][0]
            self._table.rows[row, CALLED] = True

    def _parts(self, rows: Array) -> list[_Part]:
        """Returns the work of some steps: runs of instructions, split wherever Python must be called."""
        steps = self._table.rows.take(rows, axis=0)
        ends = np.cumsum(steps[:, COUNT])
        starts = steps[:, FIRST] - ends + steps[:, COUNT]
        chosen = np.repeat(starts, steps[:, COUNT]) + np.arange(ends[-1] if len(ends) else 0)
        parts: list[_Part] = []
        first = done = 0
        for index in np.flatnonzero(self._stands_alone(rows, steps)).tolist():
            before = ends[index] - steps[index, COUNT]
            parts += self._instructions(chosen[done:before]) + self._checks(rows[first:index])
            parts += self._alone(int(rows[index]), chosen[before : ends[index]])
            first, done = index, ends[index]
        return parts + self._instructions(chosen[done:]) + self._checks(rows[first:])

    def _checks(self, rows: Array) -> list[_Part]:
        """Returns the check of all guards among some steps, before anything but instructions reads their results."""
        guarded = [row for row in rows.tolist() if row in self._laid.guarded and row not in self._laid.called]
        found = [(row, offset) for row in guarded for offset in self._laid.guarded[row][1]]
        return [functools.partial(self._check, *map(np.array, zip(*found, strict=True)))] if found else []

    def _check(self, rows: Array, offsets: Array) -> None:
        fails = self._memory[offsets] == 0
        if fails.any():
            raise _GuardError(rows[fails].tolist())

    def _stands_alone(self, rows: Array, steps: Array) -> Array:
        """Returns a mask of the steps that run alone: they call Python, or the arena announces them."""
        called: Array = steps[:, CALLED] != 0
        return called | np.isin(rows, list(self._laid.watched)) if self._laid.watched else called

    def _alone(self, row: int, chosen: Array) -> list[_Part]:
        called = self._laid.called.get(row)
        parts: list[_Part] = [functools.partial(self._call, called)] if called else self._instructions(chosen)
        watched = self._laid.watched.get(row)
        return [functools.partial(self._run_watched, watched, part) for part in parts] if watched else parts

    def _run_watched(self, step: Step, part: _Part) -> None:
        with at_work(self._watch, step):
            part()

    def _instructions(self, chosen: Array) -> list[_Part]:
        return [self._program.only(chosen.astype(np.int32)).run] if len(chosen) else []

    def _call(self, step: Step) -> None:
        arguments = [None if slot is None else self._values[slot] for slot in step.inputs]
        call_into(step, arguments, map(self._writable, step.outputs))


class Trial:
    """Array of a source in an arena, with the forward steps that depend on it, for runs that leave no trace."""

    def __init__(self, array: Array, work: Work) -> None:
        self.array, self._kept, self._work = array, array.copy(), work

    def run(self) -> None:
        """Runs the forward steps with what stands in the array."""
        self._work.run_forward()

    def restore(self) -> None:
        """Brings the array and all that depends on it back to what they were, bit for bit."""
        self.array[...] = self._kept
        self.run()


class Work:
    """Steps that depend on some slots, prepared for repeated runs."""

    def __init__(
        self,
        seen: ArenaSurvey,
        written: Array,
        passes: Callable[[], tuple[list[_Part], list[_Part]]],
        always_call: Callable[[Iterable[int]], None],
    ) -> None:
        self._seen, self._written, self._passes, self._always_call = seen, written, passes, always_call
        self._forward, self._backward = passes()

    def run(self) -> None:
        """Runs both passes."""
        self._seen.written(self._written)
        self.run_forward()
        self._run_backward()

    def run_forward(self) -> None:
        """Runs the forward pass; statistics stay those of the last run."""
        try:
            for part in self._forward:
                part()
        except _GuardError as error:
            self._give_up(error)
            self.run_forward()

    def timed(self) -> Passes:
        """Runs both passes and returns how long each took."""
        self._seen.written(self._written)
        start = time.perf_counter()
        self.run_forward()
        middle = time.perf_counter()
        self._run_backward()
        return Passes(middle - start, time.perf_counter() - middle)

    def _run_backward(self) -> None:
        try:
            for part in self._backward:
                part()
        except _GuardError as error:
            self._give_up(error)
            self._run_backward()

    def _give_up(self, error: _GuardError) -> None:
        """Replaces instructions that do not hold by calls, from now on."""
        self._always_call(error.rows)
        self._forward, self._backward = self._passes()
