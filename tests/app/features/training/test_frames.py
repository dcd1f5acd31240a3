"""Frames of a training: which news become one, what they carry, and how soon one follows another."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject

from gradwire.app.features.training import frames as frames_module
from gradwire.app.features.training.frames import Frame, Frames
from gradwire.engine.graph.graph import Graph


class Runs:
    """Runs that note what is prepared, and answer when a test says so."""

    def __init__(self) -> None:
        self.asked: list[Callable[[bool], None]] = []
        self.ended = 0

    def prepare(self, _: Graph, take: Callable[[bool], None]) -> None:
        self.asked.append(take)

    def end_prepared(self) -> None:
        self.ended += 1


class Timer:
    """A timer that goes off when a test says so."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call, self.wait = call, -1

    def start(self, wait: int) -> None:
        self.wait = wait

    def stop(self) -> None:
        self.wait = -1

    def isActive(self) -> bool:
        return self.wait >= 0

    def fire(self) -> None:
        self.wait = -1
        self.call()


class Clock:
    now = worked = 100.0


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, qapp: object) -> Any:
    """Frames with their runs, timer and clock, and the frames shown."""
    clock, runs, shown = Clock(), Runs(), list[Frame]()
    clock_of = SimpleNamespace(monotonic=lambda: clock.now, thread_time=lambda: clock.worked)
    monkeypatch.setattr(frames_module, "time", clock_of)
    monkeypatch.setattr(frames_module, "make_timer", lambda _, call: Timer(call))
    parent = QObject()
    made = Frames(SimpleNamespace(graph=Graph()), runs, shown.append, parent)  # type: ignore[arg-type]
    return SimpleNamespace(frames=made, timer=made._timer, runs=runs, clock=clock, shown=shown, parent=parent)


def news(number: int, is_running: bool = True) -> Any:
    return SimpleNamespace(round=number, chunk=f"c{number}", is_running=is_running, variables={})


def test_only_the_newest_of_waiting_news_becomes_a_frame_with_the_numbers_of_all(bench: Any) -> None:
    bench.frames.offer(news(1))
    bench.frames.offer(news(2))
    bench.frames.keep("more")
    assert bench.runs.asked == []
    bench.timer.fire()
    (take,) = bench.runs.asked
    bench.frames.offer(news(3))
    assert not bench.timer.isActive() and bench.shown == []
    take(True)
    (frame,) = bench.shown
    assert (frame.news.round, frame.chunks) == (2, ("c1", "c2", "more"))
    assert bench.timer.isActive()
    bench.timer.fire()
    bench.runs.asked[-1](True)
    assert [(item.news.round, item.chunks) for item in bench.shown[1:]] == [(3, ("c3",))]


def test_the_last_news_do_not_wait_and_the_next_run_begins_at_once(bench: Any) -> None:
    bench.frames.offer(news(1))
    bench.frames.offer(news(2, is_running=False))
    assert len(bench.runs.asked) == 1 and not bench.timer.isActive() and bench.runs.ended == 1
    bench.runs.asked[0](True)
    assert bench.shown[0].news.round == 2
    bench.frames.offer(news(3))
    assert bench.timer.wait == 0


def test_a_frame_that_was_overtaken_is_prepared_anew_with_its_numbers(bench: Any) -> None:
    bench.frames.offer(news(1))
    bench.timer.fire()
    bench.runs.asked[-1](False)
    assert bench.shown == [] and bench.timer.isActive()
    bench.timer.fire()
    bench.frames.offer(news(2))
    bench.runs.asked[-1](False)
    bench.timer.fire()
    bench.runs.asked[-1](True)
    (frame,) = bench.shown
    assert (frame.news.round, frame.chunks) == (2, ("c1", "c2"))


def test_what_is_dropped_is_never_shown(bench: Any) -> None:
    bench.frames.offer(news(1))
    bench.timer.fire()
    bench.frames.offer(news(2))
    bench.frames.drop()
    assert not bench.timer.isActive() and bench.runs.ended == 1
    bench.runs.asked[-1](True)
    bench.timer.fire()
    assert bench.shown == [] and len(bench.runs.asked) == 1


@pytest.mark.parametrize(
    ("worked", "evaluated", "pause"),
    [
        (0.0, 0.0, 33),  # never sooner
        (0.01, 0.0, 40),  # the thread of the window gives a quarter of its time
        (0.02, 0.0, 80),
        (0.05, 0.0, 100),  # never later
        (0.0, 0.03, 60),  # the evaluator gives half of its time
        (0.01, 0.03, 60),
    ],
)
def test_a_frame_follows_the_sooner_the_less_work_the_one_before_was(
    bench: Any, worked: float, evaluated: float, pause: int
) -> None:
    bench.frames.offer(news(1))
    bench.timer.fire()
    bench.clock.now += evaluated
    bench.runs.asked[-1](True)
    bench.clock.worked += worked
    bench.frames.offer(news(2))
    bench.timer.fire()
    bench.runs.asked[-1](True)
    bench.frames.offer(news(3))
    assert bench.timer.wait == pause
    # What has passed since the frame began is taken off.
    bench.timer.stop()
    bench.clock.now += 0.02
    bench.frames.offer(news(4))
    assert bench.timer.wait == pause - 20
    bench.timer.stop()
    bench.clock.now += 9
    bench.frames.offer(news(5))
    assert bench.timer.wait == 0
