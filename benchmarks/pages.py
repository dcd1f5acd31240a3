"""A benchmark of living pages in Chromium: their size, and how fast they are written, open and follow a hand.

Every example and every training is a page from a file. Writing and a drag are processor time, which other programs
disturb less: of Python, and of the browser's process for the page, without its frames. Each graph is written once,
behind others in the same process. So what pages share is there already, such as modules, scripts, style sheets and
glyphs; what belongs to the graph is not.
Opening is the least of three, from the start of loading until the script says that the page lives. A drag moves a
slider or, where there is none, another source of floats. `--quick` opens seven pages alone.
"""

from __future__ import annotations

import itertools
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gradwire import HOME
from gradwire.app.features.share.web.html_page import html_page
from gradwire.engine.export.live.program import MOST_NUMBERS
from gradwire.engine.files.files import load
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Graph
from tests.pages.browser import MISSING, Browser, chromium, programs

FEW = ("softmax_stable", "gan_stop", "attention", "vq", "xor_221_good", "sigmoid_chain_80", "digits_cnn")
SLOWED = ("softmax_stable", "gan_stop", "xor_221_good", "digits_cnn")
SLOWER = 6
# Counts from the start of loading until the script says that the page lives.
ALIVE = """new MutationObserver(() => {
    if (document.documentElement?.dataset.live && !window.alive) window.alive = performance.now();
}).observe(document, {subtree: true, childList: true, attributes: true})"""
# The sources of floats, those with sliders first.
SOURCES = """const {doc, views} = page.live;
const sliders = doc.pages.flatMap(item => item.bodies.filter(body => body.tracks));
const free = doc.sources.filter(([, places]) => /float/.test(views[places[0][0]][3]));
const paths = free.map(item => item[0]), first = sliders.map(body => body.path).filter(path => paths.includes(path));
return [...first, ...paths]"""
# Moves a source many times; the third argument says whether what has changed is shown.
DRAG = """const [path, numbers, isShown, times] = arguments, {live} = page;
page.isMoved = true;
for (let k = 0; k < times; k++) {
    live.put(path, numbers.map((x, n) => n ? x : x + (k % 7) / 1000));
    live.run();
    if (isShown) page.show();
}"""
# Returns the ms of each move, as a clock on the wall has them.
CLOCK = """const [path, numbers, times] = arguments, {live} = page, found = [];
page.isMoved = true;
for (let k = 0; k < times; k++) {
    live.put(path, numbers.map((x, n) => n ? x : x + (k % 7) / 1000));
    const start = performance.now();
    live.run();
    page.show();
    found.push(performance.now() - start);
}
return found"""
FRAMES = """window.times = []; const note = now => { times.push(now); window.noting = requestAnimationFrame(note); };
window.noting = requestAnimationFrame(note)"""


class Seen(NamedTuple):
    """The figures of one page: KB, and ms of writing, opening, a run, and what is shown after it."""

    name: str
    size: float
    written: float
    alive: float
    run: float
    shown: float


def graphs() -> Iterable[Path]:
    """Yields the files of all examples and trainings."""
    for folder in ("examples", "trainings"):
        yield from sorted((HOME / "assets" / folder).glob("*.graph"))


def written(path: Path, folder: Path) -> tuple[Path, float, float]:
    """Writes a page; returns its file, its size in KB and the ms of processor time."""
    graph = load(path).graph
    start = time.process_time()
    text = html_page(graph, path.stem).text
    needed = time.process_time() - start
    file = folder / f"{path.stem}.html"
    file.write_text(text, encoding="utf-8")
    return file, file.stat().st_size / 1024, 1e3 * needed


def spent(browser: Browser) -> float:
    """Returns the processor time of the page's process until now. Units: ms."""
    found = browser.command("Performance.getMetrics")["metrics"]
    return next(1e3 * float(item["value"]) for item in found if item["name"] == "ProcessTime")


def source(browser: Browser, graph: Graph) -> tuple[str, list[float]] | None:
    """Returns the path and the numbers of what is dragged; None where nothing can be."""
    for path in browser.run(SOURCES):
        value = value_of(graph.block(path))
        if value is not None and 0 < value.size <= MOST_NUMBERS:
            return path, value.astype(float).ravel().tolist()
    return None


