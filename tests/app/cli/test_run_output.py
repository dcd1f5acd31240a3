"""What `gradwire run` prints of a graph, line by line, and how commands read files and tell of them."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from gradwire.app.cli import graph_files
from gradwire.app.cli.graph_files import print_error, print_json
from gradwire.engine.base.limits import LIMITS
from tests.app.cli.graphs import called, written


def vector(*numbers: float) -> dict[str, object]:
    return {"dtype": "float64", "shape": [len(numbers)], "data": list(numbers)}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tie, whose maximum is stopped, an infinity and a block of an unknown type."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    blocks = [
        {"id": "x", "type": "Input", "parameters": {"value": vector(0, 2, 2)}},
        {"id": "m", "type": "ReduceMax"},
        {"id": "stop", "type": "StopGradient"},
        {"id": "log", "type": "Log"},
        {"id": "z", "type": "Subtract"},
        {"id": "loss", "type": "Loss"},
        {"id": "odd", "type": "Teleport"},
    ]
    wires = [
        ["x.y", "m.x"],
        ["m.y", "stop.x"],
        ["x.y", "log.x"],
        ["log.y", "z.x"],
        ["stop.y", "z.y"],
        ["z.z", "loss.x"],
    ]
    written(Path("a.graph"), blocks, wires)
    return "a.graph"


def test_a_run_is_the_loss_a_table_and_notices_and_errors_go_to_standard_error(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = called(capsys, "run", file)
    lines = outcome.out.splitlines()
    assert outcome.code == 1
    assert lines[:2] == ["a.graph: main/loss = -inf", ""]
    assert [line.split() for line in lines[2:9]] == [
        row.split()
        for row in (
            "wire value gradient status",
            "main/x.y -> main/m.x [0 2 2] [0 0 0] blocked by main/stop",
            "main/x.y -> main/log.x [0 2 2] [inf 0.5 0.5] nonfinite",
            "main/m.y -> main/stop.x 2 0 blocked by main/stop, which withholds -3",
            "main/log.y -> main/z.x [-inf 0.693147 0.693147] [1 1 1] flow",
            "main/stop.y -> main/z.y 2 -3 flow",
            "main/z.z -> main/loss.x [-inf -1.30685 -1.30685] [1 1 1] flow",
        )
    ]
    notices = lines[9:]
    assert notices and all(line.startswith(("info: main/", "warning: main/")) for line in notices)
    assert called(capsys, "run", "-q", file).out.splitlines() == lines[:9]
    error, *more = outcome.err.splitlines()
    line = next(number for number, text in enumerate(Path(file).read_text().splitlines(), 1) if '"odd"' in text) - 1
    assert error.startswith(f"gradwire: a.graph:{line}:5: main/odd: There is no block type ") and not more


def test_each_status_has_its_colour_and_the_heading_is_bold(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = called(capsys, "run", file).out.splitlines()[2:9]
    marks = [re.findall("\x1b\\[([0-9]+)m(.*?)\x1b\\[0m", line) for line in lines]
    ((bold, heading),), ((colour, blocked),), (broken,), ((same, withheld),), *flowing = marks
    assert bold == "1" and heading.split() == ["wire", "value", "gradient", "status"]
    assert broken == ("31", "nonfinite")
    assert (blocked, withheld) == ("blocked by main/stop", "blocked by main/stop, which withholds -3")
    assert colour == same != "31"
    assert flowing == [[], [], []]


def test_conditions_that_hold_are_said_behind_the_errors(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "run", "-q", "--fail-on", "inf,nan,blocked", file)
    assert outcome.err.splitlines()[1:] == [
        "gradwire: a.graph: --fail-on inf: main/x.y and 4 more.",
        "gradwire: a.graph: --fail-on blocked: main/x.y -> main/m.x and 1 more.",
    ]
    found = json.loads(called(capsys, "run", "--json", "--fail-on", "nan", file).out)
    assert found["failed_on"] == {}
    assert "failed_on" not in json.loads(called(capsys, "run", "--json", file).out)


def test_the_largest_code_counts_in_whatever_order(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("fine.graph"), [])
    for files, code in (
        (["fine.graph"], 0),
        (["fine.graph", file], 1),
        ([file, "fine.graph"], 1),
        (["none", file], 2),
        ([file, "none"], 2),
    ):
        assert called(capsys, "run", "-q", *files).code == code


def test_standard_input_is_read_up_to_one_byte_more_than_a_file_may_have(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO(Path(file).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    monkeypatch.setattr(graph_files, "LIMITS", LIMITS._replace(file_bytes=10))
    assert called(capsys, "run", "-").code == 2
    assert content.tell() == 11


def test_all_needs_that_nobody_knows_are_named(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("new.graph"), [], needs=["time travel", "magic"])
    sentence = "The file needs time travel, magic, which this version does not have."
    assert called(capsys, "run", "new.graph").err == f"gradwire: new.graph: {sentence}\n"


@pytest.mark.parametrize(
    ("line", "sentence", "said"),
    [
        (0, "It is odd.", "a.graph: It is odd."),
        (3, "It is odd.", "a.graph:3:4: It is odd."),
        (0, '"a.graph" is odd.', "a.graph: It is odd."),
        (0, 'That of "a.graph" is odd.', 'a.graph: That of "a.graph" is odd.'),
        (0, '"aXgraph" is odd.', 'a.graph: "aXgraph" is odd.'),
    ],
)
def test_a_sentence_begins_with_its_place_and_names_the_file_once(
    line: int, sentence: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_error("a.graph", sentence, line, 4)
    assert capsys.readouterr().err == f"gradwire: {said}\n"


def test_json_holds_no_command_of_a_code_host(capsys: pytest.CaptureFixture[str]) -> None:
    """The second kind of GitHub's commands begins anywhere in a line by ##[."""
    print_json({"message": "##[error]\u202eodd"})
    said = capsys.readouterr().out
    assert "##[" not in said and said.isascii()
    assert json.loads(said) == {"message": "##[error]\u202eodd"}


