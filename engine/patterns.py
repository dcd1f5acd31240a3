"""Steps as instructions: what one function does with inputs of certain layouts is worked out once for all steps."""

from __future__ import annotations

from array import array as numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.expression import Application
from engine.loops import MAX_OPERANDS, Call, Loop, Strided, contiguous
from engine.places import Layout, Places, rounded
from engine.recording import Recording, recorded
from engine.tensor_spec import Array

# Columns of an instruction: loop, place in the table, number of operands, of outer axes, of dimensions, offsets.
COLUMNS = 5 + MAX_OPERANDS


class Output(NamedTuple):
    """Where an output of a step lies: so far from a base. `room` is the size of the base if the output owns it."""

    base: int
    offset: int
    layout: int
    room: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """What all steps have in common that apply one function to inputs of the same layouts.

    The `width` bases of a step are its first instruction, where its inputs are and the buffers that it gets, and
    0. A buffer in `rooms` has a size, and the output that owns it. What no loop can do Python `is_called` for.
    """

    calls: tuple[Call, ...]
    width: int
    bases: Array
    offsets: Array
    rooms: tuple[tuple[int, int], ...]
    outputs: tuple[Output, ...]
    is_called: bool


class Patterns:
    """Patterns by what they depend on: a graph applies few functions to few layouts, again and again."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[Any, Pattern] = {}  # Any: types, layouts and parameters
        self._scratch = self._scratch_size = 0

    def of(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        """The pattern of an application to the arrays in these slots."""
        layouts = self._places.layouts
        key: Any = (application.type, tuple([None if slot is None else layouts[slot] for slot in slots]))
        if application.parameters:
            items = tuple(application.parameters.items())
            try:
                hash(items)
            except TypeError:  # a list or an array among the parameters
                return self._made(application, slots)
            # 0.0, -0.0 and False are equal, and are not the same.
            key = (*key, items, repr(items))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(application, slots)
        return found

    def _made(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        inputs = [
            None if slot is None else self._places.strided(slot)._replace(buffer=number, offset=0)
            for number, slot in enumerate(slots)
        ]
        found = recorded(application, inputs)
        return self._pattern(_called(application) if found is None else found, inputs, found is None)

    def _pattern(self, recording: Recording, inputs: Sequence[Strided | None], is_called: bool) -> Pattern:
        kept = dict.fromkeys(item.buffer for item in recording.outputs if item.buffer >= len(inputs))
        own = [number for number in kept if number not in recording.constants]
        bases = {number: (1 + row, 0) for row, number in enumerate([*range(len(inputs)), *own])}
        nothing = 1 + len(bases)
        bases |= {number: (nothing, self._places.keep(array)[0]) for number, array in recording.constants.items()}
        bases |= {number: (nothing, offset) for number, offset in self._passing(recording, bases).items()}
        owners = [next(row for row, item in enumerate(recording.outputs) if item.buffer == number) for number in own]
        rooms = tuple((recording.sizes[number], owner) for number, owner in zip(own, owners, strict=True))
        outputs = [
            self._output(item, bases[item.buffer], rounded(recording.sizes[item.buffer]) if row in owners else 0)
            for row, item in enumerate(recording.outputs)
        ]
        rows = [_row(call, bases, nothing) for call in recording.calls]
        whole = np.array(rows, np.int64).reshape(len(rows), 2, MAX_OPERANDS)
        return Pattern(recording.calls, nothing + 1, whole[:, 0], whole[:, 1], rooms, tuple(outputs), is_called)

    def _passing(self, recording: Recording, placed: dict[int, tuple[int, int]]) -> dict[int, int]:
        """Where the buffers lie that nobody reads after the step: in scratch, which all steps share."""
        sizes = {number: rounded(size) for number, size in recording.sizes.items() if number not in placed}
        if sum(sizes.values()) > self._scratch_size:
            self._scratch_size = sum(sizes.values())
            self._scratch = self._places.take(self._scratch_size)
        ends = np.cumsum([self._scratch, *sizes.values()]).tolist()
        return dict(zip(sizes, ends, strict=False))

    def _output(self, item: Strided, base: tuple[int, int], room: int) -> Output:
        layout = self._places.number(Layout(item.shape, item.strides, item.dtype))
        return Output(base[0], base[1] + item.offset, layout, 0 if item.offset else room)


def _called(application: Application) -> Recording:
    """A recording of nothing but room for the outputs."""
    first = len(application.inputs)
    outputs = tuple(
        Strided(first + row, 0, item.shape, contiguous(item.shape, item.dtype.itemsize), item.dtype)
        for row, item in enumerate(application.outputs)
    )
    sizes = {item.buffer: item.dtype.itemsize * int(np.prod(item.shape, dtype=np.int64)) for item in outputs}
    return Recording((), sizes, {}, outputs)


def _row(call: Call, bases: dict[int, tuple[int, int]], nothing: int) -> list[int]:
    """Which base each operand has, and how far from it it lies."""
    found = [bases[item.buffer] for item in call.operands]
    spare = MAX_OPERANDS - len(found)
    offsets = [offset + item.offset for (_, offset), item in zip(found, call.operands, strict=True)]
    return [*(base for base, _ in found), *[nothing] * spare, *offsets, *[0] * spare]


class Batch:
    """Steps whose instructions are written together, those of one pattern in one go.

    `count` is the number of all instructions, those of earlier batches included.
    """

    def __init__(self) -> None:
        self.count = self._written = 0
        self._groups: dict[Pattern, numbers[int]] = {}

    def add(self, pattern: Pattern, bases: Iterable[int]) -> None:
        """The instructions of a step with these bases."""
        group = self._groups.get(pattern)
        if group is None:
            group = self._groups[pattern] = numbers("q")
        group.extend(bases)
        self.count += len(pattern.calls)

    def written(self) -> tuple[Array, list[Loop], Array]:
        """The table of sizes, the loops, and a row for each instruction since the last time."""
        loops: dict[Loop, int] = {}
        places: dict[tuple[int, ...], int] = {}
        table: list[int] = []
        rows = np.zeros((self.count - self._written, COLUMNS), np.int64)
        for pattern, group in self._groups.items():
            for call in pattern.calls:
                if call.sizes not in places:
                    places[call.sizes] = len(table)
                    table += call.sizes
            heads = [_head(call, loops, places) for call in pattern.calls]
            steps = np.array(group).reshape(-1, pattern.width)
            where = steps[:, :1] - self._written + np.arange(len(pattern.calls))
            rows[where, :5] = heads
            rows[where, 5:] = pattern.offsets + steps[:, pattern.bases]
        self._written = self.count
        self._groups.clear()
        return np.array(table, np.int64), list(loops), rows


def _head(call: Call, loops: dict[Loop, int], places: dict[tuple[int, ...], int]) -> tuple[int, ...]:
    """The columns of an instruction that are the same for all steps of a pattern."""
    loop = loops.setdefault(call.loop, len(loops))
    return loop, places[call.sizes], len(call.operands), call.rank, call.dimensions
