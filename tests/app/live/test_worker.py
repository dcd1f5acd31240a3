"""Readings after changes of numbers alone: bulk readings equal single ones, and causes follow when idle."""

from __future__ import annotations

import contextlib
import pickle
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_names, example_path
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.quick_results import QuickResults
from gradwire.app.live.readings.readings import Results, Table, results_of
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.engine.evaluation.test_rerun import SPECIAL, sources
from tests.engine.random_edits import EDITS
from tests.recorded import make_graph


class Window:
    """The other side of a worker: messages are pickled, as between processes."""

    def __init__(self, worker: Worker) -> None:
        self._worker, self._receiver, self._graph, self._revision = worker, Receiver(), Graph(()), 0

    def show(self, graph: Graph) -> Results:
        update, self._graph = update_between(self._graph, graph), graph
        self._revision += 1
        return self._received(self._worker.run(pickle.loads(pickle.dumps(Request(self._revision, update)))))

    def rest(self) -> Results:
        return self._received(self._worker.explained())

    def _received(self, results: Results) -> Results:
        return self._receiver.whole(pickle.loads(pickle.dumps(results)))


@pytest.fixture(scope="module", autouse=True)
def _every_graph_is_large() -> Iterator[None]:
    """A threshold that always postpones causes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_module, "SOON", -1.0)
        yield


def assert_close(found: np.ndarray, expected: np.ndarray, allowed: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        is_close = np.abs(found - expected) <= allowed
        is_close |= np.isclose(found, expected, rtol=1e-12, atol=0, equal_nan=True)
    assert is_close.all()


def assert_same_table(found: Table, expected: Table) -> None:
    # The bulk survey adds numbers in another order: the remainder of a sum that cancels is rounding error.
    reach = np.maximum(np.abs(expected.rows["low"]), np.abs(expected.rows["high"]))
    for name in found.rows.dtype.names or ():
        assert_close(found.rows[name], expected.rows[name], 1e-12 * reach if name == "total" else 0 * reach)
    assert_close(found.first, expected.first, np.zeros(found.first.shape))
    assert found.moments == expected.moments
    assert found.shapes == expected.shapes and found.dtypes == expected.dtypes
    assert found.thumbnails.keys() == expected.thumbnails.keys()
    for row, thumbnail in expected.thumbnails.items():
        np.testing.assert_array_equal(found.thumbnails[row], thumbnail)


def assert_same(found: Results, expected: Results) -> None:
    for table, other in zip(found.tables, expected.tables, strict=True):
        assert_same_table(table, other)
    for one, whole in ((found.ports, expected.ports), (found.wires, expected.wires)):
        np.testing.assert_array_equal(one.statuses, whole.statuses)
        assert list(one.row_of) == list(whole.row_of)
    assert found.withheld.keys() == expected.withheld.keys() and repr(found.loss) == repr(expected.loss)
    for row, norm in expected.withheld.items():
        np.testing.assert_allclose(found.withheld[row], norm, rtol=1e-12)


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_readings_in_bulk_are_those_one_by_one(data: st.DataObject) -> None:
    graph = load(example_path(data.draw(st.sampled_from(example_names())))).graph
    worker = Worker(is_quick=True)
    window, places = Window(worker), sources(graph)
    assert_same(window.show(graph), results_of(evaluate(graph), 1))
    for _ in range(data.draw(st.integers(1, 3)) if places else 0):
        page, block, value = data.draw(st.sampled_from(places))
        numbers = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=value.shape)
        numbers.reshape(-1)[: data.draw(st.integers(0, 1))] = data.draw(st.sampled_from(SPECIAL))
        graph = edits.set_parameter(graph, page, block, "value", numbers.astype(value.dtype))
        expected = results_of(evaluate(graph), 0)
        assert_same(window.show(graph), expected)
        if data.draw(st.booleans()) and worker.owes_causes:
            explained = window.rest()
            assert_same(explained, expected)
            assert explained.problems == expected.problems and not worker.owes_causes
            for one, other in ((explained.ports, expected.ports), (explained.wires, expected.wires)):
                assert (one.zeros, one.ties, one.origins) == (other.zeros, other.ties, other.origins)


@pytest.mark.long
@pytest.mark.parametrize("shape", [(70_000,), (300, 400)])
def test_large_tensors_are_read_in_bulk_as_one_by_one(shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(0).normal(size=shape)
    square = [Block("x", "Input", parameters={"value": numbers}), Block("y", "Square"), Block("loss", "Loss")]
    graph = make_graph(square, [("x.y", "y.x"), ("y.y", "loss.x")])
    worker = Worker(is_quick=True)
    window = Window(worker)
    window.show(graph)
    worker.prepare()
    for factor in (2, 3):
        graph = edits.set_parameter(graph, "main", "x", "value", numbers * factor)
        assert_same(window.show(graph), results_of(evaluate(graph), 0))


@pytest.mark.long
def test_the_causes_of_an_edit_of_blocks_follow_in_a_rest() -> None:
    graph = load(example_path("softmax_stable")).graph
    worker = Worker(is_quick=True)
    window = Window(worker)
    window.show(graph)
    worker.prepare()
    muted = edits.set_muted(graph, "main", "stop", True)
    window.show(muted)
    assert worker.owes_causes
    found, expected = window.rest(), results_of(evaluate(muted), 0)
    assert not worker.owes_causes and found.wires.zeros == expected.wires.zeros


def by_name(results: Results) -> dict[object, object]:
    """Returns the reading of each port and wire, independent of rows."""
    ports = {name: results.port(name) for name in results.ports.row_of}
    return ports | {link: results.wire(link) for link in results.wires.row_of}


def assert_same_readings(found: Results, expected: Results) -> None:
    shown, wanted = by_name(found), by_name(expected)
    assert shown.keys() == wanted.keys()
    for name, reading in wanted.items():
        other = shown[name]
        assert (other.status, other.by) == (reading.status, reading.by), name
        for one, two in ((other.value, reading.value), (other.gradient, reading.gradient)):
            assert (one is None) == (two is None), name
            if two is not None:
                assert (one.shape, one.dtype, one.size) == (two.shape, two.dtype, two.size)
                np.testing.assert_allclose(one.first, two.first, rtol=1e-12)
                assert (one.thumbnail is None) == (two.thumbnail is None)
                if two.thumbnail is not None:
                    np.testing.assert_array_equal(one.thumbnail, two.thumbnail)
        if getattr(reading, "withheld", None) is not None:
            assert other.withheld == pytest.approx(reading.withheld, rel=1e-12)


@pytest.mark.long
@pytest.mark.usefixtures("garbage_left")
@pytest.mark.parametrize("name", ["softmax_stable", "linreg", "gan_stop", "rnn20_tbptt5", "cnn_micro"])
def test_edits_of_blocks_and_wires_read_as_from_the_start(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    followed, follow = [], QuickResults.update
    monkeypatch.setattr(QuickResults, "update", lambda *given: followed.append(follow(*given)))
    choose, graph = random.Random(3), load(example_path(name)).graph
    worker = Worker(is_quick=True)
    window = Window(worker)
    window.show(graph)
    for _ in range(25):
        worker.prepare()
        with contextlib.suppress(EditError):
            graph = EDITS[choose.choice(list(EDITS))](graph, choose)
        expected = results_of(evaluate(graph), 0)
        assert_same_readings(window.show(graph), expected)
        if choose.random() < 0.3 and worker.owes_causes:
            explained = window.rest()
            assert_same_readings(explained, expected)
            assert Counter(explained.problems) == Counter(expected.problems)
        if any(problem.severity == "error" for problem in expected.problems):
            graph = load(example_path(name)).graph
            window.show(graph)
    assert len(followed) > 2


@pytest.mark.long
def test_what_is_prepared_in_a_rest_gives_the_same() -> None:
    graph = load(example_path("softmax_stable")).graph
    worker = Worker(is_quick=True)
    window = Window(worker)
    window.show(graph)
    worker.prepare()
    changed = edits.set_parameter(graph, "main", "x", "value", np.array([1.0, 2.0, 2.0]))
    assert_same(window.show(changed), results_of(evaluate(changed), 0))


@pytest.mark.long
def test_a_graph_that_cannot_be_computed_is_not_prepared_and_told_as_before() -> None:
    graph = load(example_path("softmax_stable")).graph
    broken = edits.disconnect(graph, "main", Port("p", "y"))
    worker = Worker(is_quick=True)
    window = Window(worker)
    window.show(broken)
    worker.prepare()
    changed = edits.set_parameter(broken, "main", "x", "value", np.array([1.0, 2.0, 2.0]))
    found, expected = window.show(changed), results_of(evaluate(changed), 0)
    assert_same(found, expected)
    assert worker.owes_causes and window.rest().problems == expected.problems
