"""Loops: blocks of a type such as Scan, which use their page in several rounds with wires in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from gradwire.engine.base.errors import BlockError, ParameterError
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.paths import segment_of, split_path
from gradwire.engine.graph.ports import page_ports, pages_along, role_of

MOST_ROUNDS = 10_000
MOST_BLOCKS = 200_000


class Loop(NamedTuple):
    """Settings of a loop.

    Round i gets element i of axis 0 of the inputs in `each`. The outputs in `collect` are stacked on a new axis 0. What
    is carried into the rounds `stop_every`, 2 `stop_every` and so on is stopped; 0 stops nothing.
    """

    times: int
    stop_every: int = 0
    each: tuple[str, ...] = ()
    collect: tuple[str, ...] = ()

    def stops_before(self, number: int) -> bool:
        """Returns whether what is carried into a round is stopped."""
        return self.stop_every > 0 and number > 0 and number % self.stop_every == 0


def loop_type() -> BlockType:
    """Returns the type of a loop."""
    return next(item for item in library if item.is_loop and not item.from_plugin)


def is_loop(block: Block) -> bool:
    """Returns whether a block is a loop."""
    block_type = library.get(block.type)
    return block_type is not None and block_type.is_loop


def loop_of(block: Block) -> Loop | None:
    """Returns the settings of a loop; None for any other block.

    Raises: BlockError if its parameters do not fit their kinds or limits.
    """
    block_type = library.get(block.type)
    if block_type is None or not block_type.is_loop:
        return None
    given = block_type.normalize({"page": "", **block.parameters})
    loop = Loop(*(given[name] for name in Loop._fields))
    if not 1 <= loop.times <= MOST_ROUNDS:
        raise ParameterError(f"parameter times must be from 1 to {MOST_ROUNDS:,}, not {loop.times:,}")
    if loop.stop_every < 0:
        raise ParameterError(f"parameter stop_every must be at least 0, not {loop.stop_every:,}")
    return loop


def sound_loop(block: Block) -> Loop | None:
    """Returns the settings of a loop; None for any other block, and for a loop that cannot run."""
    try:
        return loop_of(block)
    except BlockError:
        return None


def rounds_of(block: Block) -> int:
    """Returns how often a block uses its page: 1 for a block that is no loop, 0 for a loop that cannot run."""
    if not is_loop(block):
        return 1
    loop = sound_loop(block)
    return 0 if loop is None else loop.times


def stops_at(graph: Graph, path: str) -> bool:
    """Returns whether the block at a path through a loop is where a round stops what is carried into it."""
    prefix, name = split_path(path)
    number, pages = segment_of(prefix.rpartition("/")[2]).round, pages_along(graph, prefix)
    block = pages[-1].blocks.get(name) if len(pages) > 1 else None
    if number is None or block is None or role_of(block) is not Role.PAGE_INPUT:
        return False
    loop = sound_loop(pages[-2].blocks[split_path(prefix)[1]])
    is_carried = block.parameters.get("name") in carried_names(pages[-1])
    return is_carried and loop is not None and loop.stops_before(number)


def with_ports_renamed(block: Block, role: Role, names: Mapping[str, str]) -> Block:
    """Returns a loop whose page has ports of new names, at the side of that role; any other block as it is."""
    key = "each" if role is Role.PAGE_INPUT else "collect"
    listed = block.parameters.get(key) if is_loop(block) else None
    if not isinstance(listed, tuple) or names.keys().isdisjoint(listed):
        return block
    return replace(block, parameters={**block.parameters, key: tuple(names.get(name, name) for name in listed)})


def carried_names(page: Page) -> list[str]:
    """Returns the names that an input and an output of a page share: these are carried from round to round."""
    outputs = {port.name for port in page_ports(page, Role.PAGE_OUTPUT)}
    return [port.name for port in page_ports(page, Role.PAGE_INPUT) if port.name in outputs]


def check_loop(loop: Loop, page: Page, blocks: int) -> None:
    """Checks a loop against its page, which has so many blocks with all pages inside it.

    Raises: ParameterError if a name is not there, if nothing changes from round to round, or for too many blocks.
    """
    carried, names = carried_names(page), {port.name for port in page_ports(page, Role.PAGE_INPUT)}
    for name in loop.each:
        if name not in names:
            raise ParameterError(f'parameter each names "{name}", but page "{page.name}" has no such input')
        if name in carried:
            raise ParameterError(
                f'parameter each names "{name}", but an output has that name, too, so it is carried; rename one of them'
            )
    for name in loop.collect:
        if name not in {port.name for port in page_ports(page, Role.PAGE_OUTPUT)}:
            raise ParameterError(f'parameter collect names "{name}", but page "{page.name}" has no such output')
    if not carried and not loop.each:
        raise ParameterError(
            "nothing changes from round to round: give an input and an output the same name, or name an input in each"
        )
    if loop.times * blocks > MOST_BLOCKS:
        raise ParameterError(
            f"{loop.times:,} rounds of {blocks:,} blocks are too many; {MOST_BLOCKS:,} blocks in all is the limit"
        )
