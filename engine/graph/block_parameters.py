"""Parameters of a block: the numbers of a source, and graphs in which a block has others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.base.starts import SHAPE, START, VALUE
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.lookup import title_of

STARTING = (SHAPE, START)
"""Parameters that stand for a value."""
VALUES = frozenset((VALUE, *STARTING))
"""Parameters of a source that give its numbers, and nothing else of it."""


def can_start(block: Block) -> bool:
    """Returns whether a block may have a shape and a start in place of a value, as a Variable may."""
    block_type = library.get(block.type)
    return block_type is not None and {VALUE, *STARTING} <= block_type.parameters.keys()


def value_of(block: Block) -> Array | None:
    """Returns the numbers of a source: its value, or those of its start; None if it has none that fit."""
    value = block.parameters.get(VALUE)
    if value is None and START in block.parameters and can_start(block):
        try:
            value = library[block.type].normalize(block.parameters)[VALUE]
        except BlockError:
            return None
    return value if isinstance(value, np.ndarray) else None


def with_value(block: Block, value: object) -> Block:
    """Returns a source with another value, which takes the place of a start."""
    gone = (VALUE, *STARTING) if can_start(block) else (VALUE,)
    rest = {name: item for name, item in block.parameters.items() if name not in gone}
    return replace(block, parameters={**rest, VALUE: value})


def with_numbers(block: Block) -> Block:
    """Returns a block whose start, if it has one that fits, is written out as its value."""
    value = value_of(block) if START in block.parameters else None
    return block if value is None else with_value(block, value)


def exchanged(block: Block, name: str, parameters: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the parameters of a block of which one was set: a value and a start replace each other.

    A start takes over the shape of the value, and a shape without a start begins with zeros. Without its start a block
    keeps the numbers that it drew.
    Raises: EditError if the block would be left without numbers.
    """
    if name not in (VALUE, *STARTING) or not can_start(block):
        return parameters
    rest = {key: item for key, item in parameters.items() if key not in (VALUE, *STARTING)}
    now = value_of(block)
    if parameters.get(name) is None:
        if now is None or name == VALUE:
            raise EditError(f"{title_of(block)}: parameter {name} is missing; give a value, or a shape and a start.")
        return {**rest, VALUE: now}
    if name == VALUE:
        return {**rest, VALUE: parameters[VALUE]}
    start = parameters.get(START, {"kind": "zeros"})
    if VALUE in parameters and now is not None and now.dtype.kind == "f" and now.dtype != np.float64:
        start = {"dtype": now.dtype.name, **start} if isinstance(start, Mapping) else start
    shape = parameters.get(SHAPE, () if now is None else now.shape)
    return {**rest, SHAPE: shape, START: start}


def with_parameters(graph: Graph, name: str, parameters: Mapping[str, object]) -> Graph:
    """Returns a graph with other parameters of one block, by page and id."""
    page_name, _, block_id = name.partition("/")
    page = graph.page(page_name)
    block = page.blocks[block_id]
    changed = with_value(block, parameters[VALUE]) if VALUE in parameters else block
    changed = replace(changed, parameters={**changed.parameters, **parameters})
    pages = [replace(item, blocks={**item.blocks, block_id: changed}) if item is page else item for item in graph.pages]
    return replace(graph, pages=tuple(pages))
