"""The results recorded from TensorFlow 2.21 under tests/golden, as graphs and arrays."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.executors.tracing import Recordings
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.gallery import smallest_of_each_wiring

GOLDEN = Path(__file__).parent / "golden"
NO_GRADIENT = {"blocked", "no_path", "non_differentiable"}


def tensor(recorded: dict[str, Any]) -> np.ndarray:
    """A recorded tensor as an array; "nan", "inf" and "-inf" are numbers."""
    data = [float(item) if isinstance(item, str) else item for item in recorded["data"]]
    return np.array(data).astype(recorded["dtype"]).reshape(recorded["shape"])


def recorded_types() -> list[str]:
    """The operations that have recorded cases."""
    return _names("cases")


def recorded_graphs() -> list[str]:
    """The names of the recorded graphs."""
    return _names("graphs")


def _names(folder: str) -> list[str]:
    found = sorted(path.stem for path in (GOLDEN / folder).glob("*.json"))
    assert len(found) > 100, "the recorded results are not where this module looks"
    return found


def load(folder: str, name: str) -> dict[str, Any]:
    """One recorded file."""
    return json.loads((GOLDEN / folder / f"{name}.json").read_text())


def make_graph(blocks_: list[Block], wires: list[tuple[str, str]]) -> Graph:
    """A graph of one page from blocks and wires written `block.port`."""
    ends = [(Port(*source.split(".")), Port(*target.split("."))) for source, target in wires]
    page = Page(
        "main", {block.id: block for block in blocks_}, {target: Wire(source, target) for source, target in ends}
    )
    return Graph(pages=(page,))


def graph_of_case(op: str, case: dict[str, Any]) -> Graph:
    """A recorded case as a graph: an Input for each input, and a Loss with the upstream gradient for each output."""
    built = [Block("op", op, parameters=case["attrs"])]
    wires = []
    for port, value in case["inputs"].items():
        built.append(Block(f"in_{port}", "Input", parameters={"value": tensor(value)}))
        wires.append((f"in_{port}.y", f"op.{port}"))
    for port, upstream in case.get("upstream", {}).items():
        built.append(Block(f"up_{port}", "Constant", parameters={"value": tensor(upstream)}))
        built.append(Block(f"loss_{port}", "Loss"))
        wires += [(f"op.{port}", f"loss_{port}.x"), (f"up_{port}.y", f"loss_{port}.weights")]
    return make_graph(built, wires)


@cache
def runs_of_cases(op: str) -> dict[str, Evaluation]:
    """The runs of all recorded cases of an operation, which tests share: a run never changes what it says."""
    return {case["id"]: run_graph(graph_of_case(op, case)) for case in load("cases", op)["cases"]}


@cache
def graphs_of_each_wiring() -> tuple[str, ...]:
    """The smallest recorded graph of each wiring: for laws that hold whatever the numbers."""
    return smallest_of_each_wiring({name: graph_of_recording(load("graphs", name)) for name in recorded_graphs()})


@cache
def run_of_recording(name: str) -> Evaluation:
    """The run of a recorded graph, which tests share."""
    return run_graph(graph_of_recording(load("graphs", name)))


@cache
def recordings() -> Recordings:
    """The calls that replace the blocks of recorded cases and graphs; they depend on neither plan nor executor."""
    return Recordings()


def graph_of_recording(recording: dict[str, Any]) -> Graph:
    """A recorded graph: the ids of its nodes become block ids, and its loss node gets a Loss block."""
    types = {node["id"]: library[node["op"]] for node in recording["nodes"]}
    built, wires = [Block("recorded_loss", "Loss")], []
    for node in recording["nodes"]:
        parameters = dict(node["attrs"])
        if node["id"] in recording["feeds"]:
            parameters["value"] = tensor(recording["feeds"][node["id"]])
        built.append(Block(node["id"], node["op"], parameters=parameters))
        names = types[node["id"]].input_names(len(node["inputs"]))
        sources = [port_of(recording, item) for item in node["inputs"]]
        wires += [(source, f"{node['id']}.{name}") for source, name in zip(sources, names, strict=True)]
    return make_graph(built, [*wires, (port_of(recording, recording["loss"]), "recorded_loss.x")])


def port_of(recording: dict[str, Any], reference: str) -> str:
    """The port `block.port` that a recorded tensor's reference (`split1:2`) means."""
    name, _, number = reference.partition(":")
    index = int(number or 0)
    op = next(node["op"] for node in recording["nodes"] if node["id"] == name)
    return f"{name}.{library[op].output_names(index + 1)[index]}"
