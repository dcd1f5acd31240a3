"""A benchmark of the start of commands and of the window, and of opening files, up to the first painted result.

Commands (alone with `--commands`): the least of many fresh processes in turn, with its ratio to `import numpy` in the
same run. Window: a bare Qt window, our first paint, the welcome page, and the stable softmax with its first results.
Each runs in fresh processes in turn, timed from before Python starts, with its ratio to the bare window of the same
run. Opening: in a running window with an evaluator ready, from the user's choice of the file until values are
painted. The benchmark uses a display if there is one (an empty Xvfb is fine), else Qt's offscreen platform.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from gradwire.app.start.main_window import MainWindow

RUNS, OPENINGS = 7, 5
EXAMPLE = Path(__file__).resolve().parent.parent / "assets" / "examples" / "softmax_stable.graph"
# The cases with a process each, and the goal as a multiple of the bare window or in s.
CASES = {
    "bare": ("a bare Qt window, painted", ""),
    "paint": ("our window, painted", "2 x"),
    "welcome": ("the welcome page, painted", ""),
    "live": ("the stable softmax, results painted", "1 s"),
}
# Commands, each with the goal as a multiple of the first. `-m gradwire` is what the command `gradwire` runs.
COMMANDS = {
    "import numpy": (["-c", "import numpy"], ""),
    "gradwire --version": (["-m", "gradwire", "--version"], "2 x"),
    "gradwire run softmax_stable.graph": (["-m", "gradwire", "run", str(EXAMPLE)], "2 x"),
}
COMMAND_RUNS = 20
GOALS = {500: "50 ms", 10_000: "1 s"}
WAIT_SECONDS = 1.0


def after(owner: Any, name: str, then: Callable[[Any], object]) -> None:
    """Makes a method call `then` with its object after each run."""
    method = getattr(owner, name)

    def wrapped(self: Any, *arguments: Any) -> Any:
        found = method(self, *arguments)
        then(self)
        return found

    setattr(owner, name, wrapped)


def paint_bare() -> None:
    """Shows a plain Qt window; ends when it has been painted."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    class Bare(QMainWindow):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            leave()

    application = QApplication(sys.argv[:1])
    window = Bare()
    window.resize(1600, 1000)
    window.show()
    application.exec()


def paint_ours(case: str) -> None:
    """Starts the program; ends when the case's target has been painted."""
    from gradwire.app.start.start import start

    if case == "paint":
        from gradwire.app.start.backdrop import Backdrop

        after(Backdrop, "paintEvent", leave)
    else:
        from gradwire.app.start.main_window import MainWindow

        after(MainWindow, "fill", watch)
    start(EXAMPLE if case == "live" else None, lambda _: 1)


def watch(_: MainWindow) -> None:
    """Ends the process when the welcome page, or a canvas with results, has been painted."""
    from gradwire.app.canvas.canvas import Canvas
    from gradwire.app.features.welcome.welcome import WelcomePage

    after(WelcomePage, "paintEvent", leave)
    after(Canvas, "paintEvent", lambda canvas: leave() if has_values(canvas) else None)


def has_values(canvas: Any) -> bool:
    """Returns whether a canvas shows results of its document."""
    results = canvas.session.results
    return results is not None and len(results.ports.row_of) > 0


def leave(_: object = None) -> None:
    """Prints the time, and ends the process with its children: their pipes close."""
    print(time.time(), flush=True)
    os._exit(0)


