"""Uses of pages by pages: rings among them, and the size of each page with all pages inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gradwire.engine.base.problems import row_text
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.loops import rounds_of
from gradwire.engine.graph.paths import GRADIENT
from gradwire.engine.graph.ports import used_page


class Size(NamedTuple):
    """Size of one use of a page, with all pages inside it.

    Each name costs the letters of its path. Under a path of n letters all of them cost `letters + n * names`.
    """

    blocks: int
    wires: int
    names: int
    letters: int


def repeated(size: Size, times: int) -> Size:
    """Returns the size of a loop of so many rounds, each of which uses a page of this size."""
    blocks, wires, names, letters = size
    longest = len(f"[{times - 1}]")
    return Size((blocks + 1) * times, (wires + 1) * times, names * times, (letters + longest * names) * times)


class PageUses:
    """Uses of the pages of a graph by each other, read from the pages alone: nothing is expanded.

    `rings` maps each page that lies inside itself to all pages of its ring. `names` has the pages that each page uses,
    without those of its own ring: these are never entered. A muted block does not close a ring. `gradients` has the
    pages that give the gradients of others, beside each use of which they lie.
    Cost: O(blocks + uses).
    """

    def __init__(self, graph: Graph) -> None:
        users = {page.name: list(_page_blocks(page)) for page in graph.pages}
        gradients = {page: name for page, name in graph.gradients.items() if graph.has_page(name)}
        entered = {name: _names(graph, [item for item in users[name] if not item.is_muted]) for name in users}
        for page, name in gradients.items():
            entered[page][name] = None
        self._graph, self._users = graph, users
        self._parts = list(_components(entered))
        order = {page.name: place for place, page in enumerate(graph.pages)}
        self.rings: dict[str, tuple[str, ...]] = {}
        for part in self._parts:
            if len(part) > 1 or part[0] in entered[part[0]]:
                self.rings.update(dict.fromkeys(part, tuple(sorted(part, key=order.__getitem__))))
        self.names = {
            page: [name for name in _names(graph, users[page]) if not self.is_in_ring(page, name)] for page in users
        }
        self.gradients = {page: name for page, name in gradients.items() if not self.is_in_ring(page, name)}

    def is_in_ring(self, page: str, used: str) -> bool:
        """Returns whether a page lies inside itself by its use of another one."""
        return used in self.rings.get(page, ())

    def leading_back(self, ring: Sequence[str]) -> dict[str, list[str]]:
        """Returns the blocks that use the same or an earlier page of a ring, by page: without them it is none."""
        places = {name: place for place, name in enumerate(ring)}

        def leads_back(block: Block, place: int) -> bool:
            return not block.is_muted and places.get(str(block.parameters.get("page")), len(ring)) <= place

        return {name: [item.id for item in self._users[name] if leads_back(item, places[name])] for name in ring}

    def top_pages(self) -> list[Page]:
        """Returns the pages without users, and the first of pages that use only each other."""
        used = {name for names in self.names.values() for name in names}
        used |= {name for page, name in self.gradients.items() if page in used}
        tops = [page for page in self._graph.pages if page.name not in used]
        reached: set[str] = set()
        for page in [*tops, *self._graph.pages]:
            if page.name not in reached and page.name in used:
                tops.append(page)
            stack = [page.name]
            while stack:
                name = stack.pop()
                if name not in reached:
                    reached.add(name)
                    stack.extend(self._inside(name))
        return tops

    def sizes(self) -> dict[str, Size]:
        """Returns the size of one use of each page."""
        found: dict[str, Size] = {}
        for name in (name for part in self._parts for name in part):
            page = self._graph.page(name)
            blocks, wires = len(page.blocks), len(page.wires) + len(page.surplus)
            names, letters = blocks + 2 * wires, 0
            for size, more in self._parts_of(name, found):
                blocks, wires, names = blocks + size.blocks, wires + size.wires, names + size.names
                letters += size.letters + size.names * more
            found[name] = Size(blocks, wires, names, letters)
        return found

    def _parts_of(self, name: str, sizes: Mapping[str, Size]) -> Iterator[tuple[Size, int]]:
        """Yields the sizes of the pages inside a page or giving its gradient, with the letters that paths grow by."""
        for block in self._users[name]:
            inner, times = used_page(self._graph, block), rounds_of(block)
            if inner is not None and times and not block.is_muted and not self.is_in_ring(name, inner.name):
                size = sizes[inner.name]
                yield size if times == 1 else repeated(size, times), len(block.id) + 1
        if name in self.gradients:
            yield sizes[self.gradients[name]], len(GRADIENT)

    def _inside(self, name: str) -> list[str]:
        return [*self.names[name], *([self.gradients[name]] if name in self.gradients else ())]


def ring_sentence(ring: Sequence[str]) -> str:
    """Returns the sentence about pages that lie inside themselves."""
    if len(ring) == 1:
        return f'Page "{ring[0]}" uses itself; a page cannot recur.'
    return f"The pages {row_text(ring, ', ')} use each other in a circle; a page cannot recur. Remove one of the uses."


def _page_blocks(page: Page) -> Iterator[Block]:
    kinds = {block.type for block in page.blocks.values()}
    kinds = {name for name in kinds if name in library and library[name].role is Role.PAGE}
    return (block for block in page.blocks.values() if block.type in kinds) if kinds else iter(())


def _names(graph: Graph, blocks: Sequence[Block]) -> dict[str, None]:
    return dict.fromkeys(page.name for block in blocks if (page := used_page(graph, block)) is not None)


def _components(edges: Mapping[str, Mapping[str, None]]) -> Iterator[list[str]]:
    """Yields the strongly connected components of a graph, each after those that it leads to.

    Source: Tarjan, Depth-First Search and Linear Graph Algorithms (1972). Cost: O(names + edges).
    """
    places: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: dict[str, None] = {}
    for start in edges:
        trail = [(start, iter(edges[start]))] if start not in places else []
        while trail:
            name, rest = trail[-1]
            if name not in places:
                places[name] = lowest[name] = len(places)
                open_names[name] = None
            other = next(rest, None)
            if other is None:
                trail.pop()
                for above, _ in trail[-1:]:
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == places[name]:
                    yield _closed(name, open_names)
            elif other not in places:
                trail.append((other, iter(edges[other])))
            elif other in open_names:
                lowest[name] = min(lowest[name], places[other])


def _closed(root: str, open_names: dict[str, None]) -> list[str]:
    """Takes the component of a root from the end of the open names."""
    found: list[str] = []
    while not found or found[-1] != root:
        found.append(open_names.popitem()[0])
    return found
