"""The choice of a graph to compare with the open one: a file, another window, an example, an earlier state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from gradwire.app.base.examples import TOPICS, example_names, example_path, example_topic
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.compare.compare_lens import CompareLens
from gradwire.app.features.welcome.example_topics import topic_text
from gradwire.app.look.tips import add_entry
from gradwire.app.look.widgets import named
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.window.panels import Panels
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph

STATES_SHOWN = 20


class Comparing:
    """The menu that asks for the other graph and gives it to the comparison lens."""

    def __init__(self, context: DocumentContext, panels: Panels) -> None:
        self._context, self._messages, self._panels = context, context.messages, panels
        self._parent = context.frame

    def choose(self) -> None:
        """Opens the menu of all graphs to compare with."""
        self._panels.show_lens("compare")
        menu = named(QMenu(self._parent), "compare_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("A file …")).triggered.connect(self.ask_file)
        frame, past = self._context.frame, self._context.document.session.document.past[:STATES_SHOWN]
        self._add_graphs(menu, tr("Another window"), list(frame.windows.graphs(besides=frame)))
        states = [(tr("Before: {edit}", edit=text), graph) for text, graph in past]
        self._add_graphs(menu, tr("An earlier state"), states)
        self._add_examples(menu)
        menu.popup(self._place())
        menu.setActiveAction(menu.actions()[0])

    def ask_file(self) -> None:
        """Asks for a file and compares with it."""
        path = self._context.dialogs.ask_open(tr("Compare with a graph"))
        if path is not None:
            self.with_file(path, path.name)

    def with_file(self, path: Path, name: str) -> None:
        """Compares with the graph in a file, under this name."""
        try:
            loaded = load(path)
        except FileError as error:
            self._messages.complain(tr("The file cannot be opened"), tr_sentence(error.message))
            return
        if loaded.unknown_needs:
            needs = ", ".join(loaded.unknown_needs)
            sentence = tr("It uses features that this version does not have: {needs}", needs=needs)
            self._messages.complain(tr("The file cannot be compared"), sentence)
            return
        self._compare(name, loaded.graph)

    def _place(self) -> QPoint:
        lens = self._panels.bottom.lens("compare")
        anchor = lens.strip if lens is not None and lens.strip is not None else self._parent
        return anchor.mapToGlobal(QPoint(0, 0))

    def _add_graphs(self, menu: QMenu, title: str, graphs: Sequence[tuple[str, Graph]]) -> None:
        """Adds a menu of graphs by their names."""
        part = menu.addMenu(title)
        part.setEnabled(bool(graphs))
        for name, graph in graphs:
            add_entry(part, name).triggered.connect(partial(self._compare, name, graph))

    def _add_examples(self, menu: QMenu) -> None:
        part = menu.addMenu(tr("An example"))
        for topic in TOPICS:
            if names := [name for name in example_names() if example_topic(name) == topic]:
                inner = part.addMenu(topic_text(topic))
                for name in names:
                    inner.addAction(name).triggered.connect(partial(self.with_file, example_path(name), name))

    def _compare(self, name: str, graph: Graph) -> None:
        self._panels.show_lens("compare")
        lens = self._panels.bottom.lens("compare")
        if isinstance(lens, CompareLens):
            lens.compare_with(name, graph)
