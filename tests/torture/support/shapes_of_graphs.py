"""Graphs of extreme shapes: deep, wide, cyclic, pages inside pages."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire

START = (0.5, -1.0, 2.0)
KINDS = ("Tanh", "Relu", "Identity", "Sin")
Ends = tuple[tuple[str, str], tuple[str, str]]


def page_of(name: str, made: Iterable[Block], wires: Iterable[Ends]) -> Page:
    joined = (Wire(Port(*source), Port(*target)) for source, target in wires)
    return Page(name, {block.id: block for block in made}, {wire.target: wire for wire in joined})


def graph_of(made: Iterable[Block], wires: Iterable[Ends]) -> Graph:
    return Graph((page_of("main", made, wires),))


def variable(value: object = 0.5) -> Block:
    return Block("x", "Variable", parameters={"value": np.array(value)})


def chain(count: int) -> Graph:
    """Returns a chain of `count` blocks: a variable, elementwise blocks, a sum and the loss."""
    names = ["x", *(f"b{index}" for index in range(1, count - 2)), "sum", "loss"]
    kinds = ["", *(KINDS[index % 4] for index in range(1, count - 2)), "ReduceSum", "Loss"]
    made = [variable(START), *map(Block, names[1:], kinds[1:])]
    return graph_of(made, [((one, "y"), (other, "x")) for one, other in itertools.pairwise(names)])


def chain_numbers(count: int) -> tuple[float, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Returns the loss of the chain and its gradient, computed step by step."""
    y, slope = np.array(START), np.ones(len(START))
    for index in range(1, count - 2):
        kind = KINDS[index % 4]
        if kind == "Tanh":
            y = np.tanh(y)
            slope = slope * (1 - y * y)
        elif kind == "Relu":
            y, slope = np.maximum(y, 0), slope * (y > 0)
        elif kind == "Sin":
            y, slope = np.sin(y), slope * np.cos(y)
    return float(y.sum()), slope


def diamonds(count: int) -> Graph:
    """Returns a value added to itself again and again: 2 ** count paths lead from it to the loss."""
    names = ["x", *(f"d{index}" for index in range(count))]
    made = [variable(), *(Block(name, "Add") for name in names[1:]), Block("loss", "Loss")]
    outputs = ["y", *["z"] * count]
    wires: list[Ends] = [
        ((names[index], outputs[index]), (names[index + 1], port)) for index in range(count) for port in ("x", "y")
    ]
    return graph_of(made, [*wires, ((names[-1], outputs[-1]), ("loss", "x"))])


def fan(count: int) -> Graph:
    """Returns one output that `count` inputs read; only the last of them leads to the loss."""
    made = [variable(), *(Block(f"t{index}", "Tanh") for index in range(count)), Block("loss", "Loss")]
    wires: list[Ends] = [(("x", "y"), (f"t{index}", "x")) for index in range(count)]
    return graph_of(made, [*wires, ((f"t{count - 1}", "y"), ("loss", "x"))])


def joined(count: int, kind: str) -> Graph:
    """Returns `count` blocks after one variable, and all of them in one block: AddN, or Concat."""
    output, parameters = ("y", {"axis": 0}) if kind == "Concat" else ("z", {})
    made = [variable([0.5]), *(Block(f"t{index}", "Tanh") for index in range(count))]
    made += [Block("all", kind, parameters=parameters), Block("sum", "ReduceSum"), Block("loss", "Loss")]
    wires: list[Ends] = [(("x", "y"), (f"t{index}", "x")) for index in range(count)]
    wires += [((f"t{index}", "y"), ("all", f"values_{index}")) for index in range(count)]
    return graph_of(made, [*wires, (("all", output), ("sum", "x")), (("sum", "y"), ("loss", "x"))])


def losses(count: int) -> Graph:
    """Returns one variable, and `count` losses that each depend on it."""
    made = [variable(), *(Block(f"l{index}", "Loss") for index in range(count))]
    return graph_of(made, [(("x", "y"), (f"l{index}", "x")) for index in range(count)])


