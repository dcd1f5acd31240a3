"""Processes that train and are killed: the document and its file stay whole, and the training goes on."""

from __future__ import annotations

import dataclasses
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.run_folder import RunFolder, runs
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import ProcessEvaluator, Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.live.session import Session
from gradwire.app.shell.documents.recovery_files import abandoned
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.files import dumps, load, save
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import rounds_kept, state_of
from gradwire.engine.training.trainer import Trainer
from tests.app.programs import Program
from tests.torture.support.counts import count
from tests.torture.support.training_window import TRAINING_WINDOW

PATIENCE = 60_000
# Rounds a second at most, so that rounds tell how much time of training they took.
PACE = 2_000.0
MOST_LOST = 2.0

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="ends processes by signals"), pytest.mark.long]


def network() -> Graph:
    """Returns a network with batches, noise and a rule that remembers."""
    draw = np.random.default_rng(3)
    x, y = gw.Data(set="moons", n=40, batch=8, seed=1, name="data")
    hidden = gw.Dropout(gw.Tanh(x @ gw.Variable(draw.normal(size=(2, 6)), name="w")), rate=0.2, name="drop")
    wrong = hidden @ gw.Variable(draw.normal(size=(6, 2)), name="v") - y
    plan = {"seed": 4, "steps": ({"rule": {"type": "adam", "rate": 1e-4}},), "until": {"steps": 10**9}}
    return dataclasses.replace(gw.graph(gw.Loss(gw.Square(wrong), reduction="mean", name="loss")), training=plan)


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    starter = Starter()
    save(network(), tmp_path / "a.graph")
    made = Session(network(), Spare(starter), tmp_path / "a.graph")
    made.part(TrainingDesk).set_limit(PACE)
    yield made
    made.close()


def test_a_trainer_may_be_killed_at_any_moment(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    start, file = session.graph, (tmp_path / "a.graph").read_bytes()
    training, moments = session.part(TrainingDesk), random.Random(7)
    for number in range(count(4, 100)):
        before = training.reached.round
        session.part(TrainingDesk).train()
        qtbot.waitUntil(lambda: training._evaluator is not None and bool(training._evaluator.pid), timeout=PATIENCE)
        evaluator = training._evaluator
        assert isinstance(evaluator, ProcessEvaluator)
        # Every second one is killed before it is ready, or soon after that; the others when they have trained.
        if number % 2:
            qtbot.waitUntil(lambda before=before: training.reached.round > before, timeout=PATIENCE)
        qtbot.wait(moments.randrange(0, 400))
        assert evaluator.pid is not None
        os.kill(evaluator.pid, signal.SIGKILL)
        qtbot.waitUntil(lambda: not training.is_running, timeout=PATIENCE)
        kept = 0 if training.state is None else training.state.round
        assert 0 <= (training.reached.round - kept) / PACE <= MOST_LOST
        initial = {name: start.block(name).parameters["value"] for name in ("main/w", "main/v")}
        assert dumps(set_values(session.graph, initial)) == dumps(start)
        assert (tmp_path / "a.graph").read_bytes() == file
    reached = training.reached.round
    session.part(TrainingDesk).train(50)
    qtbot.waitUntil(lambda: not training.is_running, timeout=PATIENCE)
    assert training.reached.round > 50
    assert training.reached.round > reached - MOST_LOST * PACE
    whole = Trainer(network())
    while whole.round < training.reached.round:
        whole.run_round()
    assert training.state is not None
    assert training.state.to_bytes() == whole.state().to_bytes()


def newest_copy(state: Path) -> Path | None:
    """Returns the copy that the running window has written, None before it has."""
    copies = list((state / "gradwire" / "running").glob("*/*.graph"))
    return copies[0] if copies and rounds_kept(load(copies[0]).graph) else None


def test_a_window_that_is_killed_while_it_trains_leaves_the_memory_of_the_rules(tmp_path: Path) -> None:
    file, moments = tmp_path / "a.graph", random.Random(11)
    for number in range(count(1, 20)):
        save(network(), file)
        before, state = file.read_bytes(), tmp_path / f"state{number}"
        window = Program(TRAINING_WINDOW, tmp_path, str(file), "100", "300", variables={"XDG_STATE_HOME": str(state)})
        end = time.monotonic() + PATIENCE / 1000
        while newest_copy(state) is None and time.monotonic() < end:
            assert window.poll() is None
            time.sleep(0.02)
        time.sleep(moments.random())
        window.kill()
        window.wait()
        while runs(state / "gradwire", alive=True):
            time.sleep(0.01)
        (copy,) = abandoned(RunFolder(state / "gradwire"))
        kept = state_of(load(copy.file).graph, None)
        whole = Trainer(network())
        while whole.round < kept.round:
            whole.run_round()
        assert kept.round > 0 and kept.to_bytes() == whole.state().to_bytes()
        assert not copy.keeps_state and file.read_bytes() == before
