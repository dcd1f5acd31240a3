"""Edits that are made of several: each is one entry in the history. Functions from graph to graph, without Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from gradwire.app.base.translation import tr_sentence
from gradwire.app.live.page_editing import may_use
from gradwire.app.live.selection import Selection
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import Layer, layer_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.infer_update import known_after
from gradwire.engine.base.errors import CycleError, DtypeError, EditError
from gradwire.engine.base.starts import START, VALUE
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import REQUIRED, Parameter
from gradwire.engine.blocktypes.type_ports import InputPort, OutputPort
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.edits.reader_copies import copies_for_readers
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from gradwire.engine.graph.lookup import free_name
from gradwire.engine.graph.ports import page_ports, role_of
from gradwire.engine.layout.free_space import Rect
from gradwire.engine.layout.room import free_shift

_BY_KIND: dict[str, object] = {
    "tensor": 1.0,
    "integer": 1,
    "number": 1.0,
    "boolean": False,
    "text": "",
    "integers": (1,),
    "numbers": (1.0,),
    "sizes": 1,
    "axes": 0,
    "dtype": "float64",
    "padding": "SAME",
    "pairs": ((0, 0),),
    "ports": (),
    "page": "",
}


# A new loop has so many rounds.
_ROUNDS = 10
# Room between a constant and its reader. Units: px at 100 %.
_BESIDE = 48
# A place on the page.
At = tuple[float, float]
# Gives the spec of an output, where it is known.
SpecOf = Callable[[Port], TensorSpec | None]


def copy_to_readers(graph: Graph, page_name: str, block_id: str, rects: Mapping[str, Rect]) -> Graph:
    """Returns the graph with a constant of its own for each reader of a block, to the left and below of it.

    `rects` are the places of all blocks as left, top, width, height. Units: px at 100 %.
    Raises: EditError if the block cannot have copies.
    """
    changed, own = copies_for_readers(graph, page_name, block_id)
    _, _, width, height = rects[block_id]
    taken = [rect for name, rect in rects.items() if name != block_id]
    places = {}
    for reader, name in own.items():
        left, top, _, high = rects[reader]
        wanted = (left - width - _BESIDE, top + high, width, height)
        right, down = free_shift([wanted], taken)
        places[name] = (wanted[0] + right, wanted[1] + down)
        taken.append((*places[name], width, height))
    return edits.move_blocks(changed, page_name, places)


def starting_parameters(block_type: BlockType) -> dict[str, object]:
    """Returns the starting value of each parameter of a new block that has no default, and of a source its numbers."""
    found = {}
    for parameter in block_type.parameters.values():
        if parameter.default is REQUIRED or (block_type.role is Role.SOURCE and parameter.name == VALUE):
            found[parameter.name] = _starting_value(block_type, parameter)
    return found


def _starting_value(block_type: BlockType, parameter: Parameter) -> object:
    if block_type.name == "Input" and parameter.name == "value":
        return np.array([1.0, 2.0, 3.0])
    if parameter.name in ("axis", "dim"):
        return (0,) if parameter.kind.name == "integers" else 0
    if block_type.is_loop and parameter.name == "times":
        return _ROUNDS
    if block_type.role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT) and parameter.name == "name":
        return "x" if block_type.role is Role.PAGE_INPUT else "y"
    return parameter.kind.choices[0] if parameter.kind.choices else _BY_KIND.get(parameter.kind.name, 0)


@dataclass(frozen=True, eq=False)
class NewBlock:
    """A block to be made: its type, its parameters that differ from the usual ones, and its name if it has one."""

    type_name: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    name: str | None = None


def place_block(graph: Graph, page: str, new: NewBlock, at: At) -> tuple[Graph, str]:
    """Returns the graph with a new block, ready to use, and its id, which is its name if it has one.

    Raises: EditError if there is no such type, or the name is taken.
    """
    layer = layer_of(new.type_name)
    if layer is not None:
        return layer_edits.add_layer(graph, page, layer, at, settings=new.parameters)
    block_type = library.get(new.type_name)
    given = {} if block_type is None else starting_parameters(block_type)
    if block_type is not None and block_type.role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        taken = {port.name for port in page_ports(graph.page(page), block_type.role)}
        given["name"] = free_name(str(given["name"]), taken)
    if block_type is not None and block_type.is_loop:
        del given["page"]
        given |= next(({"page": item.name} for item in graph.pages if may_use(graph, graph.page(page), item)), {})
    if START in new.parameters:
        given.pop(VALUE, None)
    return edits.add_block(graph, page, new.type_name, id=new.name, at=at, parameters={**given, **new.parameters})


def place_connected(
    graph: Graph, page: str, new: NewBlock, at: At, ends: Sequence[Port], are_outputs: bool, spec_of: SpecOf
) -> tuple[Graph, str]:
    """Returns the graph with a new block joined to some ports, in their order, and its id.

    Each port receives the next one of the block that fits. What finds none stays as it is, unless none finds one.
    Raises: EditError if no port of the block fits.
    """
    layer = layer_of(new.type_name)
    if layer is not None:
        return layer_edits.add_joined(graph, page, layer, at, ends, are_outputs, spec_of, new.parameters)
    placed, block_id = place_block(graph, page, new, at)
    joined, reason = placed, ""
    taken: set[str] = set()
    for end in ends:
        names = _ports_for(new.type_name, spec_of(end), are_outputs, taken)
        if are_outputs and len(ends) == 1:
            names = wire_edits.in_order_for(graph.page(page), end, names)
        for name in names:
            source, target = (end, Port(block_id, name)) if are_outputs else (Port(block_id, name), end)
            try:
                joined = edits.connect(joined, page, source, target)
            except EditError as error:
                reason = reason or str(error)
            else:
                taken.add(name)
                break
    if joined is placed and ends:
        raise EditError(reason or f"{new.type_name} has no port that fits {ends[0]}.")
    return joined, block_id


def _ports_for(type_name: str, spec: TensorSpec | None, are_inputs: bool, taken: Set[str]) -> list[str]:
    """Returns the ports of a new block that may be joined next: those that take the dtype before the others."""
    block_type = library[type_name]
    if not are_inputs:
        return _first_names(block_type.outputs)
    fitting = [port for port in block_type.inputs if spec is None or port.accepts.accepts(spec.dtype)]
    others = [port for port in block_type.inputs if port not in fitting]
    names = [_next_name(port.name, taken) if port.variadic else port.name for port in (*fitting, *others)]
    return [name for name in names if name not in taken]


def _next_name(stem: str, taken: Set[str]) -> str:
    return next(name for number in range(len(taken) + 1) if (name := f"{stem}_{number}") not in taken)


def _first_names(ports: Iterable[InputPort | OutputPort]) -> list[str]:
    return [f"{port.name}_0" if port.variadic else port.name for port in ports]


def insert_on_wire(
    graph: Graph, page: str, new: NewBlock, at: At, wire: Wire, known: Inferred | None = None
) -> tuple[Graph, str]:
    """The graph with a new block in the middle of a wire, by its ports that fit; where none do, by its first ones.

    `known` is inferred of the graph: it saves inferring that again, and tells a layer its size.
    Raises: EditError if the block has no input or no output, or the layer cannot read what arrives.
    """
    layer = layer_of(new.type_name)
    if layer is not None:
        source = PortName(f"{page}/{wire.source.block}", wire.source.name)
        spec = None if known is None else known.specs.get(source)
        return layer_edits.insert(graph, page, layer, at, wire, spec, new.parameters)
    placed, block_id = place_block(graph, page, new, at)
    try:
        return wire_edits.insert_block(placed, page, block_id, wire, known), block_id
    except EditError:
        return _joined_by_first_ports(placed, page, block_id, wire), block_id


def _joined_by_first_ports(graph: Graph, page: str, block_id: str, wire: Wire) -> Graph:
    block_type = library[graph.page(page).blocks[block_id].type]
    inputs, outputs = _first_names(block_type.inputs), _first_names(block_type.outputs)
    if not inputs or not outputs:
        raise EditError(f"{block_type.name} cannot stand in the middle of a wire; it has no input or no output.")
    into = wire_edits.in_order_for(graph.page(page), wire.source, inputs)[0]
    graph = edits.connect(graph, page, wire.source, Port(block_id, into))
    return edits.connect(graph, page, Port(block_id, outputs[0]), wire.target)


def replug(graph: Graph, page: str, wire: Wire, target: Port, spec: TensorSpec | None = None) -> Graph:
    """The graph with the end of a wire at another input port; `spec` is what it carries, which sizes a layer.

    Raises: EditError if it does not fit there; the wire then stays.
    """
    if wire.target == target:
        return graph
    return layer_edits.connect(edits.disconnect(graph, page, wire), page, wire.source, target, spec)


def delete(graph: Graph, page: str, chosen: Selection) -> Graph:
    """The graph without what is selected; frames go without what they hold."""
    blocks = sorted(chosen.blocks)
    wires = [wire for wire in chosen.wires if wire.source.block not in blocks and wire.target.block not in blocks]
    graph = edits.disconnect(graph, page, *wires) if wires else graph
    graph = edits.remove_blocks(graph, page, blocks) if blocks else graph
    for frame in sorted(chosen.frames):
        graph = edits.remove_frame(graph, page, frame)
    for note in sorted(chosen.notes):
        graph = edits.remove_note(graph, page, note)
    return graph


def dissolve(graph: Graph, page: str, chosen: Selection, known: Inferred) -> tuple[Graph, tuple[str, ...]]:
    """The graph without what is selected, what the blocks stood between joined, and why some could not be.

    Raises: EditError if a block is gone.
    """
    graph, reasons = wire_edits.dissolve_blocks(graph, page, chosen.blocks, known)
    now = graph.page(page)
    wires = chosen.wires & {*now.wires.values(), *now.surplus}
    return delete(graph, page, Selection(wires=wires, frames=chosen.frames, notes=chosen.notes)), reasons


def set_for_all(graph: Graph, page: str, blocks: Iterable[str], edit: Callable[..., Graph], *args: object) -> Graph:
    """The graph with one edit carried out on several blocks."""
    for block_id in blocks:
        graph = edit(graph, page, block_id, *args)
    return graph


# Whether a wire fits


@dataclass(frozen=True)
class Fit:
    """Whether a wire may be drawn: `reason` says why not; one that `is_possible` may be forced.

    `ring` names the blocks on the circle that it would close.
    """

    reason: str = ""
    is_possible: bool = True
    ring: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.reason


def fit_of(graph: Graph, page: str, prefix: str, inferred: Inferred, wire: Wire, replaced: Wire | None = None) -> Fit:
    """Whether a wire fits where it would end, and if not, why: no such port, a circle, a dtype, a shape.

    `replaced` is the wire that it would take the place of.
    """
    source = inferred.specs.get(PortName(f"{prefix}/{wire.source.block}", wire.source.name))
    try:
        base = graph if replaced is None else edits.disconnect(graph, page, replaced)
        connected = layer_edits.connect(base, page, wire.source, wire.target, source)
    except CycleError as error:
        return Fit(tr_sentence(str(error)), is_possible=False, ring=error.ring)
    except EditError as error:
        return Fit(tr_sentence(str(error)), is_possible=False)
    path = f"{prefix}/{wire.target.block}"
    if source is None:
        return Fit()
    if refusal := _dtype_refusal(graph.page(page).blocks[wire.target.block], wire.target.name, source):
        return Fit(refusal)
    before = {(problem.code, problem.message) for problem in inferred.problems if problem.at == path}
    for problem in known_after(inferred, connected).problems:
        is_new = problem.at == path and (problem.code, problem.message) not in before
        if is_new and problem.severity == "error" and problem.code in ("dtype", "shape", "parameter"):
            return Fit(tr_sentence(problem.message))
    return Fit()


def _dtype_refusal(block: Block, port: str, spec: TensorSpec) -> str:
    """Returns why an input does not take a dtype, or ""; inference says so only where no other input is missing."""
    block_type = library.get(block.type)
    if block_type is None or block.is_muted:
        return ""
    try:
        block_type.check_dtype(port, spec)
    except DtypeError as error:
        return tr_sentence(block_type.sentence(error))
    return ""


def takes(block_type: BlockType | Layer, specs: Sequence[TensorSpec | None], are_outputs: bool) -> bool:
    """Whether a type or layer has ports for the other ends of wires; `specs` are those of outputs, where known."""
    if isinstance(block_type, Layer):
        return not are_outputs or layer_edits.can_read(block_type, specs)
    if not are_outputs:
        return bool(block_type.outputs)
    has_room = len(block_type.inputs) >= len(specs) or any(port.variadic for port in block_type.inputs)
    return has_room and all(
        any(spec is None or port.accepts.accepts(spec.dtype) for port in block_type.inputs) for spec in specs
    )


def title_to_edit(block: Block) -> str:
    """Returns the text in which renaming begins: the label, the name of the page's port, or the id."""
    if role_of(block) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return str(block.parameters.get("name", block.id))
    return block.label or block.id


