"""Trainings that TensorFlow has recorded: every loss of every round, the metrics, and the final variables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.files.files import loads
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.trainer import TrainingStopped
from tests.sweeps import a_third_of

FILES = sorted((Path(__file__).parents[2] / "golden" / "training").glob("*.json"))


def recorded(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def begun(path: Path, **how) -> TrainingRun:
    return TrainingRun(loads(json.dumps(recorded(path)["graph"])).graph, **how)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_round_has_the_recorded_losses(path: Path) -> None:
    wanted, run, rounds = recorded(path), begun(path), []
    stopped = None
    try:
        rounds.extend(run.rounds(wanted["steps"]))
    except TrainingStopped as error:
        stopped = {"step": error.n, "in": error.step, "at": error.at}
    assert stopped == wanted.get("stopped")
    for name, losses in wanted["losses"].items():
        got = [done.losses.get(name) for done in rounds]
        assert [loss is None for loss in got] == [loss is None for loss in losses]
        numbers = [(a, b) for a, b in zip(got, losses, strict=True) if b is not None]
        assert all(abs(a - b) <= wanted["rtol"] * abs(b) for a, b in numbers), name
    for port, values in wanted.get("metrics", {}).items():
        np.testing.assert_allclose([done.metrics[port] for done in rounds], values, rtol=1e-12, atol=0)
    assert {row.step: sorted(row.trains) for row in run.rows if row.trains} == {
        name: sorted(names) for name, names in wanted["trains"].items() if names
    }
    for name, tensor in wanted["variables_final"].items():
        value = np.array(tensor["data"], DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
        got = run.trainer.graph.block(name).parameters["value"]
        assert np.max(np.abs(got - value), initial=0) <= wanted["rtol"] * np.max(np.abs(value), initial=0), name


@pytest.mark.parametrize("path", a_third_of(FILES), ids=lambda path: path.stem)
def test_going_on_from_a_state_equals_never_having_stopped(path: Path) -> None:
    end = recorded(path).get("stopped", {"step": 300})["step"]
    whole, done, states = begun(path), 0, {}
    pieces = [(min(stop, last - 1), last) for stop in (1, 7, 100) if (last := min(stop + 5, end))]
    for step in sorted({step for piece in pieces for step in piece}):
        list(whole.rounds(step - done))
        done, states[step] = step, whole.trainer.state()
    for stop, last in dict.fromkeys(pieces):
        second = begun(path)
        second.trainer.load_state(states[stop])
        list(second.rounds(last - stop))
        assert second.trainer.state().to_bytes() == states[last].to_bytes(), stop


def test_threads_change_no_bit() -> None:
    path = next(path for path in FILES if path.stem.startswith("digits"))
    one, two = begun(path), begun(path, threads=2)
    list(one.rounds(30))
    list(two.rounds(30))
    assert one.trainer.state().to_bytes() == two.trainer.state().to_bytes()
