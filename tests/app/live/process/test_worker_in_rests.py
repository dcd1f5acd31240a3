"""The worker's tasks for a rest, and what it does at once: with which requests, and how often."""

from __future__ import annotations

import gc
from collections.abc import Set
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.live.parts import Parts
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Text, Worker
from gradwire.app.live.questions.questions import Lasting, OwnTopic, TensorName
from gradwire.app.live.readings import first_results as told
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.readings import Results
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph

X = PortName("main/x", "y")


def graph(number: float = 2.0) -> Graph:
    """Returns the loss x * stop(x), whose gradient is x with the stop, and 2 x without."""
    x = gw.Variable(number, name="x")
    return gw.graph(gw.Loss(x * gw.StopGradient(x, name="stop"), name="loss"))


@pytest.fixture(autouse=True)
def _causes_are_found_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", 1e9)


class Bench:
    """A worker, and how often it plans a graph from the start."""

    def __init__(self, is_quick: bool = True, ignored_stops: Set[str] | None = frozenset(), **given: Any) -> None:
        self.plans = 0
        self.worker = Worker(is_quick, run=partial(self._run, ignored_stops=ignored_stops), **given)
        self._receiver, self._before, self._revision = Receiver(), Graph(()), 0

    def _run(self, *given: Any, **named: Any) -> Evaluation:
        self.plans += 1
        return run_graph(*given, **named)

    def show(self, after: Graph, **named: Any) -> Results:
        self._revision += 1
        request = Request(self._revision, update_between(self._before, after), **named)
        self._before = after
        return self._receiver.whole(self.worker.run(request))

    def rest(self) -> Results:
        return self._receiver.whole(self.worker.explained())

    def gradient(self) -> float:
        return float(self.worker.answer(TensorName(X, is_gradient=True)).answer)


def test_a_quick_worker_plans_a_graph_once_and_another_each_time() -> None:
    quick, slow = Bench(), Bench(is_quick=False)
    for number in (2.0, 3.0, 4.0):
        for bench in (quick, slow):
            found = bench.show(graph(number))
            assert found.loss is not None and found.loss.value == number**2
            assert bench.gradient() == number and not bench.worker.owes_causes
    assert (quick.plans, slow.plans) == (1, 3)


def test_a_graph_that_is_asked_for_again_is_not_planned_again() -> None:
    bench = Bench()
    bench.show(graph())
    bench.show(edits.set_parameter(graph(), "main", "x", "value", np.array(2.0)))
    assert bench.plans == 1


def test_tasks_of_a_rest_are_done_one_by_one_garbage_first(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    worker = Worker(is_quick=True)
    assert not worker.has_put_off
    worker.run(Request(1, update_between(Graph(()), graph())))
    assert worker.has_put_off and worker.structures_left == 1
    worker.catch_up()
    assert (len(collected), worker.structures_left, worker.has_put_off) == (1, 0, True)
    for left in (True, True, False):
        worker.catch_up()
        assert worker.has_put_off is left
    worker.catch_up()
    assert len(collected) == 1 and not worker.has_put_off


def test_owed_causes_are_put_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "LARGE", 1)
    bench = Bench()
    assert bench.show(graph()).owes_causes
    bench.worker.prepare()
    assert bench.worker.owes_causes and bench.worker.has_put_off
    assert not bench.rest().owes_causes
    assert not bench.worker.owes_causes and not bench.worker.has_put_off
    assert not bench.show(graph(), comparison=WithoutStops()).owes_causes
    assert not Bench(is_quick=False).show(graph()).owes_causes


@pytest.mark.parametrize(("room", "is_prepared"), [(-1, False), (0, False), (1, True)])
def test_an_arena_is_made_ahead_for_graphs_that_are_small_enough(
    monkeypatch: pytest.MonkeyPatch, room: int, is_prepared: bool
) -> None:
    """The memory of a run: every array once, in bytes."""
    run = run_graph(graph())
    size = sum(int(np.prod(item.spec.shape)) * np.dtype(item.spec.dtype).itemsize for item in run.structure.plan.slots)
    assert size > 8
    made: list[Evaluation] = []

    class Noting(Rerun):
        def __init__(self, given: Evaluation) -> None:
            made.append(given)
            super().__init__(given)

    monkeypatch.setattr(worker_module, "Rerun", Noting)
    monkeypatch.setattr(worker_module, "PREPARED_SIZE", size + room)
    bench = Bench()
    bench.show(graph())
    bench.worker.prepare()
    assert bool(made) is is_prepared
    bench.show(graph(3.0))
    assert len(made) == 1 and bench.plans == 1 and bench.gradient() == 3.0


