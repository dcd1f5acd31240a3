"""Graphs with loops, and the same graphs with a page for each round, wired by hand."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

UNARY = ("Tanh", "Sin", "Relu", "Sigmoid", "Negative", "Floor", "StopGradient", "Abs", "Sign", "Reroute", "Softmax")
BINARY = ("Add", "Multiply", "Subtract", "Maximum", "Divide")
SIZE = 3


def page_from(name: str, blocks: list[Block], wires: list[tuple[str, str]]) -> Page:
    """Returns a page from blocks and wires written `block.port`."""
    ends = [(Port(*source.split(".")), Port(*target.split("."))) for source, target in wires]
    return Page(name, {block.id: block for block in blocks}, {target: Wire(source, target) for source, target in ends})


def source(name: str, value: object) -> Block:
    """Returns an Input block."""
    return Block(name, "Input", parameters={"value": np.asarray(value, float)})


def entry(name: str, y: int = 0, **parameters: object) -> Block:
    """Returns an input of a page, whose block has the name of its port."""
    return Block(name, "PageInput", at=(0, y), parameters={"name": name, **parameters})


def leaving(name: str, y: int = 0) -> Block:
    """Returns an output of a page; the id of its block ends in `_out`."""
    return Block(f"{name}_out", "PageOutput", at=(900, y), parameters={"name": name})


def scan(name: str, page: str, times: int, **parameters: object) -> Block:
    """Returns a loop."""
    return Block(name, "Scan", parameters={"page": page, "times": times, **parameters})


def recurrence() -> Graph:
    """Returns a graph in which h becomes h * w + x four times, stopped every second time."""
    wires = [("h.y", "m.x"), ("w.y", "m.y"), ("m.z", "a.x"), ("x.y", "a.y"), ("a.z", "h_out.x"), ("m.z", "o_out.x")]
    blocks = [entry("h"), entry("x", 1), entry("w", 2), Block("m", "Multiply"), Block("a", "Add")]
    rec = scan("rec", "cell", 4, stop_every=2, each=("x",), collect=("o",))
    sources = [source("h", 5), source("x", [1, 2, 3, 4]), source("w", 2)]
    ends = [("h.y", "rec.h"), ("x.y", "rec.x"), ("w.y", "rec.w"), ("rec.h", "loss.x")]
    pages = (
        page_from("main", [*sources, rec, Block("loss", "Loss")], ends),
        page_from("cell", [*blocks, leaving("h"), leaving("o", 1)], wires),
    )
    checks = (
        {"at": "main/rec[3]/m.z", "value": 102.0},
        {"at": "main/rec[2].h", "gradient": 2.0},
        {"wire": ("main/rec[1].h", "main/rec[2].h"), "status": "blocked"},
    )
    return Graph(pages=pages, checks=checks)


def random_loop(seed: int) -> Graph:
    """Returns a graph with a loop over a random body, and losses on some of its outputs."""
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    times, kept = choose.randint(1, 6), ["h", "c"][: choose.choice([0, 1, 1, 2])]
    each = ["x", "u"][: choose.randint(0 if kept else 1, 2)]
    shared = ["w", "v"][: choose.randint(0, 2)]
    free = ["o", "p"][: choose.randint(0 if kept else 1, 2)]
    inputs, outputs = [*kept, *each, *shared], [*kept, *free]
    body, wires, ports = [], [], [f"{name}.y" for name in inputs]
    for number in range(choose.randint(1, 10)):
        kind = choose.choice(UNARY + BINARY)
        body.append(Block(f"b{number}", kind))
        wires += [(choose.choice(ports), f"b{number}.{port}") for port in ("xy" if kind in BINARY else "x")]
        ports.append(f"b{number}.{'z' if kind in BINARY else 'y'}")
    wires += [(choose.choice(ports[-4:]), f"{name}_out.x") for name in outputs]
    places = [*map(entry, inputs, range(len(inputs))), *map(leaving, outputs, range(len(outputs)))]
    collect = tuple(name for name in outputs if choose.random() < 0.5)
    rec = scan("rec", "cell", times, stop_every=choose.randint(0, 3), each=tuple(each), collect=collect)
    main = [rec, *(source(name, numbers.normal(size=SIZE)) for name in (*kept, *shared))]
    main += [source(name, numbers.normal(size=(times, SIZE))) for name in each]
    ends = [(f"{name}.y", f"rec.{name}") for name in inputs]
    for number, name in enumerate(outputs):
        if number == 0 or choose.random() < 0.7:
            main.append(Block(f"loss{number}", "Loss"))
            ends.append((f"rec.{name}", f"loss{number}.x"))
    return Graph(pages=(page_from("main", main, ends), page_from("cell", [*places, *body], wires)))


class ByHand:
    """A graph with blocks of type Page, Unstack, Stack, Identity and StopGradient in place of its loops.

    The inputs of pages must be blocks of the names of their ports, and each loop has an id of its own.
    """

    def __init__(self, graph: Graph) -> None:
        self._loops = {
            block.id: (block.parameters, graph.page(str(block.parameters["page"])))
            for page in graph.pages
            for block in page.blocks.values()
            if block.type == "Scan"
        }
        self.graph = dataclasses.replace(graph, pages=tuple(map(self._page, graph.pages)))

    def _page(self, page: Page) -> Page:
        loops = [block.id for block in page.blocks.values() if block.type == "Scan"]
        blocks = {name: block for name, block in page.blocks.items() if name not in loops}
        wires = [wire for wire in page.wires.values() if wire.target.block not in loops]
        for name in loops:
            arriving = {wire.target.name: wire.source for wire in page.wires.values() if wire.target.block == name}
            for block, ends in self._rounds(name, arriving):
                blocks[block.id] = block
                wires += [Wire(end, Port(block.id, port)) for port, end in ends.items()]
        moved = [Wire(self._source(wire.source), wire.target) for wire in wires]
        return dataclasses.replace(page, blocks=blocks, wires={wire.target: wire for wire in moved})

    def _names(self, loop: str, kind: str) -> list[str]:
        found = [block for block in self._loops[loop][1].blocks.values() if block.type == kind]
        return [str(block.parameters["name"]) for block in found]

    def _rounds(self, loop: str, arriving: Mapping[str, Port]) -> Iterator[tuple[Block, dict[str, Port]]]:
        given: Mapping[str, Any] = self._loops[loop][0]
        outputs, stop_every = self._names(loop, "PageOutput"), int(given.get("stop_every", 0))
        shared = [name for name in arriving if name not in outputs]
        for name in shared:
            kind = "Unstack" if name in given.get("each", ()) else "Identity"
            yield Block(f"{loop}_{name}", kind), {"x": arriving[name]}
        for number in range(given["times"]):
            ends = {
                name: Port(f"{loop}_{name}", f"y_{number}" if name in given.get("each", ()) else "y") for name in shared
            }
            for name in set(self._names(loop, "PageInput")) & set(outputs):
                if number == 0 and name in arriving:
                    ends[name] = arriving[name]
                elif number and stop_every and number % stop_every == 0:
                    yield Block(f"{loop}_{name}_{number}", "StopGradient"), {"x": Port(f"{loop}_{number - 1}", name)}
                    ends[name] = Port(f"{loop}_{name}_{number}", "y")
                elif number:
                    ends[name] = Port(f"{loop}_{number - 1}", name)
            yield Block(f"{loop}_{number}", "Page", parameters={"page": given["page"]}), ends
        for name in given.get("collect", ()):
            rounds = {f"values_{number}": Port(f"{loop}_{number}", name) for number in range(given["times"])}
            yield Block(f"{loop}_{name}", "Stack"), rounds

    def _source(self, port: Port) -> Port:
        if port.block not in self._loops:
            return port
        given: Mapping[str, Any] = self._loops[port.block][0]
        if port.name in given.get("collect", ()):
            return Port(f"{port.block}_{port.name}", "y")
        return Port(f"{port.block}_{given['times'] - 1}", port.name)

    # Names of the graph with loops in the graph by hand

    def path(self, path: str) -> str:
        """Returns the path of a block; where the input of a round stops gradients, that of the StopGradient."""
        found = re.search(r"(\w+)\[(\d+)\]/(\w+)$", path)
        if found is not None and self._stops(found[1], found[3], int(found[2])):
            return self._plain(path[: found.start()]) + f"{found[1]}_{found[3]}_{found[2]}"
        return self._plain(path)

    def port(self, port: PortName) -> PortName:
        """Returns the name of an output port."""
        prefix, _, last = port.path.rpartition("/")
        if last in self._loops:
            return PortName(f"{self._plain(prefix)}/{(end := self._source(Port(last, port.port))).block}", end.name)
        return PortName(self._plain(port.path), port.port)

    def link(self, link: Link) -> Link:
        """Returns the wire."""
        return Link(self.port(link.source), self._target(link.target))

    def _target(self, target: PortName) -> PortName:
        prefix, _, last = target.path.rpartition("/")
        found = re.fullmatch(r"(\w+)\[(\d+)\]", last)
        if found is not None and self._stops(found[1], target.port, int(found[2])):
            return PortName(f"{self._plain(prefix)}/{found[1]}_{target.port}_{found[2]}", "x")
        if last not in self._loops:
            return PortName(self._plain(target.path), target.port)
        is_carried = target.port in self._names(last, "PageOutput")
        block, port = (f"{last}_0", target.port) if is_carried else (f"{last}_{target.port}", "x")
        return PortName(f"{self._plain(prefix)}/{block}", port)

    def _stops(self, loop: str, name: str, number: int) -> bool:
        if loop not in self._loops or name not in self._names(loop, "PageOutput") or not number:
            return False
        stop_every = int(str(self._loops[loop][0].get("stop_every", 0)))
        return bool(stop_every) and number % stop_every == 0 and name in self._names(loop, "PageInput")

    @staticmethod
    def _plain(path: str) -> str:
        return re.sub(r"\[(\w+)\]", r"_\1", path)

    def facts(self, snapshot: Snapshot) -> dict[object, object]:
        """Returns all results of a graph with loops, by the names of the graph by hand."""
        ports = {self.port(name): _facts(result, self.path) for name, result in snapshot.ports.items()}
        wires = {self.link(link): _facts(result, self.path) for link, result in snapshot.wires.items()}
        return {**ports, **wires}


def facts(snapshot: Snapshot) -> dict[object, object]:
    """Returns all results of a run, bit for bit."""
    whole = {**snapshot.ports, **snapshot.wires}
    return {name: _facts(result, str) for name, result in whole.items()}


def _facts(item: Any, path: Any) -> object:
    """Returns a result without NaN, which no comparison finds equal, and with other paths."""
    if isinstance(item, np.ndarray):
        return item.dtype.name, item.shape, item.tobytes()
    if dataclasses.is_dataclass(item):
        names = [field.name for field in dataclasses.fields(item)]
        return {name: _facts(getattr(item, name), path) for name in names}
    if isinstance(item, Mapping):
        return {key: _facts(part, path) for key, part in item.items()}
    if isinstance(item, tuple):
        return tuple(_facts(part, path) for part in item)
    if not isinstance(item, str):
        return item
    # Sentences name a block behind its rounds, which pages one behind the other do not have.
    return path(item) if item.startswith("main/") else re.sub(r'"[\w/\[\]]*\]/', '"', item)
