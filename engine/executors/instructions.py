"""Instruction patterns of steps: traced once per function and input layouts, and reused for all equal steps."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.executors.memory_layout import ALIGNMENT, NONE, ArrayLayout, MemoryLayout, rounded
from gradwire.engine.executors.tracing import Recording, Recordings, key_of
from gradwire.engine.executors.ufunc_loops import MAX_OPERANDS, Call, Strided, contiguous


class Output(NamedTuple):
    """Location of a step's output: a base and an offset. `room` is the size of the base if the output owns it."""

    base: int
    offset: int
    layout: int
    room: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """Instructions shared by all steps that apply one function to inputs of the same layouts.

    The bases of a step are its inputs, its own buffers, and the memory as a whole. `rooms` has the size of each of
    these buffers and the output that owns it. If loops cannot express the step, it `is_called` from Python. `guards`
    has the bases and offsets of booleans that are true if the instructions have replaced the function.
    """

    number: int
    calls: tuple[Call, ...]
    bases: Array
    offsets: Array
    inputs: int
    rooms: tuple[tuple[int, int], ...]
    outputs: tuple[Output, ...]
    is_called: bool
    guards: tuple[tuple[int, int], ...] = ()


class Patterns:
    """Cache of patterns: a graph applies few functions to few layouts, again and again."""

    def __init__(self, places: MemoryLayout, recordings: Recordings | None = None) -> None:
        self.all: list[Pattern] = []
        self._places = places
        self._recordings = Recordings() if recordings is None else recordings
        self._known: dict[Hashable, Pattern] = {}
        self._scratch = self._scratch_size = 0

    def of_source(self, outputs: int) -> Pattern:
        """Returns the pattern of steps without inputs, which never run again."""
        if outputs not in self._known:
            nothing = np.empty((0, MAX_OPERANDS), np.int64)
            output = Output(0, 0, NONE, 0)
            self._known[outputs] = self._new((), nothing, nothing, 0, (), (output,) * outputs, False)
        return self._known[outputs]

    def _new(self, *parts: Any) -> Pattern:  # Any: the fields of a pattern
        self.all.append(Pattern(len(self.all), *parts))
        return self.all[-1]

    def of(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        """Returns the pattern of an application to the arrays in these slots."""
        layouts = self._places.layouts
        inputs = tuple([None if slot is None else layouts[slot] for slot in slots])
        # The shapes of some outputs depend on the numbers of inputs.
        key = key_of(application, (inputs, tuple([item.spec for item in application.outputs])))
        if key is None:
            return self._made(application, slots)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(application, slots)
        return found

    def _made(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        inputs = [None if slot is None else self._places.strided(slot) for slot in slots]
        found = self._recordings.of(application, inputs)
        return self._pattern(_called(application) if found is None else found, inputs, found is None)

    def _pattern(self, recording: Recording, inputs: Sequence[Strided | None], is_called: bool) -> Pattern:
        given = [number for number, item in enumerate(inputs) if item is not None]
        kept = dict.fromkeys(item.buffer for item in recording.outputs if item.buffer >= len(inputs))
        own = [number for number in kept if number not in recording.constants]
        bases = {number: (row, 0) for row, number in enumerate([*given, *own])}
        whole = len(bases)
        bases |= {number: (whole, self._places.keep(array)[0]) for number, array in recording.constants.items()}
        # Guards lie behind the first output of their own: other steps use the scratch memory before they are read.
        first = rounded(recording.sizes[own[0]]) if own else 0
        ends = {item.buffer: first + ALIGNMENT * row for row, item in enumerate(recording.guards)}
        bases |= {number: (len(given), offset) for number, offset in ends.items()}
        bases |= {number: (whole, offset) for number, offset in self._passing(recording, bases).items()}
        owners = [next(row for row, item in enumerate(recording.outputs) if item.buffer == number) for number in own]
        sizes = {number: rounded(recording.sizes[number]) for number in own}
        if own:
            sizes[own[0]] += ALIGNMENT * len(ends)
        rooms = tuple((sizes[number], owner) for number, owner in zip(own, owners, strict=True))
        outputs = [
            self._output(item, bases[item.buffer], sizes[item.buffer] if row in owners else 0)
            for row, item in enumerate(recording.outputs)
        ]
        guards = tuple(bases[item.buffer] for item in recording.guards)
        rows = np.array([_row(call, bases, whole) for call in recording.calls], np.int64).reshape(-1, 2, MAX_OPERANDS)
        return self._new(recording.calls, rows[:, 0], rows[:, 1], len(given), rooms, tuple(outputs), is_called, guards)

    def _passing(self, recording: Recording, placed: dict[int, tuple[int, int]]) -> dict[int, int]:
        """Returns the offsets of temporary buffers, which lie in scratch memory that all steps share."""
        sizes = {number: rounded(size) for number, size in recording.sizes.items() if number not in placed}
        if sum(sizes.values()) > self._scratch_size:
            self._scratch_size = sum(sizes.values())
            self._scratch = self._places.take(self._scratch_size)
        ends = np.cumsum([self._scratch, *sizes.values()]).tolist()
        return dict(zip(sizes, ends, strict=False))

    def _output(self, item: Strided, base: tuple[int, int], room: int) -> Output:
        layout = self._places.number(ArrayLayout(item.shape, item.strides, item.dtype))
        return Output(base[0], base[1] + item.offset, layout, 0 if item.offset else room)


def _called(application: Application) -> Recording:
    """Returns a recording without calls, with buffers for the outputs."""
    first = len(application.inputs)
    outputs = tuple(
        Strided(first + row, 0, item.shape, contiguous(item.shape, item.dtype.itemsize), item.dtype)
        for row, item in enumerate(application.outputs)
    )
    sizes = {item.buffer: item.dtype.itemsize * int(np.prod(item.shape, dtype=np.int64)) for item in outputs}
    return Recording((), sizes, {}, outputs)


def _row(call: Call, bases: dict[int, tuple[int, int]], whole: int) -> list[int]:
    """Returns the base of each operand, and its offset from that base."""
    found = [bases[item.buffer] for item in call.operands]
    spare = MAX_OPERANDS - len(found)
    offsets = [offset + item.offset for (_, offset), item in zip(found, call.operands, strict=True)]
    return [*(base for base, _ in found), *[whole] * spare, *offsets, *[0] * spare]
