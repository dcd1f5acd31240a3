"""Softmax relaxation of ArgMax and ArgMin, which have no gradient."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Shape, normalize_axis
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, page_of, title_of

CHOICES = ("ArgMax", "ArgMin")


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
    sketch = _Sketch(graph, page_name)
    soft = sketch.add("Softmax", sketch.add("Negative", x.source) if block.type == "ArgMin" else x.source,
                      axis=_axis(block, shape))  # fmt: skip
    mean = None
    for wire in page.wires_from(Port(block_id, "y")):
        if _is_float_cast(page.blocks[wire.target.block]):
            mean = mean or sketch.mean_place(soft, shape, _axis(block, shape), dtype)
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


class _Sketch:
    """Graph under construction."""

    def __init__(self, graph: Graph, page_name: str) -> None:
        self.graph, self._page = graph, page_name

    def add(self, type_name: str, *sources: Port, **parameters: object) -> Port:
        self.graph, block_id = edits.add_block(self.graph, self._page, type_name, parameters=parameters)
        block_type = library[type_name]
        for name, source in zip(block_type.input_names(len(sources)), sources, strict=True):
            self.connect(source, Port(block_id, name))
        return Port(block_id, block_type.output_names(1)[0])

    def connect(self, source: Port, target: Port) -> None:
        self.graph = edits.connect(self.graph, self._page, *Wire(source, target))

    def mean_place(self, soft: Port, shape: Shape, axis: int, dtype: str) -> Port:
        """Adds the mean index along an axis, weighted by the softmax."""
        places = np.arange(shape[axis], dtype=dtype).reshape([-1, *[1] * (len(shape) - axis - 1)])
        return self.add("ReduceSum", self.add("Multiply", soft, self.add("Constant", value=places)), axis=axis)
