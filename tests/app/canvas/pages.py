"""Graphs, mirrors and pictures for the tests of the canvas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QImage, QPainter

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_path
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.edge_scroll import EdgeScroll
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_painter import PagePainter, Part
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

MAIN = "main"
_kept: list[Session] = []
# Small graphs whose blocks the tests know; the whole gallery is looked at in test_gallery.py.
EXAMPLE_NAMES = ("softmax_naive", "softmax_stable", "softmax_stable_nostop", "softmax_stable_nostop_ties")


def example(name: str) -> Graph:
    return with_places(load(example_path(name)).graph)


def with_block(graph: Graph, name: str, kind: str, at: tuple[int, int], **parameters: object) -> Graph:
    return edits.add_block(graph, MAIN, kind, id=name, at=at, parameters=parameters)[0]


def wired(graph: Graph, *wires: str) -> Graph:
    """With wires given as `a.y > b.x`."""
    for text in wires:
        source, _, target = text.partition(" > ")
        graph = edits.connect(graph, MAIN, Port(*source.split(".")), Port(*target.split(".")))
    return graph


def chain(*numbers: float) -> Graph:
    """x -> e = Exp -> s = ReduceSum -> loss."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(numbers or (1.0, 2.0, 3.0)))
    graph = with_block(graph, "e", "Exp", (240, 0))
    graph = with_block(graph, "s", "ReduceSum", (480, 0))
    graph = with_block(graph, "loss", "Loss", (720, 0))
    return wired(graph, "x.y > e.x", "e.y > s.x", "s.y > loss.x")


def mirror_of(graph: Graph) -> Mirror:
    """The mirror of a session that has been evaluated once."""
    session = Session(graph, InlineEvaluator)
    _kept.append(session)
    mirror = Mirror(session)
    mirror.rebuild()
    return mirror


def painted(size: QSize, paint: Callable[[QPainter], None], background: str = "#000000") -> QImage:
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(background)
    painter = QPainter(image)
    try:
        paint(painter)
    finally:
        painter.end()
    return image


def pixels(image: QImage) -> np.ndarray:
    """The bytes of an image. Shapes: (height, width, 4)."""
    flat = np.frombuffer(bytes(image.constBits()), np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width()]


def scrolls(edge: EdgeScroll) -> bool:
    """Whether the clock of a page that scrolls at its edge is running."""
    timer = edge.findChild(QTimer)
    return timer is not None and timer.isActive()


def page_picture(canvas: Canvas) -> QImage:
    """The page as a canvas has painted it, without anything that moves above it."""
    ratio = canvas.devicePixelRatioF()
    image = QImage(canvas.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        canvas.painted.show(painter)
    return image


def drawn_page(mirror: Mirror, look: Look, painter: PagePainter | None = None) -> tuple[QImage, dict]:
    """The whole page at the zoom of a look, and the places of its labels."""
    area = mirror.bounds().adjusted(-40, -40, 40, 40)
    found = {}

    def paint(on: QPainter) -> None:
        on.scale(look.scale, look.scale)
        on.translate(-area.topLeft())
        found.update((painter or PagePainter(mirror)).draw(on, look, Part(area)))

    size = (area.size() * look.scale).toSize()
    return painted(size, paint, look.theme.css("bg.canvas")), found


def placed_labels(mirror: Mirror, look: Look, painter: PagePainter | None = None) -> dict[Wire, Placed]:
    """The places of the labels of a page drawn as by `drawn_page`, without the picture."""
    area = mirror.bounds().adjusted(-40, -40, 40, 40)
    found = (painter or PagePainter(mirror)).settle(look, Part(area))
    return {mirror.wires[row]: placed for row, placed in found.items()}


def block_rects(mirror: Mirror) -> list[QRectF]:
    return [mirror.rect(name) for name in mirror.ids]


def deep(layers: int, guilty: int = 0) -> Graph:
    """x -> layers of MatMul, Add, Tanh with weights w1, b1, w2 ... -> loss; the weights of a guilty one are small."""
    random = np.random.default_rng(0)
    blocks, ends = {"x": Block("x", "Input", parameters={"value": random.standard_normal((4, 8))})}, dict[Port, Port]()
    last = Port("x", "y")
    for number in range(1, layers + 1):
        w, b, m, a, t = (f"{stem}{number}" for stem in "wbmat")
        weights = random.standard_normal((8, 8)) * (0.01 if number == guilty else 0.35)
        blocks |= {w: Block(w, "Variable", parameters={"value": weights}), m: Block(m, "MatMul")}
        blocks |= {b: Block(b, "Variable", parameters={"value": np.zeros(8)}), a: Block(a, "Add"), t: Block(t, "Tanh")}
        ends |= {Port(m, "a"): last, Port(m, "b"): Port(w, "y"), Port(a, "x"): Port(m, "product")}
        ends |= {Port(a, "y"): Port(b, "y"), Port(t, "x"): Port(a, "z")}
        last = Port(t, "y")
    blocks |= {"s": Block("s", "ReduceSum"), "loss": Block("loss", "Loss")}
    ends |= {Port("s", "x"): last, Port("loss", "x"): Port("s", "y")}
    return with_places(Graph((Page(MAIN, blocks, {target: Wire(source, target) for target, source in ends.items()}),)))
