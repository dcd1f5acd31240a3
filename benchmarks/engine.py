"""A benchmark of each stage from a file to a snapshot, for random graphs of small blocks.

It also times repeated runs, of the same graph with other numbers; all wires are kept. The output has the
median of several runs and its ratio to one pass over the plan step by step. Then come a plan for training and a
gradient check beside their goals. At last it sets a look at 1,000,000 numbers, in time of the processor, beside
computing them. Figures of one run are comparable, those of two machines are not.
"""

from __future__ import annotations

import functools
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Plan, make_plan, run
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.executors import arena, numpy_program
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.chosen import EXECUTOR
from gradwire.engine.explain.checks.check import check_gradients
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.training.training import Training
from tests.blocks.contract.large_inputs import GROWING, larger, record
from tests.random_graphs import random_graph


def median_of(action: Callable[[], object], runs: int = 5) -> float:
    """Returns the median time of an action in seconds, after one warm-up run."""
    action()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(count: int) -> None:
    """Prints the times of all stages for one size of graph."""
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
    # The program pauses the garbage collector during these stages, too.
    with collection_paused():
        times = {name: median_of(action) for name, action in stages.items()} | times_again(plan)
    print(f"{count:,} blocks, {len(graph.pages[0].wires):,} wires, {len(plan.steps):,} steps")
    for name, seconds in times.items():
        print(f"  {name:36} {seconds * 1e3:10.3f} ms {seconds / times['run, every wire']:8.3f} x the run")


def times_again(plan: Plan) -> dict[str, float]:
    """Returns the times of a plan in an arena: layout, a full run, and a run after one changed input.

    Units: s.
    """
    sources = [step.outputs[0] for step in plan.steps if step.application.type.name == "Input"]
    found = {}
    for executor, module in {EXECUTOR: arena, "bound calls": numpy_program}.items():
        found |= _times_with(executor, module, plan, sources)
    return found


def _times_with(executor: str, module: Any, plan: Plan, sources: list[int]) -> dict[str, float]:
    with patch.multiple(arena, Program=module.Program, spread=module.spread, survey=module.survey):
        found = {f"laying out an arena, {executor}": median_of(lambda: Arena(plan), 3)}
        made = Arena(plan)
        values = {slot: np.array(made.results.values[slot]) for slot in sources}
        # The source with the fewest dependent blocks: about one in a hundred.
        least = min(sources, key=lambda slot: len(made.dependent({slot})))
        found[f"all again, {executor}"] = median_of(functools.partial(made.run, values), 21)
        found[f"one input again, {executor}"] = median_of(functools.partial(made.run, {least: values[least]}), 21)
        found[f"all again and a look at it, {executor}"] = median_of(lambda: (made.run(values), made.survey()), 21)
    return found


def measure_goals() -> None:
    """Prints the processor times of a plan for training and of a gradient check beside their goals."""
    y = library["Input"](value=np.linspace(-1, 1, 16))
    for _ in range(300):
        y = library["Tanh"](y)
    chain, wide = trace([library["Loss"](y)]).graph, random_graph(15_000, reach=15_000)
    sources = [f"{name}.y" for name, item in wide.pages[0].blocks.items() if item.type == "Input"]
    cases: dict[str, tuple[Callable[[], object], float]] = {
        "training's plan of a wide graph of 15,000 blocks": (lambda: Training(wide, watch=sources), 3),
        "gradient check of a chain of 300 Tanh over 16": (lambda: check_gradients(chain), 1),
    }
    for name, (action, goal) in cases.items():
        print(f"{name:50} {least_of(action, 2):6.2f} s, goal {goal} s")


def measure_looks(count: int = 1_000_000) -> None:
    """Prints what it costs to compute many numbers, to look at them, and to make their picture."""
    for dtype in ("float32", "float64"):
        x = constant(np.random.default_rng(0).standard_normal(count).astype(dtype))
        made = Arena(make_plan([library["Square"](x)]))
        slot = made.results.plan.slots[x]
        values = np.array(made.results.values[slot])
        computing = least_of(lambda made=made, slot=slot, values=values: made.run({slot: values}))
        both = least_of(lambda made=made, slot=slot, values=values: (made.run({slot: values}), made.survey()))
        # The survey covers the source as well as the result.
        picture = least_of(functools.partial(thumbnail_of, values))
        times = {"a look at it": (both - computing) / 2, "a picture of it": picture}
        print(f"{count:,} numbers in {dtype}, changed and squared, {EXECUTOR}: {computing * 1e3:.3f} ms")
        for name, seconds in times.items():
            print(f"  {name:36} {seconds * 1e3:10.3f} ms {seconds / computing:8.3f} x computing it")


def measure_recording(count: int = 1_000_000) -> None:
    """Prints how long it takes to record the functions of all block types for a million elements, before they run."""
    found = {}
    for block_type in GROWING:
        applications = larger(block_type, 2, count)
        if applications is not None:
            found[block_type.name] = least_of(functools.partial(record, applications[1]), 2)
    slowest = sorted(found.items(), key=lambda item: -item[1])[:5]
    print(f"recording a function for {count:,} elements, {len(found)} types, goal 50 ms; the slowest:")
    for name, seconds in slowest:
        print(f"  {name:36} {seconds * 1e3:10.3f} ms")


def least_of(action: Callable[[], object], runs: int = 40) -> float:
    """Returns the least processor time of an action in seconds."""
    action()
    times = []
    for _ in range(runs):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    for size in (1_000, 5_000):
        measure(size)
    measure_goals()
    measure_looks()
    measure_recording()
