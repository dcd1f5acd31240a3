"""Times the canvas: frames of a pan, a zoom sweep and a drag, opening a file, and pauses while a slider moves.

Frame times are those of a whole repaint in software, median and 95th percentile, beside the time to fill the same
picture with one colour: ratios of one run can be compared, times of two machines cannot.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import Canvas
from app.examples import example_path
from app.live.evaluator import InlineEvaluator, ProcessEvaluator
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from app.main_window import MainWindow
from app.settings import Settings
from benchmarks.engine import random_graph
from engine.files import load, save
from engine.graph import Graph

WIDTH, HEIGHT = 1600, 900
STEP_X, STEP_Y = 288, 192
PAN_STEPS, DRAG_STEPS = 60, 40
SLIDER_SECONDS = 3.0


def placed(graph: Graph) -> Graph:
    """The graph with its blocks in columns, about twice as wide as high."""
    page = graph.pages[0]
    rows = max(1, round((len(page.blocks) * STEP_X / STEP_Y / 2) ** 0.5))
    blocks = {
        name: dataclasses.replace(block, at=(index // rows * STEP_X, index % rows * STEP_Y))
        for index, (name, block) in enumerate(page.blocks.items())
    }
    return graph.with_page(dataclasses.replace(page, blocks=blocks))


def frames(canvas: Canvas, steps: Iterable[Callable[[], object]]) -> list[float]:
    """The time of each step with the repaint that follows. Units: ms."""
    times = []
    for step in steps:
        start = time.perf_counter()
        step()
        canvas.repaint()
        times.append((time.perf_counter() - start) * 1000)
    return times


def line(name: str, times: list[float], unit: float) -> str:
    """Median, 95th percentile, and the median as a multiple of one fill."""
    ordered = sorted(times)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    middle = statistics.median(ordered)
    return f"  {name:<26}{middle:8.2f} ms {high:8.2f} ms {middle / unit:8.1f} x"


def fill_time() -> float:
    """How long it takes to fill one picture of the canvas' size. Units: ms."""
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        painter = QPainter(image)
        painter.fillRect(image.rect(), Qt.GlobalColor.darkBlue)
        painter.end()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def mouse(canvas: Canvas, kind: QEvent.Type, at: QPointF, buttons: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Sends one mouse event with its global position."""
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place = QPointF(canvas.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(canvas, QMouseEvent(kind, at, place, button, buttons, Qt.KeyboardModifier.NoModifier))


def measure(count: int, appearance: Appearance, unit: float) -> None:
    """Prints the frame times for one size of graph."""
    session = Session(placed(random_graph(count)), InlineEvaluator)
    canvas = Canvas(session, appearance)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    QApplication.processEvents()
    page = session.page
    print(f"{len(page.blocks):,} blocks, {len(page.wires):,} wires            median     95th  fills")
    middle = page.blocks[list(page.blocks)[len(page.blocks) // 2]].id

    def look_closely() -> None:
        canvas.centre_on(middle)
        canvas.zoom_to(1.0)
        canvas.centre_on(middle)
        QApplication.processEvents()

    def fresh() -> None:
        canvas.repaint_page()

    print(line("repaint, fitted", frames(canvas, [fresh] * 20), unit))
    look_closely()
    print(line("repaint at 100 %", frames(canvas, [fresh] * 20), unit))
    print(line("pan, 60 steps at 100 %", frames(canvas, [lambda: canvas.pan(-9, -5)] * PAN_STEPS), unit))
    print(line("zoom sweep, 10 % to 200 %", frames(canvas, zoom_sweep(canvas)), unit))
    look_closely()
    print(line("drag a block at 100 %", drag(canvas, middle), unit))
    session.close()
    canvas.close()
    canvas.deleteLater()


def zoom_sweep(canvas: Canvas) -> list[Callable[[], object]]:
    """Sixty zooms from 10 % to 200 %."""
    return [lambda scale=0.1 * 20 ** (step / 59): canvas.zoom_to(scale) for step in range(60)]


def drag(canvas: Canvas, block: str) -> list[float]:
    """Drags a block by its header."""
    canvas.session.select(Selection())
    start = canvas.camera.to_view(canvas.mirror.rect(block).topLeft() + QPointF(60, 14))
    mouse(canvas, QEvent.Type.MouseButtonPress, start)
    places = [start + QPointF(step * 4, step * 2) for step in range(1, DRAG_STEPS)]
    steps = [lambda at=at: mouse(canvas, QEvent.Type.MouseMove, at) for at in places]
    times = frames(canvas, steps)
    mouse(canvas, QEvent.Type.MouseButtonRelease, start, Qt.MouseButton.NoButton)
    return times


def measure_opening(appearance: Appearance) -> None:
    """Prints how long a file of 1,000 blocks takes from its path to the painted page with numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.graph"
        save(placed(random_graph(1000)), path)
        window = MainWindow(Settings(Path(folder) / "settings.ini"), appearance, ProcessEvaluator)
        window.resize(WIDTH, HEIGHT)
        window.show()
        QApplication.processEvents()
        start = time.perf_counter()
        window.documents.open(path)
        window.canvas.repaint()
        painted = time.perf_counter() - start
        while window.session.results is None:
            QApplication.processEvents()
        window.canvas.repaint()
        complete = time.perf_counter() - start
        window.session.mark_saved(path)
        window.close()
    print(f"A file of 1,000 blocks: painted after {painted * 1000:.0f} ms, all numbers after {complete * 1000:.0f} ms")


def measure_slider(name: str, graph: Graph, appearance: Appearance) -> None:
    """Moves a slider through the real evaluator for some seconds; prints the longest pause of the main thread."""
    session = Session(graph, ProcessEvaluator)
    canvas = Canvas(session, appearance)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    while session.results is None:
        QApplication.processEvents()
    block, index = slider_of(canvas)
    shape, corner = canvas.mirror.shapes[canvas.mirror.rows[block]], canvas.mirror.rect(block).topLeft()
    track = shape.slider_track(index)
    canvas.centre_on(block)
    # A hand comes to the slider after the page has been painted.
    canvas.repaint()
    pauses, revisions = [], set()
    ticks = QTimer()
    ticks.setTimerType(Qt.TimerType.PreciseTimer)
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        pauses.append(now - last)
        last = now

    ticks.timeout.connect(tick)
    ticks.start(1)
    session.results_changed.connect(lambda results: revisions.add(results.revision))
    low = canvas.camera.to_view(corner + QPointF(track.x(), track.bottom()))
    mouse(canvas, QEvent.Type.MouseButtonPress, low)
    start = last = time.perf_counter()
    pauses.clear()
    while (now := time.perf_counter() - start) < SLIDER_SECONDS:
        share = abs((now * 2) % 2 - 1)
        mouse(canvas, QEvent.Type.MouseMove, low - QPointF(0, share * track.height() * canvas.camera.scale))
        pause_until = time.perf_counter() + 0.004
        while time.perf_counter() < pause_until:
            QApplication.processEvents()
    mouse(canvas, QEvent.Type.MouseButtonRelease, low, Qt.MouseButton.NoButton)
    rate = len(revisions) / SLIDER_SECONDS
    print(f"Slider, {name}: {rate:.0f} results a second, longest pause {max(pauses) * 1000:.0f} ms")
    ticks.stop()
    session.close()
    canvas.close()


def slider_of(canvas: Canvas) -> tuple[str, int]:
    """The first block with sliders."""
    name = next(name for name, row in canvas.mirror.rows.items() if canvas.mirror.shapes[row].sliders)
    return name, 0


def with_slider(graph: Graph) -> Graph:
    """The graph with three-element inputs, which have sliders."""
    page = graph.pages[0]
    blocks = {
        name: dataclasses.replace(block, parameters={"value": block.parameters["value"][:3]})
        if block.type == "Input"
        else block
        for name, block in page.blocks.items()
    }
    return graph.with_page(dataclasses.replace(page, blocks=blocks))


def main() -> None:
    """Prints everything."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    appearance = Appearance("dark")
    unit = fill_time()
    print(f"One fill of {WIDTH} x {HEIGHT}: {unit:.2f} ms")
    # First what a collection of the garbage of large graphs would disturb.
    measure_slider("stable softmax", load(example_path("softmax_stable")).graph, appearance)
    measure_slider("1,000 blocks", placed(with_slider(random_graph(1000))), appearance)
    measure_opening(appearance)
    for count in (100, 1000, 10_000):
        measure(count, appearance, unit)
    application.quit()


if __name__ == "__main__":
    main()
