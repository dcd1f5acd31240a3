"""Calls of block types as lines of a framework."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.samplers.samples import Sample


def written(block_type: BlockType, sample: Sample, framework: str) -> tuple[str, dict[str, Array]]:
    """Returns the source of one call, and the arrays that its names mean."""
    parameters = block_type.normalize(sample.parameters)
    arrays = {name: value for name, value in parameters.items() if isinstance(value, np.ndarray)}
    ports: dict[str, str | list[str] | None] = {}
    fixed = sum(not port.variadic for port in block_type.inputs)
    for index, port in enumerate(block_type.inputs):
        own = sample.inputs[fixed:] if port.variadic else sample.inputs[index : index + 1]
        names = [f"{port.name}_{number}" if port.variadic else port.name for number in range(len(own))]
        arrays |= {name: value for name, value in zip(names, own, strict=True) if value is not None}
        ports[port.name] = names if port.variadic else (names[0] if names and names[0] in arrays else None)
    texts = {name: Name(name) if name in arrays else value for name, value in parameters.items()}
    specs = [None if item is None else spec_of(item) for item in sample.inputs]
    return block_type.spelling.write(framework, ports, texts, specs), arrays


class Name(str):
    """The name of an array, written as it is."""

    def __repr__(self) -> str:
        return str(self)
