"""Deep nets whose gradients fade, explode, change in one layer, or stay healthy, by construction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

WIDTH, ROWS, KINDS, EACH = 8, 4, ("fades", "explodes", "guilty", "healthy"), 10


class DeepNet(NamedTuple):
    """A net, its kind, the number of its guilty layer, 0 without one, and the factor of all other layers together."""

    kind: str
    layers: int
    guilty: int
    factor: float
    graph: Graph


def net_of(weights: list[Array], activation: str = "Tanh", size: float = 1.0, target: float = 1.0) -> Graph:
    """x -> layers of MatMul, Add, activation with weights w1, b1, w2 ... -> mean of (last - target) squared -> loss."""
    data = np.random.default_rng(7).standard_normal((ROWS, WIDTH)) * size
    blocks = {"x": Block("x", "Input", parameters={"value": data})}
    blocks["target"] = Block("target", "Input", parameters={"value": np.full((ROWS, WIDTH), target)})
    ends, last = dict[Port, Port](), Port("x", "y")
    for number, numbers in enumerate(weights, start=1):
        w, b, m, a, t = (f"{stem}{number}" for stem in "wbmat")
        blocks |= {w: Block(w, "Variable", parameters={"value": numbers}), m: Block(m, "MatMul")}
        blocks |= {b: Block(b, "Variable", parameters={"value": np.zeros(WIDTH)}), a: Block(a, "Add")}
        blocks[t] = Block(t, activation)
        ends |= {Port(m, "a"): last, Port(m, "b"): Port(w, "y"), Port(a, "x"): Port(m, "product")}
        ends |= {Port(a, "y"): Port(b, "y"), Port(t, "x"): Port(a, "z")}
        last = Port(t, "y")
    blocks |= {name: Block(name, kind) for name, kind in (
        ("error", "Subtract"), ("square", "Square"), ("mean", "ReduceMean"), ("loss", "Loss"),
    )}  # fmt: skip
    ends |= {Port("error", "x"): last, Port("error", "y"): Port("target", "y"), Port("square", "x"): Port("error", "z")}
    ends |= {Port("mean", "x"): Port("square", "y"), Port("loss", "x"): Port("mean", "y")}
    return Graph((Page("main", blocks, {target: Wire(source, target) for target, source in ends.items()}),))


def deep_net(kind: str, seed: int) -> DeepNet:
    """Returns a net of 12 to 60 layers whose weights are rotations, scaled as its kind wants.

    A rotation keeps the size of a gradient, and small numbers meet an activation where its slope is 1. So each layer
    multiplies the gradient by its scale. Scales differ by a quarter. A guilty layer has one 50 times smaller or larger.
    """
    random = np.random.default_rng([KINDS.index(kind), seed])
    layers = int(random.integers(12, 61))
    total = {"fades": -random.uniform(2.5, 6), "explodes": random.uniform(2.5, 6)}.get(kind, random.uniform(-0.3, 0.3))
    powers = random.uniform(-0.1, 0.1, layers)
    scales = 10 ** (powers - powers[1:].mean() + total / (layers - 1))
    guilty = int(random.integers(2, layers + 1)) if kind == "guilty" else 0
    if guilty:
        scales[guilty - 1] *= 50.0 if seed % 2 else 0.02
    weights = [np.linalg.qr(random.standard_normal((WIDTH, WIDTH)))[0] * scale for scale in scales]
    graph = net_of(weights, str(random.choice(["Tanh", "Softsign", "Elu"])), size=1e-9)
    return DeepNet(kind, layers, guilty, 10.0**total, graph)
