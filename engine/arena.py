"""A plan laid out in one piece of memory, to be run again and again: whole, or only what depends on a change."""

from __future__ import annotations

import itertools
import math
import operator
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import BlockError, CodeError
from engine.expression import read_only
from engine.loops import MAX_OPERANDS, Call, Loop, Strided, contiguous, view_of
from engine.plan import Passes, Plan, Results, Step
from engine.recording import Recording, Recordings
from engine.survey import COLUMNS, Survey, as_survey, survey_of
from engine.tensor_spec import Array, TensorSpec

try:
    from engine._arena import Program as Program
    from engine._arena import survey

    EXECUTOR = "compiled"
except ImportError:  # it is built where there is a compiler
    from engine.bound_calls import Program, survey  # type: ignore[assignment]

    EXECUTOR = "NumPy"

ALIGNMENT = 64
# Instructions to be run in one go, or a step to be called from Python.
_Part = np.ndarray[Any, np.dtype[np.int32]] | Step


class Arena:
    """All tensors of a plan in one array of bytes, with the calls that compute them.

    Arrays read from `results` change with the next run.
    Raises: BlockError where a step cannot be computed, from every method that runs.
    """

    def __init__(self, plan: Plan) -> None:
        builder = _Builder(plan)
        self._memory = builder.memory()
        self._plan, self._works = plan, builder.works
        self._places = [item._replace(buffer=0) for item in builder.places]
        self._program = builder.program(self._memory)
        arrays = [view_of(item, self._memory) for item in self._places]
        self.results = Results(plan, [read_only(array) for array in arrays])
        self._written = arrays
        self._spans = _Spans(self._places)
        self._parts: dict[frozenset[int], tuple[list[_Part], list[_Part]]] = {}
        self._carry_out(self._part_of(range(len(self._works))))

    def run(self, changed: Mapping[int, Array]) -> None:
        """Puts arrays into some slots, which nothing computes, and runs all that depends on them.

        Raises: BlockError if a step fails.
        """
        for slot, array in changed.items():
            np.copyto(self._written[slot], array, casting="no")
        forward, backward = self._depending(frozenset(changed))
        start = time.perf_counter()
        self._carry_out(forward)
        middle = time.perf_counter()
        self._carry_out(backward)
        self.results.passes = Passes(middle - start, time.perf_counter() - middle)

    def fits(self, slot: int, array: Array) -> bool:
        """Whether an array may be put into a slot as it is laid out."""
        place = self._places[slot]
        is_whole = place.strides == contiguous(place.shape, place.dtype.itemsize)
        return is_whole and array.shape == place.shape and array.dtype == place.dtype

    def survey(self) -> Survey:
        """What the numbers in each slot are like now."""
        return self._spans.survey(self._memory, self.results.values)

    def heads(self, slots: Iterable[int], count: int) -> Heads:
        """Where the first `count` elements of some slots lie."""
        return Heads(self._memory, [self._places[slot] for slot in slots], count)

    def dependent(self, slots: Set[int]) -> set[int]:
        """The slots whose arrays depend on those given, themselves included."""
        found = set(slots)
        for step in self._plan.steps:
            if not found.isdisjoint(step.inputs):
                found.update(step.outputs)
        return found

    def _depending(self, slots: frozenset[int]) -> tuple[list[_Part], list[_Part]]:
        """The work of each pass that depends on some slots."""
        if slots not in self._parts:
            found = self.dependent(slots)
            steps = [row for row, step in enumerate(self._plan.steps) if not found.isdisjoint(step.inputs)]
            half = bisect_left(steps, self._plan.forward)
            self._parts[slots] = self._part_of(steps[:half]), self._part_of(steps[half:])
        return self._parts[slots]

    def _part_of(self, steps: Iterable[int]) -> list[_Part]:
        """The work of some steps: runs of instructions, and between them what Python has to call."""
        parts: list[_Part] = []
        rows: list[int] = []
        for step in steps:
            work = self._works[step]
            rows += range(work.first, work.end)
            if work.bound is not None:
                parts += [np.array(rows, np.int32), work.bound]
                rows = []
        return [*parts, np.array(rows, np.int32)]

    def _carry_out(self, parts: Iterable[_Part]) -> None:
        with np.errstate(all="ignore"):
            for part in parts:
                if isinstance(part, Step):
                    self._call(part)
                else:
                    self._program.run_some(part)

    def _call(self, step: Step) -> None:
        arguments = [None if slot is None else self.results.values[slot] for slot in step.inputs]
        try:
            outcome = step.call(*arguments, **step.parameters)
            for slot, array in zip(step.outputs, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
                np.copyto(self._written[slot], array, casting="no")
        except BlockError:
            raise
        except Exception as error:  # code of plug-ins
            raise CodeError(error) from error


@dataclass(frozen=True)
class _Work:
    """What a step comes to: instructions from `first` to `end`, or a call from Python."""

    first: int
    end: int
    bound: Step | None = None


class _Builder:
    """Finds a place for every slot and writes the instructions."""

    def __init__(self, plan: Plan) -> None:
        self.places: list[Strided] = []
        self.works: list[_Work] = []
        self._filled: list[tuple[Strided, Array]] = []
        # By identity; the array is kept so that no other one gets its identity.
        self._constants: dict[int, tuple[Array, int]] = {}
        self._recordings = Recordings()
        self._rows: list[tuple[int, ...]] = []
        self._loops: dict[Loop, int] = {}
        self._table: list[int] = []
        self._sizes: dict[tuple[int, ...], int] = {}
        self._top = self._scratch = self._scratch_size = 0
        for step in plan.steps:
            self._add(step)

    def memory(self) -> Array:
        """The memory, with all constants in it."""
        whole = np.zeros(self._top + ALIGNMENT, np.uint8)
        start = -whole.ctypes.data % ALIGNMENT
        memory = whole[start : start + self._top]
        for place, array in self._filled:
            np.copyto(view_of(place, memory), array, casting="no")
        return memory

    def program(self, memory: Array) -> Program:
        """The instructions over that memory."""
        rows = np.array(self._rows, np.int64).reshape(len(self._rows), 5 + MAX_OPERANDS)
        return Program(memory, np.array(self._table, np.int64), list(self._loops), rows)

    def _add(self, step: Step) -> None:
        if not step.inputs:
            self._add_source(step)
            return
        inputs = [None if slot is None else self.places[slot] for slot in step.inputs]
        recording = self._recordings.of(step.application, inputs)
        first = len(self._rows)
        if recording is None:
            self.places += [self._new(item.spec) for item in step.application.outputs]
            self.works.append(_Work(first, first, step))
            return
        bases = self._bases(recording, inputs)
        for call in recording.calls:
            self._write(call, bases)
        self.places += [item._replace(offset=bases[item.buffer] + item.offset) for item in recording.outputs]
        self.works.append(_Work(first, len(self._rows)))

    def _add_source(self, step: Step) -> None:
        outcome = step.call(**step.parameters)
        for array in outcome if isinstance(outcome, tuple) else (outcome,):
            self.places.append(self._keep(np.asarray(array)))
        self.works.append(_Work(len(self._rows), len(self._rows)))

    def _keep(self, array: Array) -> Strided:
        """A place with this array in it; what is repeated is kept once."""
        seen = array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)]
        kept = self._new(TensorSpec(seen.shape, seen.dtype))
        self._filled.append((kept, seen))
        strides = (step if given else 0 for step, given in zip(kept.strides, array.strides, strict=True))
        return kept._replace(shape=array.shape, strides=tuple(strides))

    def _new(self, spec: TensorSpec) -> Strided:
        strides = contiguous(spec.shape, spec.dtype.itemsize)
        return Strided(0, self._taken(spec.size * spec.dtype.itemsize), spec.shape, strides, spec.dtype)

    def _taken(self, size: int) -> int:
        start, self._top = self._top, self._top + -(-size // ALIGNMENT) * ALIGNMENT
        return start

    def _bases(self, recording: Recording, inputs: Sequence[Strided | None]) -> dict[int, int]:
        """Where each buffer of a recording lies: results to stay, constants once for all, the rest in scratch."""
        bases = {number: item.offset for number, item in enumerate(inputs) if item is not None}
        kept = {item.buffer for item in recording.outputs}
        passing = [number for number in recording.sizes if number not in kept and number not in recording.constants]
        scratch = self._scratch_for(sum(-(-recording.sizes[number] // ALIGNMENT) * ALIGNMENT for number in passing))
        for number, size in recording.sizes.items():
            if number in recording.constants:
                bases[number] = self._constant(recording.constants[number])
            elif number in kept:
                bases[number] = self._taken(size)
            else:
                bases[number], scratch = scratch, scratch + -(-size // ALIGNMENT) * ALIGNMENT
        return bases

    def _scratch_for(self, size: int) -> int:
        if size > self._scratch_size:
            self._scratch, self._scratch_size = self._taken(size), size
        return self._scratch

    def _constant(self, array: Array) -> int:
        if id(array) not in self._constants:
            self._constants[id(array)] = (array, self._keep(array).offset)
        return self._constants[id(array)][1]

    def _write(self, call: Call, bases: Mapping[int, int]) -> None:
        loop = self._loops.setdefault(call.loop, len(self._loops))
        offsets = [bases[item.buffer] + item.offset for item in call.operands]
        offsets += [0] * (MAX_OPERANDS - len(offsets))
        place = self._place_of(call.sizes)
        self._rows.append((loop, place, len(call.operands), call.rank, call.dimensions, *offsets))

    def _place_of(self, sizes: tuple[int, ...]) -> int:
        if sizes not in self._sizes:
            self._sizes[sizes] = len(self._table)
            self._table += sizes
        return self._sizes[sizes]


class _Spans:
    """The slots whose numbers stand in one piece, as those of almost all do, with no regard to their order."""

    def __init__(self, places: Sequence[Strided]) -> None:
        spans = [_span(place) for place in places]
        known = {span: row for row, span in enumerate(dict.fromkeys(span for span in spans if span is not None))}
        self._spans = np.array(list(known), np.int64).reshape(len(known), 3)
        self._slots = np.array([slot for slot, span in enumerate(spans) if span is not None], np.intp)
        self._rows = np.array([known[span] for span in spans if span is not None], np.intp)
        sizes = [math.prod(places[slot].shape) for slot in self._slots]
        times = np.array(sizes, float) / self._spans[self._rows, 1]
        self._repeats = np.ones((len(times), len(COLUMNS)))
        for name, factor in {"nan": times, "infinite": times, "total": times, "norm": np.sqrt(times)}.items():
            self._repeats[:, COLUMNS.index(name)] = factor
        self._others = [slot for slot, span in enumerate(spans) if span is None]

    def survey(self, memory: Array, values: Sequence[Array | None]) -> Survey:
        """A row for each slot."""
        rows, found = np.empty((len(self._spans), len(COLUMNS))), np.full((len(values), len(COLUMNS)), np.nan)
        survey(memory, self._spans, rows)
        found[self._slots] = rows[self._rows] * self._repeats
        if self._others:
            found[self._others] = (
                survey_of([values[slot] for slot in self._others]).view(np.float64).reshape(-1, len(COLUMNS))
            )
        return as_survey(found)


def _span(place: Strided) -> tuple[int, int, int] | None:
    """Offset, number of elements that differ in place, and whether they are of doubles; None if they have gaps."""
    if place.dtype not in (np.float32, np.float64) or 0 in place.shape:
        return None
    axes = sorted((step, size) for size, step in zip(place.shape, place.strides, strict=True) if size > 1 and step)
    whole = place.dtype.itemsize
    for step, size in axes:
        if step != whole:
            return None
        whole *= size
    return place.offset, whole // place.dtype.itemsize, int(place.dtype == np.float64)


class Heads:
    """The first elements of some arrays in an arena, to be read all at once."""

    def __init__(self, memory: Array, places: Sequence[Strided], count: int) -> None:
        self._shape = (len(places), count)
        self._groups = []
        for dtype in dict.fromkeys(place.dtype for place in places):
            found = [(row, _firsts(place, count)) for row, place in enumerate(places) if place.dtype == dtype]
            rows = np.repeat([row for row, _ in found], [len(items) for _, items in found])
            columns = [column for _, items in found for column in range(len(items))]
            offsets = np.array([offset for _, items in found for offset in items], np.intp) // dtype.itemsize
            whole = memory[: len(memory) // dtype.itemsize * dtype.itemsize].view(dtype)
            self._groups.append((whole, rows.astype(np.intp), np.array(columns, np.intp), offsets))

    def read(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """A row for each array, filled up with zeros."""
        found = np.zeros(self._shape)
        for whole, rows, columns, offsets in self._groups:
            found[rows, columns] = whole[offsets]
        return found


def _firsts(place: Strided, count: int) -> list[int]:
    """The offsets of the first elements, in order."""
    size = math.prod(place.shape)
    if place.strides == contiguous(place.shape, place.dtype.itemsize):
        return [place.offset + index * place.dtype.itemsize for index in range(min(size, count))]
    indices = itertools.islice(np.ndindex(*place.shape), count)
    return [place.offset + sum(map(operator.mul, index, place.strides)) for index in indices]
