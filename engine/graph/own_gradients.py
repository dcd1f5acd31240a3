"""Pages that give the gradient of other pages: their ports, and the mistakes in a pair of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.ports import PagePort, gradient_page, page_ports

# Begins the names of gradients: the incoming one of output y is `d_y`, that of input x is `d_x`.
PREFIX = "d_"


class Mistake(NamedTuple):
    """Mistake in a pair of pages, at a port's block of the page `page`; None where no block is to blame."""

    message: str
    page: str
    block: str | None = None


def gradient_inputs(page: Page) -> dict[str, PagePort]:
    """Returns the ports of a page by the names of what its gradient may read: inputs, outputs, incoming gradients."""
    inputs, outputs = page_ports(page, Role.PAGE_INPUT), page_ports(page, Role.PAGE_OUTPUT)
    incoming = {f"{PREFIX}{port.name}": port for port in outputs}
    return incoming | {port.name: port for port in (*outputs, *inputs)}


def gradient_outputs(page: Page) -> dict[str, PagePort]:
    """Returns the inputs of a page by the names of the gradients that its own gradient may give."""
    return {f"{PREFIX}{port.name}": port for port in page_ports(page, Role.PAGE_INPUT)}


def mistakes(graph: Graph, page: Page) -> Iterator[Mistake]:
    """Yields what is wrong with the names of a page's ports and of those of its gradient, first at the page itself."""
    if page.gradient in (None, page.name):  # The page that would give its own gradient lies in a ring.
        return
    yield from _clashes(page)
    backward = gradient_page(graph, page)
    if backward is None:
        message = (
            f'Page "{page.name}" has its gradient from page "{plain(str(page.gradient))}", and there is none of that '
            "name; choose another page, or none."
        )
        yield Mistake(message, page.name)
        return
    inputs, outputs = gradient_inputs(page), gradient_outputs(page)
    for port in page_ports(backward, Role.PAGE_INPUT):
        if port.name not in inputs:
            message = (
                f'{plain(port.name)} is no input that the gradient of page "{page.name}" has; '
                f"it may have {_listed(inputs)}."
            )
            yield Mistake(message, backward.name, port.block.id)
    for port in page_ports(backward, Role.PAGE_OUTPUT):
        if port.name not in outputs:
            message = (
                f'{plain(port.name)} is no output that the gradient of page "{page.name}" has; '
                f"it may have {_listed(outputs)}."
            )
            yield Mistake(message, backward.name, port.block.id)


def _listed(names: Iterable[str]) -> str:
    return plain(", ".join(sorted(names))) or "none"


def _clashes(page: Page) -> Iterator[Mistake]:
    ports = [*page_ports(page, Role.PAGE_INPUT), *page_ports(page, Role.PAGE_OUTPUT)]
    names = {port.name for port in ports}
    seen: set[str] = set()
    for port in ports:
        of = port.name.removeprefix(PREFIX)
        if port.name in seen:
            message = (
                f"An input is called {plain(port.name)}, too; a page with a gradient of its own needs another name."
            )
            yield Mistake(message, page.name, port.block.id)
        elif of != port.name and of in names:
            message = (
                f"{plain(port.name)} is the gradient of {plain(of)}; a page with a gradient of its own needs another "
                "name here."
            )
            yield Mistake(message, page.name, port.block.id)
        seen.add(port.name)


def pages_with_gradient(graph: Graph, name: str) -> list[str]:
    """Returns the names of the pages whose gradient the page of this name gives."""
    return [page for page, found in graph.gradients.items() if found == name]
