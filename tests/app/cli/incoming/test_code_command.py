"""`gradwire code`: which texts are files, what is printed where, and which names can be no program."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gradwire.app.cli.incoming import code_command
from gradwire.engine.files.files import load, loads
from tests.app.cli.graphs import called


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_the_graph_goes_to_standard_output_or_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    printed = called(capsys, "code", "y = exp(x)")
    assert called(capsys, "code", "y = exp(x)", "-o", "y.graph").out == ""
    assert loads(printed.out.encode()).graph == load("y.graph").graph
    assert printed.out.endswith("}\n") and not printed.out.endswith("\n\n")
    answer = called(capsys, "code", "y = exp(x)", "--json", "-o", "z.graph")
    assert Path("z.graph").read_bytes() == Path("y.graph").read_bytes()
    found = json.loads(answer.out)
    assert (found["file"], found["ok"]) == ("text", True)
    assert [(item["name"], item["type"]) for item in found["blocks"]] == [("x", "Input"), ("y", "Exp")]


def test_a_name_of_a_file_is_one_and_a_text_of_several_lines_never(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("exp(x)").write_text("z = tanh(x)")
    types = [item["type"] for item in json.loads(called(capsys, "code", "exp(x)", "--json").out)["blocks"]]
    assert types == ["Input", "Tanh"]
    assert called(capsys, "code", "y = exp(x)\nz = tanh(y)\n").code == 0
    standard_input(monkeypatch, "\ufeffz = tanh(x)".encode())  # Windows begins its files so
    assert json.loads(called(capsys, "code", "-", "--json").out)["file"] == "-"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("net.onnx", "net.onnx: It cannot be read: there is no such file or folder."),
        ("2 * net.onnx", "text:1:1: "),
        ("f(net).onnx", "text:1:1: "),
        ("net.onnx=1", "text:1:1: "),
    ],
)
def test_only_what_looks_like_a_file_of_another_program_is_one(
    capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    outcome = called(capsys, "code", text)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"gradwire: {said}")


def test_a_program_may_be_named_like_another_file(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("model.onnx.py", "model.PY"):
        Path(name).write_text("y = exp(x)")
        assert called(capsys, "code", name).code == 0


def test_what_cannot_be_read_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.py").write_bytes(b"y = exp(\xff)")
    assert called(capsys, "code", "a.py").err == "gradwire: a.py: It is no text in UTF-8.\n"
    monkeypatch.setattr(code_command, "LONGEST", 5)
    content = io.BytesIO(b"y = exp(x)  # and so on")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    called(capsys, "code", "-")
    assert content.tell() == 6  # one more than is read tells that it is too long


def test_notices_and_what_was_left_out_are_said_with_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    text = "x = torch.randn(3)\nz = foo(x)\n"
    left, notice = called(capsys, "code", text, "--rest").err.splitlines()
    assert left.startswith("gradwire: text:2:5: foo is not known here")
    assert notice.startswith("text: line 1 draws numbers, here with seed ")
    outcome = called(capsys, "code", text, "--rest", "--json")
    assert outcome.err.splitlines() == [left]
    assert [f"text: {item}" for item in json.loads(outcome.out)["notices"]] == [notice]
