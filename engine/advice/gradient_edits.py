"""Edits that let a gradient pass where it is zero: straight-through, random initial values, a wider dtype.

New blocks have no place; the window assigns one.
"""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port, Wire
from gradwire.engine.graph.lookup import block_of, page_of, title_of

SPREAD, SEED = 0.1, 0
_NARROW = (np.dtype(np.float16), np.dtype(np.float32))
_WIDE = "float64"


def pass_straight_through(graph: Graph, page_name: str, block_id: str) -> Graph:
    """Returns the graph with a straight-through estimator `x + stop(f(x) - x)` in place of a block's output.

    The value stays that of the block; the gradient passes to x unchanged.
    Raises: EditError if the block does not have exactly one wired input.
    """
    page = page_of(graph, page_name)
    block, arriving = block_of(page, block_id), [wire for wire in page.wires.values() if wire.target.block == block_id]
    leaving = [wire for wire in page.wires.values() if wire.source.block == block_id]
    if len(arriving) != 1:
        raise EditError(f"{title_of(block)} needs one input that is connected; connect it first.")
    made = list[str]()
    for type_name in ("Subtract", "StopGradient", "Add"):
        graph, new = edits.add_block(graph, page_name, type_name)
        made.append(new)
    given = leaving[0].source if leaving else Port(block_id, "y")
    for wire in (
        *_detour(arriving[0].source, given, *made),
        *(Wire(Port(made[2], "z"), old.target) for old in leaving),
    ):
        graph = edits.connect(graph, page_name, *wire)
    return graph


def _detour(x: Port, y: Port, subtract: str, stop: str, add: str) -> list[Wire]:
    return [
        Wire(y, Port(subtract, "x")),
        Wire(x, Port(subtract, "y")),
        Wire(Port(subtract, "z"), Port(stop, "x")),
        Wire(x, Port(add, "x")),
        Wire(Port(stop, "y"), Port(add, "y")),
    ]


def fill_with_small_numbers(graph: Graph, page_name: str, block_id: str) -> Graph:
    """Returns the graph with small reproducible random numbers as a source's value.

    Raises: EditError if the block does not hold floating-point numbers.
    """
    block = block_of(page_of(graph, page_name), block_id)
    value = block.parameters.get("value")
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        raise EditError(f"{title_of(block)} does not hold floating point numbers; fill another block.")
    numbers = SPREAD * np.random.default_rng(SEED).standard_normal(value.shape)
    return edits.set_parameter(graph, page_name, block_id, "value", np.asarray(numbers, value.dtype))


def widen(graph: Graph) -> Graph:
    """Returns the graph with float64 in place of every narrower floating-point dtype."""
    for page in graph.pages:
        for block in page.blocks.values():
            for name, value in block.parameters.items():
                if isinstance(value, np.ndarray) and value.dtype in _NARROW:
                    graph = edits.set_parameter(graph, page.name, block.id, name, value.astype(np.float64))
                elif name == "dtype" and value in [str(dtype) for dtype in _NARROW]:
                    graph = edits.set_parameter(graph, page.name, block.id, name, _WIDE)
    return graph
