"""Unrolling: replaces a loop by a Page block for each round, wired one behind the other. No number changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.border import check_wires
from gradwire.engine.edits.renames import with_ends_rewritten, with_stops
from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import FreeNames, block_of, page_of, title_of
from gradwire.engine.graph.loops import Loop, carried_names, check_loop, loop_of
from gradwire.engine.graph.paths import segment_of
from gradwire.engine.graph.ports import page_inside, page_ports

# Distances from round to round, and to the blocks before, between and behind them. Units: px at 100 %.
_STEP, _BESIDE = 416, 208


class _Unrolling(NamedTuple):
    """Plan of an unrolling: ids of the rounds, of the blocks at ports that are taken apart or collected, and of stops.

    `wired` are the sources of the inputs of the loop. A stop has the name of its port and the number of its round.
    """

    page: Page
    block: Block
    used: Page
    loop: Loop
    wired: Mapping[str, Port]
    rounds: list[str]
    apart: Mapping[str, str]
    together: Mapping[str, str]
    stops: Mapping[tuple[str, int], str]

    def source(self, port: Port) -> Port:
        """Returns the new place of an output port."""
        if port.block != self.block.id:
            return port
        if port.name in self.together:
            return Port(self.together[port.name], "y")
        return Port(self.rounds[-1], port.name)

    def feed(self, name: str, number: int) -> Port | None:
        """Returns what feeds an input of a round."""
        if number and name in carried_names(self.used):
            return self.stop(name, number) or Port(self.rounds[number - 1], name)
        if name in self.apart:
            return Port(self.apart[name], f"y_{number}")
        source = self.wired.get(name)
        return None if source is None else self.source(source)

    def stop(self, name: str, number: int) -> Port | None:
        """Returns the output of the stop before an input of a round; None without one."""
        stop = self.stops.get((name, number))
        return None if stop is None else Port(stop, "y")


def unroll(graph: Graph, page_name: str, block_id: str) -> tuple[Graph, tuple[str, ...]]:
    """Returns the graph with a loop replaced by a Page block for each round and what lies between, and their ids.

    Raises: EditError if the block is no loop, is muted or does not fit its page.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    used, loop = _loop_to_unroll(graph, block)
    check_wires(graph, page, {block_id})
    plan = _plan(page, block, used, loop)
    blocks = {item.id: item for item in _blocks(plan)}
    count = len(blocks) + sum(len(item.blocks) for item in graph.pages)
    if count > LIMITS.blocks:
        raise EditError(f"Unrolled, the graph would have {count:,} blocks; {LIMITS.blocks:,} is the limit.")
    wires = {wire.target: wire for wire in _wires(plan)}
    rest = {name: item for name, item in page.blocks.items() if name != block_id}
    changed = dataclasses.replace(
        page,
        blocks={**rest, **blocks},
        wires=wires,
        frames=tuple(_framed(frame, block_id, blocks) for frame in page.frames),
    )
    changed = with_stops(changed, plan.source)
    moved = with_ends_rewritten(graph, page_name, lambda end, is_input: _new_end(plan, end, is_input))
    return moved.with_page(changed), tuple(blocks)


def _loop_to_unroll(graph: Graph, block: Block) -> tuple[Page, Loop]:
    used = page_inside(graph, block)
    try:
        loop = loop_of(block)
        if loop is None:
            raise EditError(f"{title_of(block)} has no rounds; choose a Scan.")
        if used is None:
            raise EditError(f"{title_of(block)} uses no page; choose a block that does.")
        check_loop(loop, used, PageUses(graph).sizes()[used.name].blocks)
    except BlockError as error:
        raise EditError(f"{title_of(block)}: {error}.") from error
    if block.is_muted:
        raise EditError(f"{title_of(block)} is muted; unmute it first, or the numbers would change.")
    return used, loop


