"""Layers as pages: the blocks of a layer between inputs and outputs, sized by what is wired to the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradwire.blocks.layers.catalogue import Layer
from gradwire.engine.autodiff.graph_from_expressions import PAGE as TRACED
from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.tensor_spec import DTYPES, TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Page, Port, Template, Wire
from gradwire.engine.graph.lookup import free_name
from gradwire.engine.graph.ports import role_of
from gradwire.engine.layout.framed_layers import COLUMN_GAP
from gradwire.engine.layout.layout import Outline, arrange

# From port to port of a page in one column. Units: px at 100 %.
PORT_STEP = 160
# Sizes of blocks as the canvas draws them, with pictures of their tensors; a Variable has two. Units: px at 100 %.
_VARIABLE, _OTHER = Outline(144, 176), Outline(144, 144)


def layer_page(
    layer: Layer,
    name: str,
    specs: Mapping[str, TensorSpec | None] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Page:
    """Returns a page of that name with the blocks of a layer, arranged, and its template.

    `specs` are those of the inputs that something is wired to; the others have usual ones.
    Raises: BlockError if the settings do not fit, or the layer cannot read such inputs.
    """
    given = layer.normalize(settings or {})
    sources, outputs = traced(layer, specs or {}, given)
    page = _page(layer, name, sources, outputs)
    places = _in_order(page, arrange(page, {block_id: _outline(block) for block_id, block in page.blocks.items()}))
    blocks = {block_id: dataclasses.replace(block, at=places[block_id]) for block_id, block in page.blocks.items()}
    stored = {key: value for key, value in given.items() if value != layer.parameters[key].default}
    return dataclasses.replace(page, blocks=blocks, template=Template(layer.name, stored))


def traced(
    layer: Layer, specs: Mapping[str, TensorSpec | None], given: Mapping[str, Any]
) -> tuple[dict[str, Expression], tuple[Expression, ...]]:
    """Returns the inputs of a layer of normalized settings, and its outputs as expressions of them.

    Raises: BlockError if it cannot read such inputs.
    """
    known = {key: spec for key, spec in specs.items() if spec is not None}
    sources = {key: _source(key, spec) for key, spec in _specs(layer, known, given).items()}
    made = layer.build(**sources, **given, name="")
    return sources, made if isinstance(made, tuple) else (made,)


def _specs(layer: Layer, known: Mapping[str, TensorSpec], settings: Mapping[str, Any]) -> dict[str, TensorSpec]:
    """Returns the specs of all inputs; those of states follow from the first input."""
    found = {key: known.get(key, TensorSpec(shape, DTYPES[layer.dtype])) for key, shape in layer.shapes.items()}
    first = next(iter(found.values()))
    for state in layer.states:
        found[state] = TensorSpec((*first.shape[:-1], settings["units"]), first.dtype)
    return found


def _source(name: str, spec: TensorSpec) -> Expression:
    """Returns an input of a layer, whose numbers nobody reads."""
    value = np.broadcast_to(np.zeros((), spec.dtype), spec.shape)
    found: Expression = library["Input"](value=value, name=name)
    return found


def _outline(block: Block) -> Outline:
    block_type = library.get(block.type)
    return _VARIABLE if block_type is not None and block_type.is_variable else _OTHER


def _in_order(page: Page, places: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Returns places in which several inputs, or outputs, stand in a column of their own, in the order of the ports."""
    found = dict(places)
    step = int(_OTHER.width + COLUMN_GAP)
    left, right = min(x for x, _ in places.values()) - step, max(x for x, _ in places.values()) + step
    for role, x in ((Role.PAGE_INPUT, left), (Role.PAGE_OUTPUT, right)):
        ports = [block_id for block_id, block in page.blocks.items() if role_of(block) is role]
        if len(ports) > 1:
            top = min(places[block_id][1] for block_id in ports)
            found |= {block_id: (x, top + number * PORT_STEP) for number, block_id in enumerate(ports)}
    return found


def _page(layer: Layer, name: str, sources: Mapping[str, Expression], outputs: tuple[Expression, ...]) -> Page:
    whole = trace(outputs)
    inner, wires = whole.graph.page(TRACED), dict[Port, Wire]()
    blocks = {key: _port(layer, key, source) for key, source in sources.items()}
    blocks |= {key: block for key, block in inner.blocks.items() if key not in sources}
    for key, output in zip(layer.outputs, outputs, strict=True):
        block_id = free_name(f"next_{key}" if key in blocks else key, blocks)
        blocks[block_id] = Block(block_id, library.with_role(Role.PAGE_OUTPUT).name, parameters={"name": key})
        path, port = whole.ports[output]
        wires[Port(block_id, "x")] = Wire(Port(path.rpartition("/")[2], port), Port(block_id, "x"))
    return Page(name, blocks, {**inner.wires, **wires})


def _port(layer: Layer, name: str, source: Expression) -> Block:
    """Returns an input of the page; a state without a wire is zero, any other input needs one."""
    value = {"value": np.zeros(source.shape, source.dtype)} if name in layer.states else {}
    return Block(name, library.with_role(Role.PAGE_INPUT).name, parameters={"name": name, **value})
