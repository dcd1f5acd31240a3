"""Drives a real window the way a user does: by mouse at points of the scene, by keys, and by object names."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.window.finding import Found, child_of, let_paint, settle
from tests.app.window.hand import LEFT, MIDDLE, NONE, RIGHT, Button, Hand, Kind, Mod
from tests.app.window.points import Points
from tests.app.window.popups import Popups, entries_of

Key = Qt.Key


class Driver:
    """One window under test: its document, its keys, the `hand` on its canvas, the `points` there, and its `popups`."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.hand, self.points = Hand(window, window.parts.canvas), Points(window.parts.canvas)
        self.popups = Popups(window, self.hand)
        self.refusals: list[str] = []
        self._heard: Session | None = None

    # What is there

    @property
    def canvas(self) -> Canvas:
        return self.window.parts.canvas

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def graph(self) -> Graph:
        return self.session.graph

    @property
    def page(self) -> Page:
        return self.session.page

    @property
    def selection(self) -> Selection:
        return self.session.selection

    def block(self, block_id: str) -> Block:
        return self.page.blocks[block_id]

    def only(self, type_name: str) -> str:
        """The id of the only block of a type."""
        (found,) = [block.id for block in self.page.blocks.values() if block.type == type_name]
        return found

    def wires(self) -> set[str]:
        """All wires of the page as `a.y > b.x`."""
        return {f"{wire.source} > {wire.target}" for wire in self.page.wires.values()}

    def wire(self, target: str) -> Wire:
        """The wire that ends at `block.port`."""
        return self.page.wires[Port(*target.split("."))]

    def places(self) -> dict[str, tuple[int, int] | None]:
        return {block.id: block.at for block in self.page.blocks.values()}

    def undo_text(self) -> str | None:
        return self.session.document.undo_text

    def child(self, kind: type[Found], name: str) -> Found:
        """The object of that name, anywhere in the window; of widgets one that is shown, if any is."""
        return child_of(self.window, kind, name)

    def settle(self) -> None:
        """Lets everything that waits for the event loop happen."""
        settle()

    def listen(self) -> list[str]:
        """The sentences with which the session refuses things from now on."""
        self.refusals = []
        if self._heard is not self.session:
            self._heard = self.session
            self.session.refused.connect(self._note)
        return self.refusals

    def _note(self, sentence: str) -> None:
        self.refusals.append(sentence)

    # Documents

    def show(self, graph: Graph, scale: float = 1.0) -> None:
        """Shows a graph as the document, at a scale at which everything can be used."""
        # It is painted once, at that scale, and what was there before need not be.
        self.window.setUpdatesEnabled(False)
        self.window.parts.document.show(graph)
        self.settle()
        self.canvas.viewport.zoom_to(scale)
        let_paint(self.window)
        self.settle()

    def open(self, path: Path) -> None:
        self.window.parts.documents.opening.open(path)
        self.settle()

    # Keys

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        """A key for the canvas, shortcuts included."""
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        QTest.keyClick(self.canvas, key, keys)
        self.settle()

    def ctrl(self, key: Qt.Key) -> None:
        self.key(key, Mod.ControlModifier)

    def escape(self) -> None:
        QTest.keyClick(self.canvas, Key.Key_Escape)

    def undo(self) -> None:
        self.ctrl(Key.Key_Z)

    def redo(self) -> None:
        self.key(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)

    def trigger(self, command: str) -> None:
        """A command as its menu entry would run it."""
        self.window.parts.actions_by_id[command].trigger()
        self.settle()

    def add(self, text: str, at: QPointF) -> str:
        """Points somewhere with nothing selected, presses Tab, types, Enter; gives the id of the new block."""
        self.session.select(Selection())
        self.hand.enter(at)
        before = set(self.page.blocks)
        self.key(Key.Key_Tab)
        self.popups.search(text)
        (made,) = set(self.page.blocks) - before
        return made


__all__ = ["LEFT", "MIDDLE", "NONE", "RIGHT", "Button", "Driver", "Found", "Key", "Kind", "Mod", "entries_of"]
