"""Chains of Page blocks that use one page, each wired to the one before."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from gradwire.engine.graph.lookup import ids_of, title_of
from gradwire.engine.graph.loops import carried_names, is_loop
from gradwire.engine.graph.ports import page_inside, page_ports, role_of


class Chain(NamedTuple):
    """Blocks of a chain from the first to the last, and the page that they use.

    `stops` are the StopGradient blocks between them, by the port that they feed and the number of its block. Before
    every `stop_every`-th block all that is carried is stopped; 0 for a chain without stops.
    """

    used: Page
    blocks: list[str]
    stops: Mapping[tuple[str, int], str]
    stop_every: int


def chain_of(graph: Graph, page: Page, ids: str | Iterable[str]) -> Chain:
    """Returns the chain that some blocks of a page are; one block stands for the longest chain that it is part of.

    Raises: EditError if they are none.
    """
    chosen = [page.blocks[name] for name in ids_of(page, ids)]
    users = [block for block in chosen if role_of(block) is Role.PAGE and not is_loop(block)]
    _check_chosen(chosen, users)
    used = page_inside(graph, users[0])
    if used is None:
        raise EditError(f"{title_of(users[0])} uses no page; choose a block that does.")
    for block in users:
        if block.parameters["page"] != used.name:
            raise EditError(f'{title_of(block)} does not use page "{used.name}"; all rounds of a loop use one page.')
        if block.is_muted:
            raise EditError(f"{title_of(block)} is muted; unmute it first, or the numbers would change.")
    carried = carried_names(used)
    if len(users) == 1:
        users = [block for block in page.blocks.values() if _is_like(block, users[0])] if carried else users
        chosen_id = next(block.id for block in chosen if role_of(block) is Role.PAGE)
        order = next(part for part in _runs(page, users, carried) if chosen_id in part) if carried else [chosen_id]
    elif carried:
        order, *others = _runs(page, users, carried)
        if others:
            raise EditError(
                f"These blocks are no chain: {others[0][0]} takes {carried[0]} from none of them; select a chain."
            )
    else:
        order = _by_elements(page, used, [block.id for block in users])
    return _checked(page, used, order)


def _check_chosen(chosen: list[Block], users: list[Block]) -> None:
    helpers = {Expression.operators[name].name for name in ("stack", "unstack", "stop")}
    names = {block.id for block in users}
    for block in chosen:
        if block.id not in names and block.type not in helpers:
            raise EditError(f"{title_of(block)} cannot be a round of a loop; leave it out of the selection.")
    if not users:
        raise EditError("There is no Page block to fold; select a chain of blocks that use one page.")


def _is_like(block: Block, other: Block) -> bool:
    return block.type == other.type and block.parameters == other.parameters and not block.is_muted


def _runs(page: Page, users: list[Block], carried: list[str]) -> list[list[str]]:
    """Returns the blocks in runs, each of which passes the first carried tensor on from block to block."""
    names = {block.id for block in users}
    carrying = {name: _carrying(page, name, carried[0])[0] for name in names}
    before = {name: port.block for name, port in carrying.items() if port is not None and port.name == carried[0]}
    after: dict[str, list[str]] = {}
    for name, source in before.items():
        after.setdefault(source, []).append(name)
    runs = []
    for start in sorted(names, key=_natural):
        following = after.get(before.get(start, ""), [])
        if before.get(start) not in names or len(following) > 1:
            run = [start]
            while len(following := after.get(run[-1], [])) == 1 and following[0] not in run:
                run.append(following[0])
            runs.append(run)
    if not runs:
        raise EditError("These blocks run in a circle; remove a wire of it first.")
    return runs


def _natural(name: str) -> list[object]:
    """Returns a key that sorts `rec_10` behind `rec_9`."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _carrying(page: Page, block_id: str, name: str) -> tuple[Port | None, str | None]:
    """Returns the output that feeds a port, looked for through a StopGradient, and the id of that."""
    wire = page.wires.get(Port(block_id, name))
    if wire is None:
        return None, None
    block = page.blocks.get(wire.source.block)
    if block is None or role_of(block) is not Role.STOP or block.is_muted:
        return wire.source, None
    further = page.wires.get(Port(block.id, "x"))
    return (None if further is None else further.source), block.id


def _by_elements(page: Page, used: Page, ids: list[str]) -> list[str]:
    """Returns blocks that carry nothing in the order of the elements that they get, else of their names."""
    ordered = sorted(ids, key=_natural)
    for port in page_ports(used, Role.PAGE_INPUT):
        wires = [page.wires.get(Port(block_id, port.name)) for block_id in ordered]
        sources = [wire.source for wire in wires if wire is not None]
        if len({source.block for source in sources}) == 1 and len(set(sources)) == len(ids):
            places = dict(zip(ordered, (_natural(source.name) for source in sources), strict=True))
            return sorted(ordered, key=places.__getitem__)
    return ordered


def _checked(page: Page, used: Page, order: list[str]) -> Chain:
    """Returns the chain if each block passes on all that is carried, and stops stand at regular distances."""
    stops: dict[tuple[str, int], str] = {}
    for number, (before, block_id) in enumerate(itertools.pairwise(order), start=1):
        for name in carried_names(used):
            source, stop = _carrying(page, block_id, name)
            if source != Port(before, name):
                raise EditError(f"Input {name} of {block_id} must come from {name} of {before}; connect them first.")
            if stop is not None:
                stops[name, number] = stop
    places = sorted({number for _, number in stops})
    every = places[0] if places else 0
    wanted = (
        {(name, number) for number in range(every, len(order), every) for name in carried_names(used)}
        if every
        else set()
    )
    ids = set(stops.values())
    readers = [wire.target for wire in page.wires.values() if wire.source.block in ids]
    if stops.keys() != wanted or len(readers) != len(stops):
        raise EditError(
            "The StopGradients between these blocks must stop all that is carried, before every k-th block, and serve "
            "nothing else."
        )
    return Chain(used, order, stops, every)
