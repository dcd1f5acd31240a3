"""Plan as one list of calls over virtual buffers; order and memory are not yet assigned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.plan import Plan, Step
from gradwire.engine.blocktypes.primitives import Constant
from gradwire.engine.executors.tracing import Recording, Recordings
from gradwire.engine.executors.ufunc_loops import Call, Strided, by_element, contiguous


@dataclass(frozen=True)
class PythonCall:
    """Step whose function Python calls, with the places of its arrays."""

    step: Step
    inputs: tuple[Strided | None, ...]
    outputs: tuple[Strided, ...]


Work = Call | PythonCall


def read_by(work: Work) -> list[int]:
    """Returns the buffers that a piece of work reads."""
    if isinstance(work, Call):
        return [item.buffer for item in work.operands[:-1]]
    return [item.buffer for item in work.inputs if item is not None]


def written_by(work: Work) -> list[int]:
    """Returns the buffers that a piece of work writes."""
    return [work.operands[-1].buffer] if isinstance(work, Call) else [item.buffer for item in work.outputs]


class CallList:
    """Work of a plan in order.

    `sizes` has the bytes of each buffer, `contents` the initial contents of some buffers, `places` the location of each
    slot's array.
    """

    def __init__(self, plan: Plan) -> None:
        self.works: list[Work] = []
        self.sizes: dict[int, int] = {}
        self.contents: dict[int, Array] = {}
        self.places: list[Strided] = []
        self._recordings = Recordings()
        # Keys are identities; the tuple holds the array so that no other array can reuse its identity.
        self._constants: dict[int, tuple[Array, int]] = {}
        for step in plan.steps:
            self._add(step)

    def new(self, spec: TensorSpec) -> Strided:
        """Returns a new buffer for an array of this spec."""
        buffer = self._buffer(spec.size * spec.dtype.itemsize)
        return Strided(buffer, 0, spec.shape, contiguous(spec.shape, spec.dtype.itemsize), spec.dtype)

    def copied(self, source: Strided) -> Strided:
        """Returns a new buffer and appends the work that copies a place's elements to it."""
        target = self.new(TensorSpec(source.shape, source.dtype))
        self.works += self.copying(source, target)
        return target

    @staticmethod
    def copying(source: Strided, target: Strided) -> list[Call]:
        """Returns the work that copies the elements of one place to another; empty if there are no elements."""
        call = by_element(f"copy_{target.dtype.itemsize}", [source, target], target.shape)
        return [] if call is None else [call]

    def keep(self, array: Array) -> Strided:
        """Returns a buffer that contains this array; broadcast elements are stored once."""
        seen = array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)]
        kept = self.new(TensorSpec(seen.shape, seen.dtype))
        self.contents[kept.buffer] = seen
        strides = (step if given else 0 for step, given in zip(kept.strides, array.strides, strict=True))
        return kept._replace(shape=array.shape, strides=tuple(strides))

    def _buffer(self, size: int) -> int:
        self.sizes[len(self.sizes)] = size
        return len(self.sizes) - 1

    def _add(self, step: Step) -> None:
        if not step.inputs:
            self.places += map(self.keep, _sources(step))
            return
        inputs = tuple(None if slot is None else self.places[slot] for slot in step.inputs)
        recording = self._recordings.of(step.application, inputs)
        # Nothing checks guards between the loops of training.
        if recording is None or recording.guards:
            outputs = tuple(self.new(item.spec) for item in step.application.outputs)
            self.works.append(PythonCall(step, inputs, outputs))
            self.places += outputs
        else:
            self._add_recording(recording, inputs)

    def _add_recording(self, recording: Recording, inputs: Iterable[Strided | None]) -> None:
        known = {number: item for number, item in enumerate(inputs) if item is not None}
        starts = {number: (item.buffer, item.offset) for number, item in known.items()}
        for number, size in recording.sizes.items():
            array = recording.constants.get(number)
            starts[number] = (self._buffer(size) if array is None else self._constant(array), 0)

        def moved(item: Strided) -> Strided:
            buffer, offset = starts[item.buffer]
            return Strided(buffer, offset + item.offset, item.shape, item.strides, item.dtype)

        for call in recording.calls:
            operands = tuple(map(moved, call.operands))
            self.works.append(Call(call.loop, operands, call.rank, call.dimensions, call.sizes))
        self.places += map(moved, recording.outputs)

    def _constant(self, array: Array) -> int:
        if id(array) not in self._constants:
            self._constants[id(array)] = (array, self.keep(array).buffer)
        return self._constants[id(array)][1]


def _sources(step: Step) -> Iterable[Array]:
    """Yields the arrays of a step without inputs; copies those that may change in full."""
    outcome = step.call(**step.parameters)
    may_change = step.application.type.role is Role.SOURCE and step.application.type is not Constant
    for array in outcome if isinstance(outcome, tuple) else (outcome,):
        yield np.array(array, order="C") if may_change else np.asarray(array)


def moments_of_writes(calls: CallList) -> dict[int, list[int]]:
    """Maps each buffer to the moments at which it is written, in order."""
    found: dict[int, list[int]] = {}
    for moment, work in enumerate(calls.works):
        for buffer in written_by(work):
            found.setdefault(buffer, []).append(moment)
    return found


def is_settled(call: Call, moment: int, writes: Mapping[int, Sequence[int]], sizes: Mapping[int, int]) -> bool:
    """Returns whether a call writes a whole buffer, exactly once, from operands that no longer change.

    Cost: O(operands), however often they have been written.
    """
    *operands, target = call.operands
    is_final = all(moment > writes.get(item.buffer, (-1,))[-1] for item in operands)
    return is_final and writes[target.buffer] == [moment] and _is_whole(target, sizes[target.buffer])


def _is_whole(item: Strided, size: int) -> bool:
    width = item.dtype.itemsize
    return item.offset == 0 and math.prod(item.shape) * width == size and item.strides == contiguous(item.shape, width)
