"""Parts of models from which the graphs of mistakes and the sane ones are built, with numbers drawn from seeds."""

from __future__ import annotations

import dataclasses

import numpy as np

import gradwire as gw
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Port, Wire

LABELS = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
BITS = np.array([[1.0], [0.0], [1.0], [1.0]])


def drawn(seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Returns normal numbers."""
    return np.random.default_rng(seed).normal(scale=scale, size=shape)


def data(seed: int, *shape: int, name: str | None = None) -> Expression:
    """Returns an Input of normal numbers."""
    return gw.Input(drawn(seed, *shape), name=name)


def weights(seed: int, *shape: int, scale: float = 0.5, name: str | None = None, trains: bool = True) -> Expression:
    """Returns a Variable of small normal numbers."""
    return gw.Variable(drawn(seed, *shape, scale=scale), name=name, trainable=trains)


class Dense:
    """Layer x W + b, which may be applied several times; `is_fixed` stops its weights."""

    def __init__(self, seed: int, inputs: int, outputs: int, trains: bool = True) -> None:
        self.w = weights(seed, inputs, outputs, trains=trains)
        self.b = gw.Variable(np.full(outputs, 0.1), trainable=trains)

    def __call__(self, x: Expression, is_fixed: bool = False) -> Expression:
        w, b = (gw.StopGradient(self.w), gw.StopGradient(self.b)) if is_fixed else (self.w, self.b)
        return gw.MatMul(x, w) + b


class Network:
    """Two layers with a tanh between them, which may be applied several times."""

    def __init__(self, seed: int, inputs: int, hidden: int, outputs: int, trains: bool = True) -> None:
        self.first = Dense(seed, inputs, hidden, trains)
        self.second = Dense(seed + 1, hidden, outputs, trains)

    def __call__(self, x: Expression, is_fixed: bool = False) -> Expression:
        return self.second(gw.Tanh(self.first(x, is_fixed)), is_fixed)


def cross_entropy(labels: Expression, logits: Expression) -> Expression:
    """Returns the mean softmax cross entropy."""
    return gw.ReduceMean(gw.SoftmaxCrossEntropyWithLogits(labels, logits))


def norm_free(x: Expression) -> Expression:
    """Returns rows scaled to length 1."""
    return gw.L2Normalize(x, axis=-1)


def chosen_log(logits: Expression, actions: Expression) -> Expression:
    """Returns the log-probability of the chosen action in each row."""
    return gw.Gather(gw.LogSoftmax(logits), actions, axis=1, batch_dims=1)


def with_axes_from_the_other_end(graph: Graph) -> Graph:
    """Returns a graph whose axes that are counted from the front are counted from the end, and the other way round."""
    inferred = infer_specs(graph)
    for page in graph.pages:
        for block in page.blocks.values():
            path = f"{page.name}/{block.id}"
            first = next((link.source for link in inferred.expanded.links if link.target.path == path), None)
            spec = None if first is None else inferred.specs.get(first)
            for name in ("axis", "axes"):
                value = block.parameters.get(name)
                if spec is not None and value is not None and block.type not in ("Stack", "ExpandDims", "Squeeze"):
                    items = [
                        item - spec.ndim if item >= 0 else item + spec.ndim for item in np.atleast_1d(value).tolist()
                    ]
                    other = items if isinstance(value, tuple | list) else items[0]
                    graph = edits.set_parameter(graph, page.name, block.id, name, other)
    return graph


def with_dots(graph: Graph) -> Graph:
    """Returns a graph with a Reroute on each wire of its first page."""
    page = graph.pages[0]
    blocks, wires = dict(page.blocks), dict[Port, Wire]()
    for number, wire in enumerate(page.wires.values()):
        dot = f"dot{number}"
        blocks[dot] = Block(dot, "Reroute")
        wires[Port(dot, "x")], wires[wire.target] = (
            Wire(wire.source, Port(dot, "x")), Wire(Port(dot, "y"), wire.target),
        )  # fmt: skip
    return graph.with_page(dataclasses.replace(page, blocks=blocks, wires=wires))


def with_turned_operands(graph: Graph) -> Graph:
    """Returns a graph whose sums, products and extremes of two have their operands in the other order."""
    page = graph.pages[0]
    wires = dict(page.wires)
    for block in page.blocks.values():
        x, y = Port(block.id, "x"), Port(block.id, "y")
        if block.type in ("Add", "Multiply", "Maximum", "Minimum") and {x, y} <= page.wires.keys():
            wires[x], wires[y] = Wire(page.wires[y].source, x), Wire(page.wires[x].source, y)
    return graph.with_page(dataclasses.replace(page, wires=wires))
