"""Graphs that simulated hands wire in a window.

A block is a double click and a typed name, a wire is a drag, and a value goes the way of the inspector's field.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gradwire.app.canvas.geometry.hit_tests import block_at
from gradwire.app.canvas.geometry.view.camera import Camera, fitted
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.hand import Hand
from tests.app.window.popups import Popups

# A hand leaves less room than a block is wide: the places are columns and rows, apart from the blocks that an empty
# page offers. Units: px.
COLUMN, ROW, TOP = 210, 150, 1200
NEAR = 6


class Drawing(NamedTuple):
    """A graph as somebody draws it.

    `blocks` has lines of name, what is typed, column, row, and perhaps a value; `wires` has `from>to` in the order of
    the inputs.
    """

    blocks: str
    wires: str


HANDMADE = {
    "softmax": Drawing(
        """x Input 0 0 1,3,3
        m ReduceMax 1 1
        stop StopGradient 2 1
        z Subtract 3 0
        e Exp 4 0
        s ReduceSum 5 1
        p Divide 6 0
        w Constant 6 1 1,2,3
        loss Loss 7 0""",
        "x>m m>stop x>z stop>z z>e e>s e>p s>p p>loss w>loss",
    ),
    "line_fit": Drawing(
        """x Input 0 0 1,2,3,4
        a Variable 0 1 0.5
        b Variable 1 2 0.25
        y Input 2 1 2,4,5,9
        ax Multiply 1 0
        f Add 2 0
        d Subtract 3 0
        q Square 4 0
        mean ReduceMean 5 0
        loss Loss 6 0""",
        "x>ax a>ax ax>f b>f f>d y>d d>q q>mean mean>loss",
    ),
    "neuron": Drawing(
        """x Input 0 0 0.5,-1,2
        w Variable 0 1 0.3,0.8,-0.2
        b Variable 2 1 0.1
        xw Multiply 1 0
        sum ReduceSum 2 0
        pre Add 3 0
        out Sigmoid 4 0
        target Input 4 1 1
        d Subtract 5 0
        q Square 6 0
        loss Loss 7 0""",
        "x>xw w>xw xw>sum sum>pre b>pre pre>out out>d target>d d>q q>loss",
    ),
    "two_tanh_steps": Drawing(
        """h Input 0 0 0.1,0.2
        w Variable 0 1 0.9
        u1 Multiply 1 0
        t1 Tanh 2 0
        u2 Multiply 3 1
        t2 Tanh 4 1
        all ReduceSum 5 1
        loss Loss 6 1""",
        "h>u1 w>u1 u1>t1 t1>u2 w>u2 u2>t2 t2>all all>loss",
    ),
    "log_of_zero": Drawing(
        """p Input 0 0 0,0.5,0.5
        log Log 1 0
        pl Multiply 2 0
        sum ReduceSum 3 0
        neg Negative 4 0
        loss Loss 5 0""",
        "p>log p>pl log>pl pl>sum sum>neg neg>loss",
    ),
    "residual": Drawing(
        """x Input 0 1 1,-2,0.5
        w1 Variable 0 2 0.4
        m1 Multiply 1 1
        r1 Relu 2 1
        a1 Add 3 0
        w2 Variable 3 2 -0.7
        m2 Multiply 4 1
        r2 Relu 5 1
        a2 Add 6 0
        sum ReduceSum 7 0
        loss Loss 8 0""",
        "x>m1 w1>m1 m1>r1 x>a1 r1>a1 a1>m2 w2>m2 m2>r2 a1>a2 r2>a2 a2>sum sum>loss",
    ),
    "cosine": Drawing(
        """a Input 0 0 1,2,2
        b Input 0 2 2,0,1
        ab Multiply 1 1
        dot ReduceSum 2 1
        aa Square 1 0
        bb Square 1 2
        na ReduceSum 2 0
        nb ReduceSum 2 2
        nn Multiply 3 1
        root Sqrt 4 1
        cos Divide 5 0
        loss Loss 6 0""",
        "a>ab b>ab ab>dot a>aa b>bb aa>na bb>nb na>nn nb>nn nn>root dot>cos root>cos cos>loss",
    ),
    "xor": Drawing(
        """x Input 0 0 1
        y Input 0 2 0
        w11 Variable 1 0 0.8
        w12 Variable 1 1 -0.6
        w21 Variable 1 2 0.5
        w22 Variable 1 3 0.9
        p11 Multiply 2 0
        p12 Multiply 2 1
        p21 Multiply 2 2
        p22 Multiply 2 3
        s1 Add 3 0
        s2 Add 3 2
        h1 Tanh 4 0
        h2 Tanh 4 2
        v1 Variable 4 1 1.1
        v2 Variable 4 3 -0.7
        o1 Multiply 5 0
        o2 Multiply 5 2
        o Add 6 1
        t Constant 6 2 1
        d Subtract 7 1
        q Square 8 1
        loss Loss 9 1""",
        "x>p11 w11>p11 y>p12 w12>p12 x>p21 w21>p21 y>p22 w22>p22 p11>s1 p12>s1 p21>s2 p22>s2 s1>h1 s2>h2 "
        "h1>o1 v1>o1 h2>o2 v2>o2 o1>o o2>o o>d t>d d>q q>loss",
    ),
    "attention": Drawing(
        """x Input 0 1 [[1,0],[0,1],[1,1]]
        wq Variable 0 0 [[0.5,-1],[1,0.3]]
        wk Variable 0 2 [[1,0.2],[-0.4,0.8]]
        wv Variable 0 3 [[0.7,0],[0.1,1.2]]
        q MatMul 1 0
        k MatMul 1 1
        v MatMul 1 3
        kt Transpose 2 1
        qk MatMul 3 0
        a Softmax 4 0
        av MatMul 5 1
        sq Square 6 1
        sum ReduceSum 7 1
        loss Loss 8 1""",
        "x>q wq>q x>k wk>k x>v wv>v k>kt q>qk kt>qk qk>a a>av v>av av>sq sq>sum sum>loss",
    ),
    "target_network": Drawing(
        """s Input 0 0 0.5,1
        n Input 0 2 1,0.25
        w Variable 0 1 0.6
        v Multiply 1 0
        vn Multiply 1 2
        g Constant 2 3 0.9
        gv Multiply 2 2
        r Constant 3 3 1
        target Add 3 2
        stop StopGradient 4 2
        d Subtract 5 0
        q Square 6 0
        sum ReduceSum 7 0
        loss Loss 8 0""",
        "s>v w>v n>vn w>vn vn>gv g>gv gv>target r>target target>stop v>d stop>d d>q q>sum sum>loss",
    ),
}


def built_by_hand(window: MainWindow, drawing: Drawing) -> Graph:
    """Draws a graph in a new document of the window, and returns it with the places that it got."""
    window.resize(1366, 768)
    window.session.document.mark_saved()
    window.parts.document.show(title="by hand")
    settle(window)
    hand = _Hands(window)
    names: dict[str, str] = {}
    for line in drawing.blocks.splitlines():
        name, typed, column, row, *value = line.split()
        names[name] = hand.add(typed, QPointF(int(column) * COLUMN, TOP + int(row) * ROW), *value)
    for wire in drawing.wires.split():
        source, target = wire.split(">")
        hand.connect(names[source], names[target])
    graph = window.session.graph
    assert len(graph.pages[0].wires) == len(drawing.wires.split()), "a hand has missed a port"
    window.session.document.mark_saved()
    return graph


class _Hands:
    """Two hands at a window: places are those of the scene, which is panned and zoomed to where they are."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._canvas = window, window.parts.canvas
        self._hand = Hand(window, self._canvas)
        self._popups = Popups(window, self._hand)

    def add(self, typed: str, at: QPointF, value: str = "") -> str:
        """Adds a block by a double click and its name; types a value. Returns its id."""
        session, before = self._window.session, set(self._window.session.page.blocks)
        self._look_at(at)
        while block_at(self._canvas.mirror, at) is not None:
            at = at + QPointF(0, NEAR)
        self._hand.double_click(at)
        self._popups.search(typed)
        settle(self._window)
        (made,) = set(session.page.blocks) - before
        if value:
            session.apply("Set value", edits.set_parameter, session.page_name, made, "value", _numbers(value))
        return made

    def connect(self, source: str, target: str) -> None:
        """Drags from the output of a block to the next free input of another."""
        mirror, page = self._canvas.mirror, self._window.session.page
        output = mirror.shapes[mirror.rows[source]].outputs[0].name
        ports = [port.name for port in mirror.shapes[mirror.rows[target]].ports if port.is_input]
        free = next(name for name in ports if Port(target, name) not in page.wires)
        start, end = mirror.port_position(Port(source, output), False), mirror.port_position(Port(target, free), True)
        assert start is not None
        assert end is not None
        around = QRectF(start, end).normalized().adjusted(-200, -150, 200, 150)
        self._canvas.viewport.look_with(fitted(around, QSizeF(self._canvas.size()), 1.0, 0.3))
        self._hand.connect(start, end)
        settle(self._window)

    def _look_at(self, point: QPointF) -> None:
        self._canvas.viewport.look_with(Camera().centred(point, QSizeF(self._canvas.size())))


def _numbers(text: str) -> object:
    """Returns the value that a text of numbers means: a number, or an array."""
    read = json.loads(text if text.startswith("[") else f"[{text}]")
    return np.array(read if text.startswith("[") or len(read) > 1 else read[0], float)
