"""A benchmark of a dragged slider in a large graph, from the edit to the repainted wire.

The evaluator is a separate process, as in the program. The output has medians and 95th percentiles of the
parts and of the whole, and the ratio of the whole to a repaint alone. The evaluator's work is timed in this
process beforehand; the rest of its answer's time is the communication. Then a number changes with every move
of a mouse, while the evaluator works and the window paints in parallel. The benchmark counts the frames a
second that show something new.
"""

from __future__ import annotations

import itertools
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from benchmarks.canvas import HEIGHT, WIDTH, placed
from gradwire.app.base.gc_schedule import collection_when_idle
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.process.evaluator import Answer, Evaluator, ProcessEvaluator
from gradwire.app.live.process.scheduler import FRAME
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from gradwire.engine.executors.arena import EXECUTOR
from gradwire.engine.graph.graph import Graph
from tests.random_graphs import ELEMENTS, random_graph

EDITS, SOURCE = 60, "b0"
# An ordinary mouse reports 125 moves a second.
MOVE_MS, DRAG_MS = 8, 2000
RUN, ANSWER = "the evaluator's run, by itself", "until its answer is here"
PARTS = ("the edit", ANSWER, "taking the results", "the repaint", "all")


def edited(graph: Graph, number: int) -> Graph:
    """Returns the graph with other numbers in its first source."""
    value = np.random.default_rng(number).normal(size=ELEMENTS)
    return edits.set_parameter(graph, "main", SOURCE, "value", value)


class Watched(Canvas):
    """A canvas that records the revisions of its painted results."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        self.seen = set[int]()
        super().__init__(session, appearance)

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Records the revision of the results that it paints."""
        super().paintEvent(event)
        if self.session.results is not None:
            self.seen.add(self.session.results.revision)


class Drag:
    """A canvas with a graph, and a number in it that changes again and again."""

    def __init__(self, graph: Graph) -> None:
        self._revision, self._answered, self._sent = 0, 0.0, 0.0
        self.session = Session(graph, self._made)
        self.canvas = Watched(self.session, Appearance("dark"))
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.show()
        self.session.scheduler.arrived.connect(self._take)
        self._wait(1)
        self.canvas.viewport.zoom_to(1.0)
        self.canvas.viewport.centre_at(self.canvas.mirror.rect(SOURCE).center())
        self.canvas.repaint()

    def step(self, number: int) -> list[float]:
        """Returns the times of one edit, its answer, taking the answer, its repaint, and the sum. Units: ms."""
        # An edit earlier than a frame after the last one would wait, and the wait is not to be measured.
        rest(self._sent + FRAME - time.perf_counter())
        start = self._sent = time.perf_counter()
        self.session.apply("Set b0", edited, number)
        applied = time.perf_counter()
        self._wait(self.session.scheduler.revision)
        arrived = time.perf_counter()
        self.canvas.repaint()
        end = time.perf_counter()
        edges = (start, applied, max(self._answered, applied), arrived, end)
        return [(after - before) * 1000 for before, after in [*itertools.pairwise(edges), (start, end)]]

    def rate(self) -> float:
        """Returns the number of frames a second with new results, while a number changes with each mouse move."""
        self.canvas.seen.clear()
        numbers, moves = itertools.count(), QTimer(timerType=Qt.TimerType.PreciseTimer)
        moves.timeout.connect(lambda: self.session.apply("Set b0", edited, next(numbers), merge_key="drag"))
        moves.start(MOVE_MS)
        rest(DRAG_MS / 1000)
        moves.stop()
        return len(self.canvas.seen) / DRAG_MS * 1000

    def close(self) -> None:
        """Ends the evaluator."""
        self.session.close()
        self.canvas.close()

    def _made(self, answer: Callable[[Answer], None]) -> Evaluator:
        def noted(found: Answer) -> None:
            self._answered = time.perf_counter()
            answer(found)

        return ProcessEvaluator(noted)

    def _take(self, results: Results) -> None:
        self._revision = results.revision

    def _wait(self, revision: int) -> None:
        # Polling would keep Python busy, which the thread that receives the results needs too.
        while self._revision < revision:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def rest(seconds: float) -> None:
    """Handles events for some time."""
    loop = QEventLoop()
    if seconds > 0:
        timer = QTimer(timerType=Qt.TimerType.PreciseTimer, singleShot=True)
        timer.timeout.connect(loop.quit)
        timer.start(round(seconds * 1000) + 1)
        loop.exec()


def runs_of(graph: Graph) -> list[float]:
    """Returns the evaluator's times for several edits. Units: ms."""
    worker, found, before = Worker(is_quick=True), list[float](), Graph(())
    for number in range(EDITS + 2):
        request = Request(number, update_between(before, graph))
        start = time.perf_counter()
        worker.run(request)
        found.append((time.perf_counter() - start) * 1000)
        before, graph = graph, edited(graph, number)
    return found[2:]


def measure(count: int) -> None:
    """Prints the times for one size of graph."""
    graph = placed(random_graph(count))
    runs = runs_of(graph)
    drag = Drag(graph)
    drag.step(0)  # lays out the arena
    rows = [drag.step(number) for number in range(1, EDITS + 1)]
    rate = drag.rate()
    drag.close()
    columns = dict(zip(PARTS, zip(*rows, strict=True), strict=True))
    repaint = statistics.median(columns["the repaint"])
    print(f"{count:,} blocks, one number changed             median        95th   to a repaint")
    for name, times in columns.items():
        if name == ANSWER:
            _tell(f"  {RUN}", runs, repaint)
        _tell(name, times, repaint)
    print(f"  {'frames a second while it is dragged':34} {rate:5.0f}")


def _tell(name: str, times: Sequence[float], repaint: float) -> None:
    high, middle = sorted(times)[int(len(times) * 0.95)], statistics.median(times)
    print(f"  {name:34} {middle:7.1f} ms {high:9.1f} ms {middle / repaint:10.2f} x")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv[:1])
    print(f"{platform.processor() or platform.machine()}, executor: {EXECUTOR}")
    with collection_when_idle():
        for size in (1_000, 5_000):
            measure(size)
