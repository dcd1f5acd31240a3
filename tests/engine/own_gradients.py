"""Graphs whose pages have gradients of their own."""

from __future__ import annotations

import dataclasses

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.graph.graph import Block, Graph, Page
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
