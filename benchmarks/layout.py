"""A benchmark of arranged pages: their quality as they are drawn, and the time of the arrangement.

Crossings and wires over blocks are counted on the drawn right angles, and given per wire. The length is a
multiple of the straight distance. Times are multiples of the time to parse the same graph from its text.
"""

from __future__ import annotations

import dataclasses
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtWidgets import QApplication

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import segments
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.files.files import dumps, load, loads
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.random_graphs import random_graph
from tests.recorded import graph_of_recording, recorded_graphs
from tests.recorded import load as recorded

ROOT = Path(__file__).parent.parent


class Quality(NamedTuple):
    """Counts over the wires of a page; `bends` counts wires that are not one straight line. Units: lengths in px."""

    wires: int
    crossings: int
    over_blocks: int
    bends: int
    length: float
    straight: float
    area: float


def layered_graph(count: int, seed: int) -> Graph:
    """Returns a random graph about three times as long as wide, whose wires mostly join near blocks."""
    choose = random.Random(seed)
    width = max(2, round((count / 3) ** 0.5))
    made = {f"b{row}": Block(f"b{row}", "Add") for row in range(count)}
    wires: dict[Port, Wire] = {}
    for row in range(width, count):
        for port in ("x", "y")[: choose.choice((1, 2, 2))]:
            reach = width * choose.choice((2, 2, 2, 6))
            source = choose.randrange(max(0, row // width * width - reach), row // width * width)
            wires[Port(f"b{row}", port)] = Wire(Port(f"b{source}", "z"), Port(f"b{row}", port))
    return Graph((Page("main", made, wires),))


def without_places(graph: Graph) -> Graph:
    """Returns the graph without any positions of blocks."""
    for page in graph.pages:
        bare = {name: dataclasses.replace(block, at=None) for name, block in page.blocks.items()}
        graph = graph.with_page(dataclasses.replace(page, blocks=bare))
    return graph


def quality(graph: Graph) -> Quality:
    """Returns the quality of the first page."""
    session = Session(graph, InlineEvaluator)
    session.runs.set_live(False)
    mirror = Mirror(session)
    mirror.rebuild()
    pieces = segments(mirror.points)
    ends = mirror.points[:, -1] - mirror.points[:, 0]
    low, high = mirror.rects[:, :2].min(axis=0), (mirror.rects[:, :2] + mirror.rects[:, 2:]).max(axis=0)
    found = Quality(
        len(mirror.wires),
        crossings(pieces, [wire.source for wire in mirror.wires]),
        over_blocks(pieces, mirror.rects),
        int((np.abs(ends[:, 1]) > 0.5).sum()),
        float(np.abs(pieces[..., 2:] - pieces[..., :2]).sum()),
        float(np.hypot(*ends.T).sum()),
        float(np.prod(high - low)),
    )
    session.close()
    return found


def crossings(pieces: np.ndarray, sources: list[Port]) -> int:
    """Returns how often horizontal pieces of wires cross vertical ones from other outputs. Shapes: (n, 5, 4)."""
    row = np.repeat(np.unique([str(port) for port in sources], return_inverse=True)[1], 5) if sources else np.zeros(0)
    x1, y1, x2, y2 = pieces.reshape(-1, 4).T
    level, upright = (np.abs(y1 - y2) < 0.5) & (np.abs(x1 - x2) > 1), np.abs(y1 - y2) >= 0.5
    left, right, height = np.minimum(x1, x2)[level], np.maximum(x1, x2)[level], y1[level]
    total = 0
    for x, top, bottom, source in zip(
        x1[upright], np.minimum(y1, y2)[upright], np.maximum(y1, y2)[upright], row[upright], strict=True
    ):
        hits = (left + 1 < x) & (x < right - 1) & (top + 1 < height) & (height < bottom - 1)
        total += int((hits & (row[level] != source)).sum())
    return total


def over_blocks(pieces: np.ndarray, rects: np.ndarray) -> int:
    """Returns how many wires run over a block. Shapes: (n, 5, 4), (m, 4)."""
    low, high = np.minimum(pieces[..., :2], pieces[..., 2:]), np.maximum(pieces[..., :2], pieces[..., 2:])
    hit = np.zeros(len(pieces), bool)
    for left, top, width, height in rects:
        across = (low[..., 0] < left + width - 1) & (high[..., 0] > left + 1)
        hit |= (across & (low[..., 1] < top + height - 1) & (high[..., 1] > top + 1)).any(axis=1)
    return int(hit.sum())


def cases() -> Iterator[tuple[str, list[Graph]]]:
    """Yields groups of graphs with their names."""
    yield "examples", [load(path).graph for path in sorted((ROOT / "assets" / "examples").glob("*.graph"))]
    recordings = [recorded("graphs", name) for name in recorded_graphs()]
    yield "recorded graphs", [graph_of_recording(recording) for recording in recordings]
    for count, number in ((30, 12), (100, 6), (300, 3), (1000, 1)):
        yield f"random, {count} blocks", [layered_graph(count, seed) for seed in range(number)]
    yield "chains, 100 blocks", [random_graph(100, seed) for seed in range(3)]
    yield "chain, 1000 blocks", [random_graph(1000)]


def main() -> None:
    """Prints one line for each group."""
    QApplication(sys.argv[:1])
    print(f"{'':24}{'wires':>7}{'cross':>8}{'a wire':>8}{'over':>7}{'bent':>7}{'length':>8}{'area':>8}{'time':>8}")
    for name, graphs in cases():
        found, spent, reading = [], 0.0, 0.0
        for graph in map(without_places, graphs):
            start = time.perf_counter()
            loads(dumps(graph))
            middle = time.perf_counter()
            placed = with_places(graph)
            spent += time.perf_counter() - middle
            reading += middle - start
            found.append(quality(placed))
        sums = Quality(*map(sum, zip(*found, strict=True)))
        wires = max(sums.wires, 1)
        print(
            f"{name:24}{sums.wires:7}{sums.crossings:8}{sums.crossings / wires:8.3f}{sums.over_blocks / wires:7.3f}"
            f"{sums.bends / wires:7.3f}{sums.length / sums.straight:8.3f}{sums.area / 1e6:8.1f}{spent / reading:8.2f}"
        )


if __name__ == "__main__":
    main()
