"""Lines of block types in each framework: they give the block's numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import TYPES, for_samples
from tests.blocks.contract.differences import called
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import Sample, dtypes_of, samples
from tests.frameworks.installed import INSTALLED, as_array, evaluated, namespace, results, tensors, with_signs_of

SPELLED = [(name, item) for name in INSTALLED for item in TYPES if name in item.spelling]


@pytest.mark.parametrize(("framework", "block_type"), SPELLED, ids=[f"{name}-{item.name}" for name, item in SPELLED])
def test_a_line_gives_the_numbers_of_the_block(framework: str, block_type: BlockType) -> None:
    known = namespace(framework)

    def check(sample: Sample) -> None:
        source, arrays = written(block_type, sample, framework)
        if source:
            names = arrays if block_type.role.value == "source" else tensors(framework, arrays)
            expected = called(block_type, sample.inputs, sample.parameters)
            outputs = [as_array(item) for item in results(evaluated(source, known | names), block_type)]
            for found, array in zip(with_signs_of(expected, outputs, block_type), expected, strict=True):
                assert np.shape(found) == array.shape, source
                # Special functions are approximated differently; this is far above that and far below a mistake.
                room = 1e-4 if array.dtype == np.float32 else 1e-7
                np.testing.assert_allclose(found, array, rtol=room, atol=room, err_msg=source)

    dtype = "float64" if np.dtype(np.float64) in dtypes_of(block_type) else None
    for_samples(samples(block_type, dtype), check, 6)
