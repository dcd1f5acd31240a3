"""Graphs whose pages have gradients of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.own_gradient_programs import SIZE, Function, Program, Step
from tests.recorded import make_graph


def page(name: str, blocks: list[Block], wires: list[tuple[str, str]], gradient: str | None = None) -> Page:
    """Returns a page; wires are written `block.port`."""
    return dataclasses.replace(make_graph(blocks, wires).pages[0], name=name, gradient=gradient)


def source(name: str, value: object, dtype: object = float) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, dtype)})


def constant(name: str, value: object) -> Block:
    return Block(name, "Constant", parameters={"value": np.asarray(value, float)})


def entry(name: str, **parameters: object) -> Block:
    return Block(name, "PageInput", parameters={"name": name, **parameters})


def result(name: str) -> Block:
    return Block(name, "PageOutput", parameters={"name": name})


def use(name: str, used: str) -> Block:
    return Block(name, "Page", parameters={"page": used})


def cube(gradient: str | None = "cube_gradient") -> Page:
    """Returns a page whose output y is the third power of its input x."""
    blocks = [entry("x"), Block("square", "Square"), Block("times", "Multiply"), result("y")]
    wires = [("x.y", "square.x"), ("x.y", "times.x"), ("square.y", "times.y"), ("times.z", "y.x")]
    return page("cube", blocks, wires, gradient)


def scaled() -> Page:
    """Returns a page that gives the gradient 7 x d_y for an output y of an input x."""
    blocks = [entry("x"), entry("d_y"), constant("seven", 7), Block("a", "Multiply"), Block("b", "Multiply")]
    wires = [("x.y", "a.x"), ("d_y.y", "a.y"), ("a.z", "b.x"), ("seven.y", "b.y"), ("b.z", "d_x.x")]
    return page("cube_gradient", [*blocks, result("d_x")], wires)


def of_cube(*more: Page, x: object = (1, -2)) -> Graph:
    """Returns the sum of x ** 3 as a loss, whose gradient is to be 7 x."""
    blocks = [source("x", x), use("cube", "cube"), Block("loss", "Loss")]
    main = page("main", blocks, [("x.y", "cube.x"), ("cube.y", "loss.x")])
    return Graph(pages=(main, *(more or (cube(), scaled()))))


def graph_of(made: Program) -> Graph:
    """Returns a random program as a graph; functions are pages."""
    inputs = [source(name, value) for name, value in made.inputs.items()]
    blocks, wires, ports = _steps(made.steps, {name: f"{name}.y" for name in made.inputs}, made)
    losses = [Block(f"loss_{place}", "Loss") for place in range(len(made.losses))]
    wires += [(ports[name], f"{loss.id}.x") for name, loss in zip(made.losses, losses, strict=True)]
    pages = [_page_of(name, function, made) for name, function in made.functions.items()]
    return Graph(pages=(page("main", [*inputs, *blocks, *losses], wires), *pages))


def _page_of(name: str, function: Function, made: Program) -> Page:
    entries = [entry(item, value=np.zeros(SIZE)) for item in function.inputs]
    blocks, wires, ports = _steps(function.steps, {item: f"{item}.y" for item in function.inputs}, made)
    results = [result(item) for item in function.results]
    wires += [(ports[item], f"{name}.x") for name, item in function.results.items()]
    return page(name, [*entries, *blocks, *results], wires, function.gradient)


def _steps(
    steps: Sequence[Step], ports: dict[str, str], made: Program
) -> tuple[list[Block], list[tuple[str, str]], dict[str, str]]:
    """Returns the blocks and wires of steps, and the ports of all tensors, of which some are known before."""
    blocks: list[Block] = []
    wires: list[tuple[str, str]] = []
    for step in steps:
        if step.used is not None:
            function = made.functions[step.used]
            block, names = use(step.name, step.used), function.inputs
            ports |= {f"{step.name}.{name}": f"{step.name}.{name}" for name in function.results}
        elif step.kind == "Constant":
            block, names = constant(step.name, step.arguments[0]), []
        else:
            block, names = Block(step.name, step.kind), library[step.kind].input_names(len(step.arguments))
        blocks.append(block)
        wires += [(ports[str(item)], f"{step.name}.{name}") for name, item in zip(names, step.arguments, strict=False)]
        if step.used is None:
            ports[step.name] = f"{step.name}.{library[step.kind].output_names(1)[0]}"
    return blocks, wires, ports
