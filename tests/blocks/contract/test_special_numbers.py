"""Lines of NumPy at zeros of either sign, NaN and infinities: they give the block's result, or say what they give."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import TYPES, for_samples
from tests.blocks.contract.differences import called
from tests.blocks.contract.spelled import written
from tests.blocks.contract.test_help_of_every_block import NAMESPACE
from tests.blocks.samplers.samples import Sample, dtypes_of, samples

NUMBERS = (0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 0.5, -2.0)
BY_ELEMENT = [
    item
    for item in TYPES
    if item.by_element and "numpy" in item.spelling and np.dtype(np.float64) in dtypes_of(item) and item.inputs
]


@pytest.mark.parametrize("block_type", BY_ELEMENT, ids=lambda item: item.name)
def test_a_line_of_numpy_gives_the_same_zeros_and_infinities(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        floats = [item for item in sample.inputs if item is not None and item.dtype.kind == "f"]
        if len(floats) < len(sample.inputs):
            return
        inputs = list(np.array(list(itertools.product(NUMBERS, repeat=len(floats)))).T)
        source, names = written(block_type, Sample(tuple(inputs), sample.parameters, sample.seed), "numpy")
        with np.errstate(all="ignore"):
            found, expected = (
                np.asarray(eval(source, NAMESPACE | names)),
                called(block_type, inputs, sample.parameters)[0],
            )
        is_right = np.isclose(found, expected, rtol=1e-6, atol=1e-6, equal_nan=True)
        if expected.dtype.kind == "f":
            is_right &= (expected != 0) | (found != 0) | (np.signbit(found) == np.signbit(expected))
        at = {name: array[~is_right] for name, array in names.items() if array.shape == is_right.shape}
        assert is_right.all() or "numpy" in block_type.spelling.notes, (source, at, found[~is_right])

    for_samples(samples(block_type, "float64"), check, 2)


def test_added_zeros_keep_their_sign() -> None:
    [add_n] = [item for item in TYPES if item.name == "AddN"]
    line = add_n.spelling.write("numpy", {"values": ["a", "b"]}, {})
    zero = -np.zeros(1)
    assert np.signbit(eval(line, {"a": zero, "b": zero})) and np.signbit(called(add_n, [zero, zero], {})[0])
