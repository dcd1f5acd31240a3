"""Laws of every graph, tested on random and recorded ones."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate, run_graph
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.paths import part_path, segment_of, whole_path
from tests.gallery import example_names, run_of_example
from tests.recorded import load, make_graph, recorded_graphs, run_of_recording
from tests.sweeps import a_third_of

UNARY = ["Tanh", "Sin", "Exp", "Square", "StopGradient", "Softmax", "ReduceMax", "Round", "Relu", "Reroute", "Identity"]
BINARY = ["Add", "Subtract", "Multiply", "Maximum"]
law = settings(derandomize=True, deadline=None, max_examples=60)


@st.composite
def graphs(draw: Any, always: tuple[str, ...] = ()) -> Graph:
    """Two inputs of three elements, up to twelve blocks on random earlier ones, derivatives among them, and a Loss.

    Blocks of the kinds in `always` occur, too. The Loss adds up all unused outputs, so that every block leads to it.
    """
    blocks = [Block(name, "Input", parameters={"value": draw(vectors())}) for name in ("a", "b")]
    outputs, wires = ["a.y", "b.y"], list[tuple[str, str]]()
    drawn = draw(st.lists(st.sampled_from([*UNARY, *BINARY, "Gradients"]), min_size=1, max_size=12 - len(always)))
    for index, kind in enumerate(draw(st.permutations([*drawn, *always]))):
        name, sources = f"n{index}", st.sampled_from(outputs)
        if kind == "ReduceMax":
            blocks.append(Block(name, kind, parameters={"keepdims": True}))
        else:
            blocks.append(Block(name, kind))
        if kind == "Gradients":
            # Derivatives of late outputs by early ones; all others are 0.
            late, early = st.sampled_from(outputs[-3:]), st.sampled_from(outputs[:3])
            wires += [(draw(late), f"{name}.y"), (draw(early), f"{name}.xs_0")]
        else:
            wires += [(draw(sources), f"{name}.{port}") for port in (["x", "y"] if kind in BINARY else ["x"])]
        outputs.append(f"{name}.{library[kind].output_names(1)[0]}")
    used = {source for source, _ in wires}
    *others, whole = [output for output in outputs[2:] if output not in used] or outputs[-1:]
    for index, other in enumerate(others):
        blocks.append(Block(f"sum{index}", "Add"))
        wires += [(whole, f"sum{index}.x"), (other, f"sum{index}.y")]
        whole = f"sum{index}.z"
    return make_graph([*blocks, Block("loss", "Loss")], [*wires, (whole, "loss.x")])


def vectors() -> st.SearchStrategy[np.ndarray]:
    numbers = st.sampled_from([-1.5, -0.5, 0.0, 0.25, 0.5, 1.0, 1.25])
    return st.lists(numbers, min_size=3, max_size=3).map(np.array)


def sums_of_parts(run: Evaluation) -> Counter[str]:
    """Counts the finite nonzero sums over several wires, and those with inner parts."""
    return assert_parts_add_up(run.snapshot, run.lowered.inferred.losses)


def given_to_loop(snapshot: Snapshot, name: PortName) -> list[np.ndarray]:
    """Returns what a round gives to its loop besides its wires: the last round all, others what is stacked of them."""
    number, loop = segment_of(name.path.rpartition("/")[2]).round, PortName(whole_path(name.path), name.port)
    whole = snapshot.ports[loop].gradient if number is not None and loop in snapshot.ports else None
    own = snapshot.ports[name].gradient
    if number is None or whole is None or own is None:
        return []
    if whole.shape != own.shape:
        return [whole[number]]
    is_last = PortName(part_path(loop.path, number + 1), name.port) not in snapshot.ports
    return [whole] if is_last else []


def assert_parts_add_up(snapshot: Snapshot, losses: Sequence[str]) -> Counter[str]:
    """Asserts that each port's gradient is the sum over its wires and inner parts, plus 1 for a loss itself."""
    seen = Counter[str]()
    for name, port in snapshot.ports.items():
        if port.gradient is None:
            continue
        parts = [wire.gradient for link, wire in snapshot.wires.items() if link.source == name]
        parts += given_to_loop(snapshot, name)
        parts += [part.gradient for part in port.inner]
        seed = 1.0 if name.path in losses else 0.0
        assert all(part is not None for part in parts)
        total = sum(parts, start=np.full(port.gradient.shape, seed, port.gradient.dtype))
        # Rounding of the sum: its order is not fixed.
        scale = sum((np.abs(part) for part in parts), start=np.zeros(()))
        assert np.all(np.abs(total - port.gradient) <= 1e-13 * scale) or not np.isfinite(total).all(), name
        telling = [np.isfinite(part).all() and np.any(part) for part in parts]
        seen["several"] += sum(telling) > 1
        seen["inner"] += any(telling[len(parts) - len(port.inner) :])
    return seen


