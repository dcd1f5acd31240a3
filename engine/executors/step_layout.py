"""Layout of a plan's steps in one piece of memory, and the instructions that compute them, without a run of any."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import NEVER_LIGHT, Plan, Step
from gradwire.engine.blocktypes.progress import BlockWatch
from gradwire.engine.executors.instructions import Patterns
from gradwire.engine.executors.memory_layout import NONE, MemoryLayout
from gradwire.engine.executors.step_table import INPUTS, OUTPUTS, StepTable
from gradwire.engine.executors.tracing import Recordings
from gradwire.engine.executors.ufunc_loops import Loop

_NOBODY = contextlib.nullcontext()
# Steps of at least this weight are announced before they run; for lighter ones the announcement costs too much. Units:
# bytes.
_WATCHED = 2**21


class StepLayout:
    """Places of all slots of a plan in one piece of memory, with the instructions of its steps.

    `order` has the row in `table` of each step. By their rows, `called` has the steps that call Python, `watched` those
    that are announced because they may take long, and `guarded` those whose instructions hold only if booleans at some
    offsets are true after them. Layouts that share `recordings` trace each function once.
    Raises: BlockError where a source cannot be computed.
    """

    def __init__(self, plan: Plan, watch: BlockWatch | None = None, recordings: Recordings | None = None) -> None:
        self.plan, self.places, self._watch = plan, MemoryLayout(), watch
        self._patterns = Patterns(self.places, recordings)
        self.table = StepTable(self._patterns)
        self.called: dict[int, Step] = {}
        self.watched: dict[int, Step] = {}
        self.guarded: dict[int, tuple[Step, Sequence[int]]] = {}
        self._reserve(plan.steps)
        for step in plan.steps:
            self._lay(step)
        self.order = np.arange(len(plan.steps), dtype=np.int32)

    def update(self, plan: Plan, gone: Sequence[int], added: Sequence[int]) -> list[int]:
        """Lays out new steps, and all whose slots move thereby; returns their places. See `Arena.update`."""
        before = np.array(added, np.intp) - np.arange(len(added))
        self.order = np.insert(np.delete(self.order, gone), before, NONE)
        self.plan = plan
        self._reserve(plan.steps[place] for place in added)
        return self._lay_again(added)

    def written(self, memory: Array) -> tuple[Array, list[Loop], Array]:
        """Copies constants into the memory; returns the instructions of new steps, as `StepTable.written` does."""
        self.places.fill(memory)
        return self.table.written(np.array(self.places.offsets))

    def _reserve(self, steps: Iterable[Step]) -> None:
        self.places.reserve(1 + max((slot for step in steps for slot in step.outputs), default=NONE))

    def _lay(self, step: Step) -> list[int]:
        """Allocates a step's outputs and adds the step to the table; returns the slots that have moved."""
        if not step.inputs:
            return self._lay_source(step)
        places, outputs = self.places, step.outputs
        with at_work(self._watch, step) if step.weight == NEVER_LIGHT else _NOBODY:
            pattern = self._patterns.of(step.application, step.inputs)
        inputs = [slot for slot in step.inputs if slot is not None]
        if pattern.is_called:
            self.called[self.table.count] = step
        if step.weight >= _WATCHED:
            self.watched[self.table.count] = step
        self.table.add(pattern, inputs, outputs)
        bases = [places.offsets[slot] for slot in inputs]
        bases += [places.room(outputs[owner], size) for size, owner in pattern.rooms]
        bases.append(0)
        if pattern.guards:
            self.guarded[self.table.count - 1] = step, [bases[base] + offset for base, offset in pattern.guards]
        return [
            slot
            for slot, (base, offset, layout, room) in zip(outputs, pattern.outputs, strict=True)
            if places.put(slot, bases[base] + offset, layout, room)
        ]

    def _lay_source(self, step: Step) -> list[int]:
        outcome = step.call(**step.parameters)
        arrays = outcome if isinstance(outcome, tuple) else (outcome,)
        self.table.add(self._patterns.of_source(len(step.outputs)), (), step.outputs)
        kept = zip(step.outputs, arrays, strict=True)
        return [slot for slot, array in kept if self.places.put(slot, *self.places.keep(np.asarray(array), slot))]

    def _lay_again(self, places: Sequence[int]) -> list[int]:
        """Lays out some steps and, transitively, the readers of slots that have moved; returns all their places."""
        pending, queued = list(places), set(places)
        heapify(pending)
        while pending:
            place = heappop(pending)
            moved = self._lay(self.plan.steps[place])
            self.order[place] = self.table.count - 1
            for other in self._readers(moved) if moved else ():
                if other not in queued:
                    queued.add(other)
                    heappush(pending, other)
        return sorted(queued)

    def _readers(self, slots: Sequence[int]) -> list[int]:
        """Returns the places of all steps that read some slots."""
        steps, links = self.table.rows, self.table.links
        found = np.flatnonzero(np.isin(links, slots))
        rows = np.searchsorted(steps[:, INPUTS], found, "right") - 1
        readers = rows[found < steps[rows, OUTPUTS]]
        places: list[int] = np.flatnonzero(np.isin(self.order, readers)).tolist()
        return places


def at_work(watch: BlockWatch | None, step: Step) -> contextlib.AbstractContextManager[None]:
    """Returns a context that announces a step."""
    return _NOBODY if watch is None else watch.at_work(step.application)
