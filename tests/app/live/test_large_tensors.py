"""The window knows as much of large tensors, which are not kept, as of tensors that are kept."""

from __future__ import annotations

import contextlib
import dataclasses
import pickle
import random
from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_path
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.live.readings import readings
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.first_results import whole_results
from gradwire.app.live.readings.notes import note_of
from gradwire.app.live.readings.pictures import sampled, shown_part, stacked, thumbnail_of
from gradwire.app.live.readings.readings import Places, Results, Table, results_of, table_of
from gradwire.engine.base.array_statistics import as_numbers, as_survey, survey_of
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.executors.rematerialization import Keeping, Rematerialization
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.examples import examples_of_each_wiring
from tests.engine.evaluation.test_rerun import sources
from tests.engine.random_edits import EDITS

LITTLE = Keeping(note_of, limit=3, budget=150)


class Window:
    """The other side of a worker that keeps little: messages are pickled, as between processes."""

    def __init__(self, graph: Graph) -> None:
        self.worker, self._receiver, self._graph = Worker(is_quick=True, keeping=LITTLE), Receiver(), Graph(())
        self.results = self.show(graph)

    def show(self, graph: Graph) -> Results:
        request = Request(1, update_between(self._graph, graph))
        self._graph = graph
        self.results = self._receiver.whole(pickle.loads(pickle.dumps(self.worker.run(request))))
        return self.results

    def rest(self) -> Results:
        if self.worker.owes_causes:
            self.results = self._receiver.whole(pickle.loads(pickle.dumps(self.worker.explained())))
        return self.results

    @property
    def keeps_little(self) -> bool:
        run = self.worker._newest
        return run is not None and isinstance(run.results.values, Rematerialization)


def assert_same_table(found: Table, expected: Table) -> None:
    assert found.rows.tobytes() == expected.rows.tobytes()
    assert (found.shapes, found.dtypes) == (expected.shapes, expected.dtypes)
    assert found.thumbnails.keys() == expected.thumbnails.keys()
    for row, picture in expected.thumbnails.items():
        np.testing.assert_array_equal(found.thumbnails[row], picture)


def assert_same(found: Results, expected: Results) -> None:
    assert_same_fields(found, expected)


def assert_same_fields(found: object, expected: Results | Places[Any]) -> None:
    for field in dataclasses.fields(expected):
        one, other = getattr(found, field.name), getattr(expected, field.name)
        if isinstance(other, Table):
            assert_same_table(one, other)
        elif isinstance(other, Places):
            assert_same_fields(one, other)
        elif isinstance(other, np.ndarray):
            np.testing.assert_array_equal(one, other)
        elif field.name not in ("seconds", "passes"):
            assert repr(one) == repr(other), field.name


def whole(graph: Graph) -> Results:
    return whole_results(run_graph(graph), 1, 0.0)


@pytest.mark.long
@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_every_example_reads_as_if_all_were_kept(name: str) -> None:
    graph = load(example_path(name)).graph
    window = Window(graph)
    assert window.keeps_little or LITTLE.covers(run_graph(graph).structure.plan)
    assert_same(window.rest(), whole(graph))


