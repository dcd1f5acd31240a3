"""The case of a loop: the LSTM as one Scan block, whose steps are the rounds of a page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from benchmarks.peers.case import Case
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from gradwire.engine.graph.graph import Wire as GraphWire

_CARRIED, _INPUTS = ("h", "c"), ("h", "c", "row", "u")
# The blocks of one step by their types, and their wires.
_STEP = {
    "product": "MatMul",
    "sum": "Add",
    "gates": "Split",
    "keep": "Sigmoid",
    "write": "Sigmoid",
    "read": "Sigmoid",
    "new": "Tanh",
    "kept": "Multiply",
    "written": "Multiply",
    "cell": "Add",
    "bound": "Tanh",
    "state": "Multiply",
}
_STEP_WIRES = """
h.y product.a, u.y product.b, row.y sum.x, product.product sum.y, sum.z gates.x, gates.y_0 keep.x, gates.y_1 write.x,
gates.y_2 read.x, gates.y_3 new.x, keep.y kept.x, c.y kept.y, write.y written.x, new.y written.y, kept.z cell.x,
written.z cell.y, cell.z bound.x, read.y state.x, bound.y state.y, state.z h_out.x, cell.z c_out.x
"""
_MAIN = {"rows": "MatMul", "biased": "BiasAdd", "loss": "Loss"}
_MAIN_WIRES = """
x.y rows.a, w.y rows.b, rows.product biased.value, b.y biased.bias, biased.y rec.row, h.y rec.h, c.y rec.c, u.y rec.u,
rec.h loss.x, weights.y loss.weights
"""


def as_loop(case: Case, steps: int) -> Case:
    """Returns the case of an LSTM, computed by ours as a graph with one loop."""
    return dataclasses.replace(case, name=f"{case.name}, as a Scan", graph=_graph(case, steps))


def _graph(case: Case, steps: int) -> Graph:
    inputs = {name: Block(name, "Input", parameters={"value": array}) for name, array in case.inputs.items()}
    rec = Block("rec", "Scan", parameters={"page": "step", "times": steps, "each": ("row",)})
    ports = {name: Block(name, "PageInput", parameters={"name": name}) for name in _INPUTS}
    outputs = {f"{name}_out": Block(f"{name}_out", "PageOutput", parameters={"name": name}) for name in _CARRIED}
    step = {**ports, **_blocks(_STEP), **outputs}
    step["gates"] = Block("gates", "Split", parameters={"num_or_size_splits": 4, "axis": 1})
    main = {**inputs, **_blocks(_MAIN), "rec": rec}
    return Graph((Page("main", main, _wires(_MAIN_WIRES)), Page("step", step, _wires(_STEP_WIRES))))


def _blocks(types: Mapping[str, str]) -> dict[str, Block]:
    return {name: Block(name, kind) for name, kind in types.items()}


def _wires(text: str) -> dict[Port, GraphWire]:
    ends: Iterable[list[str]] = (pair.split() for pair in text.replace("\n", " ").split(","))
    pairs = [(Port(*source.split(".")), Port(*target.split("."))) for source, target in ends]
    return {target: GraphWire(source, target) for source, target in pairs}