def test_edits_are_followed_once_prepared_and_leave_garbage_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "EDITS_BETWEEN", 3)
    bench, shown = Bench(), graph()
    muted = edits.set_muted(shown, "main", ("stop",), True)
    bench.show(shown)
    bench.show(muted)
    assert bench.plans == 2
    bench.worker.prepare()
    left = []
    for step in (shown, muted, shown, muted, shown, muted, shown):
        bench.show(step)
        assert bench.gradient() == (4.0 if step is muted else 2.0)
        left.append(bench.worker.structures_left)
    assert (bench.plans, left) == (2, [0, 0, 1, 1, 1, 2, 2])


def test_a_comparison_has_the_gradients_of_another_state_and_no_problems_of_its_own() -> None:
    bench, shown = Bench(), graph()
    loose, _ = edits.add_block(shown, "main", "Exp", id="loose")
    found = bench.show(loose, comparison=WithoutStops())
    assert found.comparison == WithoutStops() and found.compared is not None
    assert found.problems and found.compared.problems == () and found.compared.revision == found.revision == 1
    gradients = []
    for results in (found, found.compared):
        reading = results.port(X)
        assert reading is not None and reading.gradient is not None
        gradients.append(reading.gradient.first[0])
    assert gradients == [2.0, 4.0]
    again = bench.show(edits.set_parameter(loose, "main", "x", "value", np.array(3.0)))
    assert again.comparison is again.compared is None


def test_ignored_stops_pass_gradients() -> None:
    for ignored, gradient in ((frozenset(), 2.0), (frozenset(["main/stop"]), 4.0), (None, 4.0)):
        bench = Bench(ignored_stops=ignored)
        bench.show(graph())
        assert bench.gradient() == gradient


def test_a_file_is_read_for_one_request(tmp_path: Path) -> None:
    worker, receiver, text = Worker(is_quick=True), Receiver(), dumps(graph(5.0))
    worker.run(Request(1, update_between(Graph(()), graph(2.0))))
    worker.read(Text(b"{", str(tmp_path / "odd.graph")))
    worker.read(Text(text if isinstance(text, bytes) else text.encode(), str(tmp_path / "a.graph")))
    same = update_between(graph(5.0), graph(5.0))
    found = receiver.whole(worker.run(Request(2, same, is_of_text=True)))
    assert found.loss is not None and found.loss.value == 25.0
    assert worker.answer(TensorName(X)).answer == 5.0


class Broken(OwnTopic):
    """A question that fails."""

    def answer(self, _: Evaluation) -> object:
        raise ZeroDivisionError


class Kept(Lasting):
    """A question to what is kept."""

    def answer_from(self, kept: Parts, run: Evaluation | None) -> object:
        return kept is not None and run is None


def test_each_answer_says_its_run_and_whether_it_failed() -> None:
    bench = Bench()
    reply = bench.worker.answer(TensorName(X))
    assert (reply.answer, reply.revision, reply.is_failed) == (None, 0, False)
    assert bench.worker.answer(Kept()).answer is True
    bench.show(graph())
    reply = bench.worker.answer(Broken())
    assert (reply.answer, reply.revision, reply.is_failed) == (None, 1, True)
    assert bench.worker.answer(Kept()).answer is False
    assert bench.worker.answer(TensorName(X)).answer == 2.0


def test_only_a_quick_worker_tells_the_values_of_its_first_very_large_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "VERY_LARGE", 4)
    seen: list[Results] = []
    for is_quick in (False, True):
        bench = Bench(is_quick, tell_values=seen.append)
        bench.show(graph())
        bench.show(edits.add_block(graph(), "main", "Exp", id="e")[0])
    assert [results.revision for results in seen] == [1]
    small = edits.remove_blocks(graph(), "main", ["loss"])
    Bench(tell_values=seen.append).show(small)
    assert len(seen) == 1
