"""The generator of the README's pictures, from the real window: make pictures."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.files.files import load

# What goes with another selection is gone by then.
SETTLED_MS = 400
IMAGES = Path(__file__).parent.parent / "docs" / "images"


def main() -> None:
    """Writes all pictures into docs/images."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication([])
    appearance = Appearance("dark")
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Settings(Path(folder) / "settings.ini"), appearance, InlineEvaluator)
        window.resize(1600, 1000)
        # Where no screen is, the pointer lies in the upper left corner.
        QCursor.setPos(window.rect().bottomRight() * 2)
        window.show()
        application.processEvents()
        take(window, "welcome.png")
        show(window, "softmax_stable", frozenset({"z"}))
        take(window, "stable_softmax.png")
        window.session.runs.set_ignores_stops(True)
        take(window, "without_stop.png")
        appearance.choose("light")
        show(window, "softmax_stable", frozenset({"m"}))
        take(window, "stable_softmax_light.png")
        show(window, "softmax_naive", frozenset({"e"}))
        take(window, "overflow.png")
        window.close()


def show(window: MainWindow, name: str, blocks: frozenset[str]) -> None:
    """Opens an example and selects some blocks."""
    window.parts.document.show(load(example_path(name)).graph, title=name)
    window.session.select(Selection(blocks))


def take(window: MainWindow, name: str) -> None:
    """Writes a picture of the window."""
    QTest.qWait(SETTLED_MS)
    window.grab().save(str(IMAGES / name))


if __name__ == "__main__":
    main()
