"""The window while it trains: its pace, its frames, and how soon it begins and rests.

`python -m benchmarks.learning.window xor` prints them as JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from benchmarks.learning.cases import CASES
from benchmarks.learning.one import TURN
from benchmarks.windows import open_window, rest
from gradwire.app.base.gc_schedule import collection_when_idle
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.engine.files.files import save

# How long a run is watched, how often it begins and rests, and a limit for waiting. Units: s.
WATCHED, STARTS, PATIENCE = 4.0, 12, 30.0
# So often a run and the headless trainer take turns: the machine is not equally fast at all times.
TURNS = 10
# The window is asked so often whether it is free. Units: ms.
LOOK_MS = 2


class Painted(Canvas):
    """A canvas that records when it was painted."""

    times: list[float] = []  # noqa: RUF012  # of the one window there is

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Records the time after painting."""
        super().paintEvent(event)
        self.times.append(time.perf_counter())


class Frames:
    """Times between two looks of the window at its events, over and over. Units: ms."""

    def __init__(self) -> None:
        self.times = list[float]()
        self._last = time.perf_counter()
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def end(self) -> list[float]:
        """Returns all times, the shortest first."""
        self._timer.stop()
        return sorted(self.times)

    def _look(self) -> None:
        now = time.perf_counter()
        self.times.append((now - self._last) * 1000)
        self._last = now


def wait(is_so: Callable[[], bool]) -> None:
    """Handles events until something is so."""
    limit = time.perf_counter() + PATIENCE
    wake = QTimer(interval=1000)
    wake.start()
    while not is_so():
        if time.perf_counter() > limit:
            raise TimeoutError("the training does not answer")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def watched(desk: TrainingDesk) -> dict[str, float]:
    """Returns what a run does to the window in some seconds, after the first second."""
    desk.run()
    rest(1.0)
    frames = Frames()
    Painted.times.clear()
    rest(WATCHED)
    pictures = len(Painted.times) / WATCHED
    times = frames.end()
    desk.pause()
    wait(lambda: not desk.is_running)
    return {"pictures": pictures, "frame": times[int(len(times) * 0.99)], "longest": times[-1]}


def paces(desk: TrainingDesk, name: str) -> dict[str, float]:
    """Returns the rounds a second in the window and their share of the headless ones, medians of turns."""
    command = [sys.executable, "-m", "benchmarks.learning.one", "turns", name]
    found, shares = list[float](), list[float]()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        for _ in range(TURNS):
            print(file=other.stdin, flush=True)
            headless = json.loads(other.stdout.readline())
            desk.run()
            rest(TURN)
            desk.pause()
            wait(lambda: not desk.is_running)
            # The training tells how many rounds it has run in which time.
            found.append(desk.pace)
            shares.append(desk.pace / headless)
    return {"pace": statistics.median(found), "share": statistics.median(shares)}


def begun_and_rested(desk: TrainingDesk) -> tuple[float, float]:
    """Returns the times from Run to the first number, and from Pause to rest. Units: ms."""
    numbers, start = desk.round, time.perf_counter()
    desk.run()
    wait(lambda: desk.round > numbers)
    first = time.perf_counter()
    rest(0.2)
    paused = time.perf_counter()
    desk.pause()
    wait(lambda: not desk.is_running)
    return (first - start) * 1000, (time.perf_counter() - paused) * 1000


def main(name: str) -> None:
    """Opens a window with a training, and prints the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "training.graph"
        save(CASES[name].graph(), file)
        with open_window(file, Painted, lambda window: window.parts.panels.open_lens("training")) as window:
            rest(1.0)
            desk = window.session.part(TrainingDesk)
            found = watched(desk) | paces(desk, name)
            times = [begun_and_rested(desk) for _ in range(STARTS)]
            found["first point"], found["still"] = (statistics.median(column) for column in zip(*times, strict=True))
            print(json.dumps(found))


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv[:1])
    with collection_when_idle():
        main(*sys.argv[1:])
