"""What a training of the command leaves, on the way, at a signal and at its end, and what it goes on from."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli.training import outputs as training_outputs
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import load, save
from gradwire.engine.files.outputs import GRAPH, STATE, Output
from gradwire.engine.training import kept_state
from gradwire.engine.training.kept_state import state_of
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.state import load_state
from tests.app.cli.graphs import called, noisy_training, whole_training

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and links of other systems")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return noisy_training(tmp_path / "net.graph")


@pytest.fixture
def gradwire(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: called(capsys, *arguments)


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
    assert load_state(state).to_bytes() == whole_training(graph, 9).state().to_bytes()
    assert state_of(load(trained).graph, trained).round == 9


def test_a_state_is_resumed_from_a_graph_too(graph: Path, tmp_path: Path, gradwire: Any) -> None:
    trained, state = tmp_path / "trained.graph", tmp_path / "state.npz"
    assert gradwire("train", graph, "--steps", 4, "-o", trained, "--keep-state").code == 0
    assert gradwire("train", graph, "--steps", 2, "--resume", trained, "--state", state).code == 0
    assert load_state(state).to_bytes() == whole_training(graph, 6).state().to_bytes()
    refused = gradwire("train", graph, "--steps", 2, "--resume", graph)
    assert refused.code == 2 and "keeps no state" in refused.err


def outputs_of(graph: Path, **paths: Path) -> training_outputs.TrainingOutputs:
    """The outputs of a training that has done two rounds."""
    files: dict[str, Output | None] = {"state": None, "output": None}
    files |= {name: Output(path, {"state": STATE, "output": GRAPH}[name]) for name, path in paths.items()}
    loaded = load(graph).graph
    run = TrainingRun(loaded)
    made = training_outputs.TrainingOutputs(argparse.Namespace(**files, keep_state=True), loaded, run)
    list(run.rounds(2))
    return made


def test_handlers_of_before_are_back_at_the_end() -> None:
    def mine(*_: object) -> None:
        raise AssertionError("nobody asks")

    before = signal.signal(signal.SIGTERM, mine)
    try:
        with training_outputs.gentle_ending() as ending:
            assert signal.getsignal(signal.SIGTERM) == ending.take
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_thread_listens_to_no_signal() -> None:
    """Python refuses handlers there."""
    with ThreadPoolExecutor() as pool:
        assert pool.submit(lambda: training_outputs.gentle_ending().__enter__().signal).result() == 0


def test_outputs_are_written_on_the_way_once_the_pace_is_over(
    graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, state = [100.0], tmp_path / "s.npz"
    monkeypatch.setattr(training_outputs.time, "monotonic", lambda: clock[0])
    outputs = outputs_of(graph, state=state)
    for clock[0], is_due in ((129.9, False), (130.0, True), (159.9, False), (160.0, True)):
        state.unlink(missing_ok=True)
        outputs.write_if_due()
        assert state.exists() is is_due


def test_a_stream_takes_what_there_is_at_the_end_alone(
    graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_outputs, "PACE", 0.0)
    state = tmp_path / "s.npz"
    outputs_of(graph, state=state, output=Path("/dev/null")).write_if_due()
    assert not state.exists()
    outputs_of(graph).write_if_due()
    outputs_of(graph, state=state, output=tmp_path / "b.graph").write_if_due()
    assert load_state(state).round == 2 and state_of(load(tmp_path / "b.graph").graph, None).round == 2


def test_room_is_asked_for_as_much_as_is_written(graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[Path, int] = {}
    monkeypatch.setattr(Output, "check_room", lambda output, size: sizes.update({output.path: size}))
    outputs = outputs_of(graph, state=tmp_path / "s.npz", output=tmp_path / "b.graph")
    outputs.check_room()
    outputs.write()
    assert sizes == {path: path.stat().st_size for path in (tmp_path / "s.npz", tmp_path / "b.graph")}


def test_a_stream_takes_no_state_that_must_lie_beside_the_graph(
    graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs_of(graph, output=Path("/dev/null")).check_room()
    monkeypatch.setattr(kept_state, "MOST", 0)
    outputs_of(graph, output=tmp_path / "b.graph").check_room()
    with pytest.raises(FileError, match=r'"/dev/null" takes no state of this size; use --state, or an ordinary file\.'):
        outputs_of(graph, output=Path("/dev/null")).check_room()


def test_where_one_output_cannot_be_written_the_other_one_is(graph: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    for gone, kept in (("state", "output"), ("output", "state")):
        folder.mkdir()
        paths = {gone: folder / "a", kept: tmp_path / kept}
        outputs = outputs_of(graph, **paths)
        folder.rmdir()
        with pytest.raises(FileError, match="does not exist"):
            outputs.write()
        assert paths[kept].exists()


@pytest.mark.parametrize("words", [[], ["--keep-state"]])
def test_a_graph_keeps_its_state_and_the_values_of_before_if_that_is_asked_for(
    graph: Path, tmp_path: Path, gradwire: Any, words: list[str]
) -> None:
    trained = tmp_path / "b.graph"
    assert gradwire("train", graph, "--steps", 2, "-o", trained, *words).code == 0
    plan = load(trained).graph.training or {}
    assert set(plan) == ({"state", "initial"} if words else set())
    if words:
        before = {name: load(graph).graph.block(name).parameters["value"] for name in ("main/v", "main/w")}
        assert {name: array.tolist() for name, array in plan["initial"].items()} == {
            name: array.tolist() for name, array in before.items()
        }


def test_a_state_of_another_graph_or_none_is_said(graph: Path, tmp_path: Path, gradwire: Any) -> None:
    state, empty = tmp_path / "s.npz", tmp_path / "other.graph"
    assert gradwire("train", graph, "--steps", 1, "--state", state).code == 0
    assert "keeps no state of a training" in gradwire("train", graph, "--steps", 1, "--resume", graph).err
    save(gw.graph(gw.Square(gw.Variable(1.0, name="u"))), empty)
    refused = gradwire("train", empty, "--steps", 1, "--resume", state)
    assert refused.code == 1 and refused.err.startswith(f"gradwire: {empty}: ")


def test_a_value_that_is_given_goes_before_that_of_the_state(graph: Path, tmp_path: Path, gradwire: Any) -> None:
    """A training of no round writes what it begins with."""
    kept, again = tmp_path / "kept.graph", tmp_path / "again.graph"
    assert gradwire("train", graph, "--steps", 3, "-o", kept, "--keep-state").code == 0
    given = np.ones((2, 6))
    done = gradwire("train", kept, "--steps", 0, "-o", again, "--set", f"main/w={given.tolist()}")
    assert (done.code, done.err) == (0, "")
    blocks = {path: load(path).graph.page("main").blocks for path in (kept, again)}
    assert (blocks[again]["w"].parameters["value"] == given).all()
    assert (blocks[again]["v"].parameters["value"] == blocks[kept]["v"].parameters["value"]).all()
    assert state_of(load(again).graph, again).round == 3


def test_a_handler_that_python_does_not_know_gives_way_to_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """`getsignal` returns None for what was installed outside of Python."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(signal, "getsignal", lambda _: None)
            with training_outputs.gentle_ending() as ending:
                os.kill(os.getpid(), signal.SIGTERM)
            assert ending.signal == signal.SIGTERM
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
