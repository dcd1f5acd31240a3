"""Random graphs of small blocks, for tests and benchmarks."""

from __future__ import annotations

import random

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

ELEMENTS = 16
UNARY = ("Tanh", "Sin", "Sigmoid", "Negative", "Identity")
BINARY = ("Add", "Multiply", "Subtract", "Maximum")


def random_graph(count: int, seed: int = 0, reach: int = 200) -> Graph:
    """Returns a graph of `count` small blocks: ten inputs, elementwise blocks on random earlier ones, and a Loss.

    Each block takes the one before it; a second input is one of the `reach` before that.
    """
    choose = random.Random(seed)
    numbers = np.random.default_rng(seed)
    built: dict[str, Block] = {}
    outputs: list[Port] = []
    wires: dict[Port, Wire] = {}
    for index in range(count - 1):
        name = f"b{index}"
        if index < 10:
            built[name] = Block(name, "Input", parameters={"value": numbers.normal(size=ELEMENTS)})
            outputs.append(Port(name, "y"))
            continue
        kind = choose.choice(UNARY + BINARY)
        built[name] = Block(name, kind)
        for port in ("x", "y") if kind in BINARY else ("x",):
            source = outputs[-1] if port == "x" else choose.choice(outputs[-reach:])
            wires[Port(name, port)] = Wire(source, Port(name, port))
        outputs.append(Port(name, "z" if kind in BINARY else "y"))
    built["loss"] = Block("loss", "Loss")
    wires[Port("loss", "x")] = Wire(outputs[-1], Port("loss", "x"))
    return Graph(pages=(Page("main", built, wires),))
