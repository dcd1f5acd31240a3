"""Lessons as values: a graph from expressions, with its plan of training and a note that explains it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.blocks import library
from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire

Json = dict[str, Any]  # Any: what JSON holds


@dataclass(frozen=True)
class Lesson:
    """One training: `title` and `text` become its note; `signature` is its rank on the welcome page."""

    name: str
    title: str
    text: str
    graph: Graph
    plan: Json
    signature: int | None = None

    @property
    def drawn(self) -> Graph:
        """Graph with plan and note, not placed yet."""
        first, *rest = self.graph.pages
        page = dataclasses.replace(first, notes=(Note("about", f"{self.title}\n{self.text}", (0, -120), (1024, 88)),))
        extra = {} if self.signature is None else {"signature": self.signature}
        return dataclasses.replace(self.graph, pages=(page, *rest), training=self.plan, extra=extra)


@dataclass
class Uses:
    """Pages that stand as blocks on the main page; `use` gives an output of one of them as an expression.

    `blocks` has page, label and inputs by the name of the block, `outputs` block and port by the name of an expression.
    """

    pages: list[Page] = field(default_factory=list)
    blocks: dict[str, tuple[str, str | None, Mapping[str, Expression]]] = field(default_factory=dict)
    outputs: dict[str, Port] = field(default_factory=dict)

    def page(self, name: str, outputs: Mapping[str, Expression]) -> None:
        """Adds a page: the Inputs of its expressions become its input ports."""
        self.pages.append(_as_page(name, outputs))

    def use(
        self, name: str, page: str, output: str, like: object, label: str | None = None, **inputs: Expression
    ) -> Expression:
        """Returns an output of a page used as a block; `like` is an array of its shape."""
        self.blocks[name] = (page, label, inputs)
        stand_in = f"{name}_{output}"
        self.outputs[stand_in] = Port(name, output)
        made: Expression = library["Input"](value=np.zeros(np.shape(like)), name=stand_in)
        return made


def drawn(
    *roots: Expression,
    labels: Mapping[str, str] | None = None,
    frames: Mapping[str, Iterable[str]] | None = None,
    uses: Uses | None = None,
    monitors: Mapping[str, tuple[Expression, str] | tuple[Expression, str, Expression]] | None = None,
    charts: Mapping[str, tuple[Expression, str]] | None = None,
    places: Mapping[str, tuple[int, int]] | None = None,
    widths: Mapping[str, int] | None = None,
) -> Graph:
    """Returns the graph of expressions, with labels by block, titled frames, and pages as blocks.

    `monitors` have what they show, their kind and what it is compared with; `charts` show the value or the gradient.
    Units: `places` and `widths` in px at 100 %.
    """
    uses = uses or Uses()
    inputs = [source for *_, given in uses.blocks.values() for source in given.values()]
    traced = trace([*roots, *inputs])
    (page,) = traced.graph.pages

    def found(source: Port) -> Port:
        return uses.outputs.get(source.block, source)

    blocks = {name: block for name, block in page.blocks.items() if name not in uses.outputs}
    wires = {target: Wire(found(wire.source), target) for target, wire in page.wires.items()}

    def connect(source: Expression, target: Port) -> None:
        path, output = traced.ports[source]
        wires[target] = Wire(found(Port(path.rpartition("/")[2], output)), target)

    for name, (used, label, given) in uses.blocks.items():
        blocks[name] = Block(name, library.with_role(Role.PAGE).name, label, parameters={"page": used})
        for port, source in given.items():
            connect(source, Port(name, port))
    for name, (shown, kind, *target) in (monitors or {}).items():
        blocks[name] = Block(name, "Monitor", parameters={"kind": kind})
        for port, source in zip(("y", "target"), (shown, *target), strict=False):
            connect(source, Port(name, port))
    for name, (shown, what) in (charts or {}).items():
        blocks[name] = Block(name, "Chart", parameters={} if what == "value" else {"show": what})
        connect(shown, Port(name, "x"))
    for name, text in (labels or {}).items():
        blocks[name] = dataclasses.replace(blocks[name], label=text)
    for name, at in (places or {}).items():
        blocks[name] = dataclasses.replace(blocks[name], at=at)
    for name, width in (widths or {}).items():
        blocks[name] = dataclasses.replace(blocks[name], width=width)
    framed = tuple(
        Frame(f"frame_{number}", title, tuple(ids)) for number, (title, ids) in enumerate((frames or {}).items(), 1)
    )
    main = dataclasses.replace(page, blocks=dict(sorted(blocks.items())), wires=wires, frames=framed)
    return Graph(pages=(main, *uses.pages))


def _as_page(name: str, outputs: Mapping[str, Expression]) -> Page:
    traced = trace(outputs.values())
    (page,) = traced.graph.pages
    blocks = {key: _as_input(block) for key, block in page.blocks.items()}
    wires = dict(page.wires)
    for port, expression in outputs.items():
        blocks[port] = Block(port, library.with_role(Role.PAGE_OUTPUT).name, parameters={"name": port})
        source = traced.ports[expression]
        wires[Port(port, "x")] = Wire(Port(source.path.rpartition("/")[2], source.port), Port(port, "x"))
    return Page(name, dict(sorted(blocks.items())), wires)


def _as_input(block: Block) -> Block:
    if block.type != "Input":
        return block
    return Block(block.id, library.with_role(Role.PAGE_INPUT).name, parameters={"name": block.id})


def of_example(name: str) -> Graph:
    """Returns the graph of an example without its notes and checks."""
    graph = load(example_path(name)).graph
    pages = tuple(dataclasses.replace(page, notes=()) for page in graph.pages)
    return dataclasses.replace(graph, pages=pages, checks=(), extra={})


def normal(seed: int, *shape: int, scale: float = 1.0) -> Array:
    """Returns random numbers with four digits after the point; this generator never changes."""
    return np.round(np.random.RandomState(seed).standard_normal(shape) * scale, 4)


def after(count: int, at: str, title: str, **wanted: object) -> Json:
    """Returns the check of a value after so many rounds."""
    return {"title": title, "after": count, "at": at, **wanted}


def without(stop: str, count: int, at: str, title: str, **wanted: object) -> Json:
    """Returns the check of a value after so many rounds in which a StopGradient is ignored."""
    return {**after(count, at, title, **wanted), "run_without": stop}


def steps(*given: Json, rounds: int, checks: Sequence[Json], **rest: object) -> Json:
    """Returns a plan of so many rounds."""
    return {"seed": 1, "steps": list(given), "until": {"steps": rounds}, **rest, "checks": list(checks)}


def descent(rate: object, **step: object) -> Json:
    """Returns a step by gradient descent."""
    return {**step, "rule": {"type": "descent", "rate": rate}}


def adam(rate: object, **step: object) -> Json:
    """Returns a step by Adam."""
    return {**step, "rule": {"type": "adam", "rate": rate}}


def dense(x: Expression, w: Array, b: Array, suffix: str, trainable: bool = True) -> Expression:
    """Returns x W + b with the Variables `W` and `b` and a suffix."""
    weights = gw.Variable(w, name=f"W{suffix}", trainable=trainable)
    product = gw.MatMul(x, weights, name=f"product{suffix}")
    bias = gw.Variable(b, name=f"b{suffix}", trainable=trainable)
    made: Expression = gw.Add(product, bias, name=f"sum{suffix}")
    return made
