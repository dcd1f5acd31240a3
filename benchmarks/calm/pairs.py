"""Whether all that opens in a window closes to the pixel: the twelve things, in every order of two."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from gradwire.app.shell.window.modes import Mode
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle, unseen_window
from gradwire.engine.files.files import load

SIZE = (1366, 768)
# What is painted anew a little later has been after so long. Units: ms.
LATER = 150


class Opening(NamedTuple):
    """How one thing is opened, and how it is closed again if it is still open."""

    open: Callable[[MainWindow], object]
    close: Callable[[MainWindow], object]


def _mode(mode: Mode) -> Opening:
    return Opening(lambda window: window.parts.modes.choose(mode), lambda window: _leave(window, mode))


def _leave(window: MainWindow, mode: Mode) -> None:
    if window.parts.modes.current is mode:
        window.parts.modes.choose(mode)


def _train_with_panel(window: MainWindow) -> None:
    window.parts.modes.choose(Mode.TRAIN)
    window.parts.panels.bottom.raise_panel(True)


def _panel(name: str) -> Opening:
    def close(window: MainWindow) -> None:
        if window.parts.panels.bottom.panel == name:
            window.parts.panels.bottom.close_panel()

    return Opening(lambda window: window.parts.panels.open_lens(name), close)


def _card(selection: Callable[[MainWindow], Selection]) -> Opening:
    return Opening(
        lambda window: window.session.select(selection(window)), lambda window: window.session.select(Selection())
    )


def _first_wire(window: MainWindow) -> Selection:
    return Selection(wires=frozenset([next(iter(window.session.page.wires.values()))]))


def _first_block(window: MainWindow) -> Selection:
    return Selection(frozenset([next(iter(window.session.page.blocks))]))


def _present(window: MainWindow, is_on: bool) -> None:
    if window.parts.layout.shows_only_canvas is not is_on:
        window.parts.layout.toggle_only_canvas()


OPENINGS: dict[str, Opening] = {
    "Step": _mode(Mode.STEP),
    "Train": _mode(Mode.TRAIN),
    "Train's panel": Opening(_train_with_panel, lambda window: _leave(window, Mode.TRAIN)),
    "Compare": _mode(Mode.COMPARE),
    "console": _panel("console"),
    "problems": _panel("problems"),
    "card of a wire": _card(_first_wire),
    "card of a block": _card(_first_block),
    "search": Opening(
        lambda window: window.parts.run("search"), lambda window: window.parts.editor.placer.popup.close()
    ),
    "menu": Opening(
        lambda window: window.bars.top.menu.popup(window.mapToGlobal(QPoint(900, 40))),
        lambda window: window.bars.top.menu.close(),
    ),
    "drop of the name": Opening(
        lambda window: window.bars.top.name.open(), lambda window: window.bars.top.name.menu().close()
    ),
    "Present": Opening(lambda window: _present(window, True), lambda window: _present(window, False)),
}


def compare_pairs(name: str) -> None:
    """Prints which pairs of what opens do not close to the pixel, one in the other or one across the other."""
    set_moves(False)
    with (
        tempfile.TemporaryDirectory() as folder,
        unseen_window(Settings(Path(folder) / "s.ini"), "dark", SIZE) as window,
    ):
        window.parts.document.show(load(example_path(name)).graph)
        settle(window)
        before, wrong = picture(window), list[str]()
        pairs = list(itertools.permutations(OPENINGS, 2))
        for first, second in pairs:
            for manner, order in (("nested", (second, first)), ("crossed", (first, second))):
                for one in (first, second):
                    OPENINGS[one].open(window)
                    settle(window)
                for one in order:
                    OPENINGS[one].close(window)
                    settle(window)
                if picture(window) != before:
                    wrong.append(f"{first}, {second}, {manner}")
                    # The next pair begins from the page as it was.
                    window.parts.document.show(load(example_path(name)).graph)
                    settle(window)
                    before = picture(window)
    print(f"{name}: {len(pairs)} pairs, nested and crossed: {len(wrong)} differ: {'; '.join(wrong)}", flush=True)


def picture(window: MainWindow) -> QImage:
    """Returns the window as it is seen once nothing changes any more."""
    window.parts.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    seen = [QImage()]
    while len(seen) < 2 or seen[-1] != seen[-2]:
        QTest.qWait(LATER)
        seen.append(window.grab().toImage())
    return seen[-1]
