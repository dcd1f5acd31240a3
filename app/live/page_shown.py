"""The page that is shown of a document, by the path of its use, and the selection there."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import Expanded
from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.loops import is_loop, rounds_of
from gradwire.engine.graph.paths import first_rounds, forward_path, gradient_path, part_path, segment_of
from gradwire.engine.graph.ports import gradient_page, pages_along, used_page


class LoopShown(NamedTuple):
    """A loop around the page shown: its block, the path of the block, the round that is looked at, how many there are.

    The path names the rounds of the loops around it.
    """

    block: Block
    path: str
    round: int
    times: int


class PageShown(QObject):
    """The page shown with its selection: a view state, in no file and no history.

    `visited` has the names of the pages shown so far, the last one last; some may be gone.
    Signals carry values: `page_changed(str)`, `selection_changed(Selection)`.
    """

    selection_changed = Signal(object)
    page_changed = Signal(str)

    def __init__(self, document: Document, expanded: Callable[[], Expanded], parent: QObject) -> None:
        """`expanded` returns the expansion of the document's graph."""
        super().__init__(parent)
        self._document, self._expanded = document, expanded
        self.name = self.prefix = document.graph.pages[0].name
        self.selection, self.is_made = Selection(), False
        self.visited = [self.name]
        # The round that was looked at last in each loop, by its path in the first rounds of the loops around it.
        self._rounds: dict[str, int] = {}

    @property
    def page(self) -> Page:
        """The page shown."""
        return self._document.graph.page(self.name)

    @property
    def trail(self) -> list[tuple[str, str]]:
        """The pages around the page shown, from the outermost to itself: the name and the path of each."""
        paths = itertools.accumulate(self.prefix.split("/"), "{}/{}".format)
        names = (page.name for page in pages_along(self._document.graph, self.prefix))
        return list(zip(names, paths, strict=False))

    @property
    def loops(self) -> list[LoopShown]:
        """The loops around the page shown, the outermost first."""
        parts, found = self.prefix.split("/"), []
        for number, page in enumerate(pages_along(self._document.graph, self.prefix)[:-1], 1):
            name, part, _ = segment_of(parts[number])
            if part:
                block, path = page.blocks[name], "/".join([*parts[:number], name])
                found.append(LoopShown(block, path, int(part), rounds_of(block)))
        return found

    def select(self, selection: Selection, is_made: bool = False) -> None:
        """Selects exactly this; `is_made` says that an edit has made it, and nobody has picked it."""
        if selection != self.selection:
            self.selection, self.is_made = selection, is_made
            self.selection_changed.emit(selection)

    def show(self, name: str, prefix: str | None = None) -> None:
        """Shows a page; `prefix` is the path of the use whose results are to be seen, by default the first."""
        if not self._document.graph.has_page(name):
            return
        self.name, self.prefix = name, self._within_times(prefix or self._first_prefix(name))
        self.visited = [*(other for other in self.visited if other != name), name]
        self._note_rounds()
        self.select(Selection())
        self.page_changed.emit(name)

    def show_round(self, loop: LoopShown, number: int) -> None:
        """Shows another round of a loop around the page, with the same things selected."""
        number = min(max(number, 0), loop.times - 1)
        before = part_path(loop.path, loop.round)
        if number != loop.round and loop in self.loops:
            self._look_from(part_path(loop.path, number) + self.prefix[len(before) :])

    def enter(self, block: Block) -> None:
        """Shows the page that a Page block uses with the results of this use, of a loop those of the last round."""
        page = used_page(self._document.graph, block)
        if page is not None:
            self.show(page.name, self.path_inside(block))

    def path_inside(self, block: Block) -> str:
        """Returns the path of the page that a Page block uses; of a loop in the round that was looked at last."""
        path = f"{self.prefix}/{block.id}"
        return part_path(path, self._round_of(path, block)) if is_loop(block) else path

    def use_of(self, name: str) -> str:
        """Returns the path of the use of a page whose results are seen: of the page shown that, else the first."""
        return self.prefix if name == self.name else self._first_prefix(name)

    def show_gradient(self, path: str) -> None:
        """Shows the page that gives the gradient of the use of a page at a path; does nothing if none does."""
        pages = pages_along(self._document.graph, path)
        giving = gradient_page(self._document.graph, pages[-1]) if pages else None
        if giving is not None:
            self.show(giving.name, gradient_path(path) if "/" in path else None)

    def show_forward(self, name: str) -> None:
        """Shows a page whose gradient the page shown gives, in the use for which it is shown."""
        path = forward_path(self.prefix)
        pages = pages_along(self._document.graph, path)
        self.show(name, path if pages and pages[-1].name == name else None)

    def leave(self) -> None:
        """Shows the page around the one shown, if there is one, with the block selected that was entered."""
        if len(self.trail) > 1:
            entered = segment_of(self.prefix.rpartition("/")[2]).block
            self.show(*self.trail[-2])
            self.select(Selection(frozenset([entered])))

    def _look_from(self, prefix: str) -> None:
        """Shows the same page as another use has it."""
        self.prefix = prefix
        self._note_rounds()
        self.page_changed.emit(self.name)

    # Rounds

    def _note_rounds(self) -> None:
        self._rounds.update((first_rounds(loop.path), loop.round) for loop in self.loops)

    def _round_of(self, path: str, block: Block) -> int:
        """Returns the round of a loop that was looked at last, the first one at first."""
        return max(0, min(self._rounds.get(first_rounds(path), 0), rounds_of(block) - 1))

    def _within_times(self, prefix: str) -> str:
        """Returns a path in which no loop is in a round that it does not have."""
        parts, pages = prefix.split("/"), pages_along(self._document.graph, first_rounds(prefix))
        for number, page in enumerate(pages[:-1], 1):
            segment = segment_of(parts[number])
            if segment.round is not None:
                last = rounds_of(page.blocks[segment.block]) - 1
                parts[number] = str(segment._replace(part=str(min(segment.round, last))))
        return "/".join(parts)

    # After an edit

    def keep_place(self, old: Graph, new: Graph) -> None:
        """Leaves a page, use or round that an edit has removed, and drops removed things from the selection."""
        if not new.has_page(self.name):
            self.show(self._page_instead(old, new))
        elif not self._is_use(prefix := self._within_times(self.prefix)):
            self.show(self.name)
        elif prefix != self.prefix:
            self._look_from(prefix)
        self.select(self.selection.within(self.page))

    def _page_instead(self, old: Graph, new: Graph) -> str:
        """Returns the page to show for one that is gone: its new name, else the one shown last before it."""
        if len(new.pages) == len(old.pages):
            return new.pages[[page.name for page in old.pages].index(self.name)].name
        return next((name for name in reversed(self.visited) if new.has_page(name)), new.pages[0].name)

    def _first_prefix(self, name: str) -> str:
        graph = self._document.graph
        if name in self._expanded().unused or any(page.name == name for page in PageUses(graph).top_pages()):
            return name
        return next(self._uses(name), name)

    def _is_use(self, prefix: str) -> bool:
        """Returns whether a path is that of a use of the page shown."""
        if "/" not in prefix:
            return prefix == self._first_prefix(self.name)
        pages, names = pages_along(self._document.graph, prefix), prefix.split("/")[1:]
        users = (page.blocks[segment_of(name).block] for page, name in zip(pages, names, strict=False))
        return bool(pages) and pages[-1].name == self.name and not any(block.is_muted for block in users)

    def _uses(self, name: str) -> Iterator[str]:
        """Yields the paths of all uses of a page, of each loop that of the round that was looked at last.

        After them come the uses of pages whose gradient it gives.
        """
        graph = self._document.graph
        for path, instance in self._expanded().instances.items():
            # A loop stands for its rounds.
            if instance.role is Role.PAGE and instance.is_entered and not instance.loop:
                page, block = used_page(graph, instance.block), instance.block
                if page is not None and page.name == name:
                    yield part_path(path, self._round_of(path, block)) if is_loop(block) else path
        yield from (rule.prefix for rule in self._expanded().rules.values() if rule.backward == name and rule.prefix)
