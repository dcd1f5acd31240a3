"""Trainings of the command that end early: by signals, by a reader that goes, and what they go on from."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gradwire.engine.files.files import load
from gradwire.engine.training.kept_state import state_of
from gradwire.engine.training.state import load_state
from tests.app.cli.graphs import ROOT, Outcome, noisy_training, whole_training
from tests.torture.support.counts import count

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")
# The command, with a pace of writing that tests can wait for. Units: seconds.
QUICK = "import sys; from gradwire.app.cli.training import outputs as t; t.PACE = float(sys.argv.pop(1)); "
QUICK += "from gradwire.app.__main__ import main; sys.exit(main())"
ENDLESS = 10**9


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return noisy_training(tmp_path / "net.graph")


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
    assert found.to_bytes() == whole_training(graph, found.round).state().to_bytes()
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
        assert found.to_bytes() == whole_training(graph, found.round).state().to_bytes()
        assert load(trained).graph.block("main/w").parameters["value"].shape == (2, 6)


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
