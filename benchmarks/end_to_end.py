"""Times the whole way of a dragged slider in a large graph: from the edit to the repainted wire.

The evaluator is a process of its own, as in the program. Prints medians and 95th percentiles of the parts and of the
whole, and the ratio of the whole to a repaint alone.
"""

from __future__ import annotations

import itertools
import os
import platform
import statistics
import sys
import time

import numpy as np
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

import blocks  # noqa: F401  # fills the library
from app.canvas.canvas import Canvas
from app.live.evaluator import ProcessEvaluator
from app.live.readings import Results
from app.live.session import Session
from app.look.appearance import Appearance
from benchmarks.canvas import HEIGHT, WIDTH, placed
from benchmarks.engine import ELEMENTS, random_graph
from engine import edits
from engine.arena import EXECUTOR

EDITS, SOURCE = 60, "b0"
NAMES = ("the edit", "until its results arrive", "the repaint", "all")


class Drag:
    """A canvas with a graph, and a number in it that changes again and again."""

    def __init__(self, count: int) -> None:
        self._revision = 0
        self.session = Session(placed(random_graph(count)), ProcessEvaluator)
        self.canvas = Canvas(self.session, Appearance("dark"))
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.show()
        self.session.scheduler.arrived.connect(self._take)
        self._wait(1)
        self.canvas.zoom_to(1.0)
        self.canvas.centre_at(self.canvas.mirror.rect(SOURCE).center())
        self.canvas.repaint()

    def step(self, number: int) -> tuple[float, float, float, float]:
        """The times of one edit, of its results, of the repaint that shows them, and of all. Units: ms."""
        value = np.random.default_rng(number).normal(size=ELEMENTS)
        start = time.perf_counter()
        self.session.apply("Set b0", edits.set_parameter, "main", SOURCE, "value", value)
        applied = time.perf_counter()
        self._wait(self.session.scheduler.revision)
        arrived = time.perf_counter()
        self.canvas.repaint()
        end = time.perf_counter()
        edges = (start, applied, arrived, end)
        parts = [(after - before) * 1000 for before, after in itertools.pairwise(edges)]
        return parts[0], parts[1], parts[2], (end - start) * 1000

    def close(self) -> None:
        """Ends the evaluator."""
        self.session.close()
        self.canvas.close()

    def _take(self, results: Results) -> None:
        self._revision = results.revision

    def _wait(self, revision: int) -> None:
        # Who asks again and again keeps Python busy, which the thread that receives the results needs too.
        while self._revision < revision:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def measure(count: int) -> None:
    """Prints the times for one size of graph."""
    drag = Drag(count)
    drag.step(0)  # lays the arena out
    rows = [drag.step(number) for number in range(1, EDITS + 1)]
    repaint = statistics.median(row[2] for row in rows)
    print(f"{count:,} blocks, one number changed             median        95th   to a repaint")
    for name, times in zip(
        ("the edit", "until its results arrive", "the repaint", "all"), zip(*rows, strict=True), strict=True
    ):
        high, middle = sorted(times)[int(len(times) * 0.95)], statistics.median(times)
        print(f"  {name:32} {middle:9.1f} ms {high:9.1f} ms {middle / repaint:10.2f} x")
    drag.close()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv[:1])
    print(f"{platform.processor() or platform.machine()}, executor: {EXECUTOR}")
    for size in (1_000, 5_000):
        measure(size)
