"""Lines of the help in each framework: they run as they are shown, and give the block's numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gradwire.blocks.support.examples import help_line
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.export.export import TARGETS
from tests.blocks.contract.contract import TYPES
from tests.blocks.contract.help_lines import computed_example, outputs_in
from tests.frameworks.installed import INSTALLED, as_array, evaluated, namespace, tensors, with_signs_of

SHOWN = [
    (framework, item)
    for framework in INSTALLED
    for item in TYPES
    if not item.is_part and help_line(item, TARGETS[framework])
]


@pytest.mark.parametrize(("framework", "block_type"), SHOWN, ids=[f"{name}-{item.name}" for name, item in SHOWN])
def test_a_line_of_the_help_runs_as_it_is_shown(framework: str, block_type: BlockType) -> None:
    expected, arrays = computed_example(block_type)
    names = arrays if block_type.role.value == "source" else tensors(framework, arrays)
    line = help_line(block_type, TARGETS[framework])
    outputs = [as_array(item) for item in outputs_in(evaluated(line, namespace(framework) | names), block_type)]
    for found, array in zip(with_signs_of(expected, outputs, block_type), expected, strict=True):
        assert np.shape(found) == array.shape, line
        # Some types compute in float32 whatever they take, as TensorFlow does.
        room = 1e-5 if array.dtype == np.float32 else 1e-8
        np.testing.assert_allclose(found, array, rtol=room, atol=room, err_msg=line)


@pytest.mark.parametrize("framework", INSTALLED)
def test_the_lines_of_the_help_are_many(framework: str, counted: Callable[[str, int], None]) -> None:
    count = sum(name == framework for name, _ in SHOWN)
    counted(f"{framework}: lines of the help", count)
    assert count > 180
