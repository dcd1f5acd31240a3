"""The example graphs that come with the program, for tests that know nothing of the app."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from gradwire import HOME
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph

FOLDER = HOME / "assets" / "examples"


@cache
def example_names() -> tuple[str, ...]:
    """Returns the names of all examples, sorted."""
    names = tuple(sorted(path.stem for path in FOLDER.glob("*.graph")))
    assert len(names) > 60, "the examples are not where this module looks"
    return names


def example_path(name: str) -> Path:
    """Returns the path of an example."""
    path = FOLDER / f"{name}.graph"
    assert path.exists(), f"there is no example {name}"
    return path


@cache
def example(name: str) -> Graph:
    """Returns the graph of an example; tests share it, for graphs never change."""
    return load(example_path(name)).graph


@cache
def examples_of_each_wiring() -> tuple[str, ...]:
    """Returns the smallest example of each wiring: for laws that hold whatever the numbers and lengths of chains."""
    return smallest_of_each_wiring({name: example(name) for name in example_names()})


def smallest_of_each_wiring(graphs: Mapping[str, Graph]) -> tuple[str, ...]:
    """Returns one name for each set of pairs of joined ports, that of the graph with the fewest blocks, sorted."""
    found: dict[frozenset[tuple[str, ...]], str] = {}
    for name in sorted(graphs, key=lambda name: sum(len(page.blocks) for page in graphs[name].pages)):
        found.setdefault(wiring(graphs[name]), name)
    return tuple(sorted(found.values()))


def wiring(graph: Graph) -> frozenset[tuple[str, ...]]:
    """Returns the types and ports that wires join."""
    ends = [(page.blocks, wire.source, wire.target) for page in graph.pages for wire in page.wires.values()]
    return frozenset(
        (blocks[source.block].type, source.name, blocks[target.block].type, target.name)
        for blocks, source, target in ends
        if source.block in blocks and target.block in blocks
    )


@cache
def run_of_example(name: str) -> Evaluation:
    """Returns the run of an example; tests share it, for a run never changes what it says."""
    return run_graph(example(name))
