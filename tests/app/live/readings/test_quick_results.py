"""Readings in bulk, of the same graph with other numbers and of edited graphs, equal those of a run of their own."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.worker import Worker
from gradwire.app.live.readings import first_results as told
from gradwire.app.live.readings.first_results import first_results, is_told_in_steps, is_very_large
from gradwire.app.live.readings.readings import results_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.graph.graph import Graph, Port
from tests.app.live.test_worker import Window, assert_same, assert_same_readings

STOPPED = Link(PortName("main/t", "y"), PortName("main/stop", "x"))


@pytest.fixture(autouse=True)
def _causes_are_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", -1.0)


def graph(seed: int = 0) -> Graph:
    """Returns a loss of vectors, curves, matrices that are read across, and of what a stop withholds."""
    numbers = np.random.default_rng(seed)
    x = gw.Variable(numbers.normal(size=(5, 20)), name="x")
    v = gw.Variable(numbers.normal(size=100), name="v")
    few = gw.Input(numbers.normal(size=3), name="few")
    t = gw.Tanh(x, name="t")
    stop = gw.StopGradient(t, name="stop")
    product = gw.MatMul(gw.Transpose(x), stop, name="product")
    parts = [gw.ReduceSum(gw.Square(item)) for item in (product, gw.Exp(v), few)]
    return gw.graph(gw.Loss(parts[0] + parts[1] + parts[2], name="loss"))


def with_numbers(before: Graph, seed: int) -> Graph:
    numbers = np.random.default_rng(seed)
    for name, shape in (("x", (5, 20)), ("v", (100,)), ("few", (3,))):
        before = edits.set_parameter(before, "main", name, "value", numbers.normal(size=shape))
    return before


def test_other_numbers_are_read_as_from_the_start() -> None:
    worker, shown = Worker(is_quick=True), graph()
    window = Window(worker)
    assert_same(window.show(shown), results_of(evaluate(shown), 1))
    worker.prepare()
    for seed in (1, 2, 3):
        shown = with_numbers(shown, seed)
        found, expected = window.show(shown), results_of(evaluate(shown), 0)
        assert_same(found, expected)
        assert worker.owes_causes and found.owes_causes and found.revision == seed + 1
        # The stop withholds the gradient of t along its wire: its norm is told beside the wire.
        link = next(link for link in found.wires.row_of if link.target.path == "main/stop")
        assert found.withheld[found.wires.row_of[link]] > 0
    assert not window.rest().owes_causes and not worker.owes_causes


def test_what_breaks_on_the_way_is_read_in_bulk_as_well() -> None:
    worker, shown = Worker(is_quick=True), graph()
    window = Window(worker)
    window.show(shown)
    worker.prepare()
    for broken in (np.inf, np.nan, -0.0, 1e308):
        numbers = np.full(100, 0.5)
        numbers[3] = broken
        shown = edits.set_parameter(shown, "main", "v", "value", numbers)
        assert_same(window.show(shown), results_of(evaluate(shown), 0))


def test_edits_are_followed_row_by_row() -> None:
    worker, shown = Worker(is_quick=True), graph()
    window = Window(worker)
    window.show(shown)
    worker.prepare()
    muted = edits.set_muted(shown, "main", ("stop",), True)
    added, _ = edits.add_block(muted, "main", "Exp", id="spare")
    joined = edits.connect(added, "main", Port("t", "y"), Port("spare", "x"))
    for step in (muted, shown, muted, added, joined, muted, with_numbers(muted, 7), joined):
        found = window.show(step)
        assert_same_readings(found, results_of(evaluate(step), 0))
        worker.prepare()
    explained = window.rest()
    assert_same_readings(explained, results_of(evaluate(joined), 0))
    # What was found in a rest is kept for the numbers that follow.
    moved = with_numbers(joined, 8)
    assert_same_readings(window.show(moved), results_of(evaluate(moved), 0))


def test_causes_are_found_at_once_where_that_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", 1e9)
    worker, shown = Worker(is_quick=True), graph()
    window = Window(worker)
    window.show(shown)
    worker.prepare()
    for seed in (1, 2):
        shown = with_numbers(shown, seed)
        found = window.show(shown)
        assert_same(found, results_of(evaluate(shown), 0))
        assert not worker.owes_causes and not found.owes_causes


def blocks(count: int) -> Graph:
    """Returns a chain of so many blocks; each but the last has one output port."""
    value = gw.Input(np.ones(2), name="x")
    for place in range(count - 2):
        value = gw.Tanh(value, name=f"t{place}")
    return gw.graph(gw.Loss(value, name="loss"))


@pytest.mark.parametrize(("count", "is_large"), [(9, False), (10, True), (11, True)])
def test_graphs_from_a_number_of_blocks_on_are_very_large(
    monkeypatch: pytest.MonkeyPatch, count: int, is_large: bool
) -> None:
    monkeypatch.setattr(told, "VERY_LARGE", 10)
    monkeypatch.setattr(told, "LARGE", 10)
    made = blocks(count)
    run = run_graph(made)
    assert (sum(len(page.blocks) for page in made.pages), len(run.lowered.ports)) == (count, count)
    assert is_very_large(made) is is_large and is_told_in_steps(run) is is_large


def test_a_graph_with_a_failure_is_explained_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "LARGE", 0)
    for index, is_in_range in ((2, True), (3, False)):
        rows = gw.Gather(gw.Variable(np.ones((3, 2)), name="x"), gw.Input(np.array([index]), name="row"))
        run = run_graph(gw.graph(gw.Loss(gw.ReduceSum(rows), name="loss")))
        assert (not run.results.failures) is is_in_range and is_told_in_steps(run) is is_in_range


@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_results_have_all_numbers_of_the_whole_ones(seed: int) -> None:
    """Stops that withhold nothing, and places without a gradient, are among them."""
    shown = with_numbers(graph(), seed)
    shown = edits.connect(
        edits.add_block(shown, "main", "StopGradient", id="idle")[0], "main", Port("v", "y"), Port("idle", "x")
    )
    run = run_graph(shown)
    found, whole = first_results(run, 4, 0.25), results_of(run.snapshot, 4)
    assert (found.revision, found.seconds, found.passes) == (4, 0.25, run.results.passes)
    assert_same(found, whole)
    assert found.wires.by == whole.wires.by and found.ports.by == whole.ports.by and any(whole.wires.by)
    idle = next(row for link, row in found.wires.row_of.items() if link.target.path == "main/idle")
    assert found.withheld.get(idle) == whole.withheld.get(idle)
