"""Evaluators that die, crash, hang and starve: the window survives, names the block, and stays correct."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import statistics
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.stops import stop_button
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process import scheduler
from gradwire.app.live.process.evaluator import Answer, Evaluator, InlineEvaluator, ProcessEvaluator, Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.recorded import make_graph
from tests.sweeps import a_third_of
from tests.torture.support.counts import count

PATIENCE = 30_000
MAIN = "main"

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="ends processes by signals, and counts what is left"),
    pytest.mark.long,
]


def source(name: str, value: float | np.ndarray) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, np.float64)})


def chain(*types: str, value: float | np.ndarray = 2.0) -> Graph:
    """Returns x -> d, of the first type -> loss; and x -> e, an Exp without a consumer."""
    blocks = [source("x", value), Block("e", "Exp"), *(Block(f"d{n}", kind) for n, kind in enumerate(types))]
    ends = ["x.y", *(f"d{n}.y" for n in range(len(types)))]
    wires = [(end, f"d{n}.x") for n, end in enumerate(ends[:-1])]
    return make_graph([*blocks, Block("loss", "Loss")], [*wires, (ends[-1], "loss.x"), ("x.y", "e.x")])


def figure(what: str, number: float, unit: str) -> None:
    print(f"figure: {what}: {number:.0f} {unit}")


class Makes:
    """Factory of evaluators as in the program: it starts a spare one a while after one was taken."""

    def __init__(self, starter: Starter) -> None:
        self.count = 0
        self._newest: Callable[[], ProcessEvaluator | None] = lambda: None
        self._rest = QTimer()
        self._rest.setSingleShot(True)
        self.spare = Spare(starter, taken=lambda: self._rest.start(300))
        self._rest.timeout.connect(self.spare.prepare)

    def __call__(self, answer: Callable[[Answer], None]) -> Evaluator:
        made = self.spare(answer)
        assert isinstance(made, ProcessEvaluator)
        self.count, self._newest = self.count + 1, weakref.ref(made)
        return made

    def kill(self) -> None:
        """Kills the newest one unless it has died already, because its process id may have a new owner."""
        made = self._newest()
        if made is not None and made.pid is not None and made._process.poll() is None:
            os.kill(made.pid, signal.SIGKILL)

    def close(self) -> None:
        self._rest.stop()
        self.spare.close()


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    """The starter of all evaluators; they know the block types of the plug-in `deadly`, and this process does not."""
    folder = tmp_path_factory.mktemp("deadly")
    info = folder / "deadly-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gradwire.blocks]\ndeadly = deadly\n")
    shutil.copy(Path(__file__).parent / "support" / "deadly.py", folder / "deadly.py")
    (folder / "gradwire").mkdir()
    (folder / "gradwire" / "plugins.txt").write_text("deadly\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        made = Starter()
        yield made
        made.close()


@pytest.fixture
def makes(qtbot: QtBot, starter: Starter) -> Iterator[Makes]:
    made = Makes(starter)
    yield made
    made.close()


@pytest.fixture
def open_graph(qtbot: QtBot, makes: Makes) -> Iterator[Callable[[Graph], Session]]:
    sessions: list[Session] = []

    def open_it(graph: Graph) -> Session:
        sessions.append(Session(graph, makes))
        return sessions[-1]

    yield open_it
    for session in sessions:
        session.close()


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=PATIENCE)


def is_fresh(session: Session) -> bool:
    return session.results is not None and not session.scheduler.is_busy and not session.is_stale


def seconds_until(qtbot: QtBot, condition: Callable[[], bool]) -> float:
    """Returns how long a condition takes while the window answers; looks more often than `waitUntil`."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < PATIENCE / 1000
        qtbot.wait(1)
    return time.monotonic() - start


def without_deadly(session: Session) -> None:
    session.apply("Mend", edits.remove_blocks, MAIN, ["d0"])


def processes(parent: int) -> list[int]:
    """Returns the descendants of a process."""
    try:
        words = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    except FileNotFoundError:  # It has ended since it was listed.
        return []
    return [found for word in words for found in (int(word), *processes(int(word)))]


def left_open() -> tuple[int, int, int, int]:
    """Returns the numbers of file descriptors, threads, shared memories, and child processes."""
    maps = Path("/proc/self/maps").read_text().count("memfd:gradwire")
    return len(os.listdir("/proc/self/fd")), threading.active_count(), maps, len(processes(os.getpid()))


