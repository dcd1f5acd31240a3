"""Edits that place layers: each makes a page of its own, and a Page block that is wired to what is there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.blocks.layers.templates import layer_page, traced
from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.base.starts import SHAPE, START, VALUE
from gradwire.engine.base.tensor_spec import TensorSpec, spec_of
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.block_parameters import can_start, value_of
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, free_name, page_of, title_of, users_of
from gradwire.engine.graph.ports import page_ports, role_of, used_page

# Settings that say how Variables begin.
_BEGINNING = ("seed", "start")
Specs = Mapping[str, TensorSpec | None]


def add_layer(
    graph: Graph,
    page_name: str,
    layer: Layer,
    at: tuple[float, float],
    specs: Specs | None = None,
    settings: Mapping[str, object] | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with a page of a layer and a block that uses it, both called after the layer, and its id.

    `specs` size it by what its inputs will be wired to. Its seed is the number of Variables, so that no two layers of a
    graph begin alike.
    Raises: EditError if the layer cannot read that, or a setting does not fit.
    """
    page = page_of(graph, page_name)
    name = free_name(layer.name, {*page.blocks, *(item.name for item in graph.pages)})
    given = dict(settings or {})
    if "seed" in layer.parameters:
        given.setdefault("seed", _variables(graph))
    try:
        inner = layer_page(layer, name, specs, given)
    except BlockError as error:
        raise EditError(f"{layer.name}: {error}.") from error
    graph = dataclasses.replace(graph, pages=(*graph.pages, inner))
    kind = library.with_role(Role.PAGE).name
    return edits.add_block(graph, page_name, kind, id=name, at=at, parameters={"page": name})


