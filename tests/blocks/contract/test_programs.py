"""Every block type as part of a NumPy program: its line or function, and those of its gradient."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.graph.graph import Block, Graph
from tests.blocks.contract.contract import every_type, for_samples
from tests.blocks.contract.differences import called
from tests.blocks.samplers.samples import Sample, dtypes_of, samples
from tests.engine.programs import deviation
from tests.recorded import make_graph


@pytest.mark.long
@every_type
def test_a_program_with_the_block_gives_the_numbers_of_gradwire(block_type: BlockType) -> None:
    if block_type.role is Role.PREVENT:
        return  # no graph with a loss behind it is free of errors

    def check(sample: Sample) -> None:
        # Sums in another order: the room is that of a thousand terms of about 1.
        assert deviation(graph_of(block_type, sample)) < 1e-9

    dtype = "float64" if np.dtype(np.float64) in dtypes_of(block_type) else None
    for_samples(samples(block_type, dtype), check, 2)


def graph_of(block_type: BlockType, sample: Sample) -> Graph:
    """Returns the sample as a graph: an Input for each input, and a weighted Loss for each floating-point output."""
    names = block_type.input_names(len(sample.inputs))
    blocks, wires = [Block("op", block_type.name, parameters=sample.parameters)], []
    for name, value in zip(names, sample.inputs, strict=True):
        if value is not None:
            blocks.append(Block(f"in_{name}", "Input", parameters={"value": value}))
            wires.append((f"in_{name}.y", f"op.{name}"))
    for name, array in outputs_of(block_type, sample):
        if array.dtype.kind == "f":
            weights = np.random.default_rng(sample.seed).uniform(0.5, 1, array.shape).astype(array.dtype)
            blocks += [Block(f"w_{name}", "Constant", parameters={"value": weights}), Block(f"loss_{name}", "Loss")]
            wires += [(f"op.{name}", f"loss_{name}.x"), (f"w_{name}.y", f"loss_{name}.weights")]
    return make_graph(blocks, wires)


def outputs_of(block_type: BlockType, sample: Sample) -> list[tuple[str, Array]]:
    arrays = called(block_type, sample.inputs, block_type.normalize(sample.parameters))
    return list(zip(block_type.output_names(len(arrays)), arrays, strict=True))
