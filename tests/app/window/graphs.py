"""The graphs for the tests of gestures."""

from __future__ import annotations

import numpy as np

from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port

MAIN = "main"


def wired(graph: Graph, *wires: str) -> Graph:
    """Returns the graph with wires given as `a.y > b.x`."""
    for text in wires:
        source, _, target = text.partition(" > ")
        graph = edits.connect(graph, MAIN, Port(*source.split(".")), Port(*target.split(".")))
    return graph


def with_block(graph: Graph, name: str, kind: str, at: tuple[int, int], **parameters: object) -> Graph:
    return edits.add_block(graph, MAIN, kind, id=name, at=at, parameters=parameters)[0]


def chain() -> Graph:
    """Returns x = [1, 2, 3] -> e = Exp -> s = ReduceSum -> loss.

    A free Constant c and Tanh t are below.
    """
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0, 3.0]))
    graph = with_block(graph, "e", "Exp", (240, 0))
    graph = with_block(graph, "s", "ReduceSum", (480, 0))
    graph = with_block(graph, "loss", "Loss", (720, 0))
    graph = with_block(graph, "c", "Constant", (0, 240), value=np.array([4.0, 5.0, 6.0]))
    graph = with_block(graph, "t", "Tanh", (240, 240))
    return wired(graph, "x.y > e.x", "e.y > s.x", "s.y > loss.x")


def number() -> Graph:
    """Returns one scalar Input a = 1 and its square."""
    graph = with_block(Graph(), "a", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(graph, "q", "Square", (240, 0))
    return wired(with_block(graph, "loss", "Loss", (480, 0)), "a.y > q.x", "q.y > loss.x")


def annotated() -> Graph:
    """Returns the chain with a frame around c and t, an empty frame and a note."""
    graph, _ = edits.add_frame(chain(), MAIN, "Spare", ["c", "t"], id="spare")
    graph, _ = edits.add_frame(graph, MAIN, "Nothing", id="hollow", at=(560, 240), size=(240, 120))
    return edits.add_note(graph, MAIN, "Remember", (0, 448), id="note")[0]


def misfits() -> Graph:
    """Returns blocks whose ports do not fit: three columns and two rows, a comparison, a loop."""
    graph = with_block(Graph(), "a", "Input", (0, 0), value=np.ones((2, 3)))
    graph = with_block(graph, "b", "Input", (0, 200), value=np.ones((2, 3)))
    graph = with_block(graph, "mm", "MatMul", (320, 0))
    graph = with_block(graph, "truth", "Greater", (320, 200))
    graph = with_block(graph, "e", "Exp", (600, 200))
    graph = with_block(graph, "one", "Negative", (320, 400))
    graph = with_block(graph, "two", "Tanh", (600, 400))
    return wired(graph, "a.y > mm.a", "a.y > truth.x", "b.y > truth.y", "one.y > two.x")


def decay(times: int = 20, stop_every: int = 0) -> Graph:
    """Returns h, multiplied by w = 0.5 in each round of the Scan `rec`, and its Loss.

    The gradient of what is carried into round i is 0.5 to the power of times - i.
    """
    graph, _ = edits.add_page(Graph(), "cell")
    for name, kind, at, port in (
        ("h", "PageInput", (0, 0), "h"),
        ("w", "PageInput", (0, 160), "w"),
        ("h_out", "PageOutput", (560, 0), "h"),
    ):
        graph, _ = edits.add_block(graph, "cell", kind, id=name, at=at, parameters={"name": port})
    graph, _ = edits.add_block(graph, "cell", "Multiply", id="scaled", at=(280, 0))
    for source, target in ((Port("h", "y"), Port("scaled", "x")), (Port("w", "y"), Port("scaled", "y"))):
        graph = edits.connect(graph, "cell", source, target)
    graph = edits.connect(graph, "cell", Port("scaled", "z"), Port("h_out", "x"))
    graph = with_block(graph, "start", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(graph, "w", "Variable", (0, 160), value=np.array(0.5))
    graph = with_block(graph, "rec", "Scan", (280, 0), page="cell", times=times, stop_every=stop_every)
    graph = with_block(graph, "loss", "Loss", (560, 0))
    return wired(graph, "start.y > rec.h", "w.y > rec.w", "rec.h > loss.x")
