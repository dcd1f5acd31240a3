"""States that lie beside a graph's file: the command goes on from them, and tells what a file from nowhere lacks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.training import kept_state
from gradwire.engine.training.kept_state import save_kept
from gradwire.engine.training.run import TrainingRun
from tests.app.cli.graphs import called


@pytest.mark.parametrize("most", [0, 2**20])
@pytest.mark.parametrize("resume", [[], ["--resume", "{path}"]])
def test_a_training_goes_on_from_the_state_of_its_file(
    most: int, resume: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_state, "MOST", most)
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Square(gw.Variable([2.0, -1.0], name="w"))), name="loss"))
    run, path = TrainingRun(graph), tmp_path / "a.graph"
    losses = [done.losses["all"] for done in run.rounds(3)]
    save_kept(graph, path, run.trainer.state(), {"main/w": np.array([2.0, -1.0])})
    assert (tmp_path / "a.graph.state.npz").exists() == (most == 0)
    arguments = [item.format(path=path) for item in resume]
    outcome = called(capsys, "train", path, "--steps", "2", "--json", *arguments)
    rounds = [json.loads(line) for line in outcome.out.splitlines()][:-1]
    further = [done.losses["all"] for done in run.rounds(2)]
    assert outcome.code == 0 and outcome.err == ""
    assert [line["step"] for line in rounds] == [3, 4]
    assert [line["losses"]["all"] for line in rounds] == pytest.approx(further) and further[0] < losses[0]
