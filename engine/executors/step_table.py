"""Table of an arena's steps as numbers: their dependences and their instructions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.instructions import Pattern, Patterns
from gradwire.engine.executors.ufunc_loops import MAX_OPERANDS, Call, Loop

# Columns of a step: its first instruction and their number, a flag for calls of Python, and the ends of its ranges
# among all links, inputs before outputs.
FIRST, COUNT, CALLED, INPUTS, OUTPUTS, END, STEP_COLUMNS = range(7)
# Columns of an instruction before its offsets: loop, place in the table, number of operands, outer axes, dimensions.
_HEAD = 5


class StepTable:
    """One row for each step that was laid out, in that order; removed steps keep their rows."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self.rows = np.empty((0, STEP_COLUMNS), np.int32)
        self.links = np.empty(0, np.int32)
        self._instructions = 0
        # Steps added since the last call of `written`.
        self._kinds: list[int] = []
        self._linked: list[int] = []

    @property
    def count(self) -> int:
        """Number of steps."""
        return len(self.rows) + len(self._kinds)

    def add(self, pattern: Pattern, inputs: Iterable[int], outputs: Iterable[int]) -> None:
        """Adds a step that reads and writes these slots."""
        self._kinds.append(pattern.number)
        self._linked += inputs
        self._linked += outputs

    def written(self, offsets: Array) -> tuple[Array, list[Loop], Array]:
        """Returns the instructions of new steps: a table of sizes, the loops, and the rows.

        `offsets` has the places of the slots.
        """
        kinds, start = np.array(self._kinds, np.intp), self._instructions
        rows = self._numbered(kinds)
        self.rows, self.links = np.concatenate([self.rows, rows]), np.concatenate([self.links, self._new_links()])
        self._instructions += int(rows[:, COUNT].sum())
        found = np.zeros((self._instructions - start, _HEAD + MAX_OPERANDS), np.int64)
        batch = _Batch()
        order = np.argsort(kinds, kind="stable")
        for number, steps in zip(*_runs(kinds[order], rows[order]), strict=True):
            pattern = self._patterns.all[number]
            if pattern.calls:
                where = steps[:, FIRST, None] - start + np.arange(len(pattern.calls))
                found[where, :_HEAD] = [batch.head(call) for call in pattern.calls]
                found[where, _HEAD:] = pattern.offsets + self._bases(pattern, steps, offsets)[:, pattern.bases]
        self._kinds.clear()
        return np.array(batch.table, np.int64), list(batch.loops), found

    def _numbered(self, kinds: Array) -> Array:
        """Returns the rows of steps with these patterns."""
        known = [(len(item.calls), item.is_called, item.inputs, len(item.outputs)) for item in self._patterns.all]
        counts, called, inputs, outputs = np.array(known, np.int32).reshape(-1, 4)[kinds].T
        ends = len(self.links) + np.cumsum(inputs + outputs)
        firsts = self._instructions + np.cumsum(counts) - counts
        return np.stack([firsts, counts, called, ends - inputs - outputs, ends - outputs, ends], 1).astype(np.int32)

    def _new_links(self) -> Array:
        found = np.array(self._linked, np.int32)
        self._linked.clear()
        return found

    def _bases(self, pattern: Pattern, steps: Array, offsets: Array) -> Array:
        """Returns the offsets of all bases of some steps of one pattern."""
        found = np.zeros((len(steps), pattern.inputs + len(pattern.rooms) + 1), np.int64)
        found[:, : pattern.inputs] = offsets[self.links[steps[:, INPUTS, None] + np.arange(pattern.inputs)]]
        for column, (_, owner) in enumerate(pattern.rooms, pattern.inputs):
            found[:, column] = offsets[self.links[steps[:, OUTPUTS] + owner]] - pattern.outputs[owner].offset
        return found


def _runs(kinds: Array, rows: Array) -> tuple[Sequence[int], Sequence[Array]]:
    """Returns the distinct values of sorted numbers, and the rows that belong to each."""
    starts = starts_of_runs(kinds)
    return kinds[starts].tolist(), np.split(rows, starts)[1:]


class _Batch:
    """Loops and sizes shared by instructions that are written together."""

    def __init__(self) -> None:
        self.loops: dict[Loop, int] = {}
        self.table: list[int] = []
        self._places: dict[tuple[int, ...], int] = {}

    def head(self, call: Call) -> tuple[int, ...]:
        """Returns the columns of an instruction that are equal for all steps of a pattern."""
        if call.sizes not in self._places:
            self._places[call.sizes] = len(self.table)
            self.table += call.sizes
        loop = self.loops.setdefault(call.loop, len(self.loops))
        return loop, self._places[call.sizes], len(call.operands), call.rank, call.dimensions
