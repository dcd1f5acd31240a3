"""A benchmark of networks in an arena: a transformer's layer, an LSTM and a small CNN, every wire and gradient kept.

It times a run step by step, through the functions of the blocks, and reruns in an arena, compiled and with bound calls
of NumPy; the output has the least time of the processor and its ratio to the run step by step. Steps that recordings do
not replace are counted. `python -m benchmarks.peers transformer_16` compares with frameworks.
"""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from unittest.mock import patch

import numpy as np

from benchmarks.peers import ours
from benchmarks.peers.case import Case, unwatched
from benchmarks.peers.cases import CASES
from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Plan, make_plan, run
from gradwire.engine.executors import arena, numpy_program
from gradwire.engine.executors.chosen import EXECUTOR
from gradwire.engine.executors.tracing import Recordings
from gradwire.engine.executors.ufunc_loops import Strided

NAMES = ("transformer_16", "transformer_128", "lstm_1000", "cnn_32")
# Units: s.
BUDGET = 3.0


def least(action: Callable[[], object]) -> float:
    """Returns the least time of the processor that an action takes, in seconds, after one warm-up run."""
    action()
    found, begin = np.inf, time.process_time()
    while time.process_time() - begin < BUDGET:
        start = time.process_time()
        action()
        found = min(found, time.process_time() - start)
    return float(found)


def plan_of(case: Case) -> Plan:
    """Returns the plan of all values and gradients that an editor shows of a case."""
    inputs = {name: library["Input"](value=array, name=name) for name, array in case.inputs.items()}
    lowered = lower(infer_specs(trace([library["Loss"](case.loss(ours.OPS, inputs, unwatched))]).graph))
    backward = lowered.backward
    return make_plan(lowered.ports.values(), then=[*backward.totals.values(), *backward.edges.values()])


def called(plan: Plan, made: arena.Arena) -> Counter[str]:
    """Returns how many steps of each type call Python in each run."""
    recordings, found = Recordings(), Counter[str]()
    for step in plan.steps:
        arrays = [None if slot is None else made.results.values[slot] for slot in step.inputs]
        places = [None if item is None else Strided(0, 0, item.shape, item.strides, item.dtype) for item in arrays]
        if step.inputs and recordings.of(step.application, places) is None:
            found[step.application.type.name] += 1
    return found


def measure(name: str) -> None:
    """Prints the times of one case."""
    plan = plan_of(CASES[name]())
    base = least(lambda: run(plan))
    print(f"{name}: {len(plan.steps):,} steps")
    print(f"  {'step by step':24} {base * 1e3:10.3f} ms")
    modules: dict[str, ModuleType] = {EXECUTOR: arena, "bound calls": numpy_program}
    for executor, module in modules.items():
        with patch.multiple(arena, Program=module.Program, spread=module.spread, survey=module.survey):
            made = arena.Arena(plan)
        sources = [step.outputs[0] for step in plan.steps if step.application.type.name == "Input"]
        values = {slot: np.array(made.results.values[slot]) for slot in sources}
        seconds = least(functools.partial(made.run, values))
        print(f"  {f'again, {executor}':24} {seconds * 1e3:10.3f} ms {seconds / base:8.3f} x step by step")
    counts = called(plan, made)
    print(f"  calls of Python: {', '.join(f'{count} {kind}' for kind, count in counts.items()) or 'none'}")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or NAMES:
        measure(chosen)
