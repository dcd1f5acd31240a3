"""Pages that come along with copied blocks: equal pages are reused, others are added."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.lookup import free_name, page_used_by, pages_used_by


def pages_below(graph: Graph, blocks: Iterable[Block]) -> tuple[Page, ...]:
    """Returns the pages that some blocks use, directly or indirectly, each before the ones that use it."""
    found: dict[str, Page] = {}
    pending = [(name, False) for name in sorted(pages_used_by(_holder(blocks)), reverse=True)]
    seen: set[str] = set()
    while pending:
        name, is_done = pending.pop()
        if is_done:
            found[name] = graph.page(name)
        elif name not in seen and graph.has_page(name):
            seen.add(name)
            pending.append((name, True))
            pending += [(used, False) for used in sorted(pages_used_by(graph.page(name)), reverse=True)]
    return tuple(found.values())


def with_pages(graph: Graph, pages: Iterable[Page]) -> tuple[Graph, dict[str, str]]:
    """Returns the graph with some pages, and their new names by the old ones; equal pages are reused.

    Raises: EditError if a page contains itself.
    """
    names: dict[str, str] = {}
    source = Graph(tuple(pages))
    order = pages_below(source, [_use(page.name) for page in source.pages])
    for page in order:
        if page.name in pages_used_by(page) or not (
            pages_used_by(page) & {item.name for item in order} <= names.keys()
        ):
            raise EditError(f'Page "{page.name}" on the clipboard contains itself; it cannot be pasted.')
        renamed = with_pages_renamed(page, names)
        equal = (item.name for item in _alike(graph, page.name) if dataclasses.replace(item, name=page.name) == renamed)
        same = next(equal, None)
        if same is None:
            same = free_name(page.name, [item.name for item in graph.pages])
            graph = dataclasses.replace(graph, pages=(*graph.pages, dataclasses.replace(renamed, name=same)))
        names[page.name] = same
    return graph, names


def with_pages_renamed(page: Page, names: Mapping[str, str]) -> Page:
    """Returns the page with its Page blocks, and the page of its gradient, renamed to the new names of pages."""
    changed = {}
    for block in page.blocks.values():
        old = page_used_by(block)
        if old is not None and names.get(old, old) != old:
            changed[block.id] = dataclasses.replace(block, parameters={**block.parameters, "page": names[old]})
    gradient = None if page.gradient is None else names.get(page.gradient, page.gradient)
    if not changed and gradient == page.gradient:
        return page
    return dataclasses.replace(page, blocks={**page.blocks, **changed}, gradient=gradient)


def _alike(graph: Graph, name: str) -> list[Page]:
    """Returns the pages that may stand for a new one: the one of that name first, then non-empty ones."""
    return sorted(
        (page for page in graph.pages if page.name == name or page.blocks), key=lambda page: page.name != name
    )


def _use(name: str) -> Block:
    return Block("use", library.with_role(Role.PAGE).name, parameters={"page": name})


def _holder(blocks: Iterable[Block]) -> Page:
    return Page("", {str(number): block for number, block in enumerate(blocks)})