def add_joined(
    graph: Graph,
    page_name: str,
    layer: Layer,
    at: tuple[float, float],
    ends: Sequence[Port],
    are_outputs: bool,
    spec_of: Callable[[Port], TensorSpec | None],
    settings: Mapping[str, object] | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with a layer whose inputs read some outputs, or whose outputs feed some inputs, in their order.

    Raises: EditError if there are more ends than ports, or the layer does not fit them.
    """
    names = layer.inputs if are_outputs else layer.outputs
    if len(ends) > len(names) and are_outputs:
        raise EditError(f"{layer.name} has no port that fits {ends[len(names)]}.")
    specs = dict(zip(names, map(spec_of, ends), strict=False)) if are_outputs else {}
    graph, block_id = add_layer(graph, page_name, layer, at, specs, settings)
    for number, end in enumerate(ends):
        own = Port(block_id, names[min(number, len(names) - 1)])
        graph = edits.connect(graph, page_name, *((end, own) if are_outputs else (own, end)))
    return graph, block_id


def insert(
    graph: Graph,
    page_name: str,
    layer: Layer,
    at: tuple[float, float],
    wire: Wire,
    spec: TensorSpec | None,
    settings: Mapping[str, object] | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with a layer in the middle of a wire, by its first ports; `spec` is what the wire carries.

    Raises: EditError if the layer cannot read that, or a setting does not fit.
    """
    graph, block_id = add_layer(graph, page_name, layer, at, {layer.inputs[0]: spec}, settings)
    graph = edits.connect(graph, page_name, wire.source, Port(block_id, layer.inputs[0]))
    return edits.connect(graph, page_name, Port(block_id, layer.outputs[0]), wire.target), block_id


def can_read(layer: Layer, specs: Sequence[TensorSpec | None]) -> bool:
    """Returns whether a layer can be made for inputs of these specs, in their order."""
    if len(specs) > len(layer.inputs):
        return False
    try:
        traced(layer, dict(zip(layer.inputs, specs, strict=False)), layer.normalize({}))
    except BlockError:
        return False
    return True


def connect(graph: Graph, page_name: str, source: Port, target: Port, spec: TensorSpec | None = None) -> Graph:
    """Returns the graph with a wire, as `edits.connect` does; a layer that it enters takes the size of its input.

    `spec` is that of the source, None if it is not known.
    Raises: EditError as `edits.connect` does.
    """
    graph = edits.connect(graph, page_name, source, target)
    block = graph.page(page_name).blocks[target.block]
    page = used_page(graph, block) if role_of(block) is Role.PAGE else None
    if page is None or spec is None or target.name not in {port.name for port in page_ports(page, Role.PAGE_INPUT)}:
        return graph
    is_used_once = sum(len(users_of(item, page.name)) for item in graph.pages) == 1
    return graph.with_page(_sized(page, {target.name: spec})) if is_used_once else graph


def set_setting(graph: Graph, page_name: str, block_id: str, name: str, value: object, specs: Specs) -> Graph:
    """Returns the graph with another setting of a layer, whose page is made anew; `specs` are those of its inputs.

    Variables that keep their shape keep their numbers, unless the setting says how they begin.

    Raises: EditError if the block is no layer or was changed inside, or the setting does not fit.
    """
    block = block_of(page_of(graph, page_name), block_id)
    page = used_page(graph, block)
    layer = None if page is None else layer_of_page(page, specs)
    if page is None or page.template is None or layer is None:
        raise EditError(f"{title_of(block)} is no layer, or was changed inside; edit the blocks on its page.")
    try:
        changed = layer_page(layer, page.name, specs, {**page.template.parameters, name: value})
    except BlockError as error:
        raise EditError(f"{layer.name}: {error}.") from error
    if name not in _BEGINNING:
        kept = {block_id: _with_numbers_of(page, item) for block_id, item in changed.blocks.items()}
        changed = dataclasses.replace(changed, blocks=kept)
    return graph.with_page(changed)


def _with_numbers_of(page: Page, block: Block) -> Block:
    """Returns a Variable with the numbers, or the start, that the one of its name has on a page, if they fit."""
    old = page.blocks.get(block.id)
    if old is None or not can_start(block) or not can_start(old):
        return block
    before, after = value_of(old), value_of(block)
    is_same = before is not None and after is not None and spec_of(before) == spec_of(after)
    return dataclasses.replace(block, parameters=old.parameters) if is_same else block


def layer_of_page(page: Page, specs: Specs) -> Layer | None:
    """Returns the layer that a page is, with such inputs; None if its blocks are no longer those of a layer."""
    made = _made(page, specs)
    return (
        None
        if made is None or page.template is None or _structure(made) != _structure(page)
        else LAYERS[page.template.name]
    )


def _made(page: Page, specs: Specs) -> Page | None:
    """Returns the page that its template makes of such inputs; None if it has none that can."""
    layer = None if page.template is None else LAYERS.get(page.template.name)
    if layer is None or page.template is None:
        return None
    try:
        return layer_page(layer, page.name, specs, page.template.parameters)
    except BlockError:
        return None


def _sized(page: Page, specs: Specs) -> Page:
    """Returns a page whose Variables have the sizes of a layer with other inputs.

    A page stays as it is if its blocks are no longer those of its layer, or a Variable has numbers already.
    """
    wanted = _made(page, specs)
    has_numbers = any(can_start(block) and START not in block.parameters for block in page.blocks.values())
    if wanted is None or has_numbers:
        return page
    if _structure(page) == _structure(wanted):
        blocks = {block_id: _resized(block, wanted.blocks[block_id]) for block_id, block in page.blocks.items()}
        return dataclasses.replace(page, blocks=blocks)
    # A residual block has other blocks for images than for vectors.
    return page if layer_of_page(page, {}) is None else wanted


def _resized(block: Block, wanted: Block) -> Block:
    """Returns a block with the shape of another one, and a state with its zeros."""
    sizes = {name: wanted.parameters[name] for name in (SHAPE,) if can_start(block)}
    if role_of(block) is Role.PAGE_INPUT and VALUE in wanted.parameters:
        sizes[VALUE] = wanted.parameters[VALUE]
    return dataclasses.replace(block, parameters={**block.parameters, **sizes}) if sizes else block


def _structure(page: Page) -> tuple[object, ...]:
    """Returns what makes a page the page of a layer: its blocks, the names of its ports, and its wires."""
    blocks = {item.id: (item.type, item.is_muted, item.parameters.get("name")) for item in page.blocks.values()}
    return blocks, dict(page.wires), page.surplus


def _variables(graph: Graph) -> int:
    return sum(can_start(block) for page in graph.pages for block in page.blocks.values())
