"""Laws that hold for every graph, tried on random ones and on the recorded ones."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.examples import example_names, example_path
from engine.block_type import Role
from engine.evaluate import evaluate, run_graph
from engine.files import dumps, loads
from engine.files import load as load_file
from engine.graph import Block, Graph
from engine.library import library
from engine.snapshot import Snapshot
from tests.recorded import graph_of_recording, load, make_graph, recorded_graphs

UNARY = ["Tanh", "Sin", "Exp", "Square", "StopGradient", "Softmax", "ReduceMax", "Round", "Relu", "Reroute", "Identity"]
BINARY = ["Add", "Subtract", "Multiply", "Maximum"]
law = settings(derandomize=True, deadline=None, max_examples=60)


@st.composite
def graphs(draw: Any) -> Graph:
    """Two inputs of three elements, up to twelve blocks on random earlier ones, derivatives among them, and a Loss."""
    blocks = [Block(name, "Input", parameters={"value": draw(vectors())}) for name in ("a", "b")]
    outputs, wires = ["a.y", "b.y"], []
    for index in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from([*UNARY, *BINARY, "Gradients"]))
        name, sources = f"n{index}", st.sampled_from(outputs)
        if kind == "ReduceMax":
            blocks.append(Block(name, kind, parameters={"keepdims": True}))
        else:
            blocks.append(Block(name, kind))
        ports = {"Gradients": ["y", "xs_0"]}.get(kind, ["x", "y"] if kind in BINARY else ["x"])
        wires += [(draw(sources), f"{name}.{port}") for port in ports]
        outputs.append(f"{name}.{library[kind].output_names(1)[0]}")
    return make_graph([*blocks, Block("loss", "Loss")], [*wires, (outputs[-1], "loss.x")])


def vectors() -> st.SearchStrategy[np.ndarray]:
    numbers = st.sampled_from([-1.5, -0.5, 0.0, 0.25, 0.5, 1.0, 1.25])
    return st.lists(numbers, min_size=3, max_size=3).map(np.array)


def assert_parts_add_up(graph: Graph) -> None:
    """The gradient of each port is the sum over its wires and inner parts, and 1 more for a loss itself."""
    run = run_graph(graph)
    snapshot, losses = run.snapshot, run.lowered.inferred.losses
    for name, port in snapshot.ports.items():
        if port.gradient is None:
            continue
        parts = [wire.gradient for link, wire in snapshot.wires.items() if link.source == name]
        parts += [part.gradient for part in port.inner]
        seed = 1.0 if name.path in losses else 0.0
        assert all(part is not None for part in parts)
        total = sum(parts, start=np.full(port.gradient.shape, seed, port.gradient.dtype))
        # Rounding of the sum: its order is not fixed.
        scale = sum((np.abs(part) for part in parts), start=np.zeros(()))
        assert np.all(np.abs(total - port.gradient) <= 1e-13 * scale) or not np.isfinite(total).all(), name


@law
@given(graphs())
def test_wires_and_inner_parts_add_up_to_the_port(graph: Graph) -> None:
    assert_parts_add_up(graph)


@pytest.mark.parametrize("name", recorded_graphs())
def test_wires_and_inner_parts_add_up_in_recorded_graphs(name: str) -> None:
    assert_parts_add_up(graph_of_recording(load("graphs", name)))


@pytest.mark.parametrize("name", example_names())
def test_wires_and_inner_parts_add_up_in_the_gallery(name: str) -> None:
    assert_parts_add_up(load_file(example_path(name)).graph)


def with_constants_for_stops(graph: Graph, snapshot: Snapshot) -> Graph:
    """Every StopGradient replaced by a Constant of its value."""
    page = graph.pages[0]
    blocks, wires = dict(page.blocks), dict(page.wires)
    for block in page.blocks.values():
        if library[block.type].role is Role.STOP:
            value = snapshot.port(f"main/{block.id}.y").value
            blocks[block.id] = Block(block.id, "Constant", parameters={"value": value})
            wires = {target: wire for target, wire in wires.items() if target.block != block.id}
    return dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=blocks, wires=wires),))


def assert_stops_are_constants(graph: Graph) -> None:
    with_stops = evaluate(graph)
    replaced = evaluate(with_constants_for_stops(graph, with_stops))
    for name, port in replaced.ports.items():
        np.testing.assert_array_equal(port.value, with_stops.ports[name].value)
        np.testing.assert_array_equal(port.gradient, with_stops.ports[name].gradient)


@law
@given(graphs())
def test_a_stop_may_be_replaced_by_a_constant_of_its_value(graph: Graph) -> None:
    assert_stops_are_constants(graph)


@pytest.mark.parametrize("name", [name for name in recorded_graphs() if "stop" in name])
def test_stops_of_recorded_graphs_may_be_replaced_by_constants(name: str) -> None:
    assert_stops_are_constants(graph_of_recording(load("graphs", name)))


@law
@given(graphs())
def test_evaluating_twice_gives_the_same_bits(graph: Graph) -> None:
    first, second = evaluate(graph), evaluate(graph)
    for name, port in first.ports.items():
        assert port.value.tobytes() == second.ports[name].value.tobytes()
        assert port.gradient.tobytes() == second.ports[name].gradient.tobytes()


@law
@given(graphs())
def test_the_status_of_a_cut_wire_does_not_depend_on_values(graph: Graph) -> None:
    page = graph.pages[0]
    moved = {
        name: dataclasses.replace(block, parameters={"value": block.parameters["value"] + 0.125})
        for name, block in page.blocks.items()
        if block.type == "Input"
    }
    other = dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks={**page.blocks, **moved}),))
    structural = {"blocked", "no_path", "non_differentiable"}
    before, after = evaluate(graph).wires, evaluate(other).wires
    for link, wire in before.items():
        if wire.status in structural or after[link].status in structural:
            assert (wire.status, wire.by) == (after[link].status, after[link].by)


@law
@given(graphs())
def test_a_graph_survives_its_file(graph: Graph) -> None:
    text = dumps(graph)
    assert loads(text).graph == graph
    assert dumps(loads(text).graph) == text


@pytest.mark.parametrize("name", recorded_graphs())
def test_a_recorded_graph_survives_its_file(name: str) -> None:
    graph = graph_of_recording(load("graphs", name))
    text = dumps(graph)
    assert dumps(loads(text).graph) == text
    found, expected = evaluate(loads(text).graph), evaluate(graph)
    for port, result in expected.ports.items():
        np.testing.assert_array_equal(found.ports[port].gradient, result.gradient)
