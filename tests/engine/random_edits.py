"""Random edits of any graph: a user's actions on blocks and wires of the first page."""

from __future__ import annotations

import random
from collections.abc import Callable

from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.graph.graph import Graph, Port, Wire

Edit = Callable[[Graph, random.Random], Graph]


def _any(graph: Graph, choose: random.Random) -> str:
    return choose.choice(list(graph.pages[0].blocks))


def _any_wire(graph: Graph, choose: random.Random) -> Wire:
    return choose.choice(list(graph.pages[0].wires.values()) or [Wire(Port("nobody", "y"), Port("nobody", "x"))])


def _connect(graph: Graph, choose: random.Random) -> Graph:
    page, source = graph.pages[0], _any(graph, choose)
    kinds = {name: library.get(page.blocks[name].type) for name in (source, _any(graph, choose))}
    *_, target = kinds
    outputs, inputs = kinds[source], kinds[target]
    if outputs is None or inputs is None or not outputs.outputs or not inputs.inputs:
        return graph
    port = choose.choice(inputs.inputs)
    name = f"{port.name}_{choose.randrange(3)}" if port.variadic else port.name
    return edits.connect(graph, page.name, Port(source, outputs.output_names(1)[0]), Port(target, name))


def _insert(graph: Graph, choose: random.Random) -> Graph:
    kind = choose.choice(["Tanh", "Add", "ReduceSum", "StopGradient", "Reshape"])
    graph, name = edits.add_block(graph, graph.pages[0].name, kind)
    return wire_edits.insert_block(graph, graph.pages[0].name, name, _any_wire(graph, choose))


def _paste(graph: Graph, choose: random.Random) -> Graph:
    ids = set(choose.sample(list(graph.pages[0].blocks), min(6, len(graph.pages[0].blocks))))
    return edits.paste(graph, graph.pages[0].name, edits.copy_blocks(graph, graph.pages[0].name, ids), (8, 8))[0]


def _set_shape(graph: Graph, choose: random.Random) -> Graph:
    sources = [block.id for block in graph.pages[0].blocks.values() if block.type in ("Input", "Variable")]
    value = choose.choice([1.0, [1.0, 2.0], [[1.0], [2.0]]])
    return edits.set_parameter(graph, graph.pages[0].name, choose.choice(sources or ["nobody"]), "value", value)


def _several(graph: Graph, choose: random.Random) -> Graph:
    for _ in range(4):
        graph = EDITS[choose.choice([name for name in EDITS if name != "several"])](graph, choose)
    return graph


EDITS: dict[str, Edit] = {
    "connect": _connect,
    "insert": _insert,
    "paste": _paste,
    "set shape": _set_shape,
    "several": _several,
    "disconnect": lambda graph, choose: edits.disconnect(graph, graph.pages[0].name, _any_wire(graph, choose).target),
    "remove": lambda graph, choose: edits.remove_blocks(graph, graph.pages[0].name, _any(graph, choose)),
    "rename": lambda graph, choose: edits.rename_block(graph, graph.pages[0].name, _any(graph, choose), "other"),
    "mute": lambda graph, choose: edits.set_muted(
        graph, graph.pages[0].name, _any(graph, choose), bool(choose.randrange(4))
    ),
    "move": lambda graph, choose: edits.move_blocks(graph, graph.pages[0].name, {_any(graph, choose): (1, 2)}),
    "label": lambda graph, choose: edits.set_label(graph, graph.pages[0].name, _any(graph, choose), "A name"),
}
