"""Pages with gradients of their own, as the commands and scripts tell of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gradwire as gw
from gradwire.app.base.results_json import snapshot_json
from gradwire.app.cli.command_line import main
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import load, save
from tests.engine.own_gradients import of_cube

SENTENCE = (
    "main/cube differs on purpose, by its own gradient: the gradient of element [1] of main/x.y -> main/cube.x is -14, "
    "but the difference quotient 12."
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    save(of_cube(), tmp_path / "cube.graph")
    return str(tmp_path / "cube.graph")


def test_a_saved_file_is_read_back(file: str) -> None:
    assert load(Path(file)).graph == of_cube()
    assert '"needs": ["own_gradients"]' in Path(file).read_text("utf-8")


def test_the_wire_into_the_page_has_the_rule_own_in_the_json() -> None:
    wires = {str(item["to"]): item for item in snapshot_json("a", evaluate(of_cube()))["wires"]}
    assert wires["main/cube.x"]["rule"] == "own"
    assert [name for name, item in wires.items() if "rule" in item] == ["main/cube.x"]


def test_scripts_read_the_rule_of_a_wire() -> None:
    run = gw.evaluate(of_cube())
    assert {row["target"]: row["rule"] for row in run.wires if row["rule"]} == {"main/cube.x": "own"}
    assert run.why("x", "cube.x").endswith("It is that of the own gradient of main/cube.")
    assert run.why("main/cube/square.y") == "main/cube/square.y: Every path to the loss is blocked by main/cube."


def test_the_check_passes_and_says_that_it_differs_on_purpose(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", file]) == 0
    assert SENTENCE in capsys.readouterr().out
    assert gw.check(of_cube()).ok
    assert f"info: {SENTENCE}".replace("cube differs", "cube: differs") in gw.check(of_cube()).problems


def test_the_json_of_the_check_has_both_numbers(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["gradient_check"]
    assert found["mismatches"] == []
    numbers = [(item["by"], item["index"], item["gradient"], round(item["difference"])) for item in found["on_purpose"]]
    assert numbers == [("main/cube", [0], 7, 3), ("main/cube", [1], -14, 12)]
