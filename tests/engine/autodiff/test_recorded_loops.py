"""The recorded recurrent graph with loops in place of its steps: the same values and gradients in every step."""

from __future__ import annotations

from typing import Any

from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.loop_graphs import entry, leaving, page_from
from tests.recorded import graph_of_recording, load, port_of
from tests.test_golden_graphs import faults_of

STEPS = 3
# What is carried out of a step, and into it.
CARRIED = {"multiply3": "h", "add2": "c"}


def recorded_steps(recording: dict[str, Any]) -> list[list[str]]:
    """Returns the ids of the blocks of each step, in the same order."""
    names = [node["id"] for node in recording["nodes"]]
    starts = [names.index(f"concat{number}") for number in range(1, STEPS + 1)]
    return [names[start : start + 13] for start in starts]


def chain(recording: dict[str, Any]) -> Graph:
    """Returns the recorded graph with a page for its step, used once for each."""
    whole = graph_of_recording(recording).pages[0]
    steps = recorded_steps(recording)
    inputs = {"x0": "x", "h0": "h", "c0": "c", "W": "W", "b": "b"}
    body = [whole.blocks[name] for name in steps[0]]
    wires = [
        (f"{inputs.get(str(wire.source.block), wire.source.block)}.{wire.source.name}", str(wire.target))
        for wire in whole.wires.values()
        if wire.target.block in steps[0]
    ]
    ports = [entry(name, number) for number, name in enumerate(inputs.values())]
    wires += [(port_of(recording, name), f"{port}_out.x") for name, port in CARRIED.items()]
    cell = page_from("cell", [*ports, *body, leaving("h"), leaving("c", 1)], wires)
    inside = {name for step in steps for name in step}
    blocks = [block for name, block in whole.blocks.items() if name not in inside]
    blocks += [Block(f"p{number}", "Page", parameters={"page": "cell"}) for number in range(STEPS)]
    ends = [(str(wire.source), str(wire.target)) for wire in whole.wires.values() if wire.source.block not in inside]
    ends = [(source, target) for source, target in ends if target.partition(".")[0] not in inside]
    for number in range(STEPS):
        ends += [("W.y", f"p{number}.W"), ("b.y", f"p{number}.b"), (f"x{number}.y", f"p{number}.x")]
    ends += [("h0.y", "p0.h"), ("c0.y", "p0.c"), ("p0.h", "stopgradient1.x"), ("p0.c", "stopgradient2.x")]
    ends += [("stopgradient1.y", "p1.h"), ("stopgradient2.y", "p1.c"), ("p1.h", "p2.h"), ("p1.c", "p2.c")]
    return Graph(pages=(page_from("main", blocks, [*ends, ("p2.h", "square1.x")]), cell))


def test_the_recorded_lstm_with_a_loop_for_the_steps_behind_its_stop() -> None:
    recording = load("graphs", "lstm_a")
    graph, loop = edits.fold(chain(recording), "main", ["p1", "p2"])
    assert {"stopgradient1", "stopgradient2", "p0"} <= graph.page("main").blocks.keys()
    snapshot = evaluate(graph)
    steps = recorded_steps(recording)
    prefixes = ("main/p0", f"main/{loop}[0]", f"main/{loop}[1]")
    places = {name: f"{prefix}/{steps[0][place]}" for prefix, step in zip(prefixes, steps, strict=True)
              for place, name in enumerate(step)}  # fmt: skip
    faults = []
    for reference, expected in recording["tensors"].items():
        name, _, port = port_of(recording, reference).partition(".")
        result = snapshot.port(f"{places.get(name, f'main/{name}')}.{port}")
        faults += [f"{reference}: {fault}" for fault in faults_of(result, expected, False)]
    assert len(recording["tensors"]) > 40
    assert not faults, "\n".join(faults)
