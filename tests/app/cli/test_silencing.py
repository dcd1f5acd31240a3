"""Advice in `gradwire check`: each with the name of its rule, which a file, the command or a user silences."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from gradwire.app.cli import check_command, command_line
from gradwire.engine.advice.linter import RULE_OF
from gradwire.engine.base.errors import UsageError
from gradwire.engine.edits import page_edits
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import side_by_side
from tests.gallery import example, example_path

RULE, OTHER = "max_not_stopped", "dead_units"
FILE = str(example_path("softmax_stable_nostop"))


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert command_line.main(["check", *arguments]) == 0
    return capsys.readouterr().out


class SimpleProblem(NamedTuple):
    """What is asked of a problem that has a remedy."""

    severity: str
    at: str


def test_advice_names_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"[{RULE}]" in checked(capsys, FILE)


def test_an_option_silences_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert RULE not in checked(capsys, FILE, "--silence", RULE)
    assert RULE in checked(capsys, FILE, "--silence", OTHER)
    assert RULE not in checked(capsys, FILE, "--silence", OTHER, "--silence", RULE)


@pytest.mark.parametrize("text", [RULE, f"{OTHER},{RULE}", f" {RULE} {OTHER} "])
def test_the_environment_silences_a_rule_for_good(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(check_command.SILENCED, text)
    assert RULE not in checked(capsys, FILE)


def test_a_file_silences_a_rule_for_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    save(page_edits.silence_rule(example("softmax_stable_nostop"), RULE), path)
    assert load(path).graph.silenced == (RULE,)
    assert RULE not in checked(capsys, str(path))


def test_json_leaves_silenced_advice_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"lint_{RULE}" in checked(capsys, "--json", FILE)
    assert f"lint_{RULE}" not in checked(capsys, "--json", FILE, "--silence", RULE)


def test_json_has_the_advice_with_its_blocks_and_its_fix(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(checked(capsys, "--json", FILE))["advice"]
    assert (found["rule"], found["at"]) == (RULE, "main/z")
    assert found["fix"] == {"text": "Insert StopGradient", "changes_loss": False}
    assert found["message"].startswith('Subtract "z"')


def test_an_unknown_rule_is_named_with_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["check", FILE, "--silence", "max_not_stoped"]) == 2
    error = capsys.readouterr().err
    assert 'There is no rule of advice "max_not_stoped"' in error and RULE in error


@pytest.mark.parametrize(
    ("silenced", "hint"),
    [
        (["ded_units"], "; did you mean dead_units?"),
        (["zzz"], ";"),
        ([RULE, "zzz", "yyy"], ";"),
    ],
)
def test_the_first_unknown_rule_is_named_with_the_nearest_and_all(silenced: list[str], hint: str) -> None:
    unknown = min(set(silenced) - {RULE})
    sentence = f'There is no rule of advice "{unknown}"{hint} the rules are: {", ".join(RULE_OF)}.'
    with pytest.raises(UsageError, match=re.escape(sentence)):
        check_command.check(argparse.Namespace(silence=silenced))


def test_a_fix_is_tried_where_it_is_advice_or_a_remedy_of_what_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(side_by_side, "train_both", lambda _, other: tried.append(other) or None)
    fixes = {name: SimpleNamespace(text=name, edit=lambda _, name=name: name) for name in "abc"}
    findings = [SimpleNamespace(at="x", fix=fixes["a"]), SimpleNamespace(at="y", fix=None)]
    remedies = {SimpleProblem("warning", "y"): fixes["b"], SimpleProblem("error", "z"): fixes["c"]}
    advice = SimpleNamespace(findings=findings, remedies=remedies)
    found = list(check_command._tried(Graph(), advice))  # type: ignore[arg-type]  # as much of it as is read
    assert [(item.at, item.text, item.rounds) for item in found] == [("x", "a", None), ("y", "b", None)]
    assert tried == ["a", "b"]
