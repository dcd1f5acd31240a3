"""The kind of each block type in an arena; `python -m tests.engine.executors.kinds` prints the table of the test."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from random import Random

from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Application, constant
from gradwire.engine.executors.tracing import Recording, recorded
from gradwire.engine.executors.ufunc_loops import Strided, contiguous
from tests.blocks.contract.contract import TYPES
from tests.blocks.samplers.samples import samples

VIEWED, COPIED, COMPILED, MIXED, CALLED = "viewed", "copied", "compiled", "called for some", "called"
COMMON = {"bool", "int32", "int64", "float32", "float64"}
SAMPLES = 30


def table() -> dict[str, list[str]]:
    """Returns the block types with inputs and outputs by their kinds."""
    found: dict[str, list[str]] = {kind: [] for kind in (VIEWED, COPIED, COMPILED, MIXED, CALLED)}
    for item in sorted(TYPES, key=lambda item: item.name):
        if item.inputs and item.outputs:
            found[kind_of(item)].append(item.name)
    return found


def kind_of(block_type: BlockType) -> str:
    """Returns what becomes of a type: the most that any sample takes, or that some samples are called."""
    kinds = [kind_of_recording(recording_of(application)) for application in applications(block_type)]
    if len({kind == CALLED for kind in kinds}) > 1:
        return MIXED
    return max(kinds, key=[VIEWED, COPIED, COMPILED, CALLED].index)


def applications(block_type: BlockType) -> Iterator[Application]:
    """Yields applications to samples of common dtypes that have elements."""
    for seed in range(SAMPLES):
        sample = samples(block_type)(Random(seed))
        arrays = [array for array in sample.inputs if array is not None]
        if arrays and all(array.size and array.dtype.name in COMMON for array in arrays):
            leaves = [None if array is None else constant(array) for array in sample.inputs]
            try:
                yield block_type.apply(leaves, block_type.normalize(sample.parameters))
            except BlockError:
                continue


def recording_of(application: Application) -> Recording | None:
    """Returns the recording of an application to contiguous inputs."""
    places = [
        None if item is None else Strided(0, 0, item.shape, contiguous(item.shape, item.dtype.itemsize), item.dtype)
        for item in application.inputs
    ]
    return recorded(application, places)


def kind_of_recording(recording: Recording | None) -> str:
    """Returns what the arena does in each run: nothing, copies, other loops, or a call of Python."""
    if recording is None:
        return CALLED
    if not recording.calls:
        return VIEWED
    moves = all(isinstance(call.loop, str) and call.loop.startswith(("copy", "cast")) for call in recording.calls)
    return COPIED if moves else COMPILED


if __name__ == "__main__":
    for name, types in table().items():
        print(f'    "{name}": """')
        print(textwrap.fill(" ".join(types), 112, initial_indent=" " * 8, subsequent_indent=" " * 8))
        print('    """,')
