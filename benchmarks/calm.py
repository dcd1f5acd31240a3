"""How calm the window is: what is cut, hidden or too much in it, and whether all that opens closes to the pixel.

    python -m benchmarks.calm [--all] [--pairs]

It opens all examples and trainings, or every fifth of them, in windows of three sizes, both themes and two sizes of
texts, and in the modes, and prints for each measure how many states fail it, with the first ones. With --pairs it opens
and closes every two of what can be opened, in both orders, and compares pictures of the window byte by byte. On a
screen (QT_QPA_PLATFORM=xcb) these are the pictures that a user sees.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradwire.app.base.examples import FOLDER
from gradwire.app.base.settings import Settings
from gradwire.app.cli.render_options import WindowState
from gradwire.app.cli.window.report import report_of
from gradwire.app.cli.window.states import bring
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Choice
from gradwire.app.look.motion import set_moves
from gradwire.app.shell.window.modes import Mode
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle, unseen_window
from gradwire.engine.files.files import load

FILES = sorted([*FOLDER.glob("*.graph"), *(FOLDER.parent / "trainings").glob("*.graph")])
THEMES: tuple[Choice, ...] = ("dark", "light")
TEXTS = (100, 150)
SIZES = ((1366, 768), (1280, 800), (1600, 1000))
# What the bars leave of a window of 1366 x 768 at least, by mode and size of texts.
CANVAS = {("build", 100): 0.90, ("step", 100): 0.79, ("train", 100): 0.79, ("build", 150): 0.87}
TABS = {100: 0.035, 150: 0.05}
MOST_TARGETS, LEAST_CONTRAST = 16, 4.5
SHOWN = 6


class State(NamedTuple):
    """One state of a window with a file."""

    size: tuple[int, int]
    mode: str


STATES = [State(SIZES[0], mode) for mode in ("build", "step", "train")] + [State(size, "build") for size in SIZES[1:]]


def faults(state: State, text: int, found: dict[str, Any], pages: int) -> Iterator[str]:
    """Yields the measures that a report fails."""
    least = CANVAS.get((state.mode, text), 0.0) - (TABS[text] if pages > 1 else 0.0)
    if found["outside"] and text == 100:
        yield "outside"
    if found["canvas"] < least - 0.005 and state.size == SIZES[0]:
        yield "canvas"
    if state.mode == "build" and found["targets"] > MOST_TARGETS + (2 if pages > 1 else 0):
        yield "targets"
    if found["overlaps"]:
        yield "overlaps"
    if found["covered"]:
        yield "covered"
    if found["contrast"] < LEAST_CONTRAST:
        yield "contrast"
    if found["nan_places"] > 1:
        yield "nan_places"


def measure(files: list[Path]) -> None:
    """Prints for each measure how many states fail it."""
    failed, seen = defaultdict[str, list[str]](list), 0
    for theme, text in itertools.product(THEMES, TEXTS):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(Path(folder) / "s.ini")
            settings.set_text("text_scale", str(text))
            window = unseen_window(settings, theme, SIZES[0])
            for path in files:
                for state, report in reports(window, path):
                    seen += 1
                    for name in faults(state, text, report, len(window.session.graph.pages)):
                        size = "x".join(map(str, state.size))
                        failed[name].append(f"{path.stem} {size} {theme} {text} % {state.mode}")
                window.session.document.mark_saved()
            window.close_unasked()
    print(f"{len(files)} files, {seen} states")
    for name in ("outside", "canvas", "targets", "overlaps", "covered", "contrast", "nan_places"):
        print(f"{name:12} {len(failed[name]):5} fail  {'; '.join(failed[name][:SHOWN])}")


def reports(window: MainWindow, path: Path) -> Iterator[tuple[State, dict[str, Any]]]:
    """Yields each state of a window with a file, and what is read in it."""
    window.parts.document.show(load(path).graph)
    for state in STATES:
        window.resize(*state.size)
        settle(window)
        window.parts.canvas.viewport.fit_page()
        bring(window, WindowState(mode=state.mode))
        settle(window)
        yield state, report_of(window, window.grab().toImage())
        window.parts.modes.choose(Mode.BUILD)


# What opens and closes


def _select(window: MainWindow, selection: Selection) -> None:
    window.session.select(selection)


def _wire(window: MainWindow) -> Selection:
    return Selection(wires=frozenset([next(iter(window.session.page.wires.values()))]))


OPENINGS: dict[str, tuple[Callable[[MainWindow], object], Callable[[MainWindow], object]]] = {
    "step": (lambda w: w.parts.modes.choose(Mode.STEP), lambda w: w.parts.modes.choose(Mode.STEP)),
    "train": (lambda w: w.parts.modes.choose(Mode.TRAIN), lambda w: w.parts.modes.choose(Mode.TRAIN)),
    "compare": (lambda w: w.parts.modes.choose(Mode.COMPARE), lambda w: w.parts.modes.choose(Mode.COMPARE)),
    "console": (lambda w: w.parts.panels.open_lens("console"), lambda w: w.parts.panels.bottom.close_panel()),
    "problems": (lambda w: w.parts.panels.open_lens("problems"), lambda w: w.parts.panels.bottom.close_panel()),
    "card of a wire": (lambda w: _select(w, _wire(w)), lambda w: _select(w, Selection())),
    "card of a block": (
        lambda w: _select(w, Selection(frozenset([next(iter(w.session.page.blocks))]))),
        lambda w: _select(w, Selection()),
    ),
    "search": (lambda w: w.parts.run("search"), lambda w: w.parts.editor.placer.popup.close()),
    "present": (lambda w: w.parts.layout.toggle_only_canvas(), lambda w: w.parts.layout.toggle_only_canvas()),
}


def compare_pairs(name: str) -> None:
    """Prints which pairs of what opens do not close to the pixel."""
    set_moves(False)
    with tempfile.TemporaryDirectory() as folder:
        window = unseen_window(Settings(Path(folder) / "s.ini"), "dark", SIZES[0])
        window.parts.document.show(load(FOLDER / f"{name}.graph").graph)
        settle(window)
        window.parts.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        before, wrong, count = picture(window), list[str](), 0
        for first, second in itertools.permutations(OPENINGS, 2):
            for is_nested in (True, False):
                order = [first, second, second, first] if is_nested else [first, second, first, second]
                opened = set[str]()
                for one in order:
                    OPENINGS[one][one in opened](window)
                    opened ^= {one}
                    settle(window)
                window.parts.panels.bottom.forget()
                window.session.select(Selection())
                settle(window)
                count += 1
                if picture(window) != before:
                    wrong.append(f"{first}, {second}, {'nested' if is_nested else 'crossed'}")
        window.close_unasked()
    print(f"{name}: {count} pairs, {len(wrong)} differ: {'; '.join(wrong[:SHOWN])}")


def picture(window: MainWindow) -> QImage:
    """Returns the window as it is seen once nothing changes any more."""
    window.parts.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.qWait(60)
    QApplication.processEvents()
    return window.grab().toImage()


def main() -> None:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calm", description=__doc__)
    parser.add_argument("--all", action="store_true", help="all files, which takes half an hour")
    parser.add_argument("--pairs", action="store_true", help="open and close everything in pairs")
    chosen = parser.parse_args()
    if chosen.pairs:
        compare_pairs("xor_221_good")
    else:
        measure(FILES if chosen.all else FILES[::5])


if __name__ == "__main__":
    main()
