"""A benchmark of the canvas: frames of pan, zoom and drag, and pauses while a slider moves.

It also times the opening of a file. A frame is the processor time of one step and its repaint, in software.
Each time has its ratio to a reference operation in the same run, and our limit for 10,000 blocks. Ratios are
comparable; times of two machines, or of a busy one, are not.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from gradwire.app.base.examples import example_path
from gradwire.app.base.gc_schedule import collection_when_idle
from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.hit_tests import blocks_in
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator, ProcessEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from tests.random_graphs import random_graph

WIDTH, HEIGHT = 1600, 900
STEP_X, STEP_Y = 288, 192
PAN_STEPS, DRAG_STEPS = 60, 40
SLIDER_SECONDS = 3.0


def placed(graph: Graph) -> Graph:
    """Returns the graph with its blocks in columns, about twice as wide as high."""
    page = graph.pages[0]
    rows = max(1, round((len(page.blocks) * STEP_X / STEP_Y / 2) ** 0.5))
    blocks = {
        name: dataclasses.replace(block, at=(index // rows * STEP_X, index % rows * STEP_Y))
        for index, (name, block) in enumerate(page.blocks.items())
    }
    return graph.with_page(dataclasses.replace(page, blocks=blocks))


def frames(canvas: Canvas, steps: Iterable[Callable[[], object]]) -> list[float]:
    """Returns the processor time of each step and its repaint. Units: ms."""
    times = []
    for step in steps:
        start = time.process_time()
        step()
        canvas.repaint()
        times.append((time.process_time() - start) * 1000)
    return times


def line(name: str, times: list[float], unit: float, limit: float | None = None) -> str:
    """Returns one row: least time, median, 95th percentile, the median relative to the reference, and the limit."""
    ordered = sorted(times)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    middle = statistics.median(ordered)
    goal = "" if limit is None else f"{limit:8.0f} ms"
    return f"  {name:<28}{ordered[0]:8.2f} ms {middle:8.2f} ms {high:8.2f} ms {middle / unit:8.1f} x{goal}"


def reference_time() -> float:
    """Returns the time to draw 2,000 antialiased lines and 200 pictures of a block's size. Units: ms."""
    image = QPixmap(WIDTH, HEIGHT)
    block = QPixmap(172, 138)
    block.fill(QColor(20, 40, 60, 128))
    lines = [QLineF(i % 40 * 40, i // 40 * 18, i % 40 * 40 + 35, i // 40 * 18) for i in range(2000)]
    times = []
    for _ in range(20):
        start = time.process_time()
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("orange"), 5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLines(lines)
        for index in range(200):
            painter.drawPixmap(index % 20 * 70, index // 20 * 80, block)
        painter.end()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def memory() -> float:
    """Returns the resident memory of the process. Units: MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def mouse(canvas: Canvas, kind: QEvent.Type, at: QPointF, buttons: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Sends one mouse event with its global position."""
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place = QPointF(canvas.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(canvas, QMouseEvent(kind, at, place, button, buttons, Qt.KeyboardModifier.NoModifier))


class OnceEvaluator(InlineEvaluator):
    """An evaluator that answers once, so that the times of a drag exclude the evaluation after it."""

    has_answered = False

    def evaluate(self, revision: int, graph: Graph, compares: bool) -> None:
        """Runs the first time, and stays busy ever after."""
        if not self.has_answered:
            self.has_answered = True
            super().evaluate(revision, graph, compares)


def measure(count: int, appearance: Appearance, unit: float) -> None:
    """Prints the times for one size of graph."""
    session = Session(placed(random_graph(count)), OnceEvaluator)
    page, before = session.page, memory()
    print(
        f"{len(page.blocks):,} blocks, {len(page.wires):,} wires               least     median       95th  reference"
    )
    print(line("build", build_times(session), unit, 500))
    canvas = Canvas(CurrentSession(session), appearance)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    QApplication.processEvents()
    middle = page.blocks[list(page.blocks)[len(page.blocks) // 2]].id
    print(line("repaint, fitted", frames(canvas, [canvas.painted.repaint] * 20), unit, 8))
    for scale in (0.2, 0.3, 0.5, 0.6, 0.75, 1.0, 2.0):
        look_closely(canvas, middle, scale)
        limit = 6 if scale == 1 else None
        print(line(f"repaint at {scale:.0%}", frames(canvas, [canvas.painted.repaint] * 10), unit, limit))
    for scale in (0.2, 0.6, 1.0):
        look_closely(canvas, middle, scale)
        print(line(f"pan at {scale:.0%}", frames(canvas, [lambda: canvas.pan(-9, -5)] * PAN_STEPS), unit, 16))
        look_closely(canvas, middle, scale)
        print(line(f"hover at {scale:.0%}", frames(canvas, hover(canvas)), unit, 16))
        print(line(f"drag a block at {scale:.0%}", drag(canvas, middle, 1), unit, 16))
        print(line(f"drag 100 blocks at {scale:.0%}", drag(canvas, middle, 100), unit, 16))
        print(line(f"select at {scale:.0%}", frames(canvas, selecting(canvas)), unit, 16))
        print(line(f"undo of a move at {scale:.0%}", undo_times(canvas, middle), unit, 16))
    print(line("zoom sweep, 10 % to 200 %", frames(canvas, zoom_sweep(canvas)), unit, 16))
    print(line("crisp after a zoom to 100 %", [crisp_time(canvas, middle) for _ in range(5)], unit))
    print(f"  memory of the canvas {memory() - before:15.0f} MB                                               150 MB")
    session.close()
    canvas.close()
    canvas.deleteLater()


def build_times(session: Session) -> list[float]:
    """Returns the times to build a mirror of the page. Units: ms."""
    times = []
    for _ in range(3):
        start = time.process_time()
        Mirror(session).rebuild()
        times.append((time.process_time() - start) * 1000)
    return times


def look_closely(canvas: Canvas, block: str, scale: float) -> None:
    """Centres a block and paints everything."""
    canvas.viewport.zoom_to(scale)
    canvas.viewport.centre_at(canvas.mirror.rect(block).center())
    canvas.painted.repaint()
    canvas.repaint()


def zoom_sweep(canvas: Canvas) -> list[Callable[[], object]]:
    """Returns sixty zooms from 10 % to 200 %."""
    return [lambda scale=0.1 * 20 ** (step / 59): canvas.viewport.zoom_to(scale) for step in range(60)]


def crisp_time(canvas: Canvas, block: str) -> float:
    """Returns the processor time from a zoom to 100 % until everything is painted for it. Units: ms."""
    look_closely(canvas, block, 0.9)
    start = time.process_time()
    canvas.viewport.zoom_to(1.0)
    canvas.repaint()
    while not canvas.painted.is_crisp:
        canvas.repaint()
    return (time.process_time() - start) * 1000


def hover(canvas: Canvas) -> list[Callable[[], object]]:
    """Returns moves of the pointer across the page."""
    places = [QPointF(100 + 20 * step, 100 + 10 * step) for step in range(60)]
    return [lambda at=at: mouse(canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton) for at in places]


def selecting(canvas: Canvas) -> list[Callable[[], object]]:
    """Returns selections of one block after another."""
    area = canvas.camera.rect_to_scene(QRectF(canvas.rect()))
    return [
        lambda name=name: canvas.session.select(Selection(frozenset([name])))
        for name in blocks_in(canvas.mirror, area)[:20]
    ]


def around(canvas: Canvas, block: str, count: int) -> frozenset[str]:
    """Returns a block and its neighbours in the order of the page."""
    row = canvas.mirror.rows[block]
    return frozenset(canvas.mirror.ids[row - count // 2 : row - count // 2 + count])


def drag(canvas: Canvas, block: str, count: int) -> list[float]:
    """Drags a block by its header, together with other selected ones; returns the times. Units: ms."""
    chosen = around(canvas, block, count)
    canvas.session.select(Selection(chosen if count > 1 else frozenset()))
    canvas.repaint()
    start = canvas.camera.to_view(canvas.mirror.rect(block).topLeft() + QPointF(60, 14))
    mouse(canvas, QEvent.Type.MouseButtonPress, start)
    places = [start + QPointF(step * 4, step * 2) for step in range(1, DRAG_STEPS)]
    steps = [lambda at=at: mouse(canvas, QEvent.Type.MouseMove, at) for at in places]
    times = frames(canvas, steps)
    canvas.gestures.let_go()
    canvas.repaint()
    return times


def undo_times(canvas: Canvas, block: str) -> list[float]:
    """Moves a block and undoes that several times; returns the times of the undoing. Units: ms."""
    session = canvas.session
    x, y = session.page.blocks[block].at or (0, 0)
    times = []
    for step in range(5):
        session.apply("Move", edits.move_blocks, session.page_name, {block: (x + 32, y + 16 * step)})
        canvas.repaint()
        times += frames(canvas, [session.undo])
    return times


def measure_opening(appearance: Appearance) -> None:
    """Prints the time for a file of 1,000 blocks from its path to the painted page with numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.graph"
        save(placed(random_graph(1000)), path)
        window = MainWindow(Settings(Path(folder) / "settings.ini"), appearance, ProcessEvaluator)
        window.resize(WIDTH, HEIGHT)
        window.show()
        QApplication.processEvents()
        start = time.perf_counter()
        window.parts.documents.opening.open(path)
        window.parts.canvas.repaint()
        painted = time.perf_counter() - start
        while window.session.results is None:
            QApplication.processEvents()
        window.parts.canvas.repaint()
        complete = time.perf_counter() - start
        window.session.file.mark_saved(path)
        window.close()
    print(f"A file of 1,000 blocks: painted after {painted * 1000:.0f} ms, all numbers after {complete * 1000:.0f} ms")


def measure_slider(name: str, graph: Graph, appearance: Appearance) -> None:
    """Moves a slider through the real evaluator for some seconds; prints the longest pause of the main thread."""
    session = Session(graph, ProcessEvaluator)
    canvas = Canvas(CurrentSession(session), appearance)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    while session.results is None:
        QApplication.processEvents()
    block, index = slider_of(canvas)
    shape, corner = canvas.mirror.shapes[canvas.mirror.rows[block]], canvas.mirror.rect(block).topLeft()
    track = shape.slider_track(index)
    canvas.viewport.centre_on(block)
    # A user reaches the slider only after the page has been painted.
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
    """Returns the first block with sliders."""
    name = next(name for name, row in canvas.mirror.rows.items() if canvas.mirror.shapes[row].sliders)
    return name, 0


def with_slider(graph: Graph) -> Graph:
    """Returns the graph with three-element inputs, which have sliders."""
    page = graph.pages[0]
    blocks = {
        name: dataclasses.replace(block, parameters={"value": block.parameters["value"][:3]})
        if block.type == "Input"
        else block
        for name, block in page.blocks.items()
    }
    return graph.with_page(dataclasses.replace(page, blocks=blocks))


def main() -> None:
    """Prints all times."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    appearance = Appearance("dark")
    unit = reference_time()
    print(f"The reference, 2,000 lines and 200 pictures: {unit:.2f} ms")
    # The garbage of large graphs would disturb these, so they come first.
    measure_slider("stable softmax", load(example_path("softmax_stable")).graph, appearance)
    measure_slider("1,000 blocks", placed(with_slider(random_graph(1000))), appearance)
    measure_opening(appearance)
    with collection_when_idle():
        for count in (100, 1000, 10_000):
            measure(count, appearance, unit)
    application.quit()


if __name__ == "__main__":
    main()
