"""A benchmark of large tensors in an evaluator that keeps only some of them, and in one that keeps all.

The graph is a chain of steps over 1,000,000 numbers in float32; each case runs in a fresh process. The output
has the peak memory and the times of the first answer, of a dragged number and of the causes after it. It also
has the time of a whole tensor that the evaluator recomputes. Times are processor times; ratios refer to the
same chain with all tensors kept.
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import KEEPING, Request, Worker
from gradwire.app.live.questions.questions import TensorName
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

COUNT, KINDS, OUTPUTS = 1_000_000, ("Multiply", "Add", "Exp", "Negative", "Sin"), {"Multiply": "z", "Add": "z"}
# With all tensors kept, so many steps need more memory than most computers have.
STEPS, MOST_WITH_ALL = (60, 300), 100
MEBI = 2**20


def chain(steps: int, count: int = COUNT) -> Graph:
    """Returns a chain of elementwise steps and its sum."""
    numbers = np.random.default_rng(0).standard_normal(count).astype(np.float32)
    sources = {"x": numbers, "factor": np.array(1.001, np.float32), "term": np.array(0.01, np.float32)}
    made = {name: Block(name, "Input", parameters={"value": value}) for name, value in sources.items()}
    ends, last = dict[Port, Port](), Port("x", "y")
    for step in range(steps):
        name, kind = f"s{step}", KINDS[step % len(KINDS)]
        made[name] = Block(name, kind)
        ends[Port(name, "x")] = last
        if kind in OUTPUTS:
            ends[Port(name, "y")] = Port("factor" if kind == "Multiply" else "term", "y")
        last = Port(name, OUTPUTS.get(kind, "y"))
    made["loss"] = Block("loss", "Loss")
    ends[Port("loss", "x")] = last
    return Graph(pages=(Page("main", made, {target: Wire(source, target) for target, source in ends.items()}),))


def measure(steps: int, keeps_all: bool) -> dict[str, float]:
    """Returns the costs of one chain. Units: MiB and ms."""
    worker, small, graph = (
        Worker(is_quick=True, keeping=None if keeps_all else KEEPING),
        chain(len(KINDS), 10),
        chain(steps),
    )
    worker.run(Request(0, update_between(Graph(()), small)))
    before = graph
    found = {"memory before": _peak(), "first answer": _time(worker.run, Request(1, update_between(small, graph)))}
    found["causes that follow it"] = _time(worker.explained) if worker.owes_causes else 0.0
    drags, causes = [], []
    for number in range(4):
        graph = edits.set_parameter(before, "main", "factor", "value", np.array(1 + number / 999, np.float32))
        drags.append(_time(worker.run, Request(2 + number, update_between(before, graph))))
        causes.append(_time(worker.explained) if worker.owes_causes else 0.0)
        before = graph
    found["a dragged number"], found["the causes after it"] = (
        statistics.median(drags),
        statistics.median(causes),
    )
    ports = [PortName(f"main/s{step}", OUTPUTS.get(KINDS[step % len(KINDS)], "y")) for step in range(3, steps, 11)]
    for name, is_gradient in (("a value", False), ("a gradient", True)):
        times = [_time(worker.answer, TensorName(port, is_gradient)) for port in ports]
        found[f"{name} asked for, mean"], found[f"{name} asked for, longest"] = statistics.mean(times), max(times)
    return found | {"memory at most": _peak()}


def _peak() -> float:
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEBI


def _time(action: Callable[..., object], *given: object) -> float:
    start = time.process_time()
    action(*given)
    return (time.process_time() - start) * 1e3


def measured_apart(steps: int, keeps_all: bool) -> dict[str, float]:
    """Returns the costs of one chain, measured in a separate process."""
    command = [sys.executable, "-m", "benchmarks.large", str(steps), "all" if keeps_all else "some"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Prints a table for each number of steps."""
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    for steps in STEPS:
        some = measured_apart(steps, keeps_all=False)
        whole = measured_apart(steps, keeps_all=True) if steps <= MOST_WITH_ALL else {}
        print(f"{steps} steps over {COUNT:,} numbers: MiB, ms, and the ratio to keeping all")
        for name, number in some.items():
            ratio = f"{number / whole[name]:10.2f}" if whole.get(name) else ""
            print(f"  {name:32} {number:10.1f}{ratio}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]), sys.argv[2] == "all")))
    else:
        main()