@pytest.mark.long
@pytest.mark.usefixtures("garbage_left")
@pytest.mark.parametrize("soon", [-1.0, 100.0])
@pytest.mark.parametrize("name", ["softmax_stable", "linreg", "gan_stop", "rnn20_tbptt5", "cnn_micro"])
def test_all_kinds_of_edits_read_as_if_all_were_kept(name: str, soon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", soon)
    choose, numbers, first = random.Random(2), np.random.default_rng(2), load(example_path(name)).graph
    graph = first
    window = Window(graph)
    for step in range(16):
        with contextlib.suppress(EditError):
            if step % 2 or not sources(graph):
                graph = EDITS[choose.choice(list(EDITS))](graph, choose)
            else:
                page, block, value = choose.choice(sources(graph))
                other = numbers.normal(size=value.shape).astype(value.dtype)
                graph = edits.set_parameter(graph, page, block, "value", other)
        early, expected = window.show(graph), whole(graph)
        for table, other in zip(early.tables, expected.tables, strict=True):
            assert_same_table(table, other)
        np.testing.assert_array_equal(early.wires.statuses, expected.wires.statuses)
        window.worker.prepare()
        assert_same(window.rest(), expected)
        graph = first if any(item.severity == "error" for item in expected.problems) else graph


def test_the_causes_stay_while_a_number_is_dragged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", -1.0)
    graph = load(example_path("softmax_stable")).graph
    window = Window(graph)
    before = window.rest()
    early = window.show(edits.set_parameter(graph, "main", "x", "value", np.array([1.0, 2.0, 3.5])))
    assert window.worker.owes_causes and window.keeps_little
    assert early.ports.ties == before.ports.ties and early.problems == before.problems


def test_a_dragged_number_is_not_planned_again() -> None:
    graph = load(example_path("softmax_stable")).graph
    window = Window(graph)
    structure = window.worker._newest.structure  # type: ignore[union-attr]
    window.show(edits.set_parameter(graph, "main", "x", "value", np.array([1.0, 2.0, 3.5])))
    assert window.worker._newest.structure is structure  # type: ignore[union-attr]
    assert window.worker._rerun is not None and window.worker._rerun.arena is None


@pytest.mark.parametrize("is_gradient", [False, True])
def test_a_whole_tensor_that_is_gone_is_computed_again(is_gradient: bool) -> None:
    graph = load(example_path("cnn_micro")).graph
    window, run = Window(graph), run_graph(graph)
    for name in run.lowered.ports:
        found = window.worker.answer(TensorName(name, is_gradient)).answer
        expected = run.tensor(name, is_gradient)
        assert (found is None) == (expected is None)
        assert found is None or expected is None or found.tobytes() == expected.tobytes()


def test_a_line_of_the_console_finds_a_tensor_that_is_gone() -> None:
    from gradwire.app.features.console.console_line import ConsoleLine

    window = Window(load(example_path("softmax_stable")).graph)
    found = window.worker.answer(ConsoleLine(1, 'value("main/p.z").sum()')).answer
    assert not found.error and "1.0" in found.output


def test_another_state_of_the_stops_keeps_as_little() -> None:
    graph = load(example_path("softmax_stable")).graph
    window = Window(graph)
    comparison = WithoutStops()
    found = window.worker.run(Request(2, update_between(graph, graph), comparison))
    expected = results_of(evaluate(graph, None), 2)
    assert found.compared is not None
    assert_same_table(found.compared.wires.gradients, expected.wires.gradients)
    run = window.worker._newest
    assert run is not None and isinstance(run.of_other(graph, None).results.values, Rematerialization)


def test_a_new_graph_finds_room() -> None:
    graph = load(example_path("cnn_micro")).graph
    window = Window(graph)
    before = window.worker._newest
    assert before is not None and isinstance(before.results.values, Rematerialization)
    window.show(edits.add_block(graph, "main", "Loss")[0])
    after = window.worker._newest
    assert after is not None and isinstance(after.results.values, Rematerialization)
    assert after.results.values.keeping.store is before.results.values.keeping.store
    port = next(iter(before.lowered.ports))
    assert before.tensor(port, is_gradient=False) is not None


ARRAYS = [
    np.random.default_rng(0).normal(size=shape).astype(dtype)
    for shape in [(200_000,), (65_537,), (300, 500), (100_000, 3), (2, 40, 4000), (1, 200_000)]
    for dtype in ("float32", "float64", "int64", "bool")
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.shape} {array.dtype}")
def test_a_large_tensor_has_the_picture_and_the_reading_of_a_small_one(
    array: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (array, array.T):
        part = shown_part(each)
        assert part is not None
        picture = thumbnail_of(each)
        assert picture is not None and picture.tobytes() == sampled(stacked([part]))[0].tobytes()
        numbers = survey_of([each])
        monkeypatch.setattr(readings, "_ONE_BY_ONE", 0)
        noted = table_of([each, None])
        monkeypatch.setattr(readings, "_ONE_BY_ONE", 2**60)
        assert_same_table(noted, table_of([each, None]))
        assert_same_table(table_of([note_of(each, numbers[0])], numbers), table_of([each], numbers))


def special(size: int) -> np.ndarray:
    numbers = np.random.default_rng(1).normal(size=size)
    numbers[::1000], numbers[7::5000], numbers[8::7000] = 0, np.inf, np.nan
    return numbers


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "bool"])
def test_the_survey_of_a_large_array_is_that_of_its_parts_together(dtype: str) -> None:
    clean = np.random.default_rng(1).normal(size=70_000) * 5
    with np.errstate(all="ignore"):
        arrays = [clean.astype(dtype), np.zeros(70_000, dtype), np.full(70_000, 3, dtype)]
        if np.dtype(dtype).kind == "f":
            arrays += [special(70_000).astype(dtype), np.full(70_000, np.nan, dtype), np.full(70_000, -np.inf, dtype)]
    for array in arrays:
        for each in (array, array.reshape(700, 100).T, np.broadcast_to(array, (3, array.size))):
            found, wide = as_numbers(survey_of([each]))[0], each.astype(np.float64).reshape(-1)
            finite = wide[np.isfinite(wide)]
            expected = {
                "nan": np.isnan(wide).sum(),
                "infinite": np.isinf(wide).sum(),
                "least": np.abs(wide).min(),
                "largest": np.abs(wide).max(),
                "low": finite.min(initial=np.inf) if finite.size else 0,
                "high": finite.max(initial=-np.inf) if finite.size else 0,
                "total": finite.sum(),
                "norm": np.sqrt(np.square(wide).sum()),
            }
            named = as_survey(found[np.newaxis])[0]
            for name, number in expected.items():
                np.testing.assert_allclose(named[name], number, rtol=1e-12, atol=1e-9, err_msg=f"{name} {each.shape}")


def test_a_sum_that_is_too_large_has_a_mean() -> None:
    array = np.full(200_000, 1e308)
    numbers = survey_of([array])
    reading = table_of([note_of(array, numbers[0])], numbers)[0]
    assert reading is not None and reading.mean == pytest.approx(1e308)
