"""Common tools of edits: lookups of pages and blocks, free names, graphs with changed blocks."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Collection, Container, Iterable, Mapping

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import NAME, Block, Graph, Page
from gradwire.engine.graph.ports import role_of

# 64 characters, less `_` and the six digits of the largest number of blocks.
_STEM_LENGTH = 57


def page_of(graph: Graph, name: str) -> Page:
    """Returns the page of that name.

    Raises: EditError if there is none.
    """
    for page in graph.pages:
        if page.name == name:
            return page
    raise EditError(f'There is no page "{name}"; the pages are: {", ".join(page.name for page in graph.pages)}.')


def block_of(page: Page, block_id: str) -> Block:
    """Returns the block of that id.

    Raises: EditError if there is none.
    """
    block = page.blocks.get(block_id)
    if block is None:
        raise EditError(f'There is no block "{block_id}" on page "{page.name}"; choose one that is there.')
    return block


def ids_of(page: Page, ids: str | Iterable[str]) -> list[str]:
    """Returns one id or several as a list without repetitions.

    Raises: EditError if there is no such block on the page.
    """
    return [block_of(page, block_id).id for block_id in dict.fromkeys([ids] if isinstance(ids, str) else ids)]


def with_blocks(graph: Graph, page: Page, changed: Mapping[str, Block]) -> Graph:
    """Returns the graph with some blocks of a page replaced or added."""
    return graph.with_page(dataclasses.replace(page, blocks={**page.blocks, **changed})) if changed else graph


def title_of(block: Block) -> str:
    """Returns the block's name for a sentence: `MatMul "scores"`."""
    return f'{plain(block.type)} "{block.id}"'


def free_name(wanted: str, taken: Container[str]) -> str:
    """Returns `wanted`, or else the next free one of `Exp_1`, `Exp_2`; a copy of Exp_1 is called Exp_2, not Exp_1_1."""
    if wanted not in taken:
        return wanted
    return _numbered(_stem(wanted), taken, 1)


def _stem(name: str) -> str:
    return re.sub(r"_\d+$", "", name)[:_STEM_LENGTH]


def _numbered(stem: str, taken: Container[str], first: int) -> str:
    return next(name for number in itertools.count(first) if (name := f"{stem}_{number}") not in taken)


class FreeNames:
    """Generator of names as in `free_name`; it reserves each name that it returns."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        # Names are only ever added, so a name that was taken once need not be tried again.
        self._numbers: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Returns a free name, `wanted` itself if it is free."""
        name = wanted
        if wanted in self._taken:
            stem = _stem(wanted)
            name = _numbered(stem, self._taken, self._numbers.get(stem, 1))
            self._numbers[stem] = int(name.rpartition("_")[2]) + 1
        self._taken.add(name)
        return name

    def __contains__(self, name: str) -> bool:
        return name in self._taken


def check_name(name: str, taken: Collection[str], what: str) -> str:
    """Returns the name if it is valid and free.

    Raises: EditError if it is malformed or taken; `what` describes the named thing.
    """
    if not NAME.fullmatch(name):
        raise EditError(
            f'"{name}" cannot be the name of a {what}: use letters, digits and _, a letter first, at most 64.'
        )
    if name in taken:
        raise EditError(f'There is already a {what} "{name}"; choose another name.')
    return name


def whole_px(pair: tuple[float, float], what: str = "A position") -> tuple[int, int]:
    """Returns two numbers rounded to whole px.

    Raises: EditError if they are too large for a file.
    """
    # `all(... <= ...)` also rejects NaN, for which every comparison fails.
    if not all(abs(number) <= LIMITS.coordinate for number in pair):
        raise EditError(f"{what} must be within {LIMITS.coordinate:,} px, not {pair[0]}, {pair[1]}.")
    return round(pair[0]), round(pair[1])


def pages_used_by(page: Page) -> set[str]:
    """Returns the names in the Page blocks of a page, and that of the page of its gradient, even of missing pages."""
    used = {used for block in page.blocks.values() if (used := page_used_by(block)) is not None}
    return used if page.gradient is None else used | {page.gradient}


def page_used_by(block: Block) -> str | None:
    """Returns the name in a Page block; None for other blocks, and where a file holds something else than a text."""
    name = block.parameters.get("page") if role_of(block) is Role.PAGE else None
    return name if isinstance(name, str) else None


def users_of(page: Page, used: str) -> list[str]:
    """Returns the ids of the blocks of a page that use the page named `used`."""
    return [block.id for block in page.blocks.values() if page_used_by(block) == used]


def consumers_of(page: Page) -> dict[str, set[str]]:
    """Returns the blocks that read each block of a page."""
    found: dict[str, set[str]] = {}
    for wire in page.wires.values():
        found.setdefault(wire.source.block, set()).add(wire.target.block)
    return found


def blocks_after(page: Page, starts: Iterable[str]) -> set[str]:
    """Returns some blocks of a page and all that depend on them. Cost: O(wires)."""
    return _reached(starts, consumers_of(page))


def blocks_before(page: Page, starts: Iterable[str]) -> set[str]:
    """Returns some blocks of a page and all that they depend on. Cost: O(wires)."""
    sources: dict[str, set[str]] = {}
    for wire in page.wires.values():
        sources.setdefault(wire.target.block, set()).add(wire.source.block)
    return _reached(starts, sources)


def _reached(starts: Iterable[str], further: Mapping[str, set[str]]) -> set[str]:
    reached = set(starts)
    pending = list(reached)
    while pending:
        new = further.get(pending.pop(), set()) - reached
        reached |= new
        pending.extend(new)
    return reached


def check_page_use(graph: Graph, page: Page, used: str) -> None:
    """Checks that a block on `page` may use the page named `used`.

    Raises: EditError if the page would then contain itself.
    """
    seen: set[str] = set()
    pending = [used]
    while pending:
        name = pending.pop()
        if name == page.name:
            raise EditError(
                f'Page "{used}" cannot be used on page "{page.name}": the page would contain itself. Choose another.'
            )
        if name not in seen and graph.has_page(name):
            seen.add(name)
            pending.extend(pages_used_by(graph.page(name)))
