"""Folding (inverse of unrolling): replaces a chain of Page blocks by one loop. No value changes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.edits.border import check_derivatives, check_no_way_back, check_wires
from gradwire.engine.edits.chains import Chain, chain_of
from gradwire.engine.edits.renames import with_ends_rewritten
from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import FreeNames, page_of
from gradwire.engine.graph.loops import Loop, carried_names, loop_type
from gradwire.engine.graph.paths import part_path
from gradwire.engine.graph.ports import page_ports

# Distance of the blocks before and behind a loop. Units: px at 100 %.
_BESIDE = 208


@dataclass
class _Folding:
    """Plan of a folding: what feeds the inputs of the loop, and where its outputs are read.

    `apart` are Unstack blocks in front of the chain, by the ports that they feed, and `together` Stack blocks behind
    it; these go with the chain. `stacked` are the ports that need a Stack in front, with the sources of all rounds, and
    `spread` the ids of the Unstack blocks that are needed behind.
    """

    graph: Graph
    page: Page
    chain: Chain
    known: Inferred
    names: FreeNames
    feeds: dict[str, Port] = field(default_factory=dict)
    each: list[str] = field(default_factory=list)
    apart: dict[str, str] = field(default_factory=dict)
    stacked: dict[str, list[Port]] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)
    spread: dict[str, str] = field(default_factory=dict)
    loop_id: str = ""

    @property
    def inside(self) -> set[str]:
        """Blocks that go."""
        return {*self.chain.blocks, *self.chain.stops.values(), *self.apart.values(), *self.together.values()}

    @property
    def collect(self) -> list[str]:
        """Outputs of which the results of all rounds are read."""
        names = [port.name for port in page_ports(self.chain.used, Role.PAGE_OUTPUT)]
        return [name for name in names if name in self.together or name in self.spread]

    def is_of(self, port: Port, operator: str) -> bool:
        """Returns whether a port belongs to a block of the type of an operator, along axis 0."""
        block = self.page.blocks.get(port.block)
        is_type = block is not None and block.type == Expression.operators[operator].name and not block.is_muted
        return is_type and block is not None and block.parameters.get("axis", 0) == 0

    def spec(self, port: Port) -> object:
        """Returns the spec of a port of the page; None if it is unknown."""
        return self.known.specs.get(PortName(f"{self.page.name}/{port.block}", port.name))


def fold(graph: Graph, page_name: str, ids: str | Iterable[str]) -> tuple[Graph, str]:
    """Returns the graph with a chain of Page blocks replaced by a loop, and its id.

    The blocks use one page, and its outputs that have the name of an input go on to the next block, perhaps through a
    StopGradient before every k-th. One block stands for the whole chain. Blocks that take tensors apart for the chain,
    or put its results together, go with it; where they are needed, new ones come.
    Raises: EditError if the blocks are no such chain.
    """
    page = page_of(graph, page_name)
    chain = chain_of(graph, page, ids)
    plan = _Folding(graph, page, chain, infer_specs(graph), FreeNames(page.blocks))
    for port in page_ports(chain.used, Role.PAGE_INPUT):
        _plan_input(plan, port.name)
    for port in page_ports(chain.used, Role.PAGE_OUTPUT):
        _plan_output(plan, port.name)
    if not plan.each and not carried_names(chain.used):
        raise EditError(
            f'Nothing is carried from round to round: give an input and an output of page "{chain.used.name}" the same '
            "name."
        )
    check_wires(graph, page, plan.inside)
    check_no_way_back(page, plan.inside)
    check_derivatives(page, plan.inside)
    plan.loop_id = _loop_id(plan)
    moved = with_ends_rewritten(graph, page_name, lambda end, is_input: _new_end(plan, end, is_input))
    return moved.with_page(_folded(plan)), plan.loop_id


def _plan_input(plan: _Folding, name: str) -> None:
    """Plans what feeds one input of the loop."""
    blocks = plan.chain.blocks
    if name in carried_names(plan.chain.used):
        first = plan.page.wires.get(Port(blocks[0], name))
        plan.feeds |= {} if first is None else {name: first.source}
        return
    wires = [plan.page.wires.get(Port(block_id, name)) for block_id in blocks]
    sources = [wire.source for wire in wires if wire is not None]
    if not sources:
        return
    if len(sources) < len(blocks):
        raise EditError(
            f"Input {name} is connected in some of these blocks only; connect it in all of them, or in none."
        )
    members = set(blocks)
    inner = next((source for source in sources if source.block in members), None)
    if inner is not None:
        raise EditError(
            f"Input {name} comes from {inner}, but only what has one name is carried; rename one of both ports."
        )
    if (whole := _taken_apart(plan, sources)) is not None:
        plan.feeds[name] = whole
        plan.each.append(name)
        plan.apart |= {name: sources[0].block} if _reads_all(plan, sources[0].block) else {}
        return
    if len(set(sources)) == 1:
        plan.feeds[name] = sources[0]
        return
    specs = {plan.spec(source) for source in sources}
    if len(specs) > 1 or None in specs:
        raise EditError(
            f"Input {name} has tensors of different shapes, or unknown ones; a loop needs one for all rounds."
        )
    plan.each.append(name)
    plan.stacked[name], plan.feeds[name] = sources, Port(plan.names.take(f"{_stem(plan)}_{name}"), "y")


def _taken_apart(plan: _Folding, sources: list[Port]) -> Port | None:
    """Returns the tensor of which the sources are all elements along axis 0, in order; None if they are not."""
    first = sources[0]
    if not plan.is_of(first, "unstack") or sources != [Port(first.block, f"y_{n}") for n in range(len(sources))]:
        return None
    wire = plan.page.wires.get(Port(first.block, "x"))
    outputs = plan.known.outputs.get(f"{plan.page.name}/{first.block}", ())
    return wire.source if wire is not None and len(outputs) == len(sources) else None


def _reads_all(plan: _Folding, block_id: str) -> bool:
    """Returns whether only the chain reads a block, through one port."""
    members = set(plan.chain.blocks)
    readers = [wire.target for wire in plan.page.wires.values() if wire.source.block == block_id]
    return all(port.block in members for port in readers) and len({port.name for port in readers}) == 1


def _plan_output(plan: _Folding, name: str) -> None:
    """Plans where one output of the loop is read: the last result alone, or those of all rounds."""
    sources = [Port(block_id, name) for block_id in plan.chain.blocks]
    own, inside = set(sources), {*plan.chain.blocks, *plan.chain.stops.values()}
    readers = [wire for wire in plan.page.wires.values() if wire.source in own and wire.target.block not in inside]
    candidates = dict.fromkeys(wire.target.block for wire in readers if wire.source == sources[0])
    stack = next((block_id for block_id in candidates if _is_stack(plan, block_id, sources)), None)
    if stack is not None:
        plan.together[name] = stack
        readers = [wire for wire in readers if wire.target.block != stack]
    if readers and (stack is not None or any(wire.source != sources[-1] for wire in readers)):
        plan.spread[name] = plan.names.take(f"{_stem(plan)}_{name}")


def _is_stack(plan: _Folding, block_id: str, sources: list[Port]) -> bool:
    """Returns whether a block stacks exactly these sources."""
    if not plan.is_of(Port(block_id, "y"), "stack"):
        return False
    found = {port.name: wire.source for port, wire in plan.page.wires.items() if port.block == block_id}
    return found == {f"values_{number}": source for number, source in enumerate(sources)}


def _stem(plan: _Folding) -> str:
    return re.sub(r"_\d+$", "", plan.chain.blocks[0])


def _loop_id(plan: _Folding) -> str:
    return FreeNames(plan.page.blocks.keys() - plan.inside).take(_stem(plan))


# The page


def _folded(plan: _Folding) -> Page:
    page, inside = plan.page, plan.inside
    wires = {target: wire for target, wire in page.wires.items() if target.block not in inside}
    blocks = {name: block for name, block in page.blocks.items() if name not in inside}
    for wire in _new_wires(plan, wires):
        wires[wire.target] = wire
    for block in _new_blocks(plan):
        blocks[block.id] = block
    frames = tuple(_framed(plan, frame) for frame in page.frames)
    return dataclasses.replace(page, blocks=blocks, wires=wires, frames=frames)


def _new_blocks(plan: _Folding) -> Iterator[Block]:
    first = plan.page.blocks[plan.chain.blocks[0]]
    loop = Loop(len(plan.chain.blocks), plan.chain.stop_every, tuple(plan.each), tuple(plan.collect))
    given = {name: value for name, value in loop._asdict().items() if value}
    yield Block(
        plan.loop_id, loop_type().name, first.label, first.at, parameters={"page": plan.chain.used.name, **given}
    )
    for name in plan.stacked:
        yield _beside(plan, plan.feeds[name].block, "stack", -1)
    for block_id in plan.spread.values():
        yield _beside(plan, block_id, "unstack", 1)


def _beside(plan: _Folding, block_id: str, operator: str, column: int) -> Block:
    at = plan.page.blocks[plan.chain.blocks[0]].at
    return Block(block_id, Expression.operators[operator].name, at=at and (at[0] + column * _BESIDE, at[1] + _BESIDE))


def _new_wires(plan: _Folding, kept: Mapping[Port, Wire]) -> Iterator[Wire]:
    places = {block_id: number for number, block_id in enumerate(plan.chain.blocks)}
    together = {block_id: name for name, block_id in plan.together.items()}

    def new_source(port: Port) -> Port:
        if port.block in together:
            return Port(plan.loop_id, together[port.block])
        if port.block not in places:
            return port
        if port.name in plan.spread:
            return Port(plan.spread[port.name], f"y_{places[port.block]}")
        return Port(plan.loop_id, port.name)

    for target, wire in kept.items():
        yield Wire(new_source(wire.source), target)
    for name, source in plan.feeds.items():
        yield Wire(new_source(source), Port(plan.loop_id, name))
    for name, sources in plan.stacked.items():
        for number, source in enumerate(sources):
            yield Wire(new_source(source), Port(plan.feeds[name].block, f"values_{number}"))
    for name, block_id in plan.spread.items():
        yield Wire(Port(plan.loop_id, name), Port(block_id, "x"))


def _framed(plan: _Folding, frame: Frame) -> Frame:
    """Returns a frame with the loop in place of the chain, if the chain begins there."""
    inside = plan.inside
    left = tuple(name for name in frame.blocks if name not in inside)
    has_loop = plan.chain.blocks[0] in frame.blocks
    return frame if left == frame.blocks else dataclasses.replace(frame, blocks=(*left, *[plan.loop_id] * has_loop))


# Names


def _new_end(plan: _Folding, end: str, is_input: bool) -> str | None:
    """Returns the new end of a path that leads to a block that goes, or into it; None where it stays."""
    path, dot, port = end.partition(".")
    first, _, rest = path.partition("/")
    if first in plan.chain.blocks:
        return _end_in_chain(plan, plan.chain.blocks.index(first), rest, port if dot else None, is_input)
    inputs = {item.name: item.block.id for item in page_ports(plan.chain.used, Role.PAGE_INPUT)}
    for (name, number), block_id in plan.chain.stops.items():
        if block_id == first:
            here = part_path(plan.loop_id, number)
            return f"{here}.{name}" if is_input else f"{here}/{inputs[name]}" + (dot and ".y")
    for name, block_id in plan.apart.items():
        if block_id == first and dot:
            here = part_path(plan.loop_id, port.rpartition("_")[2])
            return f"{plan.loop_id}.{name}" if is_input else f"{here}/{inputs[name]}.y"
    found = next((name for name, block_id in plan.together.items() if block_id == first and port == "y"), None)
    return None if found is None else f"{plan.loop_id}.{found}"


def _end_in_chain(plan: _Folding, number: int, rest: str, port: str | None, is_input: bool) -> str:
    here = part_path(plan.loop_id, number)
    if rest:
        return f"{here}/{rest}" + ("" if port is None else f".{port}")
    if port is None:
        return plan.loop_id
    if is_input:
        is_between = number > 0 and port in carried_names(plan.chain.used)
        return f"{here if is_between else plan.loop_id}.{port}"
    is_last = number == len(plan.chain.blocks) - 1 and port not in plan.collect
    return f"{plan.loop_id if is_last else here}.{port}"
