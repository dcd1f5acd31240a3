"""Runs go before explanations: a question or a search for causes that a run overtakes is given up and done later."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.base.examples import example_names, example_path
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.serving import Inbox
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.live.readings.deltas import Receiver
from gradwire.app.live.readings.notes import note_of
from gradwire.app.live.readings.readings import results_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.processes.interruption import INTERRUPTION, SIGNAL, Interrupted
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate
from gradwire.engine.executors.rematerialization import Keeping
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.plugins.plugin_types import guarded
from tests.engine.evaluation.test_rerun import sources

PATIENCE = 20.0
LITTLE = Keeping(note_of, limit=3, budget=150)
X, Y = TensorName(PortName("main/x", "y")), TensorName(PortName("main/y", "y"))


@dataclass(frozen=True)
class Endless:
    """A question that takes longer than anybody waits."""

    @property
    def topic(self) -> Hashable:
        return Endless

    def answer(self, _: Evaluation) -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pass
        return "an answer after all"


@dataclass(frozen=True)
class Called:
    """A question whose answer is that of a function."""

    function: Callable[[], object]

    @property
    def topic(self) -> Hashable:
        return Called

    def answer(self, _: Evaluation) -> Any:
        return self.function()


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    before = signal.getsignal(SIGNAL)
    INTERRUPTION.listen()
    yield
    signal.signal(SIGNAL, before)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def worker(inbox: Inbox) -> Worker:
    return Worker(is_quick=True, giving_way=inbox.giving_way)


def request(number: int, graph: Graph | None = None) -> Request:
    return Request(number, update_between(Graph(()), graph or gw.graph(gw.Loss(gw.Input(np.array(2.0), name="x")))))


def test_runs_come_before_questions_and_each_in_their_order(inbox: Inbox) -> None:
    first, second = request(1), request(2)
    for message in (X, first, Y, second):
        inbox.put(message)
    assert [inbox.get() for _ in range(4)] == [first, second, X, Y]
    assert inbox.get(timeout=0) is None


def test_a_question_that_is_put_back_comes_first_among_questions(inbox: Inbox) -> None:
    inbox.put(Y)
    inbox.put_back(X)
    assert [inbox.get(), inbox.get()] == [X, Y]


def test_a_question_is_given_up_for_a_run(inbox: Inbox, worker: Worker) -> None:
    worker.run(request(1))
    threading.Timer(0.02, inbox.put, [request(2)]).start()
    with pytest.raises(Interrupted):
        worker.answer(Endless())
    assert isinstance(inbox.get(), Request)
    reply = worker.answer(X)
    assert reply.revision == 1 and reply.answer == 2.0


def test_a_question_does_not_begin_while_a_run_waits(inbox: Inbox, worker: Worker) -> None:
    worker.run(request(1))
    inbox.put(request(2))
    with pytest.raises(Interrupted):
        worker.answer(X)


def test_another_question_does_not_interrupt(inbox: Inbox, worker: Worker) -> None:
    worker.run(request(1))
    inbox.put(Y)
    assert worker.answer(X).answer == 2.0


def test_code_of_a_plug_in_comes_to_its_end_and_is_not_blamed(worker: Worker) -> None:
    worker.run(request(1))
    ended = list[str]()

    def foreign() -> None:
        INTERRUPTION.wish()
        for _ in range(1000):
            pass
        ended.append("foreign code")

    with pytest.raises(Interrupted):
        worker.answer(Called(guarded(foreign)))
    assert ended == ["foreign code"]


def test_arrays_that_are_computed_again_are_not_left_half_done(inbox: Inbox) -> None:
    worker = Worker(is_quick=True, keeping=LITTLE, giving_way=inbox.giving_way)
    numbers = gw.Input(np.arange(64.0), name="x")
    worker.run(request(1, gw.graph(gw.Loss(gw.ReduceSum(gw.Exp(gw.Tanh(numbers)))))))
    inbox.put(request(2))
    assert worker.answer(X).answer.tolist() == list(range(64))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_causes_that_were_given_up_anywhere_are_whole_the_next_time(
    seed: int, inbox: Inbox, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "SOON", -1.0)
    chance = random.Random(seed)
    graph = load(example_path(chance.choice(example_names()))).graph
    receiver = Receiver()
    receiver.whole(worker.run(request(1, graph)))
    worker.prepare()
    for number, (page, block, value) in enumerate(sources(graph)[:6], 2):
        moved = edits.set_parameter(graph, page, block, "value", (value * 1.5).astype(value.dtype))
        receiver.whole(worker.run(Request(number, update_between(graph, moved))))
        graph = moved
        if not worker.owes_causes:
            continue
        timer = threading.Timer(chance.uniform(0, 0.004), INTERRUPTION.wish)
        timer.start()
        try:
            found = worker.explained()
        except Interrupted:
            assert worker.owes_causes
            found = worker.explained()
        timer.join()
        explained, expected = receiver.whole(found), results_of(evaluate(moved), 0)
        assert not worker.owes_causes and explained.problems == expected.problems
        for one, other in ((explained.ports, expected.ports), (explained.wires, expected.wires)):
            assert (one.zeros, one.ties, one.origins) == (other.zeros, other.ties, other.origins)
