"""Random whole graphs: programs of every target against Gradwire, and statuses against a walk of their own."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import ExportError
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.spelling import Spelling
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.graph.graph import Graph
from tests.engine.programs import run_program
from tests.frameworks.installed import INSTALLED
from tests.frameworks.random_models import random_model
from tests.frameworks.status_walk import StatusWalk

GRAPHS, AT_ONCE = 130, 13
BATCHES = range(0, GRAPHS, AT_ONCE)
# Some blocks compute in float32 whatever they take, and sums are added up in another order.
ROOM = 1e-6
# PyTorch and JAX stop a gradient of NaN where these are flat; TensorFlow multiplies it by 0, which is NaN.
STOP_NAN = ("Relu", "Relu6")
# Whether they have a gradient depends on parameters that a walk does not know.
BY_PARAMETERS = {("FusedBatchNorm", "mean"), ("FusedBatchNorm", "variance")}


def runs(first: int) -> Iterator[tuple[Graph, Evaluation]]:
    """Yields graphs without errors, one for each seed of the batch: singular matrices, say, are drawn anew."""
    for seed in range(first, first + AT_ONCE):
        for again in range(10):
            graph = random_model(seed + GRAPHS * again)
            run = run_graph(graph)
            if not any(item.severity == "error" for item in run.snapshot.problems):
                yield graph, run
                break


def without_noted_lines(graph: Graph, target: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Returns the program in which NumPy computes each block with a line that gives another number at a kink or NaN."""
    write = Spelling.write

    def written(spelling: Spelling, key: str, *arguments: Any) -> str:
        is_left_out = key in spelling.notes or any(spelling is library[name].spelling for name in STOP_NAN)
        return "" if is_left_out else write(spelling, key, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Spelling, "write", written)
        return export(graph, target)


def disagreements(source: str) -> list[str]:
    """Returns the numbers of a program that are not those of Gradwire, relative to the greatest of each tensor."""
    with warnings.catch_warnings(action="ignore"):
        names = run_program(source)
    wrong = []
    for name, expected in names["expected"].items():
        finite = np.abs(expected[np.isfinite(expected)], dtype=np.float64)
        if not names["deviation"](names["found"][name], expected) <= ROOM * max(1.0, finite.max(initial=0)):
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("first", BATCHES)
@pytest.mark.parametrize("target", [name for name in TARGETS if name == "numpy" or name in INSTALLED])
def test_programs_of_random_graphs_give_the_numbers_of_gradwire(
    target: str, first: int, counted: Callable[[str, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, wrong = Counter[str](), []
    for place, (graph, _) in enumerate(runs(first)):
        try:
            source = export(graph, target)
        except ExportError:
            seen["refused"] += 1
            continue
        seen["written"] += 1
        if not disagreements(source):
            continue
        found = disagreements(without_noted_lines(graph, target, monkeypatch))
        seen["noted"] += not found
        wrong += [(first + place, found)] if found else []
    counted(f"{target}: programs written", seen["written"])
    counted(f"{target}: programs refused", seen["refused"])
    counted(f"{target}: programs that disagree where a comment says so", seen["noted"])
    counted(f"{target}: programs that disagree", len(wrong))
    assert not wrong
    assert seen["refused"] == 0


@pytest.mark.parametrize("first", BATCHES)
def test_statuses_are_those_of_a_walk(first: int, counted: Callable[[str, int], None]) -> None:
    seen, wrong = Counter[str](), []
    for place, (graph, run) in enumerate(runs(first)):
        walk = StatusWalk(graph, run.lowered.inferred.specs)
        results = {str(link.target): result for link, result in run.snapshot.wires.items()}
        for wire in graph.pages[0].wires.values():
            if (graph.pages[0].blocks[wire.target.block].type, wire.target.name) in BY_PARAMETERS:
                continue
            result = results[f"main/{wire.target}"]
            expected = walk.status(wire, result.gradient)
            seen[expected] += 1
            # What is left of terms that cancel is no gradient.
            is_rounding = result.gradient is not None and np.abs(result.gradient).max(initial=0) < 1e-12
            if result.status.value != expected and not (is_rounding and result.status.value == "zero"):
                wrong.append((first + place, str(wire.source), str(wire.target), result.status.value, expected))
    for name, count in seen.items():
        counted(f"statuses that are {name}", count)
    assert not wrong
    assert seen["flow"] > 50 and seen["blocked"] > 1
