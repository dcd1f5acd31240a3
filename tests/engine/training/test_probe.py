"""Measurements beside a training: gradients on wires, and the activations that pass none."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.probe import Probe
from gradwire.engine.training.trainer import Trainer


def network(activation: str, bias: object) -> Graph:
    """Returns L = mean(activation(x w + bias)^2) for two rows and three units."""
    x = gw.Constant([[1.0], [-1.0]], name="x")
    h = getattr(gw, activation)(x * gw.Variable([[1.0, 2.0, 3.0]], name="w") + gw.Variable(bias, name="b"), name="h")
    return gw.graph(gw.Loss(gw.ReduceMean(gw.Square(h, name="s"), name="m"), name="L"))


def test_a_unit_is_dead_where_no_row_passes_and_an_element_saturated_where_its_slope_is_tiny() -> None:
    # The first unit is left of 0 for both rows, the second one for neither, the third one for one of them.
    relu = network("Relu", [-5.0, 5.0, 0.0])
    found = Probe(relu, plan_of(relu)).measured(0, Trainer(relu).values)
    assert found.dead == {"main/h": pytest.approx(1 / 3)}
    assert found.saturated == {}
    # 1 - tanh(x)^2 is about 4 exp(-2 |x|): below 1e-6 from |x| = 7.6 on, so for 8 - 1 = 7 it is not, for 8 + 1 it is.
    tanh = network("Tanh", [8.0, 0.0, 20.0])
    found = Probe(tanh, plan_of(tanh)).measured(0, Trainer(tanh).values)
    assert found.saturated == {"main/h": pytest.approx(3 / 6)}
    assert found.dead == {}


def test_the_gradient_of_a_wire_is_the_one_that_an_evaluation_has() -> None:
    graph = network("Tanh", [0.5, -0.5, 0.1])
    trainer = Trainer(graph)
    probe = Probe(graph, trainer.plan, ["main/s.x", "main/L.x", "main/none.x"])
    trainer.run_round()
    norms = probe.measured(trainer.round, trainer.values).norms
    wires = {str(link.target): result for link, result in evaluate(trainer.graph).wires.items()}
    assert norms == {
        name: pytest.approx(float(np.linalg.norm(wires[name].gradient)), rel=1e-12) for name in ("main/s.x", "main/L.x")
    }


def test_an_output_port_has_the_sum_of_the_gradients_on_its_wires() -> None:
    """L = sum(p + 3 p), so each element of p has the gradient 4."""
    p = gw.Square(gw.Variable([1.0, 2.0], name="a"), name="p")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Add(p, gw.Multiply(p, gw.Constant(3.0)))), name="L"))
    norms = Probe(graph, plan_of(graph), ["main/p.y"]).measured(0, Trainer(graph).values).norms
    assert norms == {"main/p.y": pytest.approx(4 * np.sqrt(2), rel=1e-15)}


def test_a_wire_has_the_gradient_of_the_first_step_that_reaches_it_and_training_keeps_its_bits() -> None:
    a, b = gw.Variable([1.0, 2.0], name="a"), gw.Variable([3.0, 4.0], name="b")
    first = gw.Loss(gw.ReduceSum(gw.Square(a, name="p"), name="q"), name="A")
    second = gw.Loss(gw.ReduceSum(a * gw.Exp(b, name="e"), name="r"), name="B")
    steps = ({"name": "one", "loss": "main/A"}, {"name": "two", "loss": "main/B"})
    graph = dataclasses.replace(gw.graph(first, second), training={"steps": steps})
    plain, measured = Trainer(graph), Trainer(graph)
    probe = Probe(graph, measured.plan, ["main/p.x", "main/e.x"])
    # 2 a at a = (1, 2), and a exp(b) at b = (3, 4).
    wanted = {"main/p.x": np.linalg.norm([2, 4]), "main/e.x": np.hypot(np.exp(3), 2 * np.exp(4))}
    assert probe.measured(0, measured.values).norms == pytest.approx(wanted, rel=1e-12)
    for _ in range(3):
        plain.run_round()
        probe.measured(measured.round, measured.values)
        measured.run_round()
    assert measured.checksum() == plain.checksum()


def test_a_graph_without_activations_or_tracked_wires_needs_no_probe() -> None:
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Square(gw.Variable([1.0, 2.0], name="a"))), name="L"))
    assert Probe(graph, plan_of(graph)).is_empty


@pytest.mark.parametrize(
    ("bias", "dead"),
    [
        (-1.0, 1.0), (1.0, 0.0), ([-1.0, 1.0], 0.5), ([-1.0, -1.0], 1.0), ([[-1.0, 1.0], [-1.0, -1.0]], 0.5),
        ([[[-1.0, 1.0], [-1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]], 0.0), ([[[-1.0, 1.0, -2.0]]], 2 / 3),
    ],
)  # fmt: skip
def test_a_unit_is_a_place_along_the_last_axis(bias: object, dead: float) -> None:
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Relu(gw.Variable(bias, name="b"), name="h")), name="L"))
    assert Probe(graph, plan_of(graph)).measured(0, Trainer(graph).values).dead == {"main/h": pytest.approx(dead)}
