"""The choice of a graph to set beside the open one: a file, another window, an example, an earlier state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFileDialog, QMenu

from app.documents import files_filter
from app.examples import TOPICS, example_names, example_path, example_topic
from app.lenses.compare_lens import CompareLens
from app.lenses.lens import Lens
from app.look.tips import add_entry
from app.panels.example_topics import topic_text
from app.words import tr, tr_sentence
from engine.errors import FileError
from engine.files import load
from engine.graph import Graph

if TYPE_CHECKING:
    from app.main_window import MainWindow

STATES_SHOWN = 20


class Comparing:
    """Asks for the other graph in a menu, and gives it to the lens of comparison."""

    def __init__(
        self, window: MainWindow, show_lens: Callable[[str], None], find_lens: Callable[[], Lens | None]
    ) -> None:
        self._window, self._show_lens, self._find_lens = window, show_lens, find_lens

    def choose(self) -> None:
        """Opens the menu of all that can be compared with."""
        self._show_lens("compare")
        menu = QMenu(self._window)
        menu.setObjectName("compare_menu")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(tr("A file …")).triggered.connect(self.ask_file)
        self._add_windows(menu)
        self._add_states(menu)
        self._add_examples(menu)
        menu.popup(self._place())
        menu.setActiveAction(menu.actions()[0])

    def ask_file(self) -> None:
        """Asks for a file and compares with it."""
        folder = str(self._window.documents.folder())
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Compare with a graph"), folder, files_filter())
        if name:
            self.with_file(Path(name), Path(name).name)

    def with_file(self, path: Path, name: str) -> None:
        """Compares with the graph in a file, by this name."""
        try:
            loaded = load(path)
        except FileError as error:
            self._window.documents.complain(tr("The file cannot be opened"), tr_sentence(error.message))
            return
        if loaded.unknown_needs:
            sentence = tr("It needs what this version does not have: {needs}", needs=", ".join(loaded.unknown_needs))
            self._window.documents.complain(tr("The file cannot be compared"), sentence)
            return
        self._compare(name, loaded.graph)

    def _place(self) -> QPoint:
        lens = self._find_lens()
        anchor = lens.controls if lens is not None and lens.controls is not None else self._window
        return anchor.mapToGlobal(QPoint(0, 0))

    def _add_windows(self, menu: QMenu) -> None:
        others = [item for item in self._window.windows.windows if item is not self._window and item.has_document]
        part = menu.addMenu(tr("Another window"))
        part.setEnabled(bool(others))
        for other in others:
            self._add(part, other.title, other.session.graph)

    def _add_states(self, menu: QMenu) -> None:
        states = self._window.session.document.past[:STATES_SHOWN]
        part = menu.addMenu(tr("An earlier state"))
        part.setEnabled(bool(states))
        for text, graph in states:
            self._add(part, tr("Before: {edit}", edit=text), graph)

    def _add_examples(self, menu: QMenu) -> None:
        part = menu.addMenu(tr("An example"))
        for topic in TOPICS:
            names = [name for name in example_names() if example_topic(name) == topic]
            inner = part.addMenu(topic_text(topic)) if names else None
            for name in names:
                action = inner.addAction(name) if inner is not None else None
                if action is not None:
                    action.triggered.connect(lambda _=False, name=name: self.with_file(example_path(name), name))

    def _add(self, menu: QMenu, name: str, graph: Graph) -> None:
        action = add_entry(menu, name)
        action.triggered.connect(lambda: self._compare(name, graph))

    def _compare(self, name: str, graph: Graph) -> None:
        self._show_lens("compare")
        lens = self._find_lens()
        if isinstance(lens, CompareLens):
            lens.compare_with(name, graph)
