"""Times each stage from a file to a snapshot, for random graphs of small blocks with every wire kept.

Prints the median of several runs and its ratio to one pass of the same NumPy calls without any graph: figures of one
run can be compared with each other, those of two machines cannot.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import blocks  # noqa: F401  # fills the library
from engine.evaluate import evaluate
from engine.files import dumps, loads
from engine.graph import Block, Graph, Page, Port, Wire
from engine.infer import infer_specs
from engine.lower import lower
from engine.plan import make_plan, run

ELEMENTS = 16
UNARY = ("Tanh", "Sin", "Sigmoid", "Negative", "Identity")
BINARY = ("Add", "Multiply", "Subtract", "Maximum")


def random_graph(count: int, seed: int = 0) -> Graph:
    """A graph of `count` small blocks: ten inputs, elementwise blocks on random earlier ones, and a Loss."""
    choose = random.Random(seed)
    numbers = np.random.default_rng(seed)
    built: dict[str, Block] = {}
    outputs: list[Port] = []
    wires: dict[Port, Wire] = {}
    for index in range(count - 1):
        name = f"b{index}"
        if index < 10:
            built[name] = Block(name, "Input", parameters={"value": numbers.normal(size=ELEMENTS)})
            outputs.append(Port(name, "y"))
            continue
        kind = choose.choice(UNARY + BINARY)
        built[name] = Block(name, kind)
        for port in ("x", "y") if kind in BINARY else ("x",):
            source = outputs[-1] if port == "x" else choose.choice(outputs[-200:])
            wires[Port(name, port)] = Wire(source, Port(name, port))
        outputs.append(Port(name, "z" if kind in BINARY else "y"))
    built["loss"] = Block("loss", "Loss")
    wires[Port("loss", "x")] = Wire(outputs[-1], Port("loss", "x"))
    return Graph(pages=(Page("main", built, wires),))


def median_of(action: Callable[[], object], runs: int = 5) -> float:
    """The median time of an action in seconds, after one run that does not count."""
    action()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(count: int) -> None:
    """Prints the stages for one size of graph."""
    graph = random_graph(count)
    text = dumps(graph)
    inferred = infer_specs(graph)
    lowered = lower(inferred)
    roots = [*lowered.ports.values(), *lowered.backward.totals.values(), *lowered.backward.edges.values()]
    plan = make_plan(roots)
    stages: dict[str, Callable[[], object]] = {
        "load": lambda: loads(text),
        "infer": lambda: infer_specs(graph),
        "lower and differentiate": lambda: lower(inferred),
        "plan": lambda: make_plan(roots),
        "run, every wire": lambda: run(plan),
        "whole evaluation, with statuses": lambda: evaluate(graph),
    }
    times = {name: median_of(action) for name, action in stages.items()}
    print(f"{count:,} blocks, {len(graph.pages[0].wires):,} wires, {len(plan.steps):,} steps")
    for name, seconds in times.items():
        print(f"  {name:32} {seconds * 1e3:9.1f} ms {seconds / times['run, every wire']:8.2f} x the run")


if __name__ == "__main__":
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    for size in (1_000, 5_000):
        measure(size)