def cases_of(check: Callable[[Graph], Counter[str]], *always: str) -> Counter[str]:
    """Counts the cases of a law on random graphs; a law without cases proves nothing."""
    seen = Counter[str]()

    @law
    @given(graphs(always))
    def holds(graph: Graph) -> None:
        seen.update(check(graph))

    holds()
    return seen


@pytest.mark.parametrize("always", [(), ("Gradients", "Square", "Exp", "Multiply")])
def test_wires_and_inner_parts_add_up_to_the_port(always: tuple[str, ...]) -> None:
    seen = cases_of(lambda graph: sums_of_parts(run_graph(graph)), *always)
    assert seen["several"] > 20
    assert seen["inner"] > 5 or not always


def test_a_part_that_is_missing_is_noticed() -> None:
    blocks = [Block("x", "Input", parameters={"value": np.array(2.0)}), Block("s", "Square"), Block("d", "Gradients")]
    blocks += [Block("m", "Multiply"), Block("loss", "Loss")]
    wires = [("x.y", "s.x"), ("s.y", "d.y"), ("x.y", "d.xs_0"), ("d.g_0", "m.x"), ("x.y", "m.y"), ("m.z", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    x = PortName("main/x", "y")
    assert snapshot.ports[x].inner and assert_parts_add_up(snapshot, ["main/loss"])["inner"] == 1
    without_inner = {**snapshot.ports, x: dataclasses.replace(snapshot.ports[x], inner=())}
    without_wire = {**snapshot.wires, Link(x, PortName("main/m", "y")): WireResult(np.zeros(()), Status.ZERO)}
    for broken in ({"ports": without_inner}, {"wires": without_wire}):
        with pytest.raises(AssertionError):
            assert_parts_add_up(dataclasses.replace(snapshot, **broken), ["main/loss"])


@pytest.mark.parametrize("name", recorded_graphs())
def test_wires_and_inner_parts_add_up_in_recorded_graphs(name: str) -> None:
    sums_of_parts(run_of_recording(name))


@pytest.mark.parametrize("name", example_names())
def test_wires_and_inner_parts_add_up_in_the_gallery(name: str) -> None:
    sums_of_parts(run_of_example(name))


def with_constants_for_stops(graph: Graph, snapshot: Snapshot) -> Graph:
    """Returns the graph with every StopGradient replaced by a Constant of its value."""
    page = graph.pages[0]
    blocks, wires = dict(page.blocks), dict(page.wires)
    for block in page.blocks.values():
        if library[block.type].role is Role.STOP:
            value = snapshot.port(f"main/{block.id}.y").value
            blocks[block.id] = Block(block.id, "Constant", parameters={"value": value})
            wires = {target: wire for target, wire in wires.items() if target.block != block.id}
    return dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=blocks, wires=wires),))


def assert_stops_are_constants(run: Evaluation) -> Counter[str]:
    """Counts the stops that withhold a gradient, and those of them while a gradient reaches an input."""
    with_stops = run.snapshot
    replaced = evaluate(with_constants_for_stops(run.graph, with_stops))
    gradients = [port.gradient for port in with_stops.ports.values() if port.gradient is not None]
    # Gradients of several wires may be added in another order, because the order of blocks differs.
    room = 1e-14 * (1 + max(np.abs(item[np.isfinite(item)]).max(initial=0) for item in gradients))
    for name, port in replaced.ports.items():
        np.testing.assert_array_equal(port.value, with_stops.ports[name].value)
        if port.gradient is not None:
            np.testing.assert_allclose(port.gradient, with_stops.ports[name].gradient, rtol=1e-14, atol=room)
    kept = sum(bool(np.any(wire.withheld)) for wire in with_stops.wires.values() if wire.withheld is not None)
    moving = any(np.any(port.gradient) for name, port in with_stops.ports.items() if name.path in ("main/a", "main/b"))
    return Counter({"kept back": kept, "beside others": kept if moving else 0})


def test_a_stop_may_be_replaced_by_a_constant_of_its_value() -> None:
    seen = cases_of(lambda graph: assert_stops_are_constants(run_graph(graph)), "StopGradient")
    assert seen["kept back"] > 30 and seen["beside others"] > 20


def has_stop(name: str) -> bool:
    return any(node["op"] == "StopGradient" for node in load("graphs", name)["nodes"])


@pytest.mark.parametrize("name", a_third_of(name for name in recorded_graphs() if has_stop(name)))
def test_stops_of_recorded_graphs_may_be_replaced_by_constants(name: str) -> None:
    assert_stops_are_constants(run_of_recording(name))


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


@pytest.mark.parametrize("name", a_third_of(recorded_graphs(), 1))
def test_a_recorded_graph_survives_its_file(name: str) -> None:
    run = run_of_recording(name)
    graph = run.graph
    text = dumps(graph)
    read = loads(text).graph
    assert dumps(read) == text
    if read != graph:
        # Parameters at their defaults are not written; equal graphs have equal gradients.
        found, expected = evaluate(read), run.snapshot
        for port, result in expected.ports.items():
            np.testing.assert_array_equal(found.ports[port].gradient, result.gradient)