def stands_between(block_type: BlockType | Layer, spec: TensorSpec | None) -> bool:
    """Whether a block type or layer can be put into a wire; `spec` is that of the wire, if known."""
    return takes(block_type, (), False) and takes(block_type, [spec], True)


def renamed_title(graph: Graph, page: str, block: Block, text: str) -> Graph:
    """The graph with a new name for a block: its id where the text can be one, else its label.

    A PageInput or PageOutput gives its name to the port of its page, wherever that is used.
    """
    text = text.strip()
    if text and role_of(block) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return edits.set_parameter(graph, page, block.id, "name", text)
    if not text:
        return edits.set_label(graph, page, block.id, None)
    try:
        renamed = edits.rename_block(graph, page, block.id, text)
        return edits.set_label(renamed, page, text, None)
    except EditError:
        if text in graph.page(page).blocks:
            raise
        return edits.set_label(graph, page, block.id, text)


def scaled(value: np.ndarray[tuple[int, ...], np.dtype[np.generic]], index: int, number: float) -> object:
    """An array with one element, counted flat, replaced; integers are rounded and kept within their range."""
    changed = value.copy()
    flat = changed.reshape(-1)
    if value.dtype.kind in "iu":
        limits = np.iinfo(value.dtype.name)
        number = min(max(round(number), int(limits.min)), int(limits.max))
    flat[index] = number
    return changed
