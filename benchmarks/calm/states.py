"""What is cut, hidden or too much in a window with each file: in sizes, themes, sizes of texts and modes."""

from __future__ import annotations

import itertools
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gradwire.app.base.examples import FOLDER
from gradwire.app.base.settings import Settings
from gradwire.app.cli.render_options import WindowState
from gradwire.app.cli.window.report import report_of
from gradwire.app.cli.window.states import bring
from gradwire.app.look.appearance import Choice
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
            with unseen_window(settings, theme, SIZES[0]) as window:
                for path in files:
                    for state, report in reports(window, path):
                        seen += 1
                        for name in faults(state, text, report, len(window.session.graph.pages)):
                            size = "x".join(map(str, state.size))
                            failed[name].append(f"{path.stem} {size} {theme} {text} % {state.mode}")
                    window.session.document.mark_saved()
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
