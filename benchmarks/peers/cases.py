"""The cases: softmax, chains of small steps, networks and layers, and the graphs of an editor."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.peers.case import Array, Case, Mode, Watch, Wire
from benchmarks.peers.loops import as_loop
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from gradwire.engine.graph.graph import Wire as GraphWire
from tests.random_graphs import ELEMENTS, UNARY, random_graph

BLOCKS, ISLANDS = 5_000, 100
HEADS = 4
NUMBERS = np.random.default_rng(0)


def softmax(count: int) -> Case:
    """Returns the stable softmax with its maximum behind a StopGradient, and a weighted loss."""

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        e = ops.exp(ops.subtract(wires["x"], ops.stop(ops.largest(wires["x"]))))
        return ops.total(ops.multiply(wires["weights"], ops.divide(e, ops.total(e))))

    inputs = {name: _normal(count) for name in ("x", "weights")}
    return Case(f"softmax {count:,}", Mode.GRADIENTS, inputs, ("x",), loss)


def chain(steps: int, count: int) -> Case:
    """Returns a chain of elementwise steps and its sum."""

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        wire, factor, term = wires["x"], ops.number(1.001), ops.number(0.01)
        for step in range(steps):
            match step % 4:
                case 0:
                    wire = ops.multiply(wire, factor)
                case 1:
                    wire = ops.add(wire, term)
                case 2:
                    wire = ops.negative(wire)
                case _:
                    wire = ops.sin(wire)
        return ops.total(wire)

    return Case(f"chain {steps:,} x {count:,}", Mode.GRADIENTS, {"x": _normal(count)}, ("x",), loss, by_element=True)


def mlp(batch: int) -> Case:
    """Returns one training step of a network of three layers, 784-128-64-10."""
    sizes = (784, 128, 64, 10)
    layers = list(itertools.pairwise(sizes))

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        wire = wires["images"]
        for place in range(len(layers)):
            wire = ops.plus_bias(ops.matmul(wire, wires[f"w{place}"]), wires[f"b{place}"])
            wire = ops.relu(wire) if place < len(layers) - 1 else wire
        return ops.cross_entropy(wire, wires["labels"])

    inputs = {"images": _normal(batch, 784), "labels": _one_hot(batch, 10)}
    for place, (rows, columns) in enumerate(layers):
        inputs |= {f"w{place}": _normal(rows, columns) / np.float32(np.sqrt(rows)), f"b{place}": _normal(columns)}
    return Case(f"MLP, batch {batch}", Mode.STEP, inputs, tuple(inputs)[2:], loss)


def cnn(batch: int) -> Case:
    """Returns a network of two 3 x 3 convolutions, each with pooling, and a dense layer."""

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        wire = wires["images"]
        for place in range(2):
            wire = ops.plus_bias(ops.convolve(wire, wires[f"f{place}"]), wires[f"b{place}"])
            wire = ops.pool(ops.relu(wire))
        wire = ops.reshape(wire, (batch, 7 * 7 * 32))
        return ops.cross_entropy(ops.plus_bias(ops.matmul(wire, wires["w"]), wires["b"]), wires["labels"])

    inputs = {"images": _normal(batch, 28, 28, 1), "labels": _one_hot(batch, 10)}
    inputs |= {"f0": _normal(3, 3, 1, 16) / np.float32(3), "b0": _normal(16)}
    inputs |= {"f1": _normal(3, 3, 16, 32) / np.float32(12), "b1": _normal(32)}
    inputs |= {"w": _normal(7 * 7 * 32, 10) / np.float32(40), "b": _normal(10)}
    return Case(f"CNN, batch {batch}", Mode.GRADIENTS, inputs, tuple(inputs)[2:], loss)


def transformer(rows: int, width: int) -> Case:
    """Returns a layer of a transformer: attention with four heads, and two dense layers with Gelu between them."""

    def attention(ops: Any, wires: Mapping[str, Wire], wire: Wire) -> Wire:
        heads = (rows, HEADS, width // HEADS)
        q, k, v = (ops.reshape(ops.matmul(wire, wires[name]), heads) for name in ("wq", "wk", "wv"))
        scores = ops.matmul(ops.transpose(q, (1, 0, 2)), ops.transpose(k, (1, 2, 0)))
        shares = ops.softmax(ops.multiply(scores, ops.number((width // HEADS) ** -0.5)))
        found = ops.transpose(ops.matmul(shares, ops.transpose(v, (1, 0, 2))), (1, 0, 2))
        return ops.plus_bias(ops.matmul(ops.reshape(found, (rows, width)), wires["wo"]), wires["bo"])

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        wire = wires["x"]
        wire = ops.add(wire, attention(ops, wires, ops.normalize(wire, wires["gamma0"], wires["beta0"])))
        inner = ops.normalize(wire, wires["gamma1"], wires["beta1"])
        inner = ops.gelu(ops.plus_bias(ops.matmul(inner, wires["w0"]), wires["b0"]))
        wire = ops.add(wire, ops.plus_bias(ops.matmul(inner, wires["w1"]), wires["b1"]))
        return ops.total(ops.multiply(wire, wires["weights"]))

    inputs = {"weights": _normal(rows, width), "x": _normal(rows, width)}
    inputs |= {name: _dense(width, width) for name in ("wq", "wk", "wv", "wo")} | {"bo": _normal(width)}
    inputs |= {f"{name}{place}": _normal(width) for name in ("gamma", "beta") for place in range(2)}
    inputs |= {"w0": _dense(width, 4 * width), "b0": _normal(4 * width)}
    inputs |= {"w1": _dense(4 * width, width), "b1": _normal(width)}
    return Case(f"transformer {rows} x {width}", Mode.GRADIENTS, inputs, tuple(inputs)[1:], loss)


def lstm(steps: int, width: int = 16) -> Case:
    """Returns an LSTM that reads a sequence row by row, and a loss of its last output."""

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        def step(state: tuple[Wire, Wire], row: Wire) -> tuple[Wire, Wire]:
            h, c = state
            gates = ops.split(ops.add(row, ops.matmul(h, wires["u"])), 4, 1)
            keep, write, read = (ops.sigmoid(gate) for gate in gates[:3])
            c = ops.add(ops.multiply(keep, c), ops.multiply(write, ops.tanh(gates[3])))
            return ops.multiply(read, ops.tanh(c)), c

        rows, state = ops.plus_bias(ops.matmul(wires["x"], wires["w"]), wires["b"]), (wires["h"], wires["c"])
        # JAX compiles one step, and a loop around it: unrolled, it would compile for minutes.
        scan = getattr(ops, "scan", None)
        h, _ = scan(step, state, rows) if scan else functools.reduce(step, ops.split(rows, steps, 0), state)
        return ops.total(ops.multiply(h, wires["weights"]))

    inputs = {"weights": _normal(1, width), "h": _normal(1, width), "c": _normal(1, width), "x": _normal(steps, width)}
    inputs |= {"w": _dense(width, 4 * width), "u": _dense(width, 4 * width), "b": _normal(4 * width)}
    return Case(f"LSTM, {steps:,} steps", Mode.GRADIENTS, inputs, tuple(inputs)[1:], loss)


def graph_case(mode: Mode, blocks: int = BLOCKS) -> Case:
    """Returns a random graph of small blocks; for one changed leaf, a hundred graphs side by side."""
    if mode is Mode.ONE_LEAF:
        whole = _of_graph(mode, side_by_side(blocks, ISLANDS))
        return replace(whole, changed=(whole.wanted[0], NUMBERS.normal(size=ELEMENTS)))
    graph = without_ties(random_graph(blocks))
    if mode is Mode.ONE_EDIT:
        return replace(_of_graph(mode, graph), edited=_of_graph(mode, with_one_edit(graph)))
    return _of_graph(mode, graph)


def without_ties(graph: Graph) -> Graph:
    """Returns the graph with Subtract for Maximum, as frameworks share the gradient of equal numbers differently."""
    (page,) = graph.pages
    blocks = {
        name: replace(item, type="Subtract") if item.type == "Maximum" else item for name, item in page.blocks.items()
    }
    return Graph(pages=(replace(page, blocks=blocks),))


def with_one_edit(graph: Graph) -> Graph:
    """Returns the graph with another type for one block, half way to the loss."""
    (page,) = graph.pages
    names = list(page.blocks)
    middle = next(name for name in names[len(names) // 2 :] if page.blocks[name].type in UNARY)
    other = next(kind for kind in UNARY if kind != page.blocks[middle].type)
    return Graph(pages=(replace(page, blocks={**page.blocks, middle: replace(page.blocks[middle], type=other)}),))


def side_by_side(blocks: int, islands: int) -> Graph:
    """Returns random graphs without wires between them, whose outputs are added up for one loss."""
    built: dict[str, Block] = {}
    wires: dict[Port, GraphWire] = {}
    ends: list[Port] = []
    for island in range(islands):
        start = len(built)
        (page,) = without_ties(random_graph(blocks // islands, island)).pages
        names = {name: f"b{start + place}" for place, name in enumerate(page.blocks) if name != "loss"}
        built |= {names[name]: replace(item, id=names[name]) for name, item in page.blocks.items() if name != "loss"}
        for target, wire in page.wires.items():
            source = Port(names[wire.source.block], wire.source.name)
            if target.block == "loss":
                ends.append(source)
            else:
                moved = Port(names[target.block], target.name)
                wires[moved] = GraphWire(source, moved)
    built |= {"sum": Block("sum", "AddN"), "loss": Block("loss", "Loss")}
    for place, source in enumerate(ends):
        target = Port("sum", f"values_{place}")
        wires[target] = GraphWire(source, target)
    wires[Port("loss", "x")] = GraphWire(Port("sum", "z"), Port("loss", "x"))
    return Graph(pages=(Page("main", built, wires),))


def _of_graph(mode: Mode, graph: Graph) -> Case:
    (page,) = graph.pages
    inputs = {name: item.parameters["value"] for name, item in page.blocks.items() if item.type == "Input"}
    rows = [(name, item.type, _sources(page, name)) for name, item in page.blocks.items() if name not in inputs]

    wanted = tuple(name for name in inputs if any(name in sources for _, _, sources in rows))

    def loss(ops: Any, wires: Mapping[str, Wire], watch: Watch) -> Wire:
        found = {name: watch(wire) for name, wire in wires.items()}
        for name, kind, sources in rows:
            arguments = [found[source] for source in sources]
            if kind == "Loss":
                return ops.total(arguments[0])
            if kind == "AddN":
                found[name] = watch(functools.reduce(ops.add, arguments))
            else:
                found[name] = watch(getattr(ops, kind.lower())(*arguments))
        raise AssertionError("a graph without a loss")

    return Case(f"graph of {len(page.blocks):,} blocks", mode, inputs, wanted, loss, graph)


def _sources(page: Page, name: str) -> Sequence[str]:
    """Returns the sources of a block, in the order of its ports."""
    targets = [target for target in page.wires if target.block == name] if page.blocks[name].type == "AddN" else ()
    ports = targets or [Port(name, port) for port in ("x", "y") if Port(name, port) in page.wires]
    return [page.wires[port].source.block for port in ports]


def _normal(*shape: int) -> Array:
    return NUMBERS.normal(size=shape).astype(np.float32)


def _dense(rows: int, columns: int) -> Array:
    return _normal(rows, columns) / np.float32(np.sqrt(rows))


def _one_hot(rows: int, columns: int) -> Array:
    return np.eye(columns, dtype=np.float32)[NUMBERS.integers(columns, size=rows)]


CASES: Mapping[str, Callable[[], Case]] = {
    **{f"softmax_{count}": functools.partial(softmax, count) for count in (10, 1_000, 1_000_000)},
    **{f"chain_{count}": functools.partial(chain, 1_000, count) for count in (16, 1_000_000)},
    **{f"mlp_{batch}": functools.partial(mlp, batch) for batch in (32, 256)},
    "cnn_32": functools.partial(cnn, 32),
    "transformer_16": functools.partial(transformer, 16, 32),
    "transformer_128": functools.partial(transformer, 128, 256),
    "lstm_1000": functools.partial(lstm, 1_000),
    "scan_1000": lambda: as_loop(lstm(1_000), 1_000),
    "graph_gradients": functools.partial(graph_case, Mode.GRADIENTS),
    "graph_wires": functools.partial(graph_case, Mode.EVERY_WIRE),
    "graph_leaf": functools.partial(graph_case, Mode.ONE_LEAF),
    "graph_edit": functools.partial(graph_case, Mode.ONE_EDIT),
}