def drag(browser: Browser, graph: Graph, times: int) -> list[float]:
    """Returns the ms of a run, and of what is shown after it; NaN where nothing can be dragged."""
    moved, found = source(browser, graph), []
    if moved is None:
        return [float("nan")] * 2
    for is_shown in (False, True):
        browser.run(DRAG, *moved, is_shown, 20)
        start = spent(browser)
        browser.run(DRAG, *moved, is_shown, times)
        found.append((spent(browser) - start) / times)
    return [found[0], found[1] - found[0]]


def seen(browser: Browser, path: Path, folder: Path) -> tuple[Seen, list[str]]:
    """Returns the figures of a page, and what the browser said of it."""
    file, size, needed = written(path, folder)
    browser.log("browser")
    browser.requests()
    alive = []
    for _ in range(3):
        browser.open(file)
        alive.append(float(browser.run("return window.alive")))
    faults = browser.log("browser") + browser.requests()[3:]
    run, shown = drag(browser, load(path).graph, 20 if size > 300 else 200)
    return Seen(path.stem, size, needed, min(alive), run, shown), faults


def frames_of_a_drag(browser: Browser, file: Path) -> list[float]:
    """Returns the ms between frames while the driver drags a slider."""
    browser.open(file)
    browser.run(FRAMES)
    moves = [(0, -1 if (step // 30) % 2 else 1) for step in range(180)]
    browser.drag(browser.find("[role=slider] .kn"), moves)
    times = browser.run("cancelAnimationFrame(window.noting); return times")
    return [after - before for before, after in itertools.pairwise(times)]


def row(name: str, numbers: Sequence[float], goal: str) -> str:
    """Returns the least, the median and the most of some numbers as a row of a table."""
    kept = sorted(item for item in numbers if item == item)
    return f"| {name} | {kept[0]:.3g} | {statistics.median(kept):.3g} | {kept[-1]:.3g} | {goal} |"


def report(found: Sequence[Seen]) -> None:
    """Prints the table of all pages, and the slowest."""
    print(f"| {len(found)} pages | least | median | most | goal |\n|---|---|---|---|---|")
    print(row("size, KB", [item.size for item in found], "60"))
    print(row("writing, ms", [item.written for item in found], "50"))
    print(row("opening until it lives, ms", [item.alive for item in found], "150"))
    print(row("a run while dragged, ms", [item.run for item in found], ""))
    print(row("what is shown, ms", [item.shown for item in found], ""))
    print(row("both", [item.run + item.shown for item in found], "1, digits 11"))
    slow = sorted((item for item in found if item.run == item.run), key=lambda item: -item.run - item.shown)[:5]
    print("Slowest: " + ", ".join(f"{item.name} {item.run:.3g} + {item.shown:.3g}" for item in slow) + " ms")


def measure(browser: Browser, folder: Path, files: Sequence[Path]) -> None:
    """Measures pages and prints what was found."""
    browser.command("Performance.enable")
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=ALIVE)
    found, faults = [], []
    written(files[0], folder)
    for path in files:
        item, said = seen(browser, path, folder)
        found.append(item)
        faults += [f"{path.stem}: {text}" for text in said]
    report(found)
    late = sorted(found, key=lambda item: -item.written)[:3]
    print("Written slowest: " + ", ".join(f"{item.name} {item.written:.0f} ms" for item in late))
    print(f"Requests beside the page itself, and messages of the browser: {len(faults)}")
    print("\n".join(faults))
    frames = frames_of_a_drag(browser, folder / "softmax_stable.html")
    median, most = statistics.median(frames), statistics.quantiles(frames, n=100)[98]
    print(f"Frames of a real drag, ms: median {median:.3g}, 99 % {most:.3g}")
    browser.command("Emulation.setCPUThrottlingRate", rate=SLOWER)
    for path in files:
        if path.stem in SLOWED:
            browser.open(folder / f"{path.stem}.html")
            moved = source(browser, load(path).graph)
            times = browser.run(CLOCK, *moved, 31) if moved else [float("nan")]
            print(f"Processor {SLOWER} times slower, {path.stem}: median {statistics.median(times):.3g} ms")


def main() -> int:
    """Runs the benchmark."""
    if programs() is None:
        print(MISSING)
        return 1
    application = QApplication.instance() or QApplication([])
    files = [path for path in graphs() if "--quick" not in sys.argv or path.stem in FEW]
    print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        measure(browser, Path(folder), files)
    del application
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
