"""The evaluator in its own process: results keep coming during a drag, and nothing outlives the window."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from gradwire.app.live.process.evaluator import ProcessEvaluator
from gradwire.app.live.readings.readings import Results
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.driver import LEFT, Button, Driver, Kind
from tests.app.window.graphs import chain, number, wired, with_block
from tests.systems.marks import needs_stopping

STEPS, FRAME_MS = 60, 16
PATIENCE_MS = 20_000


def heavy() -> Graph:
    """Returns a slider in front of products of matrices: one run takes several frames."""
    size = 200
    graph = with_block(Graph(), "a", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(graph, "k", "Constant", (0, 240), value=np.full((size, size), 1 / size))
    graph = with_block(graph, "v", "Multiply", (240, 0))
    graph = wired(graph, "a.y > v.x", "k.y > v.y")
    last = "v.z"
    for place in range(4):
        name = f"m{place}"
        graph = with_block(graph, name, "MatMul", (480 + 240 * place, 0))
        graph = wired(graph, f"{last} > {name}.a", f"k.y > {name}.b")
        last = f"{name}.product"
    graph = with_block(graph, "sum", "ReduceSum", (1440, 0))
    graph = with_block(graph, "loss", "Loss", (1680, 0))
    return wired(graph, f"{last} > sum.x", "sum.y > loss.x")


def evaluator_of(user: Driver) -> ProcessEvaluator:
    # The only way to the process: the window rightly hides it.
    found = user.session.scheduler._evaluator
    assert isinstance(found, ProcessEvaluator)
    return found


def wait_until_idle(user: Driver) -> None:
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy, timeout=PATIENCE_MS)


def value_of(user: Driver, name: str) -> float:
    found = user.block(name).parameters["value"]
    assert isinstance(found, np.ndarray)
    return float(found)


@pytest.mark.long
@pytest.mark.parametrize(("make_graph", "at_least"), [(number, 8), (heavy, 3)])
def test_results_arrive_while_a_slider_is_dragged(
    live_user: Driver, make_graph: Callable[[], Graph], at_least: int
) -> None:
    user = live_user
    user.show(make_graph())
    wait_until_idle(user)
    frames = QTimer(user.window)
    frames.start(FRAME_MS)
    arrived: list[Results] = []
    user.session.results_changed.connect(arrived.append)
    track = user.points.knob("a", share=1.0) - user.points.knob("a", share=0.0)
    start = user.points.view(user.points.knob("a", share=0.0))
    length = track * user.canvas.camera.scale
    user.hand.send(Kind.MouseButtonPress, start, LEFT, LEFT)
    step = 0
    # On a busy machine the first run may outlast 60 steps; the point is that the mouse never rests.
    while step < STEPS or (len(arrived) < at_least and step < 20 * STEPS):
        step += 1
        share = abs((step / STEPS + 1) % 2 - 1)
        with user.qtbot.waitSignal(frames.timeout):
            user.hand.send(Kind.MouseMove, start + length * share, Button.NoButton, LEFT)
    before_release = len({results.revision for results in arrived})
    user.hand.send(Kind.MouseButtonRelease, start + length, LEFT)
    assert before_release >= at_least
    revisions = [results.revision for results in arrived]
    # The causes of a run follow it where the next one leaves time.
    assert revisions == sorted(revisions)
    wait_until_idle(user)
    last = user.session.port(Port("a", "y"))
    assert last is not None
    assert last.value is not None
    assert last.value.first == (value_of(user, "a"),)
    assert user.session.results is arrived[-1]
    assert not user.session.is_stale


@pytest.mark.long
def test_the_value_shown_at_the_end_is_that_of_the_graph(live_user: Driver) -> None:
    user = live_user
    user.show(number())
    user.hand.drag(user.points.knob("a", share=0.1), user.points.knob("a", share=0.9), steps=STEPS)
    wait_until_idle(user)
    results = user.session.results
    assert results is not None
    assert results.loss is not None
    assert float(results.loss.value) == pytest.approx(value_of(user, "a") ** 2)


@needs_stopping
def test_after_the_process_is_killed_results_come_again(live_user: Driver) -> None:
    user = live_user
    user.show(number())
    wait_until_idle(user)
    first = evaluator_of(user).pid
    os.kill(first, signal.SIGKILL)
    user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.7), steps=20)
    user.qtbot.waitUntil(lambda: evaluator_of(user).pid != first, timeout=PATIENCE_MS)
    wait_until_idle(user)
    reading = user.session.port(Port("a", "y"))
    assert reading is not None
    assert reading.value is not None
    assert reading.value.first == (value_of(user, "a"),)


@pytest.mark.long
@needs_stopping
def test_a_process_killed_in_the_middle_of_a_run_is_replaced_and_the_run_repeated(live_user: Driver) -> None:
    user = live_user
    user.show(heavy())
    wait_until_idle(user)
    first = evaluator_of(user)
    user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.7), steps=3)
    # Until events are handled again, no answer of this run can have come.
    user.session.evaluate()
    assert user.session.scheduler.is_busy
    os.kill(first.pid, signal.SIGKILL)
    wait_until_idle(user)
    assert evaluator_of(user) is not first
    reading = user.session.port(Port("a", "y"))
    assert reading is not None
    assert reading.value is not None
    assert reading.value.first == (value_of(user, "a"),)


@pytest.mark.long
@needs_stopping
def test_after_three_deaths_the_status_line_says_why_and_tries_again(live_user: Driver) -> None:
    user = live_user
    user.show(number())
    wait_until_idle(user)
    said = user.listen()
    for _ in range(3):
        user.qtbot.waitUntil(lambda: user.session.scheduler._evaluator is not None, timeout=PATIENCE_MS)
        dying = evaluator_of(user)
        user.qtbot.waitUntil(lambda dying=dying: dying.pid is not None, timeout=PATIENCE_MS)
        os.kill(dying.pid, signal.SIGKILL)
        user.qtbot.waitUntil(lambda dying=dying: user.session.scheduler._evaluator is not dying, timeout=PATIENCE_MS)
    user.settle()
    assert user.session.runs.is_live
    assert len(said) == 1
    status = user.window.parts.layout.status
    assert status.sentence.text == said[0]
    assert "3 times in a row (exit code -9)" in said[0]
    QTest.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    wait_until_idle(user)
    assert not user.session.is_stale
    assert not status.sentence.text.startswith("The evaluation ended")


def test_closing_the_window_ends_process_and_threads(live_user: Driver) -> None:
    user = live_user
    threads = set(threading.enumerate())
    user.show(heavy())
    user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.7), steps=3)
    process = evaluator_of(user)._process
    assert process.poll() is None
    user.session.document.mark_saved()
    start = time.monotonic()
    user.window.close()
    assert time.monotonic() - start < 5
    assert process.poll() is not None
    # The thread that reads what the process says last ends a moment after it.
    user.qtbot.waitUntil(lambda: set(threading.enumerate()) <= threads, timeout=5000)


@pytest.mark.long
def test_another_document_ends_the_process_of_the_one_before(live_user: Driver) -> None:
    user = live_user
    user.show(number())
    old: subprocess.Popen[bytes] = evaluator_of(user)._process
    user.show(chain())
    # It is killed at once, and nobody waits for its end.
    user.qtbot.waitUntil(lambda: old.poll() is not None, timeout=5000)
    wait_until_idle(user)
    assert user.session.results is not None


def test_the_status_bar_ends_up_to_date(live_user: Driver) -> None:
    user = live_user
    user.show(heavy())
    user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.4), steps=2)
    wait_until_idle(user)
    user.settle()
    assert user.child(QLabel, "status_state_text").text() == "Up to date"


@pytest.mark.long
@needs_stopping
def test_the_window_answers_while_a_long_run_lasts(live_user: Driver) -> None:
    user = live_user
    user.show(heavy())
    wait_until_idle(user)
    # A stopped process takes as long as the test needs it to, on a fast machine too.
    pid = evaluator_of(user).pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        user.hand.drag(user.points.knob("a", share=0.2), user.points.knob("a", share=0.7), steps=2)
        assert user.session.scheduler.is_busy
        start, at = time.monotonic(), user.points.title("m3")
        user.hand.drag(at, at + QPointF(32, 160))
        assert time.monotonic() - start < 1
        assert user.block("m3").at == (1232, 160)
        assert user.session.scheduler.is_busy
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_until_idle(user)
    assert not user.session.is_stale
