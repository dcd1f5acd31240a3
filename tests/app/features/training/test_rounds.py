"""Rounds that the process of a training runs: their end and news, and what an order takes over. Units: s."""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.features.training import training_service
from gradwire.app.features.training.orders import Begin, Ended, Go, Look, News, Planned
from gradwire.app.features.training.training_service import (
    TrainingService,
    _charted_gradients,
    _Log,
    _Rounds,
    _sentence,
)
from gradwire.app.live.process.orders import Desk
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.edits import edits
from gradwire.engine.edits.training_edits import set_in_plan, set_values
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import USUAL_ROUNDS
from gradwire.engine.training.until import Condition, Until
from tests.app.features.training.test_training_desk import headless, parabola


class Clock:
    """A clock that a test turns; what sleeps is noted."""

    def __init__(self) -> None:
        self.now, self.slept = 64.0, list[float]()

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(training_service, "time", made)
    return made


def rounds_of(order: Go, n: int = 10, until: Until | None = None) -> tuple[_Rounds, Any]:
    """Returns rounds that begin behind round n, and their trainer."""
    trainer = SimpleNamespace(round=n)
    run = SimpleNamespace(trainer=trainer, plan=SimpleNamespace(until=until or Until(30)))
    return _Rounds(run, order), trainer  # type: ignore[arg-type]  # what it takes of a run


@pytest.mark.parametrize(
    ("order", "n", "until", "end"),
    [
        (Go(5), 10, Until(30), 15),
        (Go(0), 10, Until(30), 10),
        (Go(), 10, Until(30), 30),
        (Go(), 30, Until(30), 30),
        (Go(again=True), 29, Until(30), 30),
        (Go(again=True), 30, Until(30), 60),
        (Go(again=True), 61, Until(30), 90),
        (Go(), 0, Until(), USUAL_ROUNDS),
        (Go(100, again=True), 30, Until(30), 130),
    ],
)
def test_rounds_end_where_the_order_or_the_plan_says(clock: Clock, order: Go, n: int, until: Until, end: int) -> None:
    rounds, trainer = rounds_of(order, n, until)
    assert rounds.has_more() is (n < end)
    for trainer.round, has_more in ((end - 1, True), (end, False), (end + 1, False)):
        assert rounds.has_more() is has_more


def test_orders_are_looked_for_every_4_ms(clock: Clock) -> None:
    rounds, _ = rounds_of(Go())
    found = [rounds.may_look(64 + after) for after in (0.0, 0.0039, 0.00401, 0.0075, 0.0081, 0.0082)]
    assert found == [False, False, True, False, True, False]


def test_news_are_due_behind_the_first_round_and_then_30_times_a_second(clock: Clock) -> None:
    rounds, trainer = rounds_of(Go())
    found = []
    for trainer.round, after in (
        (10, 9.0), (11, 9.001), (11, 9.5), (12, 9.03), (12, 9.0345), (12, 9.9), (13, 9.05), (13, 9.069),
    ):  # fmt: skip
        found.append(rounds.are_news_due(64 + after))
    assert found == [False, True, False, False, True, False, False, True]


@pytest.mark.parametrize(
    ("pace", "done", "after", "slept"),
    [
        (None, 99, 0.0, []),
        (8.0, 0, 0.0, []),
        (8.0, 1, 0.124, [0.004]),
        (8.0, 1, 0.125, []),
        (8.0, 1, 0.25, []),
        (8.0, 3, 0.25, [0.004]),
        # At 1000 rounds a second each wait is a millisecond.
        (1000.0, 3, 0.0025, [0.001]),
    ],
)
def test_a_limited_training_waits_for_the_time_of_its_round(
    clock: Clock, pace: float | None, done: int, after: float, slept: list[float]
) -> None:
    rounds, trainer = rounds_of(Go(pace=pace))
    assert rounds.are_limited is (pace is not None)
    trainer.round += done
    clock.now += after
    assert rounds.waits(clock.now) is bool(slept) and clock.slept == slept


def test_only_a_run_to_the_end_of_the_plan_ends_by_a_condition(clock: Clock) -> None:
    until = Until(30, (Condition("number", "down", low=0.5, logged="down"),))
    done = SimpleNamespace(n=7, losses={"down": 0.25}, metrics={})
    assert rounds_of(Go(), until=until)[0].end_by(done) == Ended(7, "down is below 0.5")  # type: ignore[arg-type]
    assert rounds_of(Go(5), until=until)[0].end_by(done) is None  # type: ignore[arg-type]
    done.losses["down"] = 0.75
    assert rounds_of(Go(), until=until)[0].end_by(done) is None  # type: ignore[arg-type]


