"""A file that keeps the state of its training goes on as if it had never stopped; anything else in it is told."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.disk import NO_FILE
from gradwire.engine.files.files import dumps, load, loads
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import kept_state
from gradwire.engine.training.kept_state import (
    has_state,
    initial_of,
    path_beside,
    save_kept,
    state_of,
    without_state,
    write_kept,
)
from gradwire.engine.training.run import TrainingRun


def graph(**plan: object) -> Graph:
    w, c = gw.Variable([2.0, -1.0], name="w"), gw.Variable(3.0, name="c")
    made = gw.graph(gw.Loss(gw.Square(gw.ReduceSum(w * gw.Constant([1.0, 2.0])) + c), name="loss"))
    return dataclasses.replace(made, training=plan or None)


def saved(path: Path, rounds: int) -> TrainingRun:
    """Trains for so many rounds, and saves with the state."""
    begun = graph(steps=({"rule": {"type": "adam", "rate": 0.1}},))
    run = TrainingRun(begun)
    list(run.rounds(rounds))
    save_kept(begun, path, run.trainer.state(), {"main/w": np.array([2.0, -1.0]), "main/c": np.array(3.0)})
    return run


@pytest.fixture(params=["inside", "beside"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "beside":
        monkeypatch.setattr(kept_state, "MOST", 0)
    return str(request.param)


def test_a_training_goes_on_from_its_file_as_if_it_had_never_stopped(tmp_path: Path, place: str) -> None:
    path = tmp_path / "a.graph"
    first = saved(path, 3)
    assert Path(path_beside(path)).exists() == (place == "beside")
    loaded = load(path).graph
    second = TrainingRun(loaded)
    second.trainer.load_state(state_of(loaded, path))
    assert second.trainer.round == 3
    list(first.rounds(4))
    list(second.rounds(4))
    assert second.trainer.state().to_bytes() == first.trainer.state().to_bytes()


def test_values_of_before_the_first_round_stay_in_the_file(tmp_path: Path) -> None:
    saved(tmp_path / "a.graph", 3)
    loaded = load(tmp_path / "a.graph").graph
    whole = graph(steps=({"rule": {"type": "adam", "rate": 0.1}},))
    assert dumps(without_state(set_values(loaded, initial_of(loaded)))) == dumps(whole)


def test_saving_what_keeps_a_state_gives_the_same_bytes(tmp_path: Path) -> None:
    saved(tmp_path / "a.graph", 3)
    text = (tmp_path / "a.graph").read_text()
    assert '"version": [1, 1]' in text
    assert dumps(loads(text).graph) == text


def test_nothing_is_kept_of_a_training_that_changed_nothing(tmp_path: Path) -> None:
    save_kept(graph(), tmp_path / "a.graph", None, {"main/c": np.array(3.0)})
    assert load(tmp_path / "a.graph").graph.training is None


@pytest.mark.parametrize(
    "change",
    [
        {"step": 4},
        {"step": -1},
        {"step": True},
        {"checksum": "no number"},
        {"variables": ("main/nothing",)},
        {"variables": 3},
        {"memory": {"all": ()}},
        {"memory": {"main/loss": {"main/w": (np.array("text"),)}}},
        {"updates": {}},
    ],
)
def test_a_damaged_state_is_told(tmp_path: Path, change: dict[str, Any]) -> None:
    saved(tmp_path / "a.graph", 3)
    loaded = load(tmp_path / "a.graph").graph
    assert loaded.training is not None
    state = {**loaded.training["state"], **change}
    damaged = dataclasses.replace(loaded, training={**loaded.training, "state": state})
    with pytest.raises(FileError, match="training state in the file"):
        state_of(damaged, None)


def test_a_state_of_other_values_is_told(tmp_path: Path, place: str) -> None:
    saved(tmp_path / "a.graph", 3)
    loaded = set_values(load(tmp_path / "a.graph").graph, {"main/c": np.array(0.5)})
    with pytest.raises(FileError, match="belongs to other values"):
        state_of(loaded, tmp_path / "a.graph")


def names_in(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_a_state_beside_goes_when_a_later_save_has_none_and_a_file_of_somebody_else_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_state, "MOST", 0)
    path = tmp_path / "a.graph"
    for change, left in (({}, ["a.graph"]), ({"is_ours": False}, ["a.graph", "a.graph.state.npz"])):
        saved(path, 3)
        if change:
            Path(path_beside(path)).write_bytes(b"numbers of somebody else")
        save_kept(graph(), path, None, {})
        assert names_in(tmp_path) == left


@pytest.mark.parametrize("rounds", [3, 4])
def test_a_crash_while_saving_leaves_a_graph_with_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """The new state has a name of its own until the graph is written: it is the old one, or already the new one."""
    monkeypatch.setattr(kept_state, "MOST", 0)
    path, other = tmp_path / "a.graph", tmp_path / "b.graph"
    saved(path, 3)
    saved(other, 4)
    Path(path_beside(other)).rename(tmp_path / "a.graph.state.new.npz")
    if rounds == 4:
        other.replace(path)
    assert state_of(load(path).graph, path).round == rounds
    save_kept(graph(), path, None, {})
    assert f"a.graph.state{'' if rounds == 3 else '.new'}.npz" not in names_in(tmp_path)


def test_a_new_state_takes_the_place_of_the_old_one_after_the_graph_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_state, "MOST", 0)
    path = tmp_path / "a.graph"
    saved(path, 3)
    old = Path(path_beside(path)).read_bytes()
    seen = write_kept(b"new", path, lambda: {item.name: item.read_bytes() for item in tmp_path.iterdir()})
    assert (seen["a.graph.state.npz"], seen["a.graph.state.new.npz"]) == (old, b"new")
    assert Path(path_beside(path)).read_bytes() == b"new"
    assert names_in(tmp_path) == ["a.graph", "a.graph.state.npz"]


def test_a_save_that_fails_leaves_the_state_of_before_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_state, "MOST", 0)
    path = tmp_path / "a.graph"
    run = saved(path, 3)
    list(run.rounds(1))
    with pytest.raises(FileChangedError):
        save_kept(graph(), path, run.trainer.state(), {}, over=NO_FILE)
    assert names_in(tmp_path) == ["a.graph", "a.graph.state.npz"]
    assert state_of(load(path).graph, path).round == 3


def test_a_file_beside_that_is_lost_or_damaged_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_state, "MOST", 0)
    path = tmp_path / "a.graph"
    saved(path, 3)
    loaded = load(path).graph
    beside = Path(path_beside(path))
    content = bytearray(beside.read_bytes())
    content[len(content) // 2] ^= 1
    beside.write_bytes(content)
    with pytest.raises(FileError, match="is damaged"):
        state_of(loaded, path)
    beside.unlink()
    with pytest.raises(FileError, match="is lost"):
        state_of(loaded, path)
    assert has_state(loaded)
