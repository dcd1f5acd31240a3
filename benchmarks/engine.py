"""Times each stage from a file to a snapshot, for random graphs of small blocks with every wire kept, and what it
costs to run the same graph again with other numbers.

Prints the median of several runs and its ratio to one pass over the plan step by step: figures of one run can be
compared with each other, those of two machines cannot.
"""

from __future__ import annotations

import functools
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np

import blocks  # noqa: F401  # fills the library
from engine import arena, bound_calls
from engine.arena import EXECUTOR, Arena
from engine.evaluate import evaluate
from engine.files import dumps, loads
from engine.garbage import collection_paused
from engine.graph import Block, Graph, Page, Port, Wire
from engine.infer import infer_specs
from engine.lower import lower
from engine.plan import Plan, make_plan, run

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
    # As in the program, where none of these is interrupted by a search for garbage.
    with collection_paused():
        times = {name: median_of(action) for name, action in stages.items()} | times_again(plan)
    print(f"{count:,} blocks, {len(graph.pages[0].wires):,} wires, {len(plan.steps):,} steps")
    for name, seconds in times.items():
        print(f"  {name:36} {seconds * 1e3:10.3f} ms {seconds / times['run, every wire']:8.3f} x the run")


def times_again(plan: Plan) -> dict[str, float]:
    """The times of the same plan in an arena: laying it out, all of it, and what depends on one input. Units: s."""
    sources = [step.outputs[0] for step in plan.steps if step.application.type.name == "Input"]
    found = {}
    for executor, module in {EXECUTOR: arena, "bound calls": bound_calls}.items():
        found |= _times_with(executor, module, plan, sources)
    return found


def _times_with(executor: str, module: Any, plan: Plan, sources: list[int]) -> dict[str, float]:
    with patch.multiple(arena, Program=module.Program, spread=module.spread, survey=module.survey):
        found = {f"laying out an arena, {executor}": median_of(lambda: Arena(plan), 3)}
        made = Arena(plan)
        values = {slot: np.array(made.results.values[slot]) for slot in sources}
        # The source with the fewest blocks behind it: about one in a hundred.
        least = min(sources, key=lambda slot: len(made.dependent({slot})))
        found[f"all again, {executor}"] = median_of(functools.partial(made.run, values), 21)
        found[f"one input again, {executor}"] = median_of(functools.partial(made.run, {least: values[least]}), 21)
        found[f"all again and a look at it, {executor}"] = median_of(lambda: (made.run(values), made.survey()), 21)
    return found


if __name__ == "__main__":
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    for size in (1_000, 5_000):
        measure(size)
