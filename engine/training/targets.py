"""Names in a plan of training: the losses, variables and ports of the graph that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.json_text import JsonFault, shown
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.loops import stops_at
from gradwire.engine.graph.ports import block_along, has_output, pages_along, role_of, used_page

ALL = "*"


class Targets:
    """Lookup of what a plan names in one graph; each check raises JsonFault for a name that fits nothing."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @property
    def loss(self) -> str | None:
        """Loss of the file."""
        return self._graph.loss

    @property
    def losses(self) -> list[str]:
        """Names of all Loss blocks."""
        return [
            f"{page.name}/{block.id}"
            for page in self._graph.pages
            for block in page.blocks.values()
            if role_of(block) is Role.LOSS
        ]

    def check_loss(self, value: object) -> str:
        """Returns the name of a Loss block."""
        name = _text(value)
        if role_of(self._block(name)) is not Role.LOSS:
            raise JsonFault(f"{shown(name)} is no Loss but a {self._block(name).type}")
        return name

    def check_listed(self, value: object) -> str:
        """Returns the name of a Variable, or of a Page block that uses a page with variables."""
        name = _text(value)
        if name == ALL:
            return name
        block = self._block(name)
        if role_of(block) is Role.PAGE:
            if not list(self.variables_of([name])):
                raise JsonFault(f"{shown(name)} uses a page without a Variable")
        elif not _is_variable(block):
            raise JsonFault(f"{shown(name)} is no Variable but of type {block.type}")
        return name

    def check_assignable(self, value: object) -> str:
        """Returns the name of a Variable."""
        name = _text(value)
        if not _is_variable(self._block(name)):
            raise JsonFault(f"is no Variable but of type {self._block(name).type}")
        return name

    def check_stop(self, value: object) -> str:
        """Returns the path of a StopGradient, `main/stop`, or through used pages `main/use/stop`."""
        name = _text(value)
        if role_of(self._inner_block(name)) is not Role.STOP and not stops_at(self._graph, name):
            raise JsonFault(f"{shown(name)} is no StopGradient but a {self._inner_block(name).type}")
        return name

    def port(self, value: object) -> str:
        """Returns the path of an output port, `main/loss.y`, or through used pages `main/use/x.y`."""
        name = _text(value)
        path, dot, port = name.rpartition(".")
        if not dot:
            raise JsonFault(f"must be a port, such as {shown(name + '.y')}, not {shown(name)}")
        if has_output(self._graph, self._inner_block(path), port) is False:
            raise JsonFault(f"{shown(path)} has no output {shown(port)}")
        return name

    def variables_of(self, listed: Iterable[str]) -> Iterator[str]:
        """Yields the names of the Variables that a list stands for, `page/id`; some may come twice."""
        for name in listed:
            if name == ALL:
                for page in self._graph.pages:
                    yield from _variables_on(page)
            elif role_of(self._block(name)) is Role.PAGE:
                yield from self._variables_inside(self._block(name), set())
            else:
                yield name

    def _variables_inside(self, block: Block, seen: set[str]) -> Iterator[str]:
        page = used_page(self._graph, block)
        if page is None or page.name in seen:
            return
        seen.add(page.name)
        yield from _variables_on(page)
        for inner in page.blocks.values():
            if role_of(inner) is Role.PAGE:
                yield from self._variables_inside(inner, seen)

    def _block(self, name: str) -> Block:
        page_name, slash, block_id = name.partition("/")
        page = self._page(page_name, name)
        if not slash or block_id not in page.blocks:
            raise JsonFault(f"there is no block {shown(name)}{self._guess(name)}")
        return page.blocks[block_id]

    def _inner_block(self, path: str) -> Block:
        prefix, _, last = path.rpartition("/")
        pages = pages_along(self._graph, prefix)
        block = block_along(pages[-1], last) if pages else None
        if block is None:
            raise JsonFault(f"there is no block {shown(path)}{self._guess(path)}")
        return block

    def _page(self, page_name: str, name: str) -> Page:
        if not self._graph.has_page(page_name):
            raise JsonFault(f"there is no block {shown(name)}{self._guess(name)}")
        return self._graph.page(page_name)

    def _guess(self, name: str) -> str:
        known = (f"{page.name}/{block_id}" for page in self._graph.pages for block_id in page.blocks)
        found = nearest(name, known)
        return f"; did you mean {found[0]}?" if found else ""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise JsonFault(f"must be a name, not {shown(value)}")
    return value


def _is_variable(block: Block) -> bool:
    block_type = library.get(block.type)
    return block_type is not None and block_type.is_variable


def _variables_on(page: Page) -> Iterator[str]:
    return (f"{page.name}/{block.id}" for block in page.blocks.values() if _is_variable(block))
