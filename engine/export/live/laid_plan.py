"""One plan as instructions over one piece of memory, with the numbers that it starts from."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.executors.memory_layout import memory_for
from gradwire.engine.executors.step_layout import StepLayout
from gradwire.engine.executors.step_table import COUNT
from gradwire.engine.executors.ufunc_loops import view_of
from gradwire.engine.export.live.loops import TOTAL, PlayableRecordings, dtype_name, loop_key

# Offset, shape, strides, dtype. Units: bytes.
View = tuple[int, tuple[int, ...], tuple[int, ...], str]
Row = tuple[object, ...]


class LaidPlan:
    """The instructions of a plan that has been run: what only Python computes stands in the memory as the run found it.

    `values` has the arrays of the slots, None for those that could not be computed.
    """

    def __init__(self, plan: Plan, values: Sequence[Array | None], recordings: PlayableRecordings) -> None:
        self._plan, self._values = plan, values
        self._laid = StepLayout(self._plan, recordings=recordings)
        memory = memory_for(self._laid.places.top)
        table, loops, rows = self._laid.written(memory)
        self._table, self._rows = table.tolist(), rows.tolist()
        self.loops = [loop_key(loop) for loop in loops]
        self.called = list(self._laid.called.values())
        # The number of instructions of each step.
        self.counts: list[int] = self._laid.table.rows[:, COUNT].tolist()
        self._keep(memory)
        self.memory = memory[: self._laid.places.top].tobytes()

    def _keep(self, memory: Array) -> None:
        for slot in self.frozen:
            found = self._values[slot]
            if found is not None:
                np.copyto(view_of(self._laid.places.strided(slot), memory), found)

    @property
    def size(self) -> int:
        """Size of the memory. Units: bytes."""
        return self._laid.places.top

    def view(self, slot: int) -> View:
        """Returns where the array of a slot lies."""
        _, offset, shape, strides, dtype = self._laid.places.strided(slot)
        return int(offset), tuple(map(int, shape)), tuple(map(int, strides)), dtype_name(dtype)

    def rows(self, numbers: Mapping[tuple[str, ...], int]) -> list[Row]:
        """Returns the instructions: loop, its sizes and strides, operands, outer axes, dimensions, offsets."""
        found: list[Row] = []
        for loop, start, count, rank, dimensions, *offsets in self._rows:
            key = self.loops[loop]
            length = rank * (1 + count) + _inner_length(key[0], dimensions, count)
            sizes = tuple(self._table[start : start + length])
            found.append((numbers[key], sizes, count, rank, dimensions, *offsets[:count]))
        return found

    @functools.cached_property
    def guards(self) -> list[tuple[int, frozenset[int]]]:
        """Offsets of booleans that are true if instructions hold, each with the slots that depend on them."""
        return [
            (offset, self.reached(step.outputs)) for step, offsets in self._laid.guarded.values() for offset in offsets
        ]

    @functools.cached_property
    def frozen(self) -> frozenset[int]:
        """Slots whose numbers only Python can compute anew."""
        return frozenset(slot for step in self.called for slot in step.outputs)

    @functools.cached_property
    def behind_python(self) -> frozenset[int]:
        """Slots that depend on frozen ones, and these."""
        return self.reached(self.frozen)

    def reached(self, slots: Iterable[int]) -> frozenset[int]:
        """Returns the slots that depend on some, and these."""
        found = set(slots)
        for step in self._plan.steps if found else ():
            if not found.isdisjoint(step.inputs):
                found.update(step.outputs)
        return frozenset(found)

    def freezes(self, slots: Set[int]) -> bool:
        """Returns whether what only Python computes depends on some slots."""
        return not self.frozen.isdisjoint(self.reached(slots))


def _inner_length(name: str, dimensions: int, count: int) -> int:
    """Returns how many numbers of the table follow the outer axes of an instruction."""
    inner = {1: count, 2: count + 1, 3: 2 * (count - 1), 4: 9}[dimensions]
    return dimensions + (count if name.endswith(TOTAL) else inner)
