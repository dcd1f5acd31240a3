"""Edits that let a gradient pass where it is zero: straight-through, random initial values, a softmax for a choice.

New blocks have no place; the window assigns one.
"""

from __future__ import annotations

import numpy as np

from gradwire.engine.advice.fixes import Sketch
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Shape, normalize_axis
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.block_parameters import value_of, with_numbers
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, page_of, title_of

SPREAD, SEED = 0.1, 0
_NARROW = (np.dtype(np.float16), np.dtype(np.float32))
_WIDE = "float64"
CHOICES = ("ArgMax", "ArgMin")


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
    """Returns the graph with small reproducible random numbers as a variable's value.

    Raises: EditError if the block is no Variable with floating-point numbers.
    """
    block = block_of(page_of(graph, page_name), block_id)
    value = value_of(block)
    if block.type != "Variable" or value is None or value.dtype.kind != "f":
        raise EditError(f"{title_of(block)} is no Variable with floating point numbers; fill another block.")
    numbers = SPREAD * np.random.default_rng(SEED).standard_normal(value.shape)
    return edits.set_parameter(graph, page_name, block_id, "value", np.asarray(numbers, value.dtype))


def widen(graph: Graph) -> Graph:
    """Returns the graph with float64 in place of every narrower floating-point dtype."""
    for page in graph.pages:
        for block in page.blocks.values():
            for name, value in with_numbers(block).parameters.items():
                if isinstance(value, np.ndarray) and value.dtype in _NARROW:
                    graph = edits.set_parameter(graph, page.name, block.id, name, value.astype(np.float64))
                elif name == "dtype" and value in [str(dtype) for dtype in _NARROW]:
                    graph = edits.set_parameter(graph, page.name, block.id, name, _WIDE)
    return graph


def can_soften(page: Page, block_id: str, shape: Shape) -> bool:
    """Returns whether every reader of a choice accepts a soft one: it makes one-hot vectors or floats of the index.

    Shapes: `shape` is that of the tensor from which the block chooses.
    """
    block = page.blocks.get(block_id)
    if block is None or block.type not in CHOICES or not shape:
        return False
    takers = [page.blocks[wire.target.block] for wire in page.wires_from(Port(block_id, "y"))]
    return bool(takers) and all(_is_float_cast(item) or _is_row_of(item, block, shape) for item in takers)


def soften(graph: Graph, page_name: str, block_id: str, shape: Shape, dtype: str) -> Graph:
    """Returns the graph with a softmax and its mean index in place of a choice's one-hot vectors and index.

    Raises: EditError if the block does not choose, or its readers have changed.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    x = page.wires.get(Port(block_id, "x"))
    if x is None or not can_soften(page, block_id, shape):
        raise EditError(f"{title_of(block)} has no soft form in this use; cast its output to floats first.")
    sketch = Sketch(graph, page_name)
    soft = sketch.add("Softmax", sketch.add("Negative", x.source) if block.type == "ArgMin" else x.source,
                      axis=_axis(block, shape))  # fmt: skip
    mean = None
    for wire in page.wires_from(Port(block_id, "y")):
        if _is_float_cast(page.blocks[wire.target.block]):
            mean = mean or _mean_place(sketch, soft, shape, _axis(block, shape), dtype)
            sketch.connect(mean, wire.target)
        else:
            for leaving in page.wires_from(Port(wire.target.block, "y")):
                sketch.connect(soft, leaving.target)
    rows = [item for item in _takers(page, block_id) if not _is_float_cast(page.blocks[item])]
    return edits.remove_blocks(sketch.graph, page_name, [block_id, *rows])


def _takers(page: Page, block_id: str) -> list[str]:
    return [wire.target.block for wire in page.wires_from(Port(block_id, "y"))]


def _axis(block: Block, shape: Shape) -> int:
    axis = block.parameters.get("axis", library[block.type].parameters["axis"].default)
    return normalize_axis(int(axis), len(shape)) if isinstance(axis, int) else 0


def _is_float_cast(block: Block) -> bool:
    return block.type == "Cast" and str(block.parameters.get("dtype", "")).startswith("float")


def _is_row_of(block: Block, choice: Block, shape: Shape) -> bool:
    """Returns whether a block makes one-hot vectors along the axis of a choice."""
    given = library["OneHot"].normalize(block.parameters) if block.type == "OneHot" else {}
    if not given:
        return False
    axis = _axis(choice, shape)
    is_plain = (given["on_value"], given["off_value"], given["depth"]) == (1.0, 0.0, shape[axis])
    return is_plain and given["axis"] % len(shape) == axis


def _mean_place(sketch: Sketch, soft: Port, shape: Shape, axis: int, dtype: str) -> Port:
    """Adds the mean index along an axis, weighted by the softmax."""
    places = np.arange(shape[axis], dtype=dtype).reshape([-1, *[1] * (len(shape) - axis - 1)])
    return sketch.add("ReduceSum", sketch.add("Multiply", soft, sketch.add("Constant", value=places)), axis=axis)
