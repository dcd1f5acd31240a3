"""The states of blocks and wires: a small graph for each, with settings of the canvas that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import Qt

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import Place, Thing
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits, grouping, page_edits
from gradwire.engine.edits.annotations import add_frame
from gradwire.engine.graph.graph import Graph, Port, Wire

MAIN = "main"
NUMBERS = np.array([-2.0, -1.0, 0.0, 0.0])
Setting = Callable[[Canvas], object]


@dataclass(frozen=True)
class State:
    """A graph with the settings of its canvas; `shown` is a block, or the target of a wire."""

    name: str
    graph: Graph
    shown: str
    settings: Sequence[Setting] = field(default=())


def graph_of(row: Mapping[str, tuple[str, Mapping[str, object]]], *wires: str) -> Graph:
    """Returns a graph of blocks in a row, with wires given as `a.y > b.x`."""
    graph = Graph()
    for column, (name, (kind, parameters)) in enumerate(row.items()):
        graph = edits.add_block(graph, MAIN, kind, id=name, at=(320 * column, 0), parameters=parameters)[0]
    for text in wires:
        source, _, target = text.partition(" > ")
        graph = edits.connect(graph, MAIN, Port(*source.split(".")), Port(*target.split(".")))
    return graph


def chain(kind: str, value: object = NUMBERS, source: str = "Input", **parameters: object) -> Graph:
    """Returns the graph x -> b -> s = ReduceSum -> loss; `kind` is the type of b."""
    row = {"x": (source, {"value": value}), "b": (kind, parameters), "s": ("ReduceSum", {}), "loss": ("Loss", {})}
    return graph_of(row, "x.y > b.x", "b.y > s.x", "s.y > loss.x")


def block_states() -> list[State]:
    """Returns the states of blocks, and the blocks with a look of their own."""
    exp, stop, matrix = chain("Exp"), chain("StopGradient"), np.linspace(-2, 2, 32).reshape(4, 8)
    alone = graph_of({"b": ("Exp", {})})
    inner, page = grouping.group(exp, MAIN, ["b", "s"])[:2]
    return [
        State("normal", exp, "b"),
        State("hover", exp, "b", [lambda canvas: canvas.page_look.hover(Target(block="b"))]),
        State("selected", exp, "b", [choose("b")]),
        State("keyboard focus", exp, "b", [put_keyboard_on("b")]),
        State("stale", exp, "b", [make_stale]),
        State("muted", edits.set_muted(exp, MAIN, "b", True), "b"),
        State("error", chain("Reshape", shape=(5, 2)), "b"),
        State("NaN or infinity", chain("Log"), "b"),
        State("no input", alone, "b"),
        State("dimmed", exp, "b", [lambda canvas: canvas.page_look.set_lit(Selection())]),
        State("collapsed", edits.set_collapsed(exp, MAIN, "b", True), "b"),
        State("collapsed, selected", edits.set_collapsed(exp, MAIN, "b", True), "b", [choose("b")]),
        State("StopGradient", stop, "b"),
        State("StopGradient, selected", stop, "b", [choose("b")]),
        State("StopGradient, ignored", stop, "b", [ignore_stops]),
        State("warning", graph_of({"b": ("StopGradient", {}), "x": ("Input", {"value": NUMBERS})}, "x.y > b.x"), "b"),
        State("Loss", exp, "loss"),
        State("Loss, not active", two_losses(), "other"),
        State("Input, sliders", exp, "x"),
        State("Input, one number", chain("Exp", np.array(0.05)), "x"),
        State("Variable", chain("Exp", matrix, "Variable"), "x"),
        State("curve", chain("Exp", np.sin(np.linspace(0, 6, 60))), "b"),
        State("matrix", chain("Exp", matrix), "b"),
        State("rank 3, with a picker of slices", chain("Exp", matrix.reshape(2, 2, 8)), "b"),
        State("choice", chain("Cast", dtype="float32"), "b"),
        State("switch", chain("Gelu"), "b"),
        State("page", inner, page),
        State("Reroute", chain("Reroute"), "b"),
        State("frame", add_frame(exp, MAIN, "Shift by the maximum", ["b"])[0], "b"),
    ]


def wire_states() -> list[State]:
    """Returns the states of wires; the wire is the one that leads to the block shown."""
    exp, stop = chain("Exp"), chain("StopGradient")
    whole = graph_of({"x": ("Input", {"value": np.array([1, 2])}), "b": ("Negative", {})}, "x.y > b.x")
    return [
        State("carries, large", chain("Exp", np.array([3.0, 1.0, 2.0, 3.0])), "b"),
        State("carries, small", chain("Exp", np.array([-5.0, -6.0, -5.0, -7.0])), "b"),
        State("carries, one number", chain("Exp", np.array(0.5)), "b"),
        State("vanishing", chain("Exp", np.array([-40.0, -30.0])), "b"),
        State("exploding", chain("Exp", np.array([10.0, 12.0])), "b"),
        State("numerically zero", chain("Relu", np.array([-2.0, -1.0])), "b"),
        State("blocked", stop, "b"),
        State("not differentiable", chain("Floor"), "b"),
        State("integer", whole, "b"),
        State("no path", graph_of({"x": ("Input", {"value": NUMBERS}), "b": ("Exp", {})}, "x.y > b.x"), "b"),
        State("NaN or infinity", chain("Log"), "b"),
        State("stale", exp, "b", [make_stale]),
        State("gradients off", exp, "b", [lambda canvas: canvas.page_look.set_overlay(Overlay.OFF)]),
        State("labels only", exp, "b", [lambda canvas: canvas.page_look.set_overlay(Overlay.LABELS)]),
        State("sign, positive", exp, "b", [lambda canvas: canvas.page_look.set_overlay(Overlay.SIGN)]),
        State("sign, negative", chain("Negative"), "b", [lambda canvas: canvas.page_look.set_overlay(Overlay.SIGN)]),
        State("selected", exp, "b", [choose_wire]),
        State("hover", exp, "b", [lambda canvas: canvas.page_look.hover(Target(wire=wire_to(canvas, "b")))]),
        State("StopGradient ignored", stop, "b", [ignore_stops]),
        State("unknown", chain("Reshape", shape=(5, 2)), "b"),
    ]


def two_losses() -> Graph:
    """Returns a graph whose second Loss is not in use."""
    row = {"x": ("Input", {"value": np.array(2.0)}), "loss": ("Loss", {}), "other": ("Loss", {})}
    graph = graph_of(row, "x.y > loss.x", "x.y > other.x")
    return page_edits.set_loss(graph, f"{MAIN}/loss")


def choose(block: str) -> Setting:
    """Returns a setting that selects a block."""
    return lambda canvas: canvas.session.select(Selection(frozenset([block])))


def choose_wire(canvas: Canvas) -> None:
    """Selects the wire to the block in the middle."""
    canvas.session.select(Selection(wires=frozenset([wire_to(canvas, "b")])))


def wire_to(canvas: Canvas, block: str) -> Wire:
    """Returns the first wire that leads to a block."""
    return next(wire for wire in canvas.mirror.wires if wire.target.block == block)


def put_keyboard_on(block: str) -> Setting:
    """Returns a setting that puts the keyboard focus on a block."""

    def put(canvas: Canvas) -> None:
        canvas.setFocus(Qt.FocusReason.TabFocusReason)
        canvas.keyboard.go(Place(Thing("block", block)))
        canvas.keyboard.is_shown = True
        canvas.session.select(Selection())

    return put


def make_stale(canvas: Canvas) -> None:
    """Changes a number without evaluating."""
    canvas.session.runs.set_live(False)
    canvas.session.apply("Set x", edits.set_parameter, MAIN, "x", "value", NUMBERS / 2)


def ignore_stops(canvas: Canvas) -> None:
    """Evaluates as if there were no StopGradient."""
    canvas.session.runs.set_ignores_stops(True)
