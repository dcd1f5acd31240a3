"""Walk through a real window by mouse and keyboard; each step prints its cost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.graph.graph import Graph
from tests.torture.support.stages import stage

ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
LEFT, NONE, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
PATIENCE_SECONDS, LOOK_MS = 600, 20


class Walk:
    """Window with a simulated user."""

    def __init__(self, folder: Path, make_evaluator: MakeEvaluator = InlineEvaluator) -> None:
        self.window = MainWindow(Settings(folder / "s.ini"), Appearance("dark"), make_evaluator)
        self.window.resize(1400, 900)
        self.window.show()
        self._settle()

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def blocks(self) -> int:
        return len(self.session.page.blocks)

    def do(self, name: str, action: Callable[[], object]) -> None:
        """Carries out one step and waits for all answers to it."""
        stage(name, lambda: (action(), self._settle()))

    def until(self, fact: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not fact():
            assert time.monotonic() < end, "what was waited for has not come"
            QTest.qWait(LOOK_MS)

    def key(self, name: str, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE, target: QWidget | None = None) -> None:
        self.do(name, lambda: QTest.keyClick(target or self.window.parts.canvas, key, modifier))

    def undo(self) -> None:
        self.key("undo", Qt.Key.Key_Z, CONTROL)

    def redo(self) -> None:
        self.key("redo", Qt.Key.Key_Z, CONTROL | SHIFT)

    def select_all(self) -> None:
        self.key("select all", Qt.Key.Key_A, CONTROL)
        assert len(self.session.selection.blocks) == self.blocks

    def show(self, graph: Graph) -> None:
        canvas = self.window.parts.canvas
        self.do("show", lambda: self.window.parts.document.show(graph))
        self.do("fit the page", canvas.viewport.fit_page)
        self.do("paint it", canvas.grab)
        self.do("100 %", lambda: canvas.viewport.zoom_to(1.0))
        self.do("paint that", canvas.grab)

    def press(self, name: str) -> QPoint:
        """Presses the mouse on the header of a block."""
        canvas = self.window.parts.canvas
        canvas.viewport.centre_on(name)
        self._settle()
        rect = canvas.mirror.rect(name)
        start = canvas.camera.to_view(QPointF(rect.center().x(), rect.top() + 8)).toPoint()
        QTest.mousePress(canvas, LEFT, NONE, start)
        return start

    def close(self) -> None:
        self.session.document.mark_saved()
        self.window.close()
        self._settle()

    def _settle(self) -> None:
        """Lets the window finish pending work, with the results of the newest graph."""
        QApplication.processEvents()
        self.until(lambda: not self.session.scheduler.is_busy)
        for _ in range(3):
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
