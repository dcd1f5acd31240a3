"""A benchmark of a dragged slider in the window that users have, from the edit to the repainted wire.

A whole window opens a file at 1600 x 1000 with settings as they are at the first start: with its panels as they
are then, with all panels open, and with each lens. The evaluator is a separate process, as in the program. A number
of a source changes, after pauses of several lengths, so that answers meet explanations that have begun; then with
every move of a mouse. The output has medians and 95th percentiles from the edit until the canvas has painted its
results, the ratio to a repaint of the canvas alone, and the new pictures a second in a drag. With `--busy` two more
processes keep the processors busy. With numbers, only graphs of so many blocks are measured.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from benchmarks.canvas import placed
from benchmarks.windows import open_window, rest
from gradwire.app.base.gc_schedule import collection_when_idle
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.features import LENSES
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.edits import edits
from gradwire.engine.executors.chosen import EXECUTOR
from gradwire.engine.files.files import save
from gradwire.engine.graph.graph import Graph
from tests.random_graphs import ELEMENTS, random_graph

SIZES = (200, 1_000, 5_000, 10_000)
EDITS, SOURCE = 60, "b0"
# Explanations begin a moment after results, so that some of these pauses end in the midst of them. Units: seconds.
PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)
# An ordinary mouse reports 125 moves a second.
MOVE_MS, DRAG_MS = 8, 2000
# A picture that takes longer than this is no answer any more.
PATIENCE_MS = 60_000


class Watched(Canvas):
    """A canvas that records when it had painted the results of each revision, in order."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        self.painted_at = list[tuple[int, float]]()
        super().__init__(current, appearance)

    def has_painted(self, revision: int) -> bool:
        """Whether the results of a revision, or newer ones, have been painted."""
        return bool(self.painted_at) and self.painted_at[-1][0] >= revision

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Records the time after painting results that are new."""
        super().paintEvent(event)
        results = self.session.results
        if results is not None and not self.has_painted(results.revision):
            self.painted_at.append((results.revision, time.perf_counter()))


def edited(graph: Graph, number: int) -> Graph:
    """Returns the graph with other numbers in its first source."""
    value = np.random.default_rng(number).normal(size=ELEMENTS)
    return edits.set_parameter(graph, "main", SOURCE, "value", value)


class Drag:
    """A window with a graph, and a number in it that changes again and again."""

    def __init__(self, window: MainWindow, canvas: Watched) -> None:
        self._window, self._canvas, self._number = window, canvas, 0
        self._wait(window.session.scheduler.revision)
        canvas.viewport.zoom_to(1.0)
        canvas.viewport.centre_at(canvas.mirror.rect(SOURCE).center())
        self.step(0.5)  # lays out the arena

    def step(self, pause: float) -> float:
        """Returns the time from an edit after a pause until its results are painted. Units: ms."""
        rest(pause)
        start = time.perf_counter()
        self._edit()
        return (self._wait(self._window.session.scheduler.revision) - start) * 1000

    def rate(self) -> float:
        """Returns the number of new pictures a second while a number changes with each mouse move."""
        self._canvas.painted_at.clear()
        moves = QTimer(timerType=Qt.TimerType.PreciseTimer)
        moves.timeout.connect(self._edit)
        moves.start(MOVE_MS)
        rest(DRAG_MS / 1000)
        moves.stop()
        return len(self._canvas.painted_at) / DRAG_MS * 1000

    def repaint(self) -> float:
        """Returns the time of a repaint of the whole canvas. Units: ms."""
        times = []
        for _ in range(10):
            self._canvas.painted.repaint()
            start = time.perf_counter()
            self._canvas.repaint()
            times.append((time.perf_counter() - start) * 1000)
        return statistics.median(times)

    def _edit(self) -> None:
        self._number += 1
        self._window.session.apply("Set b0", edited, self._number, merge_key="drag")

    def _wait(self, revision: int) -> float:
        """Handles events until the results of a revision are painted; returns the time when they were."""
        # A loop that polls would keep Python busy, which the thread that receives the results needs too.
        give_up = QTimer(singleShot=True, interval=PATIENCE_MS)
        give_up.start()
        while not self._canvas.has_painted(revision):
            if not give_up.isActive():
                raise TimeoutError(f"no picture of revision {revision}")
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return self._canvas.painted_at[-1][1]


@contextmanager
def open_drag(file: Path, arrange: Callable[[MainWindow], object]) -> Iterator[Drag]:
    """A window as it opens with a file, after it has been arranged."""
    with open_window(file, Watched, arrange) as window:
        canvas = window.parts.canvas
        assert isinstance(canvas, Watched)
        yield Drag(window, canvas)


def as_it_opens(_: MainWindow) -> None:
    """Leaves the panels as they are."""


def all_panels(window: MainWindow) -> None:
    """Opens inspector with a block, and the loss curve in it."""
    window.session.select(Selection(frozenset([SOURCE])))
    window.parts.panels.open_panel("slice")


ARRANGEMENTS: dict[str, Callable[[MainWindow], None]] = {"as it opens": as_it_opens, "all panels open": all_panels}
LENS_ARRANGEMENTS = {
    f"{lens.title}": lambda window, name=lens.id: window.parts.panels.open_lens(name) for lens in LENSES
}


def measure(count: int, names: Sequence[str]) -> None:
    """Prints the times for one size of graph in some arrangements."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmark.graph"
        save(placed(random_graph(count)), file)
        print(f"{count:,} blocks, one number changed     median         95th   to a repaint   pictures a second")
        for name in names:
            with open_drag(file, (ARRANGEMENTS | LENS_ARRANGEMENTS)[name]) as drag:
                times = sorted(drag.step(PAUSES[number % len(PAUSES)]) for number in range(EDITS))
                middle, high = statistics.median(times), times[int(len(times) * 0.95)]
                ratio = middle / drag.repaint()
                print(f"  {name:28} {middle:10.1f} ms {high:9.1f} ms {ratio:10.2f} x {drag.rate():14.0f}", flush=True)


@contextmanager
def busy(are_busy: bool) -> Iterator[None]:
    """Keeps two processors busy, if that is wanted."""
    others = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(2 * are_busy)]
    for other in others:
        other.start()
    yield
    for other in others:
        other.terminate()


def spin() -> None:
    """Computes for ever."""
    while True:
        sum(range(1000))


def main(arguments: Sequence[str]) -> None:
    """Prints the times that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.end_to_end", description="Times a dragged slider.")
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of blocks")
    parser.add_argument("--busy", action="store_true", help="keep two processors busy with something else")
    parser.add_argument("--lenses", action="store_true", help="measure with each lens open, too")
    chosen = parser.parse_args(arguments)
    names = [*ARRANGEMENTS, *(LENS_ARRANGEMENTS if chosen.lenses else ())]
    print(f"{platform.processor() or platform.machine()}, executor: {EXECUTOR}")
    with busy(chosen.busy), collection_when_idle():
        for size in chosen.sizes or SIZES:
            measure(size, names)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv[:1])
    main(sys.argv[1:])
