"""Edits of the whole graph: its pages and their ports, the loss and the checks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.renames import with_stops
from gradwire.engine.edits.wiring import cut
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire, same_value
from gradwire.engine.graph.lookup import block_of, check_name, check_page_use, free_name, page_of, users_of
from gradwire.engine.graph.own_gradients import PREFIX, gradient_inputs, gradient_outputs, pages_with_gradient
from gradwire.engine.graph.ports import gradient_page, page_ports, role_of

# Letters of a name that leave room for what is added to it; distances between ports. Units: px at 100 %.
_LONGEST, _BETWEEN_PORTS = 50, (480, 96)


def add_page(graph: Graph, name: str | None = None) -> tuple[Graph, str]:
    """Returns the graph with an empty page after the others, and its name: by default `page`, then `page_1`.

    Raises: EditError if the name cannot be given.
    """
    taken = [page.name for page in graph.pages]
    given = free_name("page", taken) if name is None else check_name(name, taken, "page")
    return dataclasses.replace(graph, pages=(*graph.pages, Page(given))), given


def remove_page(graph: Graph, page_name: str) -> Graph:
    """Returns the graph without a page; checks that name it stay, and no page has its gradient from there any more.

    Raises: EditError if it is the only page, or some block uses it.
    """
    gone = page_of(graph, page_name)
    if len(graph.pages) == 1:
        raise EditError(f'Page "{page_name}" is the only one; a graph has at least one page. Add another one first.')
    for page in graph.pages:
        users = users_of(page, page_name)
        if users and page is not gone:
            raise EditError(f'Page "{page_name}" is used by {page.name}/{users[0]}; remove that block first.')
    is_loss_there = graph.loss is not None and graph.loss.partition("/")[0] == page_name
    left = (page for page in graph.pages if page is not gone)
    pages = tuple(dataclasses.replace(page, gradient=None) if page.gradient == page_name else page for page in left)
    return dataclasses.replace(graph, pages=pages, loss=None if is_loss_there else graph.loss)


def set_gradient(graph: Graph, page_name: str, gradient: str | None) -> Graph:
    """Returns the graph with a page that gives the gradient of another one; None leaves it to the blocks of that page.

    Raises: EditError if there is no such page, or a page would come to contain itself.
    """
    page = page_of(graph, page_name)
    if gradient is not None:
        check_page_use(graph, page, page_of(graph, gradient).name)
    return graph if page.gradient == gradient else graph.with_page(dataclasses.replace(page, gradient=gradient))


def remove_gradient(graph: Graph, page_name: str) -> Graph:
    """Returns the graph with the gradient of a page left to its blocks; the page that gave it goes if unused else.

    Raises: EditError if there is no such page.
    """
    giving = gradient_page(graph, page_of(graph, page_name))
    graph = set_gradient(graph, page_name, None)
    if giving is None or pages_with_gradient(graph, giving.name):
        return graph
    is_used = any(users_of(page, giving.name) for page in graph.pages)
    return graph if is_used else remove_page(graph, giving.name)


def add_gradient_page(graph: Graph, page_name: str, specs: Mapping[str, TensorSpec] | None = None) -> tuple[Graph, str]:
    """Returns the graph with a new page, with all ports, that gives the gradient of another one, and its name.

    `specs` has those of the page's ports that are known, by their names. Ports of a dtype without a gradient get none,
    and each input at first receives the gradient of an output of its spec unchanged.
    Raises: EditError if there is no such page.
    """
    page, known = page_of(graph, page_name), specs or {}
    name = free_name(f"{page_name[:_LONGEST]}_gradient", [item.name for item in graph.pages])
    lacking = {f"{PREFIX}{port}" for port, spec in known.items() if not spec.is_differentiable}
    blocks: dict[str, Block] = {}
    ids = {
        role: _add_ports(blocks, role, sorted(names.keys() - lacking), x)
        for role, names, x in (
            (Role.PAGE_INPUT, gradient_inputs(page), 0),
            (Role.PAGE_OUTPUT, gradient_outputs(page), _BETWEEN_PORTS[0]),
        )
    }
    incoming = [port.name for port in page_ports(page, Role.PAGE_OUTPUT) if f"{PREFIX}{port.name}" not in lacking]
    wires: dict[Port, Wire] = {}
    for target, block_id in ids[Role.PAGE_OUTPUT].items():
        spec = known.get(target.removeprefix(PREFIX))
        fitting = next((output for output in incoming if spec is not None and known.get(output) == spec), None)
        if fitting is not None:
            end = Port(block_id, "x")
            wires[end] = Wire(Port(ids[Role.PAGE_INPUT][f"{PREFIX}{fitting}"], "y"), end)
    graph = graph.with_page(dataclasses.replace(page, gradient=name))
    return dataclasses.replace(graph, pages=(*graph.pages, Page(name, blocks, wires))), name


def _add_ports(blocks: dict[str, Block], role: Role, names: Sequence[str], x: int) -> dict[str, str]:
    """Adds a block for each port, one below the other; returns the ids by the names of the ports."""
    ids: dict[str, str] = {}
    for place, port in enumerate(names):
        ids[port] = free_name(port[:_LONGEST], blocks)
        at = (x, place * _BETWEEN_PORTS[1])
        blocks[ids[port]] = Block(ids[port], library.with_role(role).name, at=at, parameters={"name": port})
    return ids


def move_page(graph: Graph, page_name: str, place: int) -> Graph:
    """Returns the graph with a page moved to an index, counted from 0; too large an index means the end."""
    moved = page_of(graph, page_name)
    others = [page for page in graph.pages if page is not moved]
    others.insert(max(place, 0), moved)
    pages = tuple(others)
    is_same = all(a is b for a, b in zip(pages, graph.pages, strict=True))
    return graph if is_same else dataclasses.replace(graph, pages=pages)


def duplicate_page(graph: Graph, page_name: str) -> tuple[Graph, str]:
    """Returns the graph with a copy of a page beside it, and the copy's name.

    Both share the pages that they use.
    """
    page = page_of(graph, page_name)
    name = free_name(page_name, [item.name for item in graph.pages])
    place = [item.name for item in graph.pages].index(page_name) + 1
    pages = (*graph.pages[:place], dataclasses.replace(page, name=name), *graph.pages[place:])
    return dataclasses.replace(graph, pages=pages), name


def set_loss(graph: Graph, loss: str | None) -> Graph:
    """Returns the graph with another chosen loss: the Loss block `page/id`, or None for the sum of all.

    Raises: EditError if there is no such block, or it is no Loss.
    """
    if loss == graph.loss:
        return graph
    if loss is not None:
        page_name, _, block_id = loss.partition("/")
        block = block_of(page_of(graph, page_name), block_id)
        if role_of(block) is not Role.LOSS:
            raise EditError(f"{loss} is no Loss but a block of type {block.type}; choose a Loss block.")
    return dataclasses.replace(graph, loss=loss)


def set_checks(graph: Graph, checks: Sequence[Mapping[str, object]]) -> Graph:
    """Returns the graph with these checks in place of its own."""
    new = tuple(dict(check) for check in checks)
    return graph if same_value(new, graph.checks) else dataclasses.replace(graph, checks=new)


def silence_rule(graph: Graph, rule: str) -> Graph:
    """Returns the graph with one more rule of advice that is not applied to it."""
    return graph if rule in graph.silenced else dataclasses.replace(graph, silenced=(*graph.silenced, rule))


def apply_all_rules(graph: Graph) -> Graph:
    """Returns the graph with all rules of advice applied to it again."""
    return dataclasses.replace(graph, silenced=()) if graph.silenced else graph


def add_checks(graph: Graph, checks: Sequence[Mapping[str, object]]) -> Graph:
    """Returns the graph with more checks after its own; skips those that it has already."""
    new: list[Mapping[str, object]] = list(graph.checks)
    for check in checks:
        if not any(same_value(dict(check), dict(known)) for known in new):
            new.append(dict(check))
    return dataclasses.replace(graph, checks=tuple(new)) if len(new) > len(graph.checks) else graph


def remove_check(graph: Graph, place: int) -> Graph:
    """Returns the graph without one of its checks, counted from 0.

    Raises: EditError if there are not so many.
    """
    if not 0 <= place < len(graph.checks):
        raise EditError(f"There is no check {place}; the graph has {len(graph.checks)}.")
    return dataclasses.replace(graph, checks=graph.checks[:place] + graph.checks[place + 1 :])


def without_lost_ports(graph: Graph, old: Page, new: Page) -> Graph:
    """Returns the graph without wires, wherever the page is used, to ports that `old` has and `new` lacks."""
    gone = {role_of(old.blocks[block_id]) for block_id in old.blocks.keys() - new.blocks.keys()}
    for role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        if role not in gone:
            continue
        lost = {port.name for port in page_ports(old, role)} - {port.name for port in page_ports(new, role)}
        for page in graph.pages:
            ports = {Port(user, name) for user in users_of(page, new.name) for name in lost}
            if ports:
                graph = _without_ports(graph, page, ports, role)
    return graph


def _without_ports(graph: Graph, page: Page, ports: set[Port], role: Role) -> Graph:
    wires = (*page.wires.values(), *page.surplus)
    if role is Role.PAGE_INPUT:
        return cut(graph, page, [wire for wire in wires if wire.target in ports])
    left = with_stops(page, lambda port: None if port in ports else port)
    return cut(graph, left, [wire for wire in wires if wire.source in ports])
