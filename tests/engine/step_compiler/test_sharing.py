"""Threads that share work: nothing waits for one without a processor, and what is not faster is done alone."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.executors.chosen import OWN_LOOPS
from gradwire.engine.step_compiler import gather_matmul, sharing
from gradwire.engine.step_compiler.gather_matmul import PRODUCTS
from gradwire.engine.step_compiler.sharing import LONGEST_PAUSE, TRIED, Sharing, Trial
from gradwire.engine.step_compiler.training_plan import TrainingPlan

# Longer than any machine takes for what is waited for here. Units: s.
PATIENCE = 60


def test_all_threads_take_part_and_each_has_its_number() -> None:
    meeting, met = threading.Barrier(3), list[int]()

    def work(lane: int) -> None:
        meeting.wait(PATIENCE)
        met.append(lane)

    Sharing(3).run(work)
    assert sorted(met) == [0, 1, 2]


def test_a_thread_without_a_processor_is_not_waited_for() -> None:
    shared, free = Sharing(2), threading.Event()
    assert shared._others is not None
    busy = shared._others.submit(free.wait, PATIENCE)
    done = list[int]()
    shared.run(done.append)
    assert done == [0] and not busy.done()
    free.set()


def test_what_a_thread_raises_is_raised() -> None:
    meeting = threading.Barrier(2)

    def work(lane: int) -> None:
        meeting.wait(PATIENCE)
        if lane:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Sharing(2).run(work)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that goes on only when it is told to."""
    now = [0.0]
    monkeypatch.setattr(sharing.time, "perf_counter", lambda: now[0])

    def go_on(seconds: float) -> None:
        now[0] += seconds

    return go_on


def shared_runs(clock: Callable[[float], None], alone: float, shared: Callable[[int], float], runs: int) -> list[int]:
    """Returns the numbers of the runs that were shared, given how long each way takes."""
    trial, found = Trial(), list[int]()
    for run in range(runs):

        def in_threads(run: int = run) -> None:
            found.append(run)
            clock(shared(run))

        trial.run(lambda: clock(alone), in_threads)
    return found


def test_what_is_faster_is_shared_from_the_fourth_run_on(clock: Callable[[float], None]) -> None:
    assert shared_runs(clock, 2.0, lambda _: 1.0, 20) == list(range(TRIED, 20))


def test_what_is_slower_three_times_is_tried_half_as_often_each_time(clock: Callable[[float], None]) -> None:
    found = shared_runs(clock, 1.0, lambda _: 16.0, 30)
    assert found == [3, 4, 5, 7, 8, 9, 13, 14, 15, 23, 24, 25]
    runs = 50 * LONGEST_PAUSE
    assert len(shared_runs(clock, 1.0, lambda _: 16.0, runs)) * 15 < 0.02 * runs


def test_one_slow_run_changes_nothing(clock: Callable[[float], None]) -> None:
    assert shared_runs(clock, 2.0, lambda run: 9.0 if run % 3 == 0 else 1.0, 20) == list(range(TRIED, 20))


def test_what_is_fast_again_is_shared_again(clock: Callable[[float], None]) -> None:
    found = shared_runs(clock, 2.0, lambda run: 8.0 if run < 9 else 1.0, 30)
    assert found == [3, 4, 5, *range(7, 30)]


@pytest.mark.skipif(not PRODUCTS.intersection(OWN_LOOPS), reason="the processor has no registers for such products")
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("rows", [9, 100, 257])
def test_a_product_in_pieces_has_the_bits_of_the_whole(
    rows: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.random.default_rng(rows)
    x, w = (gw.Variable(numbers.normal(size=size)) for size in ((rows, 50), (50, 16)))
    product = gw.MatMul(x, w)
    whole = TrainingPlan([product])
    whole.run()
    monkeypatch.setattr(gather_matmul, "DIVISIBLE", 1)
    # Always shared: no time alone is known that could be shorter.
    monkeypatch.setattr(sharing, "TRIED", 0)
    divided = TrainingPlan([product], threads=threads)
    for _ in range(5):
        divided.run()
        np.testing.assert_array_equal(divided[product], whole[product])
