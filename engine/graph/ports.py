"""Actual ports of the blocks of a graph, including those of used pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.paths import is_gradient, segment_of


class PagePort(NamedTuple):
    """Port of a used page: its name and the PageInput or PageOutput block that stands for it."""

    name: str
    block: Block


def role_of(block: Block) -> Role | None:
    """Returns the role of a block's type; None for an unknown type."""
    block_type = library.get(block.type)
    return None if block_type is None else block_type.role


def used_page(graph: Graph, block: Block) -> Page | None:
    """Returns the page that a block of type Page uses, or None if it names none."""
    name = block.parameters.get("page")
    return graph.page(name) if isinstance(name, str) and graph.has_page(name) else None


def page_ports(page: Page, role: Role) -> list[PagePort]:
    """Returns the ports of a page, top to bottom, then by id; `role` is PAGE_INPUT or PAGE_OUTPUT.

    A second port of the same name is left out.
    """
    return list(_ports_by_name(page)[role].values())


# Pages are frozen, and one may have as many ports as blocks; every wire to it looks up one of them.
_known: WeakKeyDictionary[Page, Mapping[Role, Mapping[str, PagePort]]] = WeakKeyDictionary()


def _ports_by_name(page: Page) -> Mapping[Role, Mapping[str, PagePort]]:
    if page not in _known:
        _known[page] = {role: _find_ports(page, role) for role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT)}
    return _known[page]


def _find_ports(page: Page, role: Role) -> Mapping[str, PagePort]:
    found = [block for block in page.blocks.values() if role_of(block) is role]
    found.sort(key=lambda block: (block.at[1] if block.at else 0, block.id))
    ports: dict[str, PagePort] = {}
    for block in found:
        name = block.parameters.get("name")
        if isinstance(name, str):
            ports.setdefault(name, PagePort(name, block))
    return ports


def has_input(graph: Graph, block: Block, name: str) -> bool | None:
    """Returns whether the block has this input port; None where its type, and so its ports, are unknown."""
    return _has(graph, block, name, Role.PAGE_INPUT)


def has_output(graph: Graph, block: Block, name: str) -> bool | None:
    """Returns whether the block has this output port; None where its type, and so its ports, are unknown."""
    return _has(graph, block, name, Role.PAGE_OUTPUT)


def _has(graph: Graph, block: Block, name: str, role: Role) -> bool | None:
    block_type = library.get(block.type)
    if block_type is None:
        return None
    if block_type.role is Role.PAGE:
        page = used_page(graph, block)
        return None if page is None else name in _ports_by_name(page)[role]
    find = block_type.input_port if role is Role.PAGE_INPUT else block_type.output_port
    return find(name) is not None


def pages_along(graph: Graph, path: str) -> list[Page]:
    """Returns the pages on the path to one use of a page: for `main/attention_1` the pages main and attention.

    The path of a loop stands for any of its rounds. `main/clip_1[gradient]` leads to the page that gives the gradient
    of that of clip_1. Empty if the path leads nowhere.
    """
    name, *segments = path.split("/")
    if not graph.has_page(name):
        return []
    pages = [graph.page(name)]
    for segment in segments:
        block = block_along(pages[-1], segment)
        page = None if block is None else page_inside(graph, block)
        if page is not None and is_gradient(segment):
            page = gradient_page(graph, page)
        if page is None:
            return []
        pages.append(page)
    return pages


def gradient_page(graph: Graph, page: Page) -> Page | None:
    """Returns the page that gives the gradient of another one; None if none does, or it is missing."""
    return next((item for item in graph.pages if item.name == page.gradient), None)


def page_inside(graph: Graph, block: Block) -> Page | None:
    """Returns the page that a block uses, or None for a block that uses none."""
    return used_page(graph, block) if role_of(block) is Role.PAGE else None


def block_along(page: Page, segment: str) -> Block | None:
    """Returns the block of a page for one part of a path; None if there is none.

    Only a loop has rounds, `rec[3]`, as many as it runs, and helpers at its ports, `rec[xs]`.
    """
    name, part, _ = segment_of(segment)
    block = page.blocks.get(name)
    if block is None or not part:
        return block
    block_type, times = library.get(block.type), block.parameters.get("times")
    is_loop, number = block_type is not None and block_type.is_loop, segment_of(segment).round
    is_there = part.isidentifier() if number is None else isinstance(times, int) and number < times
    return block if is_loop and is_there else None
