"""A real window with a long chain, frames in frames and a block with many wires, and hardly any recursion.

Started as a process, with the three counts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.canvas.picture import PagePicture, with_places
from app.live.evaluator import InlineEvaluator
from app.live.session import Selection
from app.look.appearance import Appearance
from app.look.theme import theme
from app.main_window import MainWindow
from app.settings import Settings
from engine import edits
from engine.graph import Graph
from tests.torture.shapes_of_graphs import chain, frames_in_frames, in_columns, joined
from tests.torture.stages import limit_recursion, stage

CONTROL, LEFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


class Walk:
    """A walk through a window with one graph."""

    def __init__(self, folder: Path) -> None:
        self.window = MainWindow(Settings(folder / "s.ini"), Appearance("dark"), InlineEvaluator)
        self.window.resize(1400, 900)
        self.window.show()
        settle()

    @property
    def blocks(self) -> int:
        return len(self.window.session.page.blocks)

    def do(self, name: str, action: object) -> None:
        assert callable(action)
        stage(name, lambda: (action(), settle()))

    def key(self, name: str, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        self.do(name, lambda: QTest.keyClick(self.window.canvas, key, modifier))

    def show(self, graph: Graph) -> None:
        canvas = self.window.canvas
        self.do("show", lambda: self.window.show_graph(graph))
        self.do("fit the page", canvas.fit_page)
        self.do("paint it", canvas.grab)
        self.do("100 %", lambda: canvas.zoom_to(1.0))
        self.do("paint that", canvas.grab)

    def edit(self, count: int) -> None:
        session = self.window.session
        self.key("select all", Qt.Key.Key_A, CONTROL)
        assert len(session.selection.blocks) == count
        self.key("nudge", Qt.Key.Key_Right)
        self.do("undo", session.undo)
        self.drag()
        self.do("undo", session.undo)
        self.key("select all", Qt.Key.Key_A, CONTROL)
        self.key("copy", Qt.Key.Key_C, CONTROL)
        self.key("paste", Qt.Key.Key_V, CONTROL)
        assert self.blocks == 2 * count
        self.do("undo", session.undo)
        self.key("select all", Qt.Key.Key_A, CONTROL)
        self.key("delete", Qt.Key.Key_Delete)
        assert self.blocks == 0
        self.do("undo", session.undo)
        half = [name for name in session.page.blocks if name.startswith("b")][: count // 2]
        self.do("select half", lambda: session.select(Selection(frozenset(half))))
        self.do("make a page", lambda: session.apply("", edits.group, "main", half))
        self.do("undo", session.undo)
        self.do("take one out", lambda: session.apply("", edits.remove_blocks, "main", half[:1]))
        self.do("undo", session.undo)
        assert self.blocks == count

    def drag(self) -> None:
        """All blocks by the first one."""
        canvas = self.window.canvas
        name = next(iter(self.window.session.page.blocks))
        canvas.centre_on(name)
        settle()
        rect = canvas.mirror.rect(name)
        start = canvas.camera.to_view(QPointF(rect.center().x(), rect.top() + 8)).toPoint()
        QTest.mousePress(canvas, LEFT, NONE, start)
        for step in range(1, 4):
            self.do("drag", lambda step=step: QTest.mouseMove(canvas, start + QPoint(40 * step, 30 * step)))
        self.do("drop", lambda: QTest.mouseRelease(canvas, LEFT, NONE, start + QPoint(120, 90)))

    def close(self) -> None:
        self.window.session.document.mark_saved()
        self.window.close()
        settle()


def main(blocks: int, frames: int, wires: int) -> None:
    application = QApplication(sys.argv[:1])
    QLocale.setDefault(QLocale.c())
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Path(folder))
        limit_recursion()
        graph = in_columns(chain(blocks))
        walk.show(graph)
        walk.edit(blocks)
        picture = stage("picture", lambda: PagePicture(graph))
        stage("as SVG", lambda: picture.svg(theme("dark")))
        picture.close()
        walk.show(with_places(frames_in_frames(frames)))
        walk.show(with_places(joined(wires, "AddN")))
        walk.close()
    application.quit()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
