"""Random graphs of all kinds of blocks: random calls, wired to each other where shapes allow, with stops between."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.tensor_spec import Array, TensorSpec, spec_of
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.graph.graph import Block, Graph
from tests.blocks.contract.contract import OF_FLOATS, TYPES
from tests.blocks.samplers.samples import samples
from tests.recorded import make_graph

# Few shapes, and few numbers: outputs fit to inputs, and elements tie.
SHAPES = [(), (3,), (2, 3)]
NUMBERS = np.array([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0])
_DOUBLE = np.dtype(np.float64)
LEFT_OUT = {Role.PREVENT, Role.SOURCE, Role.LOSS}
ELEMENTWISE = [item for item in TYPES if item.by_element and not item.is_part and item.role not in LEFT_OUT]
OTHERS = [item for item in TYPES if not item.by_element and not item.is_part and item.role not in LEFT_OUT]


class Model:
    """A graph that grows by one block at a time; `ends` has the floating-point outputs so far."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.blocks: list[Block] = []
        self.wires: list[tuple[str, str]] = []
        self.ends: dict[str, TensorSpec] = {}

    def graph(self) -> Graph:
        """Returns the graph with a Loss for every output that nothing uses."""
        used = {source for source, _ in self.wires}
        open_ends = [source for source in self.ends if source not in used]
        losses = [Block(f"loss{place}", "Loss") for place in range(len(open_ends))]
        wires = [(source, f"{loss.id}.x") for source, loss in zip(open_ends, losses, strict=True)]
        return make_graph([*self.blocks, *losses], [*self.wires, *wires])

    def grow(self) -> None:
        """Adds a block of a random type, if one fits."""
        block_type = self.random.choice(ELEMENTWISE if self.random.random() < 0.5 else OTHERS)
        self._add(block_type, *self.draw_call(block_type))

    def draw_call(self, block_type: BlockType) -> tuple[list[Array | None], dict[str, Any]]:
        """Returns random inputs, floating-point numbers among the few, and parameters."""
        sample = samples(block_type, "float64" if block_type in OF_FLOATS else None)(self.random)
        values = self._on_grid(sample.inputs)
        if block_type in ELEMENTWISE:
            shape = self.random.choice(SHAPES)
            values = [item if item is None or item.dtype != _DOUBLE else self._draw(shape) for item in values]
        return values, sample.parameters

    def _add(self, block_type: BlockType, values: list[Array | None], parameters: dict[str, Any]) -> None:
        before = len(self.blocks), len(self.wires)
        name = f"b{before[0]}"
        self.blocks.append(Block(name, block_type.name, parameters=parameters))
        for port, value in zip(block_type.input_names(len(values)), values, strict=False):
            if value is not None:
                self.wires.append((self._source_for(value), f"{name}.{port}"))
        inferred = infer_specs(make_graph(self.blocks, self.wires))
        specs = {port.port: spec for port, spec in inferred.specs.items() if port.path == f"main/{name}"}
        if not specs or any(item.severity == "error" for item in inferred.problems):
            # The type takes no such tensors, or its shapes depend on values.
            del self.blocks[before[0] :], self.wires[before[1] :]
            return
        self.ends |= {f"{name}.{port}": spec for port, spec in specs.items() if spec.is_differentiable}

    def _source_for(self, value: Array) -> str:
        fitting = [source for source, spec in self.ends.items() if spec == spec_of(value)]
        if fitting and self.random.random() < 0.8:
            return self._perhaps_stopped(self.random.choice(fitting))
        name = f"i{len(self.blocks)}"
        self.blocks.append(Block(name, "Input", parameters={"value": value}))
        return f"{name}.y"

    def _perhaps_stopped(self, source: str) -> str:
        if self.random.random() > 0.15:
            return source
        name = f"s{len(self.blocks)}"
        self.blocks.append(Block(name, "StopGradient"))
        self.wires.append((source, f"{name}.x"))
        return f"{name}.y"

    def _on_grid(self, inputs: tuple[Array | None, ...]) -> list[Array | None]:
        return [self._draw(item.shape) if item is not None and item.dtype == _DOUBLE else item for item in inputs]

    def _draw(self, shape: tuple[int, ...]) -> Array:
        return self.numbers.choice(NUMBERS, shape)


def random_model(seed: int, count: int = 12) -> Graph:
    """Returns a graph of about `count` random blocks and their inputs."""
    model = Model(seed)
    for _ in range(count):
        model.grow()
    return model.graph()
