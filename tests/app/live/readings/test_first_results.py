"""The first results of a large graph equal the whole results, except for causes."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.live.process.evaluator import Explained
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.readings import first_results as told
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.first_results import first_results, is_told_in_steps
from gradwire.app.live.readings.readings import Results, Table, results_of
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.status_table import STATUSES
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.examples import examples_of_each_wiring


def assert_same_table(found: Table, whole: Table) -> None:
    assert found.shapes == whole.shapes
    assert found.dtypes == whole.dtypes
    for column in whole.rows.dtype.names or ():
        np.testing.assert_array_equal(found.rows[column], whole.rows[column])
    np.testing.assert_array_equal(found.first, whole.first)
    assert found.moments == whole.moments
    assert set(found.thumbnails) == set(whole.thumbnails)


def assert_same_numbers(found: Results, whole: Results) -> None:
    for table, other in zip(found.tables, whole.tables, strict=True):
        assert_same_table(table, other)
    for one, other in ((found.ports, whole.ports), (found.wires, whole.wires)):
        np.testing.assert_array_equal(one.statuses, other.statuses)
        assert (one.row_of, one.by) == (other.row_of, other.by)
    assert found.withheld == whole.withheld
    assert (found.loss is None) == (whole.loss is None)


@pytest.mark.long
@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_the_numbers_that_go_first_are_those_of_the_whole_results(name: str) -> None:
    run = run_graph(load(example_path(name)).graph)
    if run.results.failures or run.lowered.failed or run.lowered.prevented:
        # Failures are explained at once.
        assert not is_told_in_steps(run)
        return
    assert_same_numbers(first_results(run, 1, 0.0), results_of(run.snapshot, 1))


def test_a_large_graph_is_explained_after_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "LARGE", 5)
    graph = load(example_path("softmax_stable")).graph
    worker = Worker(is_quick=True)
    first = worker.run(Request(1, update_between(Graph(()), graph)))
    assert worker.owes_causes
    assert not (first.inner or first.problems)
    assert not any((places.origins or places.zeros or places.ties) for places in (first.ports, first.wires))
    later = results_of(run_graph(graph).snapshot, 1)
    explained = Explained(worker.explained()).results
    assert not worker.owes_causes
    assert explained.ports.ties == later.ports.ties and explained.problems == later.problems


def test_a_small_graph_is_explained_at_once() -> None:
    assert not is_told_in_steps(run_graph(load(example_path("softmax_stable")).graph))


def test_the_values_of_a_very_large_graph_that_is_new_go_before_its_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "VERY_LARGE", 5)
    graph = load(example_path("softmax_stable")).graph
    seen: list[Results] = []
    worker, receiver = Worker(is_quick=True, tell_values=seen.append), Receiver()
    answer = worker.run(Request(1, update_between(Graph(()), graph)))
    early, later = receiver.whole(seen[0]), receiver.whole(answer)
    assert_same_table(early.values, later.values)
    assert {STATUSES[code] for code in (*early.ports.statuses, *early.wires.statuses)} == {Status.UNKNOWN}
    assert early.loss is None and set(early.ports.gradients.shapes) == set(early.wires.gradients.shapes) == {None}
    assert later.loss is not None and Status.FLOW in {STATUSES[code] for code in later.wires.statuses}
    worker.run(Request(2, update_between(graph, graph)))
    assert len(seen) == 1
