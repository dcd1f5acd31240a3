"""Rounds of a loop: its page used several times in a row, with wires in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.engine.autodiff.instances import Feed, Instance, Link, PortName
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.graph.graph import Block, Page
from gradwire.engine.graph.loops import Loop, carried_names
from gradwire.engine.graph.paths import part_path
from gradwire.engine.graph.ports import page_ports


@dataclass
class Rounds:
    """Expansion of a loop without the pages of its rounds.

    `instances` are the rounds and helpers, `links` the wires between rounds. `feeds` has the inputs of each round by
    its path, `outputs` the producers of the outputs of the loop.
    """

    instances: list[Instance] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    feeds: dict[str, dict[str, Feed]] = field(default_factory=dict)
    outputs: dict[str, PortName] = field(default_factory=dict)


def rounds_of_loop(block: Block, path: str, loop: Loop, page: Page, wired: Mapping[str, PortName]) -> Rounds:
    """Returns the rounds of the loop at a path; `wired` has the producers of its inputs.

    An input that is not carried passes one helper, which belongs to the wire: its gradient is that of all rounds.
    """
    result, carried = Rounds(), carried_names(page)
    shared: dict[str, Instance] = {}
    for name, source in wired.items():
        if name not in carried:
            kind = _operator("unstack") if name in loop.each else Identity
            shared[name] = _helper(block, path, name, kind, {kind.inputs[0].name: source}, PortName(path, name))
    result.instances.extend(shared.values())
    ports, own_type = page_ports(page, Role.PAGE_OUTPUT), library.get(block.type)
    for number in range(loop.times):
        here = part_path(path, number)
        feeds = {name: Feed(_output(helper, number), PortName(here, name)) for name, helper in shared.items()}
        for name in carried:
            if number:
                link = Link(PortName(part_path(path, number - 1), name), PortName(here, name))
                result.links.append(link)
                feeds[name] = Feed(*link, loop.stops_before(number))
            elif name in wired:
                feeds[name] = Feed(wired[name], PortName(path, name))
        result.feeds[here] = feeds
        inner = {port.name: PortName(f"{here}/{port.block.id}", "y") for port in ports}
        result.instances.append(Instance(here, block, own_type, inner, is_used=True, is_entered=True, loop=path))
    for port in ports:
        results = [PortName(here, port.name) for here in result.feeds]
        if port.name in loop.collect:
            helper = _stacked(block, path, port.name, results)
            result.instances.append(helper)
            results = [_output(helper, 0)]
        result.outputs[port.name] = results[-1]
    return result


def _stacked(block: Block, path: str, name: str, results: list[PortName]) -> Instance:
    kind = _operator("stack")
    inputs = {f"{kind.inputs[0].name}_{number}": result for number, result in enumerate(results)}
    return _helper(block, path, name, kind, inputs)


def _output(helper: Instance, number: int) -> PortName:
    """Returns the output of a helper for a round."""
    assert helper.type is not None
    (port,) = helper.type.outputs
    return PortName(helper.path, f"{port.name}_{number}" if port.variadic else port.name)


def _helper(
    block: Block, path: str, name: str, kind: BlockType, inputs: Mapping[str, PortName], port: PortName | None = None
) -> Instance:
    return Instance(part_path(path, name), block, kind, inputs, is_used=True, port=port, loop=path)


def _operator(name: str) -> BlockType:
    found = Expression.operators[name]
    assert isinstance(found, BlockType)
    return found