class Drag:
    """Drag of a slider while evaluators die at random; it records the window's behaviour."""

    def __init__(self, session: Session, canvas: Canvas, makes: Makes, kills: int) -> None:
        self._session, self._canvas, self._makes, self._kills = session, canvas, makes, kills
        self._random = random.Random(8)
        self._last = self._died = time.monotonic()
        self.deaths = self.old = self._in_a_row = 0
        self._due = 5
        self.pauses: list[float] = []
        self.restarts: list[float] = []
        self.marked: list[bool] = []
        self.fresh: list[bool] = []
        session.scheduler.ended.connect(self._note_death)
        session.results_changed.connect(self._note_results)
        self._timer = QTimer(canvas)
        self._timer.timeout.connect(self._move)
        self._timer.start(5)

    @property
    def is_over(self) -> bool:
        return self.deaths >= self._kills and self._in_a_row == 0

    def end(self) -> None:
        self._timer.stop()

    def _move(self) -> None:
        now = time.monotonic()
        self.pauses.append(now - self._last)
        self._last = now
        value = np.array(self._random.uniform(-1, 1))
        self._session.apply("Drag", edits.set_parameter, MAIN, "x", "value", value, merge_key="drag")
        self._canvas.grab()
        self._due -= 1
        if self._due == 0 and self.deaths < self._kills:
            self._makes.kill()

    def _note_death(self, _: object) -> None:
        self.deaths, self._died = self.deaths + 1, time.monotonic()
        self._in_a_row += 1
        # The death of an evaluator that had answered leaves no stale results.
        assert self._session.results is not None
        is_old = self._session.results.revision < self._session.scheduler.revision
        self.old += is_old
        self.marked.append(self._session.is_stale == self._canvas.page_look.now().is_stale == is_old)
        # Two may die in a row without an answer, not three.
        if self._in_a_row < 2 and self._random.random() < 0.3:
            self._due = self._random.randrange(1, 30)

    def _note_results(self, _: object) -> None:
        if self._in_a_row:
            self.restarts.append(time.monotonic() - self._died)
            self.fresh.append(not self._session.is_stale)
            self._in_a_row = 0
        if self._due <= 0:
            self._due = self._random.randrange(1, 30)


def test_a_slider_is_dragged_while_evaluators_are_killed(qtbot: QtBot, makes: Makes, starter: Starter) -> None:
    """The window answers every tick, marks stale results at each death, ends fresh, and leaves nothing behind."""
    session = Session(chain("Tanh", "Square"), makes)
    canvas = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show()
    canvas.grab()
    wait(qtbot, lambda: is_fresh(session))
    makes.spare.prepare()
    # The one in use and the next one.
    wait(qtbot, lambda: len(processes(starter._server.pid)) == 2)
    gc.collect()
    before = left_open()
    given_up: list[object] = []
    session.scheduler.gave_up.connect(given_up.append)
    drag = Drag(session, canvas, makes, count(8, 200))
    qtbot.waitUntil(lambda: drag.is_over, timeout=60 * PATIENCE)
    drag.end()
    wait(qtbot, lambda: is_fresh(session))
    assert drag.deaths == count(8, 200) and given_up == []
    assert drag.marked == [True] * drag.deaths and all(drag.fresh) and drag.old > drag.deaths / 2
    assert not canvas.page_look.now().is_stale
    assert_undisturbed(session)
    figure("evaluators killed during a drag", drag.deaths, "")
    figure("longest pause of the window", 1000 * max(drag.pauses), "ms")
    figure("median pause of the window", 1000 * statistics.median(drag.pauses), "ms")
    figure("restart, from the death to results, median", 1000 * statistics.median(drag.restarts), "ms")
    figure("restart, from the death to results, longest", 1000 * max(drag.restarts), "ms")
    assert max(drag.pauses) < 2
    makes.spare.prepare()
    # Another evaluator is in use, and nothing is left of the earlier ones; what other tests left may end meanwhile.
    wait(qtbot, lambda: all(now <= then for now, then in zip(left_open(), before, strict=True)))
    session.close()


def assert_undisturbed(session: Session) -> None:
    """Asserts that the window shows the results of an undisturbed evaluation."""
    expected = Session(session.graph, InlineEvaluator)
    assert session.results is not None and expected.results is not None
    for found, wanted in zip(tables(session), tables(expected), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert session.results.problems == expected.results.problems
    expected.close()


def tables(session: Session) -> list[np.ndarray]:
    assert session.results is not None
    results = session.results
    return [
        results.values.rows, results.ports.gradients.rows, results.wires.gradients.rows, results.ports.statuses,
        results.wires.statuses,
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "code"), a_third_of([("Segfault", -signal.SIGSEGV), ("Leave", 3)]))
def test_three_deaths_at_one_graph_end_live_evaluation_at_the_block(
    qtbot: QtBot,
    open_graph: Callable[[Graph], Session],
    kind: str,
    code: int,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "PAUSES", (0.0, 0.05))
    session = open_graph(chain(f"deadly.{kind}"))
    said: list[str] = []
    session.refused.connect(said.append)
    wait(qtbot, lambda: bool(said))
    assert f'3 times in a row, the last time at deadly.{kind} "d0" (exit code {code})' in said[0]
    assert not session.runs.is_live and not session.scheduler.is_busy
    assert "ended" in [problem.code for problem in session.problems_of("d0")]
    without_deadly(session)
    session.runs.set_live(True)
    wait(qtbot, lambda: is_fresh(session))
    assert "ended" not in [problem.code for problem in session.problems]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [("Raise", "fault", "RuntimeError: odd"), ("Forget", "memory", "memory"), ("Starve", "memory", "memory")],
)
def test_a_block_that_raises_is_a_problem_and_the_rest_is_computed(
    qtbot: QtBot, open_graph: Callable[[Graph], Session], makes: Makes, kind: str, code: str, said: str
) -> None:
    session = open_graph(chain(f"deadly.{kind}"))
    wait(qtbot, lambda: is_fresh(session))
    assert session.results is not None
    assert [(p.at, p.code, said in p.message) for p in session.results.problems if p.severity == "error"] == [
        (f"{MAIN}/d0", code, True)
    ]
    found = session.port(Port("e", "y"))
    assert found is not None and found.value is not None and found.value.first == (np.exp(2.0),)
    assert makes.count == 1