def _plan(page: Page, block: Block, used: Page, loop: Loop) -> _Unrolling:
    names = FreeNames(page.blocks.keys() - {block.id})
    wired = {target.name: wire.source for target, wire in page.wires.items() if target.block == block.id}
    rounds = [names.take(f"{block.id}_{number}") for number in range(loop.times)]
    apart = {name: names.take(f"{block.id}_{name}") for name in loop.each if name in wired}
    together = {name: names.take(f"{block.id}_{name}") for name in loop.collect}
    places = [
        (name, number) for number in range(loop.times) if loop.stops_before(number) for name in carried_names(used)
    ]
    stops = {(name, number): names.take(f"{block.id}_{name}_{number}") for name, number in places}
    return _Unrolling(page, block, used, loop, wired, rounds, apart, together, stops)


def _blocks(plan: _Unrolling) -> Iterator[Block]:
    unstack, stack = (Expression.operators[name].name for name in ("unstack", "stack"))
    stop, kind = library.with_role(Role.STOP).name, library.with_role(Role.PAGE).name

    def placed(block_id: str, kind: str, column: float, row: int, **parameters: object) -> Block:
        at = plan.block.at and (round(plan.block.at[0] + column * _STEP), plan.block.at[1] + row * _BESIDE)
        return Block(block_id, kind, at=at, parameters=parameters)

    for row, block_id in enumerate(plan.apart.values(), start=1):
        yield placed(block_id, unstack, 0, row)
    for (_, number), block_id in plan.stops.items():
        yield placed(block_id, stop, number - 0.5, 0)
    for number, block_id in enumerate(plan.rounds):
        yield placed(block_id, kind, number, 0, page=plan.used.name)
    for row, block_id in enumerate(plan.together.values(), start=1):
        yield placed(block_id, stack, plan.loop.times, row)


def _wires(plan: _Unrolling) -> Iterator[Wire]:
    for wire in plan.page.wires.values():
        if wire.target.block != plan.block.id:
            yield Wire(plan.source(wire.source), wire.target)
    for name, block_id in plan.apart.items():
        yield Wire(plan.source(plan.wired[name]), Port(block_id, "x"))
    for (name, number), block_id in plan.stops.items():
        yield Wire(Port(plan.rounds[number - 1], name), Port(block_id, "x"))
    for port in page_ports(plan.used, Role.PAGE_INPUT):
        for number, block_id in enumerate(plan.rounds):
            if (source := plan.feed(port.name, number)) is not None:
                yield Wire(source, Port(block_id, port.name))
    for name, block_id in plan.together.items():
        for number, round_id in enumerate(plan.rounds):
            yield Wire(Port(round_id, name), Port(block_id, f"values_{number}"))


def _framed(frame: Frame, block_id: str, blocks: Mapping[str, Block]) -> Frame:
    if block_id not in frame.blocks:
        return frame
    return dataclasses.replace(frame, blocks=(*(name for name in frame.blocks if name != block_id), *blocks))


def _new_end(plan: _Unrolling, end: str, is_input: bool) -> str | None:
    """Returns the new end of a path that leads to the loop or into it; None where it stays."""
    path, dot, port = end.partition(".")
    first, _, rest = path.partition("/")
    segment = segment_of(first)
    if segment.block != plan.block.id or (segment.round or 0) >= plan.loop.times:
        return None
    here, number = plan.rounds[segment.round or 0], segment.round
    if rest:
        if number is None:
            return None
        inputs = {item.block.id: item.name for item in page_ports(plan.used, Role.PAGE_INPUT)}
        stop = None if dot else plan.stops.get((inputs.get(rest, ""), number))
        return stop or f"{here}/{rest}{dot}{port}"
    if not dot:
        return here
    if not is_input:
        return str(plan.source(Port(plan.block.id, port)) if number is None else Port(here, port))
    found = plan.apart.get(port) if number is None else plan.stops.get((port, number))
    return str(Port(here, port) if found is None else Port(found, "x"))
