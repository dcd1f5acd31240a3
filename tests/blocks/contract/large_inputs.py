"""Applications of each block type to few elements and to many, for tests and benchmarks of what recording costs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Application, constant
from gradwire.engine.executors.tracing import Recording, recorded
from gradwire.engine.executors.ufunc_loops import Strided, contiguous
from tests.blocks.contract.contract import TYPES
from tests.blocks.samplers.samples import samples

# Those whose sizes come from parameters; Dilation2D records the places of its filter, of which there are few, and
# SumOfNeighbours as many shifts as its radius, but not more than there are channels.
FIXED = {
    "BroadcastTo", "Dilation2D", "Fill", "PatchesIntoImages", "RandomNormal", "RandomUniform", "SeparableConv2D",
    "SliceIntoZeros", "SpreadMeans", "SpreadToPlaces", "SumOfNeighbours", "TensorDiagPart", "TruncatedNormal",
}  # fmt: skip
GROWING = [item for item in TYPES if item.inputs and item.name not in FIXED]


def larger(block_type: BlockType, few: int, many: int) -> tuple[Application, Application] | None:
    """Returns an application to small inputs and one to large ones, with as many outputs; None if none fits.

    An axis of the inputs is `few` or `many` times as long as that of a sample; the large one has `many` elements.
    """
    for seed in range(20):
        sample = samples(block_type)(random.Random(seed))
        for axis in (0, -1, 1, -2):
            try:
                found = [applied(block_type, sample.inputs, sample.parameters, axis, times) for times in (few, many)]
            except (BlockError, MemoryError):
                continue
            if size_of(found[1]) >= many > size_of(found[0]) and len(found[0].outputs) == len(found[1].outputs):
                return found[0], found[1]
    return None


def applied(
    block_type: BlockType, arrays: list[Array | None], parameters: dict[str, Any], axis: int, times: int
) -> Application:
    """Returns the application to inputs that are repeated along an axis."""
    repeated = [None if array is None else along(array, axis, times) for array in arrays]
    leaves = [None if array is None else constant(array) for array in repeated]
    return block_type.apply(leaves, block_type.normalize(parameters))


def along(array: Array, axis: int, times: int) -> Array:
    return np.repeat(array, times, axis) if -array.ndim <= axis < array.ndim else array


def size_of(application: Application) -> int:
    return max((item.spec.size for item in application.inputs if item is not None), default=0)


def record(application: Application) -> Recording | None:
    """Records an application to inputs that lie in C order."""
    places = [
        None if item is None else Strided(0, 0, item.shape, contiguous(item.shape, item.dtype.itemsize), item.dtype)
        for item in application.inputs
    ]
    return recorded(application, places)