@pytest.mark.parametrize("kind", ["Hang", "HangShape", "HangRule"])
def test_a_run_that_hangs_is_named_and_stopped_and_not_run_again(
    qtbot: QtBot, open_graph: Callable[[Graph], Session], makes: Makes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop_button, "LONG", 0.001)
    session = open_graph(chain(f"deadly.{kind}"))
    bar = StatusBar(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(bar)
    bar.show()
    button = bar.findChild(stop_button.StopButton)
    assert button is not None
    wait(qtbot, lambda: f'deadly.{kind} "d0"' in bar.findChild(object, "status_state").text)
    wait(qtbot, button.isVisible)
    makes.spare.prepare()
    button.click()
    assert not session.scheduler.is_busy and session.is_stale and session.runs.is_live and not button.isVisible()
    assert bar.findChild(object, "status_state").text == "Stopped; F5 computes"
    qtbot.wait(20)
    assert not session.scheduler.is_busy
    without_deadly(session)
    wait(qtbot, lambda: is_fresh(session))


def test_a_long_product_is_cancelled_at_once(
    qtbot: QtBot, open_graph: Callable[[Graph], Session], makes: Makes
) -> None:
    """Covers the time from the click to the results of the graph without it."""
    size = count(2000, 9000)
    ones = Block("a", "Fill", parameters={"dims": [size, size]})
    blocks = [ones, Block("m", "MatMul"), source("x", 2.0), Block("e", "Exp")]
    wires = [("x.y", "a.value"), ("a.y", "m.a"), ("a.y", "m.b"), ("x.y", "e.x")]
    session = open_graph(make_graph(blocks, wires))
    wait(qtbot, lambda: session.scheduler.running == f"{MAIN}/m")
    makes.spare.prepare()
    qtbot.wait(count(1, 2000))
    start = time.monotonic()
    session.runs.stop()
    session.apply("Cut", edits.remove_blocks, MAIN, ["a", "m"])
    wait_for = seconds_until(qtbot, lambda: session.scheduler._shown > 0)
    figure("cancelling a product, until the next results", 1000 * wait_for, "ms")
    assert time.monotonic() - start < 5
    found = session.port(Port("e", "y"))
    assert found is not None and found.value is not None


def test_an_idle_evaluator_that_is_killed_is_replaced_and_asked_again(
    qtbot: QtBot, open_graph: Callable[[Graph], Session], makes: Makes
) -> None:
    session = open_graph(chain("Exp"))
    wait(qtbot, lambda: is_fresh(session))
    makes.spare.prepare()
    qtbot.wait(count(1, 1500))
    restarts, replies = [], list[Reply]()
    session.replied.connect(replies.append)
    for number in range(count(2, 20)):
        makes.kill()
        session.ask(TensorName(PortName(f"{MAIN}/d0", "y")))
        restarts.append(seconds_until(qtbot, lambda: bool(replies)))
        assert replies.pop().answer == np.exp(2.0 + number)
        # Another graph, because three deaths at one graph would be too many.
        value = np.array(3.0 + number)
        session.apply("Set", edits.set_parameter, MAIN, "x", "value", value)
        wait(qtbot, lambda: is_fresh(session))
        qtbot.wait(count(1, 1500))
    figure("from a kill to the answer of the next evaluator, median", 1000 * statistics.median(restarts), "ms")
    figure("from a kill to the answer of the next evaluator, longest", 1000 * max(restarts), "ms")


def test_each_of_many_deaths_in_quick_succession_is_followed_by_what_is_right(
    qtbot: QtBot, open_graph: Callable[[Graph], Session], makes: Makes
) -> None:
    """None waits for a spare process."""
    session = open_graph(chain("Exp"))
    wait(qtbot, lambda: is_fresh(session))
    restarts, ended, given_up = [], list[object](), list[object]()
    session.scheduler.ended.connect(ended.append)
    session.scheduler.gave_up.connect(given_up.append)
    for number in range(count(5, 200)):
        makes.kill()
        # Another graph, because three deaths at one graph would be too many.
        session.apply("Set", edits.set_parameter, MAIN, "x", "value", np.array(number / 10))
        restarts.append(seconds_until(qtbot, lambda number=number: len(ended) > number and is_fresh(session)))
        assert session.results is not None and session.results.loss is not None
        assert session.results.loss.value == np.exp(number / 10)
    assert len(ended) == count(5, 200) and given_up == []
    figure("death after death, from a kill to results, median", 1000 * statistics.median(restarts), "ms")
    figure("death after death, from a kill to results, longest", 1000 * max(restarts), "ms")
