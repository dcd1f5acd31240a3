"""`gradwire blocks` and `gradwire examples`: what they list, find and copy, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gradwire.app.base.examples import example_names, example_path, example_texts
from gradwire.blocks import library
from tests.app.cli.graphs import called


def test_the_library_is_a_table_and_one_type_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    heading, *rows = called(capsys, "blocks").out.splitlines()
    types = library.for_users()
    assert heading.split() == ["type", "category", "summary"]
    assert [row.split()[0] for row in rows] == [item.name for item in types]
    assert called(capsys, "blocks", "Exp").out.startswith("Exp (Elementwise)\n\n")


def test_a_required_parameter_has_no_default(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(called(capsys, "blocks", "Cast", "--json").out)
    parameter = {"name": "dtype", "kind": "dtype", "default": None, "required": True}
    assert (found["type"], found["inputs"], found["outputs"]) == ("Cast", ["x"], ["y"])
    assert found["parameters"] == [parameter]
    (found,) = json.loads(called(capsys, "blocks", "ReduceMax", "--json").out)
    assert found["parameters"][1] == {"name": "keepdims", "kind": "boolean", "default": False, "required": False}


def test_words_find_types_with_the_reason_and_several_words_are_never_a_type(
    capsys: pytest.CaptureFixture[str],
) -> None:
    heading, first, *_ = called(capsys, "blocks", "no", "grad").out.splitlines()
    assert (heading.split(), first.split(maxsplit=2)) == (
        ["found", "category", "why"],
        ["StopGradient", "Control", 'people say "no grad"'],
    )
    assert called(capsys, "blocks", "Exp", "Log").out != called(capsys, "blocks", "Exp").out
    outcome = called(capsys, "blocks", "xqzw")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith('gradwire: nothing is called "xqzw"; the nearest are ')


def test_examples_are_listed_with_their_titles_and_copied_here_or_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    heading, *rows = called(capsys, "examples").out.splitlines()
    assert heading.split(maxsplit=1) == ["example", "what it shows"]
    titles = [(name, example_texts(example_path(name))[0]) for name in example_names()]
    assert [tuple(row.split(maxsplit=1)) for row in rows] == titles
    assert called(capsys, "examples", "spirals") == (0, "spirals.graph\n", "")
    everything = called(capsys, "examples", "-o", "all")
    assert everything.code == 0
    assert {Path(line).stem for line in everything.out.splitlines()} == {*example_names()}
    assert {path.stem for path in Path("all").glob("*.graph")} == {*example_names()}
