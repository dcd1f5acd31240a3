"""Statuses of deep networks in float32 are those of float64: bounds that have grown beyond all numbers make no zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.snapshot import PortResult, WireResult
from gradwire.engine.explain.checks.check import in_double, in_single
from gradwire.engine.graph.graph import Graph

# Layers, width, rows, seed, and whether the layers are convolutions of images.
NETWORKS = [(20, 5, 2, 41, False), (28, 6, 2, 53, False), (60, 8, 16, 2, False), (10, 4, 2, 3, True)]
LONG = [
    (layers, width, rows, seed, seed % 2 == 0)
    for seed, (layers, width, rows) in enumerate(
        np.random.default_rng(0).integers([5, 2, 2], [61, 12, 20], (20, 3)), 40
    )
]


def network(layers: int, width: int, rows: int, seed: int, has_images: bool) -> Graph:
    """Returns layers with biases without effect before batch norms, and with sums around every second of them."""
    numbers = np.random.default_rng(seed)

    def weights(*shape: int) -> Any:  # Any: expressions have operators
        return gw.Variable(numbers.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1])))

    x: Any = gw.Input(numbers.normal(size=(rows, 6, 6, width) if has_images else (rows, width)))
    before, axes = x, [0, 1, 2] if has_images else [0]
    for layer in range(layers):
        y: Any = gw.Conv2D(x, weights(3, 3, width, width), strides=1, padding="SAME") if has_images else None
        y = gw.MatMul(x, weights(width, width)) if y is None else y
        if layer % 3 == 0:
            y = y + gw.Variable(numbers.normal(size=width), name=f"bias{layer}")
        offset, scale = gw.Variable(0.1 * numbers.normal(size=width)), gw.Variable(1 + 0.1 * numbers.normal(size=width))
        mean, variance = gw.Moments(y, axes=axes)
        x = gw.Relu(gw.BatchNormalization(y, mean, variance, offset, scale, variance_epsilon=1e-5))
        if layer % 2:
            x = before = x + before
    x = gw.ReduceMean(x, axis=[1, 2]) if has_images else x
    return gw.graph(gw.Loss(gw.Square(gw.MatMul(x, weights(width, 3)) - numbers.normal(size=(rows, 3)))))


def places(graph: Graph) -> dict[object, PortResult | WireResult]:
    """Returns what a run says of all ports and wires."""
    snapshot, found = run_graph(graph).snapshot, dict[object, PortResult | WireResult]()
    found.update(snapshot.ports.items())
    found.update(snapshot.wires.items())
    return found


@pytest.mark.parametrize("given", [*NETWORKS, *(pytest.param(item, marks=pytest.mark.long) for item in LONG)])
def test_statuses_of_float32_are_those_of_float64(given: tuple[int, int, int, int, bool]) -> None:
    """Only a gradient of which float32 has no digit may be lost: it is below the resolution of its terms."""
    graph = in_single(network(*given))
    single, double = places(graph), places(in_double(graph))
    sizes = {name: np.abs(np.asarray(item.gradient)).max(initial=0) for name, item in double.items()}
    for name, exact in double.items():
        found = single[name]
        if exact.status is Status.ZERO:
            assert found.status is Status.ZERO, name
            assert sizes[name] < 1e-13 * max(sizes.values())
        elif found.status is not exact.status:
            error = np.abs(np.asarray(found.gradient, float) - np.asarray(exact.gradient)).max()
            assert error > sizes[name] / 20, name
    zeros = {str(name) for name, item in single.items() if item.status is Status.ZERO}
    assert zeros >= {f"main/bias{layer}.y" for layer in range(0, given[0], 3)}
    assert len(zeros) < len(single) / 10
