"""The page that is shown of a document, by the path of its use, and the selection there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal

from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import Expanded
from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.ports import pages_along, used_page


class PageShown(QObject):
    """The page shown with its selection: a view state, in no file and no history.

    Signals carry values: `page_changed(str)`, `selection_changed(Selection)`.
    """

    selection_changed = Signal(object)
    page_changed = Signal(str)

    def __init__(self, document: Document, expanded: Callable[[], Expanded], parent: QObject) -> None:
        """`expanded` returns the expansion of the document's graph."""
        super().__init__(parent)
        self._document, self._expanded = document, expanded
        self.name = self.prefix = document.graph.pages[0].name
        self.selection = Selection()
        # The pages shown so far, the last one last.
        self._visited = [self.name]

    @property
    def page(self) -> Page:
        """The page shown."""
        return self._document.graph.page(self.name)

    @property
    def trail(self) -> list[tuple[str, str]]:
        """The pages around the page shown, from the outermost to itself: the name and the path of each."""
        parts = self.prefix.split("/")
        paths = ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]
        names = (page.name for page in pages_along(self._document.graph, self.prefix))
        return list(zip(names, paths, strict=False))

    def select(self, selection: Selection) -> None:
        """Selects exactly this."""
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    def show(self, name: str, prefix: str | None = None) -> None:
        """Shows a page; `prefix` is the path of the use whose results are to be seen, by default the first."""
        if not self._document.graph.has_page(name):
            return
        self.name, self.prefix = name, prefix or self._first_prefix(name)
        self._visited = [*(other for other in self._visited if other != name), name]
        self.select(Selection())
        self.page_changed.emit(name)

    def enter(self, block: Block) -> None:
        """Shows the page that a Page block uses, with the results of this use."""
        page = used_page(self._document.graph, block)
        if page is not None:
            self.show(page.name, f"{self.prefix}/{block.id}")

    def leave(self) -> bool:
        """Shows the page around the one shown, with the block selected that was entered; False if there is none."""
        if len(self.trail) < 2:
            return False
        entered = self.prefix.rpartition("/")[2]
        self.show(*self.trail[-2])
        self.select(Selection(frozenset([entered])))
        return True

    # After an edit

    def keep_place(self, old: Graph, new: Graph) -> None:
        """Leaves a page or use that an edit has removed."""
        if not new.has_page(self.name):
            self.show(self._page_instead(old, new))
        elif self.prefix != self._first_prefix(self.name) and self.prefix not in self._uses(self.name):
            self.show(self.name)

    def keep_selection(self) -> None:
        """Drops from the selection the things that an edit has removed."""
        self.select(self.selection.within(self.page))

    def _page_instead(self, old: Graph, new: Graph) -> str:
        """Returns the page to show for one that is gone: its new name, else the one shown last before it."""
        if len(new.pages) == len(old.pages):
            return new.pages[[page.name for page in old.pages].index(self.name)].name
        return next((name for name in reversed(self._visited) if new.has_page(name)), new.pages[0].name)

    def _first_prefix(self, name: str) -> str:
        graph = self._document.graph
        if name in self._expanded().unused or any(page.name == name for page in PageUses(graph).top_pages()):
            return name
        return next(self._uses(name), name)

    def _uses(self, name: str) -> Iterator[str]:
        """Yields the paths of all uses of a page."""
        graph = self._document.graph
        for path, instance in self._expanded().instances.items():
            if instance.role is Role.PAGE and instance.is_entered:
                page = used_page(graph, instance.block)
                if page is not None and page.name == name:
                    yield path