def test_a_log_gives_what_came_since_the_last_news() -> None:
    log = _Log()
    log.add(3, {"a": 1.0})
    log.add(4, {"a": 2.0, "b": 5.0})
    assert log.newest == {"a": 2.0, "b": 5.0}
    taken = log.taken()
    assert (taken.rounds, taken.numbers) == ({"a": [3, 4], "b": [4]}, {"a": [1.0, 2.0], "b": [5.0]})
    assert log.newest == {} and log.taken().rounds == {}


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (GradwireError("It is wrong."), "It is wrong."),
        (JsonFault("it is wrong", ("training", "steps", 2, "rule")), "step 3: it is wrong."),
        (JsonFault("it is wrong", ("training", "steps", 0)), "step 1: it is wrong."),
        (JsonFault("it is wrong", ("training", "steps")), "it is wrong."),
        (JsonFault("it is wrong", ("training", "until", 1)), "it is wrong."),
        (JsonFault("it is wrong", ()), "it is wrong."),
    ],
)
def test_a_fault_names_the_step_of_the_plan(error: GradwireError, sentence: str) -> None:
    assert _sentence(error) == sentence


# Orders


@pytest.fixture
def give(clock: Clock) -> Any:
    """A function that gives an order, and returns the last news."""
    found: list[Any] = []
    service = TrainingService(Desk(found.append))

    def made(order: Any) -> Any:
        found.clear()
        service.take(order)
        return found[-1] if found else None

    made.service, made.found = service, found  # type: ignore[attr-defined]  # for those who look closer
    return made


def value(news: News) -> float:
    return float(news.variables["main/w"])


def test_an_order_to_run_before_a_training_has_begun_is_no_order(give: Any) -> None:
    assert give(Go(5)) is None


def test_a_plan_is_read_with_its_problems_and_batches(give: Any) -> None:
    planned = give(Look(parabola(7)))
    assert isinstance(planned, Planned)
    assert ([row.step for row in planned.rows], planned.until.steps, planned.batches, planned.fault) == (
        ["down"], 7, None, "",
    )  # fmt: skip
    assert "adma" in give(Look(parabola(rule={"type": "adma"}))).fault
    x, y = gw.Data(set="line", n=12, batch=3, test=0.0, name="data")
    graph = gw.graph(gw.Loss(gw.ReduceMean(gw.Square(x * gw.Variable(1.0, name="w") - y)), name="L"))
    assert give(Look(graph)).batches == 4


def test_a_training_goes_on_only_where_it_is_asked_to(give: Any) -> None:
    graph = parabola(None, rule={"type": "adam", "rate": 0.1})
    ready = give(Begin(graph))
    assert (ready.is_ready, ready.round, ready.is_running) == (True, 0, False)
    run = give.service._run
    news = give(Go(3))
    assert (news.round, value(news)) == (3, headless(graph, 3))
    now = set_values(graph, news.variables)
    # The same graph with what has been told goes on as it is; anything else begins a run.
    ready = give(Begin(now, goes_on=True))
    assert give.service._run is run and (ready.is_ready, ready.round) == (True, 3)
    assert value(give(Go(1))) == headless(graph, 4)
    for order, n in (
        (Begin(now, goes_on=False), 0),
        (Begin(now, goes_on=True, tracked=("main/L.x",)), 0),
    ):
        give.service.take(Begin(graph))
        give.service.take(Go(3))
        before = give.service._run
        ready = give(order)
        assert give.service._run is not before
        assert ready.round == (3 if order.goes_on else n)


def test_what_fits_is_taken_over_but_for_what_is_given(give: Any) -> None:
    graph = parabola(None)
    give(Begin(graph))
    told = give(Go(2))
    other = edits.set_parameter(set_values(graph, told.variables), "main", "w", "value", np.array(10.0))
    news = give(Begin(other, goes_on=True, given=frozenset(["main/w"])))
    assert (news.round, value(news)) == (2, 10.0)
    news = give(Begin(other, goes_on=True))
    assert (news.round, value(news)) == (2, 10.0)
    state = give(Go(1)).state
    assert state is not None and state.round == 3
    again = give(Begin(other, state=state))
    assert (again.round, value(again)) == (3, pytest.approx(3 + 7 * 0.8))


def test_a_training_that_cannot_begin_says_why_and_changes_nothing(give: Any) -> None:
    give(Begin(parabola()))
    run = give.service._run
    news = give(Begin(parabola(rule={"type": "adma"})))
    assert "adma" in news.fault and give.service._run is run


