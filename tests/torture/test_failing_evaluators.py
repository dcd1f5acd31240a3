"""Evaluators that cannot start: a few tries, then the reason, until an edit or a click starts anew."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.process import process, scheduler
from gradwire.app.live.process.evaluator import Answer, Evaluator, Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.live.process.scheduler import DEATHS_ALLOWED
from gradwire.app.live.session import Session
from gradwire.engine.base.processes.python_process import python_command
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block
from tests.recorded import make_graph

if sys.platform != "linux":
    pytest.skip("ends processes by signals, and counts what is left", allow_module_level=True)

PATIENCE = 30_000
USERS_PAUSES = scheduler.PAUSES
# Long enough to be told apart from none. Units: seconds.
PAUSES = (0.0, 0.1)
GRAPH = make_graph(
    [Block("x", "Input", parameters={"value": np.array(2.0)}), Block("loss", "Loss")], [("x.y", "loss.x")]
)
# The beginnings of processes that end before they serve, and what is said of them.
ENDS = {
    "exit code 1": "raise ImportError('no NumPy here')",
    "exit code 5": "import os; os._exit(5)",
    "exit code -9": "import os; os.kill(os.getpid(), 9)",
    "exit code -11": "import os; os.kill(os.getpid(), 11)",
}


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PAUSES", PAUSES)


class Tries:
    """Factory of evaluators that notes when each was asked for."""

    def __init__(self, starter: Starter) -> None:
        self.times: list[float] = []
        self._starter = starter
        self._spare = Spare(starter)

    def __call__(self, answer: Callable[[Answer], None]) -> Evaluator:
        self.times.append(time.monotonic())
        return self._spare(answer)

    def close(self) -> None:
        self._spare.close()


@pytest.fixture
def tries(qtbot: QtBot) -> Iterator[Tries]:
    made = Tries(Starter())
    yield made
    made.close()


@pytest.fixture
def open_session(tries: Tries) -> Iterator[Callable[[], Session]]:
    opened: list[Session] = []

    def open_it() -> Session:
        opened.append(Session(GRAPH, tries))
        return opened[-1]

    yield open_it
    for session in opened:
        session.close()


def fail(patch: pytest.MonkeyPatch, code: str) -> None:
    """Lets each process that is started run a line instead of what it should."""
    patch.setattr(process, "helper_command", lambda *_: python_command(code))


def given_up(qtbot: QtBot, session: Session, tries: Tries) -> str:
    """Waits for the end of the tries; returns the reason."""
    before = len(tries.times)
    qtbot.waitUntil(lambda: session.death is not None, timeout=PATIENCE)
    # Twice the longest pause: another try would have begun.
    qtbot.wait(round(2000 * PAUSES[-1]))
    assert len(tries.times) <= before + DEATHS_ALLOWED
    assert session.death is not None
    assert not session.scheduler.is_busy and session.runs.is_live
    return session.death.message


def is_fresh(session: Session) -> bool:
    return session.results is not None and not session.scheduler.is_busy and not session.is_stale


@pytest.mark.long
@pytest.mark.parametrize("reason", ENDS)
def test_an_evaluator_that_ends_at_once_is_tried_three_times_and_the_reason_said(
    qtbot: QtBot, tries: Tries, open_session: Callable[[], Session], monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    with monkeypatch.context() as patch:
        fail(patch, ENDS[reason])
        session = open_session()
        assert f"3 times in a row ({reason})." in given_up(qtbot, session, tries)
        assert len(tries.times) == DEATHS_ALLOWED
        _, second, third = tries.times
        # Timers of Qt may be early by a twentieth.
        assert third - second > 0.9 * PAUSES[-1]
        assert list(USERS_PAUSES) == sorted(set(USERS_PAUSES))
        session.evaluate()
        assert session.death is None
        given_up(qtbot, session, tries)
    session.apply("Set", edits.set_parameter, "main", "x", "value", np.array(3.0))
    qtbot.waitUntil(lambda: is_fresh(session), timeout=PATIENCE)
    assert session.results is not None and session.results.loss is not None
    assert session.results.loss.value == 3
    assert [problem for problem in session.problems if problem.code == "ended"] == []


@pytest.mark.long
def test_a_python_that_cannot_be_executed_is_said(
    qtbot: QtBot,
    tries: Tries,
    open_session: Callable[[], Session],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    python = tmp_path / "python"
    python.write_text("not for everyone")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        session = open_session()
        assert "(you have no permission)" in given_up(qtbot, session, tries)
    session.evaluate()
    qtbot.waitUntil(lambda: is_fresh(session), timeout=PATIENCE)


def test_nothing_is_left_of_evaluators_that_could_not_start(
    qtbot: QtBot, tries: Tries, open_session: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(os.listdir("/proc/self/fd"))
    fail(monkeypatch, ENDS["exit code 5"])
    session = open_session()
    given_up(qtbot, session, tries)
    session.close()
    tries.close()
    qtbot.waitUntil(lambda: len(os.listdir("/proc/self/fd")) <= before, timeout=PATIENCE)
