"""Every block type muted, and behind StopGradient blocks: what it does to values and gradients then."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName, can_be_muted
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import spec_of
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from tests.blocks.contract.contract import TYPES, for_samples, in_one_test
from tests.blocks.contract.differences import called
from tests.blocks.contract.test_programs import graph_of
from tests.blocks.samplers.samples import Sample, dtypes_of, samples

WITH_INPUTS = [item for item in TYPES if item.inputs and item.role is not Role.PREVENT]
MUTABLE = [item for item in WITH_INPUTS if can_be_muted(Block("op", item.name))]


def doubles(block_type: BlockType) -> str | None:
    return "float64" if np.dtype(np.float64) in dtypes_of(block_type) else None


def arriving(block_type: BlockType, sample: Sample) -> dict[str, np.ndarray]:
    names = block_type.input_names(len(sample.inputs))
    return {name: array for name, array in zip(names, sample.inputs, strict=True) if array is not None}


@pytest.mark.long
@in_one_test(MUTABLE)
def test_a_muted_block_passes_on_the_first_input_that_fits_else_the_first(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        inputs = arriving(block_type, sample)
        if not inputs:
            return
        outputs = called(block_type, sample.inputs, block_type.normalize(sample.parameters))
        snapshot = evaluate(muted(graph_of(block_type, sample)))
        for name, array in zip(block_type.output_names(len(outputs)), outputs, strict=True):
            # Where the values decide the shape, nobody knows it of a block that does not work.
            wanted = None if block_type.infer is None else spec_of(array)
            fitting = [value for value in inputs.values() if spec_of(value) == wanted]
            found = snapshot.ports.get(PortName("main/op", name))
            if block_type.infer is None and (found is None or found.value is None):
                continue  # how many outputs it has is known as little
            assert found is not None
            np.testing.assert_array_equal(found.value, (fitting or list(inputs.values()))[0])

    for_samples(samples(block_type, doubles(block_type)), check, 2)


def muted(graph: Graph) -> Graph:
    page = graph.pages[0]
    blocks = {**page.blocks, "op": dataclasses.replace(page.blocks["op"], is_muted=True)}
    return dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=blocks),))


@in_one_test(WITH_INPUTS)
def test_behind_stop_gradients_every_gradient_is_a_zero_by_structure(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        snapshot = evaluate(stopped(graph_of(block_type, sample)))
        for name, array in arriving(block_type, sample).items():
            result = snapshot.port(f"main/in_{name}.y")
            if array.dtype.kind == "f":
                assert result.status in (Status.BLOCKED, Status.NO_PATH, Status.NON_DIFFERENTIABLE)
                assert result.gradient is not None
                assert not result.gradient.any()

    for_samples(samples(block_type, doubles(block_type)), check, 2)


def stopped(graph: Graph) -> Graph:
    """Returns the graph with a StopGradient on every wire into the block."""
    page = graph.pages[0]
    blocks, wires = dict(page.blocks), dict(page.wires)
    for target, wire in page.wires.items():
        if target.block == "op":
            stop = f"stop_{target.name}"
            blocks[stop] = Block(stop, "StopGradient")
            wires[Port(stop, "x")] = Wire(wire.source, Port(stop, "x"))
            wires[target] = Wire(Port(stop, "y"), target)
    return dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=blocks, wires=wires),))
