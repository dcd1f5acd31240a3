"""Lines of the help, run as they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradwire.blocks.support.examples import example_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType

# Inputs where those of the example would be an error.
INPUTS: dict[str, list[Array]] = {"InvertPermutation": [np.array([2, 0, 1], np.int32)]}


def computed_example(block_type: BlockType) -> tuple[list[Array], Mapping[str, Array]]:
    """Returns the outputs of the example, and the arrays that its line names."""
    example = example_of(block_type)
    assert example is not None
    inputs = INPUTS.get(block_type.name, example.arrays())
    with np.errstate(all="ignore"):
        found = block_type.function(*inputs, **example.parameters)
    held = {name: value for name, value in example.parameters.items() if isinstance(value, np.ndarray)}
    # Optional inputs at the end may be missing.
    names = dict(zip(block_type.input_names(len(inputs)), inputs, strict=False))
    return outputs_in(found, block_type), held | names


def outputs_in(found: Any, block_type: BlockType) -> list[Any]:
    """Returns what a line gave, one for each output of the type."""
    is_tuple = len(block_type.outputs) > 1 or block_type.outputs[0].variadic
    return list(found) if is_tuple else [found]
