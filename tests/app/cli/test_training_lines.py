"""What `gradwire train` prints of a training that can be reckoned by heart: each round halves w, the loss is w²."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli.training import outputs
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load, save
from gradwire.engine.training.state import load_state
from tests.app.cli.graphs import called

PLAN: dict[str, Any] = {"steps": [{"name": "down", "rule": {"type": "descent", "rate": 0.25}}]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return halving(tmp_path / "a.graph")


def halving(path: Path, **plan: Any) -> Path:
    """Writes a graph whose rounds halve w, from 4 on: the gradient is 2 w, and a quarter of it is taken off."""
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(4.0, name="w")), name="loss"))
    save(replace(graph, training={**PLAN, **plan}), path)
    return path


def shown(text: str) -> list[str]:
    """The lines of a training, without those of its pace and its checksum."""
    return [re.sub(r", [\d,]+ a second; state [0-9a-f]{8}$", "", line) for line in text.splitlines()]


def rounds(text: str) -> list[int]:
    return [int(found[1]) for found in re.finditer(r"^ *(\d+)  down ", text, re.MULTILINE)]


def test_a_table_says_who_trains_whom_each_round_and_how_it_ended(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = called(capsys, "train", file, "--steps", "4", "--until", "main/loss < 2")
    assert (outcome.code, outcome.err) == (0, "")
    assert shown(outcome.out) == [
        f"{file}:",
        "step down: trains main/w",
        "",
        "   round",
        "       0  down 16",
        "       1  down 4",
        "       2  down 1",
        "",
        "3 rounds",
        "Ended at round 2: main/loss is below 2.",
    ]


def test_checks_are_judged_failed_or_left_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"right": (2, 1), "wrong": (1, 5), "late": (9, 1)}
    checks = [
        {"title": title, "after": after, "at": "main/w.y", "value": value} for title, (after, value) in asked.items()
    ]
    file = halving(tmp_path / "a.graph", checks=checks)
    outcome = called(capsys, "train", file, "--steps", "2")
    right, wrong, late = outcome.out.splitlines()[-3:]
    assert outcome.code == 1
    assert right.startswith("check right: ok; ") and wrong.startswith("check wrong: failed; ")
    assert late == "check late: not judged; the training ended before round 9"
    end = json.loads(called(capsys, "train", file, "--steps", "2", "--json").out.splitlines()[-1])
    assert [(item["title"], item["ok"]) for item in end["checks"]] == [
        ("right", True),
        ("wrong", False),
        ("late", None),
    ]
    assert end["ok"] is False
    assert called(capsys, "train", halving(file, checks=[checks[0], checks[2]]), "--steps", "2").code == 0


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (["--steps", "39"], [*range(39)]),
        (["--steps", "40"], [*range(0, 40, 2), 39]),
        (["--steps", "41"], [*range(0, 41, 2)]),
        (["--steps", "8", "--every", "3"], [0, 3, 6, 7]),
        (["--steps", "7", "--every", "3"], [0, 3, 6]),
        (["--steps", "0"], []),
        ([], [*range(0, 1000, 50), 999]),
    ],
)
def test_about_twenty_rounds_are_shown_and_the_last_one(
    file: Path, capsys: pytest.CaptureFixture[str], options: list[str], printed: list[int]
) -> None:
    outcome = called(capsys, "train", file, *options)
    assert rounds(outcome.out) == printed
    assert shown(outcome.out)[-1] == f"{options[1] if options else '1,000'} rounds"


def test_json_has_each_round_and_the_last_one_only_where_it_is_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *lines, end = map(json.loads, called(capsys, "train", file, "--steps", "3", "--json").out.splitlines())
    assert lines == [{"step": n, "losses": {"down": 16 / 4**n}} for n in range(3)]
    assert re.fullmatch("[0-9a-f]{8}", end.pop("state_crc32"))
    assert end.pop("steps_per_second") > 0
    assert end == {"ok": True, "rounds": 3, "trains": {"down": ["main/w"]}, "problems": [], "checks": []}
    lines = called(capsys, "train", file, "--steps", "3", "--json", "--every", "2", "--norms").out.splitlines()[:-1]
    norms = [{"step": n, "losses": {"down": 16 / 4**n}, "norms": {"main/w": 8 / 2**n}} for n in (0, 2)]
    assert list(map(json.loads, lines)) == norms


def test_values_and_metrics_come_from_the_command_and_the_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = halving(tmp_path / "a.graph", metrics=["main/w.y"])
    outcome = called(capsys, "train", file, "--steps", "2", "--set", "main/w=10", "--json")
    first, second, _ = map(json.loads, outcome.out.splitlines())
    assert (first["losses"], first["metrics"]) == ({"down": 100}, {"main/w.y": 10})
    assert (second["losses"], second["metrics"]) == ({"down": 25}, {"main/w.y": 5})
    assert "       1  down 4             main/w.y 2\n" in called(capsys, "train", file, "--steps", "2").out


def test_an_odd_plan_is_warned_of_before_the_first_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [{**PLAN["steps"][0], "variables": ["main/w", "main/v"]}]
    file = halving(tmp_path / "a.graph", steps=steps)
    graph, _ = edits.add_block(load(file).graph, "main", "Variable", id="v")
    save(edits.set_parameter(graph, "main", "v", "value", np.ones(2)), file)
    said = "Step down lists main/v, but never trains it: "
    outcome = called(capsys, "train", file, "--steps", "1")
    assert outcome.code == 0
    assert outcome.out.splitlines()[2].startswith(f"warning: {said}")
    (problem,) = json.loads(called(capsys, "train", file, "--steps", "1", "--json").out.splitlines()[-1])["problems"]
    assert (problem["severity"], problem["at"]) == ("warning", "main/v") and problem["message"].startswith(said)


def test_a_number_that_is_not_finite_stops_with_its_sentence(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "train", file, "--steps", "2", "--set", "main/w=1e200")
    assert outcome.code == 1
    assert shown(outcome.out)[-1] == "0 rounds"
    assert outcome.err.startswith(f"gradwire: {file}: ") and outcome.err.count("\n") == 1
    end = json.loads(called(capsys, "train", file, "--steps", "2", "--set", "main/w=1e200", "--json").out)
    assert end["ok"] is False
    assert (end["stopped"]["step"], end["stopped"]["in"], end["rounds"]) == (0, "down", 0)
    assert f"{end['stopped']['message']}\n" == outcome.err.partition(f"{file}: ")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="ends a training by a signal")
def test_a_signal_says_how_far_it_came_and_what_was_written(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs.TrainingOutputs, "write_if_due", lambda _: os.kill(os.getpid(), signal.SIGTERM))
    state, graph = tmp_path / "s.npz", tmp_path / "b.graph"
    outcome = called(capsys, "train", file, "--steps", "9")
    assert (outcome.code, outcome.err) == (143, "gradwire: SIGTERM after 1 rounds. Nothing was written.\n")
    assert rounds(outcome.out) == [0]
    outcome = called(capsys, "train", file, "--steps", "9", "--json", "--state", state, "-o", graph)
    written = f'gradwire: SIGTERM after 1 rounds. "{graph}" and "{state}" written; --resume goes on from there.\n'
    assert (outcome.code, outcome.err) == (143, written)
    last = json.loads(outcome.out.splitlines()[-1])
    assert last == {
        "ok": False,
        "interrupted": {"step": 1, "signal": "SIGTERM"},
        "state_crc32": f"{load_state(state).checksum():08x}",
    }
    assert load(graph).graph.block("main/w").parameters["value"] == 2


def test_wrong_plans_and_conditions_are_refused_where_they_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = halving(tmp_path / "a.graph", metrics=["main/none.y"])
    place = next(n for n, line in enumerate(file.read_text().splitlines(), 1) if "main/none.y" in line)
    outcome = called(capsys, "train", file)
    assert outcome.code == 1
    assert re.match(rf"gradwire: {re.escape(str(file))}:{place}:\d+: The plan of training: ", outcome.err)
    with file.open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert called(capsys, "train", "-").err.startswith("gradwire: -: The plan of training: ")
