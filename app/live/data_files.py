"""Files of examples that a document names: asked for, read once they are allowed, and put into the graph to be run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gradwire.app.live.questions.data_question import DataQuestion
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.engine.base.errors import FileError, ParameterError
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.data_files import Examples
from gradwire.engine.files.wanted_files import WantedFile, wanted_on
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page

SHA256 = "sha256"


class DataFiles(QObject):
    """Files that the blocks of one document want to read.

    Nothing is read before the folder of the document is allowed. The document itself never holds the content: `filled`
    puts it into the graph that is inferred, run and trained. `changed()` comes with content, and with other states.
    """

    changed = Signal()

    def __init__(
        self, document: Document, ask: Callable[[Question], None], allowed: AllowedFolders | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._ask, self._allowed = document, ask, allowed
        self._found: dict[DataQuestion, Examples | str] = {}
        self._asked: set[DataQuestion] = set()
        self._new: set[str] = set()
        self._lent: Path | None = None
        self._pages: dict[str, tuple[Page, tuple[WantedFile, ...]]] = {}
        self._filled: dict[str, tuple[Block, Examples, Block]] = {}
        self._filled_pages: dict[str, tuple[Page, Page]] = {}

    @property
    def folder(self) -> Path | None:
        """Folder whose files may be asked for: the document's, or that of a file chosen before there is one."""
        return self.lent if self._document.path is None else self._document.path.parent

    @property
    def lent(self) -> Path | None:
        """Folder of the file that was chosen, while the document has no file of its own."""
        return self._lent if self._document.path is None else None

    def lend(self, folder: Path, block: str) -> None:
        """Takes a folder for that of a document without a file, unless another block reads from such a folder."""
        if self._lent is None or all(item.block == block for item in self._wanted(self._document.graph)):
            self._lent = folder

    @property
    def waiting(self) -> tuple[WantedFile, ...]:
        """Files that wait for somebody to allow them."""
        if self._allowed is None or self.folder is None:
            return ()
        unread = tuple(item for item in self._wanted(self._document.graph) if self._content(item) is None)
        # The record of folders is a file: it is looked into where that matters.
        return () if not unread or self._allowed.allows(self.folder) else unread

    @property
    def faults(self) -> tuple[str, ...]:
        """Sentences about files that could not be read."""
        found = (self._content(item) for item in self._wanted(self._document.graph))
        return tuple(dict.fromkeys(item for item in found if isinstance(item, str)))

    def content(self, block: str) -> Examples | str | None:
        """Returns what the file of a block, by page and id, holds, or why it cannot be read; None before that."""
        found = (item for item in self._wanted(self._document.graph) if item.block == block)
        wanted = next(found, None)
        return None if wanted is None else self._content(wanted)

    def told(self, problem: Problem) -> Problem:
        """Returns a problem, in the words of the refusal if it is that a file has no content because it was refused."""
        if problem.code != ParameterError.code or problem.severity != "error":
            return problem
        content = self.content(problem.at)
        return replace(problem, message=content) if isinstance(content, str) else problem

    @property
    def news(self) -> tuple[tuple[WantedFile, Examples], ...]:
        """Files that somebody has just allowed or chosen and that have been read, until `see`."""
        found = ((item, self._content(item)) for item in self._wanted(self._document.graph) if item.block in self._new)
        return tuple((item, content) for item, content in found if isinstance(content, Examples))

    def see(self) -> None:
        """Takes it that somebody has seen how the files were read."""
        self._new.clear()
        self.changed.emit()

    @property
    def differing(self) -> tuple[WantedFile, ...]:
        """Files that are not those that the graph was written with, by their checksum."""
        found = ((item, self._content(item)) for item in self._wanted(self._document.graph) if item.sha256)
        return tuple(
            item for item, content in found if isinstance(content, Examples) and content.sha256 != item.sha256.lower()
        )

    def allow(self, always: bool) -> str:
        """Reads the files from now on; returns why that could not be noted for always, else ""."""
        fault = ""
        if self._allowed is not None and self.folder is not None:
            try:
                self._allowed.allow(self.folder, always)
            except FileError as error:
                fault = str(error)
        self._new |= {item.block for item in self._wanted(self._document.graph)}
        self.look()
        self.changed.emit()
        return fault

    def try_again(self) -> None:
        """Reads the files again that could not be read."""
        self._found = {question: found for question, found in self._found.items() if isinstance(found, Examples)}
        self.look()
        self.changed.emit()

    def accepted(self, graph: Graph) -> Graph:
        """Returns a graph with the checksums of the files as they are now."""
        for item in self.differing:
            content = self._content(item)
            assert isinstance(content, Examples)
            page_name, _, block_id = item.block.partition("/")
            graph = edits.set_parameter(graph, page_name, block_id, SHA256, content.sha256)
        return graph

    def look(self) -> None:
        """Asks for the files of the graph as it is, where they are allowed."""
        if self._allowed is None or self.folder is None:
            return
        known = self._found.keys() | self._asked
        for question in dict.fromkeys(map(self._question, self._wanted(self._document.graph))):
            if question not in known and self._allowed.allows(self.folder):
                self._asked.add(question)
                self._ask(question)

    def take(self, reply: Reply) -> bool:
        """Takes the content of a file; returns whether the graph to be run is another one now."""
        question = reply.question
        if not isinstance(question, DataQuestion):
            return False
        self._asked.discard(question)
        if reply.answer is None:
            return False
        self._found[question] = reply.answer
        self._filled_pages.clear()
        self.changed.emit()
        return isinstance(reply.answer, Examples)

    def filled(self, graph: Graph) -> Graph:
        """Returns a graph with the content of its files, as far as it has been read."""
        if not self._found:
            return graph
        pages = tuple(self._filled_page(page) for page in graph.pages)
        is_same = all(new is old for new, old in zip(pages, graph.pages, strict=True))
        return graph if is_same else replace(graph, pages=pages)

    def _filled_page(self, page: Page) -> Page:
        known = self._filled_pages.get(page.name)
        if known is not None and known[0] is page:
            return known[1]
        blocks = {
            (name := item.block.partition("/")[2]): self._filled_block(item, page.blocks[name], content)
            for item in self._wanted_on(page)
            if isinstance(content := self._content(item), Examples)
        }
        found = replace(page, blocks={**page.blocks, **blocks}) if blocks else page
        self._filled_pages[page.name] = page, found
        return found

    def _filled_block(self, wanted: WantedFile, block: Block, content: Examples) -> Block:
        known = self._filled.get(wanted.block)
        if known is None or known[0] is not block or known[1] is not content:
            given = {**block.parameters, **content.parameters}
            known = self._filled[wanted.block] = block, content, replace(block, parameters=given)
        return known[2]

    def _content(self, wanted: WantedFile) -> Examples | str | None:
        return None if self.folder is None else self._found.get(self._question(wanted))

    def _question(self, wanted: WantedFile) -> DataQuestion:
        assert self.folder is not None
        return DataQuestion(self.folder, wanted.file, wanted.options)

    def _wanted(self, graph: Graph) -> tuple[WantedFile, ...]:
        return tuple(item for page in graph.pages for item in self._wanted_on(page))

    def _wanted_on(self, page: Page) -> tuple[WantedFile, ...]:
        known = self._pages.get(page.name)
        if known is None or known[0] is not page:
            known = self._pages[page.name] = page, tuple(wanted_on(page))
        return known[1]
