"""Renaming of blocks, pages and ports; every reference follows in the same edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire, same_value
from gradwire.engine.graph.lookup import block_of, check_name, page_of, users_of, with_blocks
from gradwire.engine.graph.loops import with_ports_renamed
from gradwire.engine.graph.own_gradients import PREFIX, pages_with_gradient
from gradwire.engine.graph.paths import segment_of
from gradwire.engine.graph.ports import gradient_page, page_inside, page_ports, pages_along, role_of

# Returns a new path for `main/use/x.y`; the second argument is True for an input port.
Rewrite = Callable[[str, bool], str]
# Keys of a plan of training that hold words of its author.
_FREE_TEXTS = ("name", "title")


@dataclass(frozen=True)
class Renaming:
    """New names on one page: of blocks, output ports and input ports. Absent names stay."""

    page: str
    blocks: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[Port, Port] = field(default_factory=dict)
    inputs: Mapping[Port, Port] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.blocks or self.outputs or self.inputs)

    def block(self, block_id: str) -> str:
        """Returns the new id of a block."""
        return self.blocks.get(block_id, block_id)

    def output(self, port: Port) -> Port:
        """Returns the new name of an output port."""
        return self._port(port, self.outputs)

    def input(self, port: Port) -> Port:
        """Returns the new name of an input port."""
        return self._port(port, self.inputs)

    def wire(self, wire: Wire) -> Wire:
        """Returns the wire between the renamed ports."""
        return Wire(self.output(wire.source), self.input(wire.target))

    def touched(self) -> set[str]:
        """Returns the old ids of all blocks with a new name, or with a renamed port."""
        return {*self.blocks, *(port.block for port in (*self.outputs, *self.inputs))}

    def _port(self, port: Port, ports: Mapping[Port, Port]) -> Port:
        if port in ports:
            return ports[port]
        return Port(self.blocks[port.block], port.name) if port.block in self.blocks else port


def rename_block(graph: Graph, page_name: str, block_id: str, new: str) -> Graph:
    """Returns the graph with a block and every reference to it renamed.

    Raises: EditError if there is no such block, or the name is malformed or taken.
    """
    page = page_of(graph, page_name)
    block_of(page, block_id)
    if new == block_id:
        return graph
    return renamed(graph, Renaming(page_name, {block_id: check_name(new, page.blocks, "block")}))


def rename_page(graph: Graph, page_name: str, new: str) -> Graph:
    """Returns the graph with a page renamed, together with its Page blocks, the loss and the checks.

    Raises: EditError if there is no such page, or the name is malformed or taken.
    """
    page_of(graph, page_name)
    if new == page_name:
        return graph
    check_name(new, [page.name for page in graph.pages], "page")

    def rewrite(path: str, is_input: bool) -> str:
        head, slash, rest = path.partition("/")
        return f"{new}{slash}{rest}" if head == page_name else path

    pages = tuple(_with_page_renamed(page, page_name, new) for page in graph.pages)
    return with_paths_rewritten(dataclasses.replace(graph, pages=pages), rewrite)


def renamed(graph: Graph, renaming: Renaming) -> Graph:
    """Returns the graph with a renaming carried out on its page, in the checks and in the loss."""
    page = renamed_page(graph.page(renaming.page), renaming)
    return with_references_renamed(graph, renaming).with_page(page) if renaming else graph


def with_references_renamed(graph: Graph, renaming: Renaming) -> Graph:
    """Returns the graph with a renaming carried out in the checks, the loss and the plan of training only."""
    if not renaming:
        return graph
    return with_paths_rewritten(graph, lambda path, is_input: _rewritten_path(graph, path, is_input, renaming))


def with_paths_rewritten(graph: Graph, rewrite: Rewrite) -> Graph:
    """Returns the graph with new paths in the checks, the loss and the plan of training."""
    if graph.loss is None and not graph.checks and graph.training is None:
        return graph
    loss = None if graph.loss is None else rewrite(graph.loss, False)
    training: Any = _rewritten_plan(graph.training, rewrite)
    return dataclasses.replace(graph, loss=loss, checks=_rewritten_checks(graph.checks, rewrite), training=training)


def with_ends_rewritten(graph: Graph, page_name: str, new_end: Callable[[str, bool], str | None]) -> Graph:
    """Returns the graph with new ends of the paths that lead over a page, as in the checks and the plan of training.

    `new_end` takes what follows the path of a use of that page, such as `block/inner.port`, and whether it is an input
    port; it returns None for what stays.
    """

    def rewrite(path: str, is_input: bool) -> str:
        head, dot, port = path.partition(".")
        parts = head.split("/")
        for number in range(1, len(parts)):
            way = pages_along(graph, "/".join(parts[:number]))
            if way and way[-1].name == page_name:
                new = new_end("/".join(parts[number:]) + dot + port, is_input)
                return path if new is None else "/".join([*parts[:number], new])
        return path

    return with_paths_rewritten(graph, rewrite)


def rename_page_port(graph: Graph, page_name: str, role: Role, old: str, new: str) -> Graph:
    """Returns the graph with a page's port renamed wherever the page is used; `role` names its side.

    The caller renames the PageInput or PageOutput block itself. On the page that gives the gradient of this one alone,
    the ports of the same name and of its gradient follow.
    """
    graph = _with_gradient_ports_renamed(graph, page_name, role, old, new)
    for name in [page.name for page in graph.pages]:
        page = graph.page(name)
        users = users_of(page, page_name)
        loops = {user: with_ports_renamed(page.blocks[user], role, {old: new}) for user in users}
        graph = with_blocks(graph, page, loops)
        ports = {Port(user, old): Port(user, new) for user in users}
        side = Renaming(name, inputs=ports) if role is Role.PAGE_INPUT else Renaming(name, outputs=ports)
        graph = renamed(graph, side)
    return graph


def _with_gradient_ports_renamed(graph: Graph, page_name: str, role: Role, old: str, new: str) -> Graph:
    giving = gradient_page(graph, page_of(graph, page_name))
    if giving is None or giving.name == page_name or len(pages_with_gradient(graph, giving.name)) > 1:
        return graph
    gradient_role = Role.PAGE_OUTPUT if role is Role.PAGE_INPUT else Role.PAGE_INPUT
    for side, before, after in ((Role.PAGE_INPUT, old, new), (gradient_role, PREFIX + old, PREFIX + new)):
        known = {port.name: port.block for port in page_ports(giving, side)}
        if before in known and after not in known:
            graph = rename_page_port(graph, giving.name, side, before, after)
            block = graph.page(giving.name).blocks[known[before].id]
            named = dataclasses.replace(block, parameters={**block.parameters, "name": after})
            graph = with_blocks(graph, graph.page(giving.name), {block.id: named})
    return graph


def renamed_page(page: Page, renaming: Renaming) -> Page:
    """Returns the page with a renaming carried out on blocks, wires, frames and stop_gradients."""
    if not renaming:
        return page
    wires, surplus = _renamed_wires(page, renaming)
    blocks: Mapping[str, Block] = page.blocks
    if renaming.blocks:
        blocks = {renaming.block(block_id): _with_id(block, renaming) for block_id, block in blocks.items()}
    frames = tuple(_renamed_frame_blocks(page, renaming)) if renaming.blocks else page.frames
    changed = dataclasses.replace(page, blocks=blocks, wires=wires, surplus=surplus, frames=frames)
    return with_stops(changed, renaming.output) if renaming.blocks or renaming.outputs else changed


def with_stops(page: Page, new_port: Callable[[Port], Port | None]) -> Page:
    """Returns the page with every entry of stop_gradients replaced; None removes the entry."""
    changed: dict[str, Block] = {}
    for block in page.blocks.values():
        if "stop_gradients" in block.parameters and role_of(block) is Role.GRADIENTS:
            old = block.parameters["stop_gradients"]
            new = _rewritten_stops(old, new_port) if isinstance(old, tuple) else old
            if not same_value(new, old):
                rest = {name: value for name, value in block.parameters.items() if name != "stop_gradients"}
                parameters = {**rest, "stop_gradients": new} if new else rest
                changed[block.id] = dataclasses.replace(block, parameters=parameters)
    return dataclasses.replace(page, blocks={**page.blocks, **changed}) if changed else page


def in_order(surplus: Iterable[Wire]) -> tuple[Wire, ...]:
    """Returns surplus wires in the order in which files store them."""
    return tuple(sorted(surplus, key=lambda wire: (str(wire.target), str(wire.source))))


def _rewritten_stops(names: tuple[object, ...], new_port: Callable[[Port], Port | None]) -> tuple[object, ...]:
    found: list[object] = []
    for name in names:
        if not isinstance(name, str) or "." not in name:
            found.append(name)
        elif (port := new_port(Port(*name.split(".", 1)))) is not None:
            found.append(str(port))
    return tuple(found)


def _with_page_renamed(page: Page, old: str, new: str) -> Page:
    changed = {
        user: dataclasses.replace(page.blocks[user], parameters={**page.blocks[user].parameters, "page": new})
        for user in users_of(page, old)
    }
    gradient = new if page.gradient == old else page.gradient
    if page.name != old and not changed and gradient == page.gradient:
        return page
    name = new if page.name == old else page.name
    return dataclasses.replace(page, name=name, blocks={**page.blocks, **changed}, gradient=gradient)


def _with_id(block: Block, renaming: Renaming) -> Block:
    return dataclasses.replace(block, id=renaming.blocks[block.id]) if block.id in renaming.blocks else block


def _renamed_wires(page: Page, renaming: Renaming) -> tuple[dict[Port, Wire], tuple[Wire, ...]]:
    """Returns the wires and the surplus; a renamed wire displaces a broken wire into its port."""
    touched = renaming.touched()
    moved = {
        target: renaming.wire(wire)
        for target, wire in page.wires.items()
        if target.block in touched or wire.source.block in touched
    }
    taken = {wire.target for wire in moved.values()}
    wires: dict[Port, Wire] = {}
    surplus = [renaming.wire(wire) for wire in page.surplus]
    for target, wire in page.wires.items():
        new = moved.get(target)
        if new is not None:
            wires[new.target] = new
        elif target in taken:
            surplus.append(wire)
        else:
            wires[target] = wire
    return wires, in_order(surplus) if surplus else ()


def _renamed_frame_blocks(page: Page, renaming: Renaming) -> Iterable[Frame]:
    for frame in page.frames:
        blocks = tuple(map(renaming.block, frame.blocks))
        yield frame if blocks == frame.blocks else dataclasses.replace(frame, blocks=blocks)


def _rewritten_checks(checks: tuple[Mapping[str, object], ...], rewrite: Rewrite) -> tuple[Mapping[str, object], ...]:
    return tuple(_rewritten_check(check, rewrite) for check in checks)


def _rewritten_check(check: Mapping[str, object], rewrite: Rewrite) -> Mapping[str, object]:
    changed: dict[str, object] = {}
    for key in ("at", "gradient_equals", "loss", "other_loss"):
        path = check.get(key)
        if isinstance(path, str):
            changed[key] = rewrite(path, False)
    ends = check.get("wire")
    if isinstance(ends, list | tuple) and len(ends) == 2 and all(isinstance(end, str) for end in ends):
        pair = (rewrite(ends[0], False), rewrite(ends[1], True))
        changed["wire"] = list(pair) if isinstance(ends, list) else pair
    return {**check, **changed} if any(check[key] != new for key, new in changed.items()) else check


def _rewritten_plan(part: object, rewrite: Rewrite) -> object:
    """Returns a part of the plan of training with new paths; no other text in it has a slash."""
    if isinstance(part, str):
        return rewrite(part, False) if "/" in part else part
    if isinstance(part, Mapping):
        free = {key: value for key, value in part.items() if key in _FREE_TEXTS}
        return {
            str(_rewritten_plan(key, rewrite)): free.get(key, _rewritten_plan(value, rewrite))
            for key, value in part.items()
        }
    if isinstance(part, list | tuple):
        return type(part)(_rewritten_plan(item, rewrite) for item in part)
    return part


def _rewritten_path(graph: Graph, path: str, is_input: bool, renaming: Renaming) -> str:
    """Returns a path such as `main/use/x.y` after the renaming; looks up each part on its own page."""
    whole, dot, port_name = path.partition(".")
    page_name, *segments = whole.split("/")
    page: Page | None = graph.page(page_name) if graph.has_page(page_name) else None
    parts = [page_name]
    for number, segment in enumerate(map(segment_of, segments), start=1):
        here = page is not None and page.name == renaming.page
        if dot and number == len(segments) and here:
            port = Port(segment.block, port_name)
            new = renaming.input(port) if is_input else renaming.output(port)
            return "/".join([*parts, str(segment._replace(block=new.block))]) + dot + new.name
        parts.append(str(segment._replace(block=renaming.block(segment.block)) if here else segment))
        block = None if page is None else page.blocks.get(segment.block)
        page = None if block is None else page_inside(graph, block)
        if page is not None and segment.is_gradient:
            page = gradient_page(graph, page)
    return "/".join(parts) + dot + port_name
