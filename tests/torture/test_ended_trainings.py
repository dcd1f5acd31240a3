"""Trainings of the command that end early: by signals, by a reader that goes, and what they go on from."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli.training import outputs as training_outputs
from gradwire.engine.files.files import load, save
from gradwire.engine.training.kept_state import state_of
from gradwire.engine.training.state import load_state
from gradwire.engine.training.trainer import Trainer
from tests.app.cli.graphs import ROOT, Outcome, called
from tests.torture.support.counts import count

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")
# The command, with a pace of writing that tests can wait for. Units: seconds.
QUICK = "import sys; from gradwire.app.cli.training import outputs as t; t.PACE = float(sys.argv.pop(1)); "
QUICK += "from gradwire.app.__main__ import main; sys.exit(main())"
ENDLESS = 10**9


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    draw = np.random.default_rng(3)
    x, y = gw.Data(set="moons", n=40, batch=8, seed=1, name="data")
    hidden = gw.Dropout(gw.Tanh(x @ gw.Variable(draw.normal(size=(2, 6)), name="w")), rate=0.2, name="drop")
    wrong = hidden @ gw.Variable(draw.normal(size=(6, 2)), name="v") - y
    loss = gw.Loss(gw.Square(wrong), reduction="mean", name="loss")
    save(gw.graph(loss), tmp_path / "net.graph")
    return tmp_path / "net.graph"


@pytest.fixture
def gradwire(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: called(capsys, *arguments)


class Started:
    """Training in a process of its own, of which each round is one line."""

    def __init__(self, *arguments: object, pace: float = 1000.0) -> None:
        words = [sys.executable, "-c", QUICK, str(pace), "train", *map(str, arguments), "--json"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(words, cwd=ROOT, text=True, **pipes)

    def wait_for(self, round: int) -> None:
        """Reads lines until that round is done."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if json.loads(line).get("step", -1) >= round:
                return

    def end(self, number: int) -> Outcome:
        """Sends a signal and returns what came of it."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return Outcome(self.process.returncode, out, err)


def whole(graph: Path, rounds: int) -> Trainer:
    """Returns the training that nothing has ended."""
    trainer = Trainer(load(graph).graph)
    while trainer.round < rounds:
        trainer.run_round()
    return trainer


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)], ids=lambda item: item.name
)
def test_a_signal_ends_a_training_after_its_round_and_leaves_state_and_graph(
    graph: Path, tmp_path: Path, number: signal.Signals
) -> None:
    state, trained = tmp_path / "state.npz", tmp_path / "trained.graph"
    training = Started(graph, "--steps", ENDLESS, "--state", state, "-o", trained, "--keep-state")
    training.wait_for(20)
    outcome = training.end(number)
    assert outcome.code == 128 + number
    last = json.loads(outcome.out.splitlines()[-1])
    found = load_state(state)
    assert last["interrupted"] == {"step": found.round, "signal": number.name}
    assert outcome.err.startswith(f"gradwire: {number.name} after {found.round:,} rounds.")
    assert found.to_bytes() == whole(graph, found.round).state().to_bytes()
    assert state_of(load(trained).graph, trained).to_bytes() == found.to_bytes()


@pytest.mark.long
def test_what_is_asked_for_is_written_on_the_way(graph: Path, tmp_path: Path) -> None:
    state, trained = tmp_path / "state.npz", tmp_path / "trained.graph"
    moments = random.Random(5)
    for _ in range(count(1, 30)):
        training = Started(graph, "--steps", ENDLESS, "--state", state, "-o", trained, pace=0.05)
        written = state.stat().st_mtime_ns if state.exists() else 0
        while not state.exists() or state.stat().st_mtime_ns == written or not trained.exists():
            training.wait_for(1)
        time.sleep(moments.random() / 10)
        assert training.end(signal.SIGKILL).code == -signal.SIGKILL
        found = load_state(state)
        assert found.to_bytes() == whole(graph, found.round).state().to_bytes()
        assert load(trained).graph.block("main/w").parameters["value"].shape == (2, 6)


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with training_outputs.gentle_ending() as ending:
            os.kill(os.getpid(), signal.SIGHUP)
            assert ending.signal == 0
            os.kill(os.getpid(), signal.SIGTERM)
            assert ending.name == "SIGTERM"
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.long
def test_a_reader_that_goes_leaves_the_state(graph: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.npz"
    training = Started(graph, "--steps", ENDLESS, "--state", state)
    training.wait_for(5)
    assert training.process.stdout is not None
    training.process.stdout.close()
    assert training.process.stderr is not None
    with training.process.stderr as said:
        assert said.read() == ""
    assert training.process.wait(60) == 0
    assert load_state(state).round > 5


def test_a_disk_that_fails_on_the_way_does_not_end_the_training(
    graph: Path, tmp_path: Path, gradwire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_outputs, "PACE", 0.0)
    folder = tmp_path / "gone"
    folder.mkdir()
    made = training_outputs.TrainingOutputs.write_if_due

    def fail_once(outputs: training_outputs.TrainingOutputs) -> None:
        folder.rename(tmp_path / "away")
        made(outputs)
        (tmp_path / "away").rename(folder)

    monkeypatch.setattr(training_outputs.TrainingOutputs, "write_if_due", fail_once)
    outcome = gradwire("train", graph, "--steps", 3, "--state", folder / "s.npz")
    assert outcome.code == 0
    assert outcome.err.count("does not exist. The training goes on.") == 1
    assert load_state(folder / "s.npz").round == 3


def test_resume_alone_goes_on_from_the_newest_state_that_fits(graph: Path, tmp_path: Path, gradwire: Any) -> None:
    state, trained = tmp_path / "state.npz", tmp_path / "trained.graph"
    command = ("train", graph, "--state", state, "-o", trained, "--keep-state", "--resume", "--steps")
    first = gradwire(*command, 4)
    assert first.code == 0 and "no state to go on from" in first.err
    second = gradwire(*command, 3)
    assert "round 4" in second.err and load_state(state).round == 7
    # The graph was written later, but somebody has damaged it; what is older counts.
    os.utime(state, ns=(1, 1))
    trained.write_text(trained.read_text().replace('"checksum": "', '"checksum": "f'))
    third = gradwire(*command, 2)
    assert "damaged" in third.err and "passed over" in third.err and "state.npz" in third.err
    assert load_state(state).to_bytes() == whole(graph, 9).state().to_bytes()
    assert state_of(load(trained).graph, trained).round == 9


@pytest.mark.long
def test_a_state_is_resumed_from_a_graph_too(graph: Path, tmp_path: Path, gradwire: Any) -> None:
    trained, state = tmp_path / "trained.graph", tmp_path / "state.npz"
    assert gradwire("train", graph, "--steps", 4, "-o", trained, "--keep-state").code == 0
    assert gradwire("train", graph, "--steps", 2, "--resume", trained, "--state", state).code == 0
    assert load_state(state).to_bytes() == whole(graph, 6).state().to_bytes()
    refused = gradwire("train", graph, "--steps", 2, "--resume", graph)
    assert refused.code == 2 and "keeps no state" in refused.err
