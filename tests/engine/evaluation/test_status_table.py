"""Statuses in bulk equal those of single ports and wires."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.status_table import STATUSES, StatusTable
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x
from tests.gallery import example, example_names, examples_of_each_wiring, run_of_example


@pytest.mark.parametrize("name", example_names())
def test_a_look_at_whole_sums_finds_the_statuses_of_all_tolerances(name: str) -> None:
    run = run_of_example(name)
    whole, sizes, backward = run.tolerances, run.facts, run.lowered.backward
    gradients = {**backward.edges, **backward.totals}

    def by_numbers(gradient: Expression) -> Status:
        found = sizes.of(gradient)
        is_zero = found.largest == 0 and gradient.spec.size > 0
        return Status.NONFINITE if not found.is_finite else Status.ZERO if is_zero else Status.FLOW

    for arrival, gradient in gradients.items():
        expected = whole.status_of_edge(arrival) if isinstance(arrival, Edge) else whole.status_of_total(arrival)
        if expected is not Status.UNKNOWN:
            assert run.rounded.get(arrival, by_numbers(gradient)) is expected


def statuses() -> Graph:
    """Returns a graph with numbers of each status: NaN, infinity, zeros, none at all, and others."""
    line = x([2.0, -1.0]).source("w", [0.0, 0.0], "Constant").source("empty", np.zeros(0)).source("whole", np.array(3))
    line.source("zero", [0.0, 1.0], "Variable").source("beside", [1.0]).then("late", "Exp")
    for number, kind in enumerate(("StopGradient", "Floor", "Sqrt", "Multiply")):
        line.on("x.y").then(f"f{number}", kind, *["w.y"][: number // 3]).then(f"loss{number}", "Loss")
    line.on("zero.y").then("root", "Sqrt").then("infinite", "Loss").on("empty.y").then("e", "Exp").then(
        "r", "ReduceSum"
    )
    return line.loss()


def with_error() -> Graph:
    """Returns a graph in which an error hides gradients and a value."""
    return x([2.0, -1.0]).source("w", [0.0, 0.0, 1.0]).then("e", "Exp").on("e.y").then("a", "Add", "w.y").loss()


@pytest.mark.parametrize("graph", [statuses(), with_error(), *map(example, examples_of_each_wiring()[::4])])
def test_the_tables_hold_the_statuses_of_the_snapshot(graph: Graph) -> None:
    run = run_graph(graph)
    table, snapshot = StatusTable(run.structure), run.snapshot
    for column, results in ((table.ports, snapshot.ports), (table.wires, snapshot.wires)):
        found = [STATUSES[code] for code in column.statuses(run)]
        assert dict(zip(column.rows, found, strict=True)) == {name: item.status for name, item in results.items()}
    assert not table.has_gaps


def test_numbers_of_all_kinds_have_their_statuses() -> None:
    run = run_graph(statuses())
    wires = StatusTable(run.structure).wires
    codes = {str(link.target).removeprefix("main/"): wires.statuses(run)[row] for link, row in wires.rows.items()}
    assert {name: str(STATUSES[code]) for name, code in codes.items() if not name.startswith("loss")} == {
        "f0.x": "blocked",
        "f1.x": "non_differentiable",
        "f2.x": "nonfinite",
        "f3.x": "zero",
        "f3.y": "flow",
        "root.x": "nonfinite",
        "infinite.x": "flow",
        "e.x": "flow",
        "r.x": "flow",
        "late.x": "no_path",
    }