def user_environment(folder: Path) -> dict[str, str]:
    """Returns the environment of a user with default settings, whose Python keeps compiled modules."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "XDG_CONFIG_HOME": str(folder)}


def seconds_of(case: str, folder: Path) -> float:
    """Returns the duration of one fresh process. Units: s."""
    environment = user_environment(folder)
    start = time.time()
    command = [sys.executable, "-m", "benchmarks.start", case]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return float(done.stdout.split()[-1]) - start


def measure_commands(folder: Path) -> None:
    """Prints the least times of commands, taken in turn, and their ratio to the import of NumPy."""
    environment = user_environment(folder)
    least = dict.fromkeys(COMMANDS, float("inf"))
    for run in range(COMMAND_RUNS + 1):
        for name, (arguments, _) in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment, check=True)
            if run:  # the first run warms the disk cache
                least[name] = min(least[name], time.perf_counter() - start)
    print("a command, from its start to its end     least     to import numpy   goal")
    for name, (_, goal) in COMMANDS.items():
        print(f"  {name:36} {least[name] * 1e3:7.0f} ms {least[name] / least['import numpy']:12.2f} x   {goal}")


def measure_start(folder: Path) -> None:
    """Prints the times of the cases, taken in turn so that all run under the same conditions."""
    found: dict[str, list[float]] = {case: [] for case in CASES}
    for run in range(RUNS + 1):
        for case in CASES:
            seconds = seconds_of(case, folder)
            if run:  # the first run warms the disk cache
                found[case].append(seconds)
    bare = statistics.median(found["bare"])
    print("the start of the program                  least     median   to a bare window   goal")
    for case, (text, goal) in CASES.items():
        least, middle = min(found[case]), statistics.median(found[case])
        print(f"  {text:36} {least * 1e3:7.0f} ms {middle * 1e3:7.0f} ms {middle / bare:12.2f} x   {goal}")


def measure_opening(folder: Path) -> None:
    """Prints the time from the user's choice of a file to its painted values."""
    from PySide6.QtWidgets import QApplication

    import gradwire.blocks  # noqa: F401  # fills the library
    from benchmarks.canvas import placed
    from gradwire.app.base.gc_schedule import collection_when_idle
    from gradwire.app.base.settings import Settings
    from gradwire.app.canvas.canvas import Canvas
    from gradwire.app.live.process.evaluator import Spare
    from gradwire.app.live.process.process import Starter
    from gradwire.app.look.appearance import Appearance
    from gradwire.app.start.main_window import MainWindow
    from gradwire.engine.files.files import save
    from tests.random_graphs import random_graph

    application, painted = QApplication(sys.argv[:1]), set[Any]()
    after(Canvas, "paintEvent", lambda canvas: painted.add(canvas) if has_values(canvas) else None)
    with collection_when_idle():
        spare = Spare(Starter())
        window = MainWindow(Settings(folder / "settings.ini"), Appearance("dark"), spare)
        window.show()
        print("opening a file, to painted values         least     median   the window held at a time   goal")
        for count, goal in GOALS.items():
            path = folder / f"{count}.graph"
            save(placed(random_graph(count)), path)
            times, held = zip(
                *(opening(application, window, spare, path, painted) for _ in range(OPENINGS)), strict=True
            )
            text, least, middle = f"{count:,} blocks", min(times), statistics.median(times)
            print(f"  {text:36} {least:7.0f} ms {middle:7.0f} ms {statistics.median(held):16.0f} ms        {goal}")
        window.close_unasked()
        spare.close()


def opening(application: Any, window: MainWindow, spare: Any, path: Path, painted: set[Any]) -> tuple[float, float]:
    """Returns the time until values are painted, and the longest time without a response.

    `painted` must become non-empty when values are painted.
    Units: ms.
    """
    spare.prepare()
    end = time.perf_counter() + WAIT_SECONDS
    while time.perf_counter() < end:
        application.processEvents()
        time.sleep(0.01)
    painted.clear()
    start = turn = time.perf_counter()
    held = 0.0
    window.parts.documents.opening.open(path)
    while not painted:
        application.processEvents()
        time.sleep(0.001)  # the thread that receives the results needs Python too
        held, turn = max(held, time.perf_counter() - turn), time.perf_counter()
    seconds = time.perf_counter() - start
    window.parts.documents.close()
    return seconds * 1e3, held * 1e3


def main() -> None:
    """Measures everything, with `--commands` commands alone, or one case in this process."""
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    case = sys.argv[1] if len(sys.argv) > 1 else ""
    if case == "bare":
        paint_bare()
    elif case in CASES:
        paint_ours(case)
    else:
        print(f"{platform.processor() or platform.machine()}, {os.environ.get('QT_QPA_PLATFORM') or 'a display'}")
        with tempfile.TemporaryDirectory() as folder:
            measure_commands(Path(folder))
            if case != "--commands":
                measure_start(Path(folder))
                measure_opening(Path(folder))


if __name__ == "__main__":
    main()
