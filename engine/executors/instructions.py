"""Steps as instructions: what one function does with inputs of certain layouts is worked out once for all steps."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.expression import Application
from engine.loops import MAX_OPERANDS, Call, Strided, contiguous
from engine.places import NONE, Layout, Places, rounded
from engine.recording import Recording, key_of, recorded
from engine.tensor_spec import Array


class Output(NamedTuple):
    """Where an output of a step lies: so far from a base. `room` is the size of the base if the output owns it."""

    base: int
    offset: int
    layout: int
    room: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """What all steps have in common that apply one function to inputs of the same layouts.

    The bases of a step are those inputs that it has, the buffers that it gets, and the memory as a whole. `rooms` says
    of each of these buffers its size, and which output owns it. What no loop can do Python `is_called` for.
    """

    number: int
    calls: tuple[Call, ...]
    bases: Array
    offsets: Array
    inputs: int
    rooms: tuple[tuple[int, int], ...]
    outputs: tuple[Output, ...]
    is_called: bool


class Patterns:
    """Patterns by what they depend on: a graph applies few functions to few layouts, again and again."""

    def __init__(self, places: Places) -> None:
        self.all: list[Pattern] = []
        self._places = places
        self._known: dict[Hashable, Pattern] = {}
        self._scratch = self._scratch_size = 0

    def of_source(self, outputs: int) -> Pattern:
        """The pattern of steps without inputs, which are never run again."""
        if outputs not in self._known:
            nothing = np.empty((0, MAX_OPERANDS), np.int64)
            output = Output(0, 0, NONE, 0)
            self._known[outputs] = self._new((), nothing, nothing, 0, (), (output,) * outputs, False)
        return self._known[outputs]

    def _new(self, *parts: Any) -> Pattern:  # Any: as a pattern has them
        self.all.append(Pattern(len(self.all), *parts))
        return self.all[-1]

    def of(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        """The pattern of an application to the arrays in these slots."""
        layouts = self._places.layouts
        key = key_of(application, tuple([None if slot is None else layouts[slot] for slot in slots]))
        if key is None:
            return self._made(application, slots)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(application, slots)
        return found

    def _made(self, application: Application, slots: Sequence[int | None]) -> Pattern:
        inputs = [None if slot is None else self._places.strided(slot) for slot in slots]
        found = recorded(application, inputs)
        return self._pattern(_called(application) if found is None else found, inputs, found is None)

    def _pattern(self, recording: Recording, inputs: Sequence[Strided | None], is_called: bool) -> Pattern:
        given = [number for number, item in enumerate(inputs) if item is not None]
        kept = dict.fromkeys(item.buffer for item in recording.outputs if item.buffer >= len(inputs))
        own = [number for number in kept if number not in recording.constants]
        bases = {number: (row, 0) for row, number in enumerate([*given, *own])}
        whole = len(bases)
        bases |= {number: (whole, self._places.keep(array)[0]) for number, array in recording.constants.items()}
        bases |= {number: (whole, offset) for number, offset in self._passing(recording, bases).items()}
        owners = [next(row for row, item in enumerate(recording.outputs) if item.buffer == number) for number in own]
        rooms = tuple((rounded(recording.sizes[number]), owner) for number, owner in zip(own, owners, strict=True))
        outputs = [
            self._output(item, bases[item.buffer], rounded(recording.sizes[item.buffer]) if row in owners else 0)
            for row, item in enumerate(recording.outputs)
        ]
        rows = np.array([_row(call, bases, whole) for call in recording.calls], np.int64).reshape(-1, 2, MAX_OPERANDS)
        return self._new(recording.calls, rows[:, 0], rows[:, 1], len(given), rooms, tuple(outputs), is_called)

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


def _row(call: Call, bases: dict[int, tuple[int, int]], whole: int) -> list[int]:
    """Which base each operand has, and how far from it it lies."""
    found = [bases[item.buffer] for item in call.operands]
    spare = MAX_OPERANDS - len(found)
    offsets = [offset + item.offset for (_, offset), item in zip(found, call.operands, strict=True)]
    return [*(base for base, _ in found), *[whole] * spare, *offsets, *[0] * spare]