def test_ignored_stops_let_the_variable_behind_them_train(give: Any) -> None:
    w = gw.Variable(1.0, name="w")
    graph = dataclasses.replace(
        gw.graph(gw.Loss(gw.Square(gw.StopGradient(w, name="s") - 3.0) + w * 0.0, name="L")),
        training={"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},)},
    )
    give(Begin(graph))
    assert value(give(Go(1))) == 1.0
    give(Begin(graph, ignores_stops=True))
    assert value(give(Go(1))) == pytest.approx(1.4)


def test_another_message_ends_the_rounds(clock: Clock) -> None:
    found: list[News] = []
    desk = Desk(found.append)
    service = TrainingService(desk)
    service.take(Begin(parabola(None)))
    looks = iter([False, False, True])
    service._is_interrupted = lambda: next(looks)
    step = service._measured_round

    def measured(*given: Any, **how: Any) -> Any:
        clock.now += 0.003
        return step(*given, **how)

    service._measured_round = measured  # type: ignore[method-assign]
    service.take(Go(100))
    # Every second round there is a look: 3 ms are too few.
    assert found[-1].round == 6 and not found[-1].is_running


@pytest.mark.parametrize(("size", "is_small"), [(1 << 14, True), (1 << 15, True), ((1 << 15) + 1, False)])
def test_a_state_of_256_kb_comes_with_all_news_a_larger_one_now_and_then(
    clock: Clock, size: int, is_small: bool
) -> None:
    found: list[News] = []
    service = TrainingService(Desk(found.append))
    w = gw.Variable(np.zeros(size), name="w")
    plan = {"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},)}
    service.take(Begin(dataclasses.replace(gw.graph(gw.Loss(gw.ReduceSum(w), name="L")), training=plan)))
    assert service._is_small is is_small
    run = service._run
    assert run is not None
    found_states = []
    for after in (0.0, 0.19, 0.02, 0.19, 0.02):
        clock.now += after
        found_states.append(service._reached(run).state is not None)
    # Begin has told one; from then on every fifth of a second.
    assert found_states == ([True] * 5 if is_small else [False, False, True, False, True])


def test_an_overflow_has_no_numbers_of_the_next_round(give: Any) -> None:
    w = gw.Variable(1.0, name="w")
    plan = {"steps": ({"rule": {"type": "descent", "rate": 5e3}},)}
    give(Begin(dataclasses.replace(gw.graph(gw.Loss(gw.Exp(w * w, name="e"), name="L")), training=plan)))
    news = give(Go())
    assert "e" in news.overflow and news.numbers == {}
    assert (news.ended, news.is_running) == (None, False)
    assert math.isfinite(value(news))


def test_a_condition_ends_the_rounds_with_the_numbers_ahead(give: Any) -> None:
    graph = set_in_plan(parabola(), "until", {"steps": 20, "below": {"down": 0.5}})
    give(Begin(graph))
    news = give(Go())
    assert news.ended is not None and (news.ended.round, news.round) == (5, 6)
    assert news.numbers["down"] == pytest.approx(4 * 0.64**6)
    assert news.overflow == ""


def test_tracked_wires_are_measured_from_the_first_round_and_others_later(give: Any, clock: Clock) -> None:
    give(Begin(parabola(None), tracked=("main/L.x",)))
    logged = give(Go(1)).chunk.numbers
    assert logged["|∂L| main/L.x"] == [1.0]
    give(Begin(parabola(None)))
    assert "|∂L| main/L.x" not in give(Go(1)).chunk.numbers


def test_a_chart_of_a_gradient_is_probed_unless_its_variable_is_trained() -> None:
    run = SimpleNamespace(rows=[SimpleNamespace(trains=("main/w",))])
    assert _charted_gradients(run, Graph()) == []  # type: ignore[arg-type]


def test_what_is_due_is_due_at_its_moment(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """With times that binary numbers hold exactly."""
    for name, seconds in (("LOOK", 2**-8), ("NEWS", 2**-5), ("KEEP", 2**-2)):
        monkeypatch.setattr(training_service, name, seconds)
    rounds, trainer = rounds_of(Go())
    assert [rounds.may_look(64 + after) for after in (2**-8, 2**-7 - 2**-12, 2**-7)] == [True, False, True]
    trainer.round = 11
    assert rounds.are_news_due(64.0)
    trainer.round = 12
    assert [rounds.are_news_due(64 + after) for after in (2**-5 - 2**-10, 2**-5)] == [False, True]
    found: list[News] = []
    service = TrainingService(Desk(found.append))
    service.take(Begin(parabola()))
    service._is_small = False
    assert service._run is not None
    service._kept_at = clock.now
    for after, is_kept in ((0.25 - 2**-10, False), (2**-10, True), (0.25, True)):
        clock.now += after
        assert (service._reached(service._run).state is not None) is is_kept


def test_the_shortest_round_without_measurements_is_what_they_are_measured_by(clock: Clock) -> None:
    found: list[News] = []
    service = TrainingService(Desk(found.append))
    service.take(Begin(parabola(None)))
    run = service._run
    assert run is not None
    round_of, seconds = run.trainer.run_round, iter([0.001, 0.016, 0.004, 0.008])

    def lasting(**how: bool) -> Any:
        clock.now += next(seconds)
        return round_of(**how)

    run.trainer.run_round = lasting  # type: ignore[method-assign]
    service._sizes.wait_until(math.inf)
    shortest = []
    for is_first in (True, False, False, False):
        service._measured_round(run, clock.now, is_first)
        service._sizes.wait_until(math.inf)
        shortest.append(service._shortest)
    assert shortest == [math.inf, pytest.approx(0.016), pytest.approx(0.004), pytest.approx(0.004)]
