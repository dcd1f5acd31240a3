"""The process that writes copies: every copy equals the graph, whatever came before, and no piece is large."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QProcess, QTimer
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.live.process.updates import update_between
from gradwire.app.shell.documents.recovery_writer import NO_TRAINING, SLICE, RecoveryWriter, _pieces
from gradwire.engine.edits import edits, page_edits
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import copied_training, kept_state
from gradwire.engine.training.copied_training import CopiedTraining, with_training
from gradwire.engine.training.kept_state import initial_of, state_of
from gradwire.engine.training.trainer import Trainer
from tests.app.window.graphs import chain, number

Keep = Callable[[Graph, Path], str]


def process_of(writer: RecoveryWriter) -> int:
    """Returns the id of the process that writes the copies."""
    assert writer._process is not None
    return int(writer._process.processId())


@pytest.fixture
def recovery_writer(qtbot: QtBot) -> Iterator[RecoveryWriter]:
    made = RecoveryWriter()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def keep(recovery_writer: RecoveryWriter, qtbot: QtBot) -> Keep:
    """A function that writes a copy and returns the reason of a failure."""

    def write(graph: Graph, target: Path) -> str:
        with qtbot.waitSignal(recovery_writer.kept, timeout=60_000) as kept:
            recovery_writer.keep(graph, target)
        return str(kept.args[0])

    return write


def many(count: int) -> Graph:
    """Returns a graph of more blocks than fit into one piece."""
    graph = Graph()
    for place in range(count):
        graph = edits.add_block(graph, "main", "Exp", at=(place * 10, 0))[0]
    return graph


def test_each_copy_is_the_graph(keep: Keep, tmp_path: Path) -> None:
    one, other = tmp_path / "1.graph", tmp_path / "2.graph"
    graph = chain()
    steps = [
        graph,
        many(450),
        number(),
        edits.set_parameter(number(), "main", "a", "value", np.arange(5000.0)),
        page_edits.add_page(number(), "second")[0],
        Graph(),
    ]
    for place, step in enumerate(steps):
        assert keep(step, (one, other)[place % 2]) == ""
        assert (one, other)[place % 2].read_text("utf-8") == dumps(step)
    assert load(other).graph == steps[-1]


def test_a_copy_that_cannot_be_written_is_told_and_the_next_one_is_written(keep: Keep, tmp_path: Path) -> None:
    assert "cannot be written" in keep(chain(), tmp_path / "no such folder" / "1.graph")
    assert keep(number(), tmp_path / "1.graph") == ""
    assert load(tmp_path / "1.graph").graph == number()


def test_a_process_that_was_killed_is_replaced_and_the_older_copy_stays(
    keep: Keep, recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    copy = tmp_path / "1.graph"
    keep(chain(), copy)
    with qtbot.waitSignal(recovery_writer.kept, timeout=60_000) as told:
        recovery_writer.keep(number(), copy)
        process = process_of(recovery_writer)
        assert process
        os.kill(process, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    assert "has ended" in told.args[0] and load(copy).graph == chain()
    assert keep(number(), copy) == ""
    assert load(copy).graph == number()


def held(recovery_writer: RecoveryWriter, qtbot: QtBot, graph: Graph, target: Path) -> None:
    """Hands a graph to the process, and waits until it is in the pipe."""
    recovery_writer.hold(graph, target)
    qtbot.waitUntil(lambda: not recovery_writer.is_sending, timeout=60_000)
    process = recovery_writer.findChild(QProcess)
    qtbot.waitUntil(lambda: process.bytesToWrite() == 0, timeout=60_000)


def window_ends(recovery_writer: RecoveryWriter) -> None:
    """Closes the pipe as the end of a window does, and waits for the process."""
    process = recovery_writer.findChild(QProcess)
    process.closeWriteChannel()
    assert process.waitForFinished(60_000)


@pytest.mark.long
def test_what_is_held_is_written_when_the_window_ends(
    keep: Keep, recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    copy = tmp_path / "1.graph"
    assert keep(chain(), copy) == ""
    held(recovery_writer, qtbot, number(), copy)
    held(recovery_writer, qtbot, many(450), copy)
    assert load(copy).graph == chain()
    window_ends(recovery_writer)
    assert load(copy).graph == many(450)


def test_what_was_released_is_not_written_when_the_window_ends(
    recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    held(recovery_writer, qtbot, chain(), tmp_path / "1.graph")
    recovery_writer.release()
    qtbot.waitUntil(lambda: recovery_writer.findChild(QProcess).bytesToWrite() == 0, timeout=60_000)
    window_ends(recovery_writer)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="only there are these signals")
def test_the_process_outlives_the_signals_of_a_terminal(
    keep: Keep, recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    assert keep(chain(), tmp_path / "1.graph") == ""
    held(recovery_writer, qtbot, number(), tmp_path / "1.graph")
    for number_of in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        os.kill(process_of(recovery_writer), number_of)
    window_ends(recovery_writer)
    assert load(tmp_path / "1.graph").graph == number()


def test_what_goes_through_the_pipe_at_once_is_small() -> None:
    graph = edits.set_parameter(number(), "main", "a", "value", np.zeros(100_000))
    pieces = list(_pieces("x", update_between(Graph(()), graph), True, NO_TRAINING))
    assert max(map(len, pieces)) <= SLICE


def test_a_copy_holds_what_the_rules_of_a_training_remember(
    recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable([1.0, 2.0], name="w")), name="loss"))
    trainer, target = Trainer(graph), tmp_path / "a.graph"
    for _ in range(3):
        trainer.run_round()
    state, initial = trainer.state(), {"main/w": np.array([1.0, 2.0])}
    with qtbot.waitSignal(recovery_writer.kept, timeout=60_000) as kept:
        # The values on the canvas may be of another round.
        recovery_writer.keep(graph, target, CopiedTraining(state, initial))
    assert kept.args == [""]
    found = load(target).graph
    assert state_of(found, None).to_bytes() == state.to_bytes()
    assert initial_of(found)["main/w"].tolist() == [1.0, 2.0]


def test_a_copy_holds_the_state_that_lies_beside_the_original(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_state, "MOST", 0)
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable([1.0, 2.0], name="w")), name="loss"))
    trainer, path = Trainer(graph), tmp_path / "a.graph"
    trainer.run_round()
    kept_state.save_kept(trainer.graph, path, trainer.state(), {})
    read = load(path).graph
    copied = with_training(read, CopiedTraining(None, {}, path))
    (tmp_path / "a.graph.state.npz").unlink()
    assert state_of(copied, None).to_bytes() == trainer.state().to_bytes()
    monkeypatch.setattr(copied_training, "MOST", 8)
    assert with_training(graph, CopiedTraining(trainer.state())) is graph


@pytest.mark.skipif(os.name != "posix", reason="halts a process by a signal")
def test_a_process_that_hangs_is_noticed_from_the_oldest_message_whatever_is_sent_later(
    keep: Keep, recovery_writer: RecoveryWriter, qtbot: QtBot, tmp_path: Path
) -> None:
    assert keep(chain(), tmp_path / "1.graph") == ""
    recovery_writer._silence.setInterval(400)
    said, sent = list[str](), list[Graph]()
    recovery_writer.kept.connect(said.append)
    os.kill(process_of(recovery_writer), signal.SIGSTOP)
    recovery_writer.keep(number(), tmp_path / "1.graph")
    later = QTimer()

    def send_more() -> None:
        # Every message still finds room in the pipe.
        sent.append((chain(), number())[len(sent) % 2])
        recovery_writer.hold(sent[-1], tmp_path / "2.graph")

    later.timeout.connect(lambda: None if said else send_more())
    later.start(100)
    qtbot.waitUntil(lambda: bool(said), timeout=60_000)
    assert said == ["The process that writes copies does not answer."] and len(sent) < 20
    later.stop()