def test_files_of_data_lie_beside_the_graph_or_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lesson").mkdir()
    block = {"id": "data", "type": "Data", "parameters": {"set": "file", "file": "d.csv"}}
    path = written(tmp_path / "lesson" / "a.graph", [block])
    (tmp_path / "lesson" / "d.csv").write_text("a,y\n1,2\n")
    monkeypatch.chdir(tmp_path)
    assert "wants to read d.csv; --allow-data allows it." in called(capsys, "run", path).err
    loud = called(capsys, "run", path, "--allow-data")
    assert loud.code == 0 and loud.err.startswith("main/data: Read d.csv: ")
    assert called(capsys, "run", path, "--allow-data", "-q").err == ""
    for folder, code in ((tmp_path, 2), (tmp_path / "lesson", 0)):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        assert called(capsys, "run", "-", "--allow-data").code == code


def test_no_output_replaces_a_file_of_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    block = {"id": "data", "type": "Data", "parameters": {"set": "file", "file": "d.csv"}}
    path = written(tmp_path / "a.graph", [block])
    (tmp_path / "d.csv").write_text("a,y\n1,2\n")
    outcome = called(capsys, "export", path, "--to", "numpy", "--allow-data", "-o", tmp_path / "d.csv")
    assert outcome.code == 2
    assert (tmp_path / "d.csv").read_text() == "a,y\n1,2\n"


def test_what_has_no_place_in_the_file_has_line_and_column_0(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "run", "--json", "--ignore-stop=main/m", file)
    sentence = "--ignore-stop=main/m: there is no StopGradient of that name."
    error = {"line": 0, "column": 0, "message": sentence}
    assert (outcome.code, json.loads(outcome.out)) == (2, {"file": file, "ok": False, "error": error})
