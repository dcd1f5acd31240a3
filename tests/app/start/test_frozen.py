"""A frozen program has no Python beside it: it starts its processes by itself. A script stands for it here."""

from __future__ import annotations

import os
import queue
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.live.process.evaluator import Answer, ProcessEvaluator
from gradwire.app.live.process.process import Starter
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.app.shell.documents.recovery_writer import RecoveryWriter
from gradwire.engine.base.processes.python_process import CHILD, ROOT
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block
from gradwire.engine.plugins.plugin_trial import tried
from tests.recorded import make_graph

PATIENCE = 30_000
# It knows no -c and no -m, and notes the first argument of each start.
PROGRAM = """#!{python}
import sys
sys.path.insert(0, {root!r})
sys.frozen, sys.executable = True, __file__
from gradwire.app.__main__ import main
with open(__file__ + ".log", "a") as log:
    print(sys.argv[1], file=log)
sys.exit(main())
"""
GRAPH = make_graph(
    [Block("x", "Input", parameters={"value": np.array(3.0)}), Block("y", "Square"), Block("loss", "Loss")],
    [("x.y", "y.x"), ("y.y", "loss.x")],
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script is no executable on Windows")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The executable, whose folder has a space; this process is frozen too."""
    path = tmp_path / "a folder" / "gradwire"
    path.parent.mkdir()
    path.write_text(PROGRAM.format(python=sys.executable, root=str(ROOT)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(path))
    return path


def starts(program: Path) -> list[str]:
    return Path(f"{program}.log").read_text().split()


@pytest.fixture
def make_evaluator() -> MakeEvaluator:
    return lambda take: ProcessEvaluator(take, Starter().start())


def test_a_graph_is_evaluated_in_a_process_of_the_frozen_program(
    qtbot: QtBot, program: Path, make_evaluator: MakeEvaluator
) -> None:
    session = Session(GRAPH, make_evaluator)
    qtbot.waitUntil(lambda: session.results is not None and session.results.loss is not None, timeout=PATIENCE)
    assert session.results is not None and session.results.loss is not None
    assert session.results.loss.value == 9
    session.close()
    assert starts(program) == ["--helper"]


def test_copies_of_unsaved_graphs_are_written(qtbot: QtBot, program: Path, tmp_path: Path) -> None:
    writer, target = RecoveryWriter(), tmp_path / "copy.graph"
    with qtbot.waitSignal(writer.kept, timeout=PATIENCE) as kept:
        writer.keep(GRAPH, target)
    writer.close()
    assert kept.args == [""]
    assert load(target).graph == GRAPH
    assert starts(program) == ["--helper"]


def test_a_plug_in_is_tried(program: Path) -> None:
    assert tried("nowhere").fault == "it is not installed"
    assert starts(program) == [CHILD]


def test_a_program_is_exported(qtbot: QtBot, program: Path) -> None:
    dialog = CodeDialog(GRAPH, "title", None)  # type: ignore[arg-type]  # no window stands behind it
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "np.square" in dialog._code.toPlainText(), timeout=PATIENCE)
    assert starts(program) == [CHILD]


def test_the_command_line_is_as_ever(program: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.startswith("gradwire ")


def test_a_child_calls_no_function_that_is_not_ours(program: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    done = subprocess.run([program, CHILD, "os:mkdir", str(made)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not made.exists()


def test_a_helper_outlives_a_signal_from_the_terminal(program: Path) -> None:
    answers: queue.Queue[Answer] = queue.Queue()
    started = Starter().start()
    evaluator = ProcessEvaluator(answers.put, started)

    evaluator.ask(ConsoleLine(1, "__import__('os').kill(__import__('os').getpid(), 15); 1 + 1"))
    assert "2" in str(answers.get(timeout=PATIENCE / 1000))
    evaluator.close()