def rings(count: int) -> Graph:
    """Returns cycles of two blocks each."""
    pairs = [(f"b{index:06}", f"b{index ^ 1:06}") for index in range(count)]
    return graph_of((Block(one, "Tanh") for one, _ in pairs), [((other, "y"), (one, "x")) for one, other in pairs])


def behind_a_ring(count: int) -> Graph:
    """Returns a cycle of two blocks, and a long chain after it whose first names come last."""
    names = [f"b{index:06}" for index in range(count, 0, -1)]
    wires: list[Ends] = [((one, "y"), (other, "x")) for one, other in itertools.pairwise(names)]
    return graph_of((Block(name, "Tanh") for name in names), [*wires, ((names[1], "y"), (names[0], "x"))])


def ring(count: int) -> Graph:
    """Returns one cycle of all blocks."""
    names = [f"b{index:06}" for index in range(count)]
    return graph_of(
        (Block(name, "Tanh") for name in names),
        [((names[index - 1], "y"), (names[index], "x")) for index in range(count)],
    )


def tower(pages: int, uses: int = 1) -> Graph:
    """Returns pages that each use the next one `uses` times; the last one holds a Tanh."""
    made = [
        page_of(
            "main",
            [variable(), Block("use", "Page", parameters={"page": "p1"}), Block("loss", "Loss")],
            [(("x", "y"), ("use", "x")), (("use", "y"), ("loss", "x"))],
        )
    ]
    for number in range(1, pages):
        is_last = number == pages - 1
        inner = [Block("tanh", "Tanh")] if is_last else _uses(f"p{number + 1}", uses)
        row = ["in", *(block.id for block in inner), "out"]
        ports = [
            Block("in", "PageInput", parameters={"name": "x"}),
            Block("out", "PageOutput", parameters={"name": "y"}),
        ]
        wires = [((one, "y"), (other, "x")) for one, other in itertools.pairwise(row)]
        made.append(page_of(f"p{number}", [*ports, *inner], wires))
    return Graph(tuple(made))


def _uses(page: str, count: int) -> list[Block]:
    return [Block(f"use{index}", "Page", parameters={"page": page}) for index in range(count)]


def crowd(uses: int, size: int) -> Graph:
    """Returns a page of many blocks, used many times side by side."""
    used = page_of("q", (Block(f"c{index}", "Constant", parameters={"value": 1.0}) for index in range(size)), [])
    return Graph((page_of("main", _uses("q", uses), []), used))


def many_ports(count: int) -> Graph:
    """Returns a page with many inputs, all of them wired where it is used."""
    inputs = (Block(f"i{index}", "PageInput", parameters={"name": f"i{index}"}) for index in range(count))
    wires: list[Ends] = [(("x", "y"), ("use", f"i{index}")) for index in range(count)]
    use = Block("use", "Page", parameters={"page": "q"})
    return Graph((page_of("main", [variable(), use], wires), page_of("q", inputs, [])))


def frames_in_frames(count: int) -> Graph:
    """Returns nested frames, the innermost around a block."""
    page = diamonds(2).pages[0]
    inner = [(f"f{index + 1}",) for index in range(count - 1)]
    frames = (Frame(f"f{index}", frames=held) for index, held in enumerate(inner))
    last = Frame(f"f{count - 1}", blocks=("x",))
    return Graph((Page("main", page.blocks, page.wires, frames=(*frames, last)),))


def broken_twice(count: int) -> Graph:
    """Returns a fan whose inputs all have a second wire, as a file may have it."""
    page = fan(count).pages[0]
    surplus = tuple(Wire(Port("x", "y"), Port(f"t{index}", "x")) for index in range(count))
    return Graph((Page("main", page.blocks, page.wires, surplus),))


def in_columns(graph: Graph, rows: int = 60) -> Graph:
    """Returns the graph with the blocks of its first page in columns."""
    page = graph.pages[0]
    at = ((number // rows * 288, number % rows * 192) for number in range(len(page.blocks)))
    placed = {
        name: Block(name, block.type, at=place, parameters=block.parameters)
        for (name, block), place in zip(page.blocks.items(), at, strict=True)
    }
    return Graph((Page(page.name, placed, page.wires), *graph.pages[1:]))
