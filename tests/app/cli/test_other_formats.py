"""Files of other programs given to the commands: one sentence, exit code 2, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.cli.graphs import called

FILES = {
    "model.onnx": "a model in ONNX", "net.pt": "a pickle of PyTorch", "net.pth": "a pickle of PyTorch",
    "model.h5": "a model of Keras", "model.keras": "a model of Keras", "model.safetensors": "weights without a program",
    "saved_model.pb": "a model of TensorFlow",
}  # fmt: skip
COMMANDS = ["run", "check", "train", "show", "code", "diff", "render", "export", "import", "blocks", "examples"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_another_program_is_one_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    more: dict[str, list[object]] = {
        "diff": [tmp_path / "net.pt"], "render": ["-o", f"{out}.svg"], "export": ["--to", "numpy", "-o", f"{out}.py"],
        "import": ["-o", f"{out}.graph"],
    }  # fmt: skip
    for name, said in FILES.items():
        (tmp_path / name).write_bytes(b"\x80\x02\x00PK\x03\x04\xff")
        (tmp_path / "net.pt").touch()
        outcome = called(capsys, command, tmp_path / name, *more.get(command, []))
        assert outcome.code == 2
        line, *_ = outcome.err.strip().splitlines()
        assert said in line or (command == "import" and name == "model.onnx" and "cut off, or damaged" in line)
        assert outcome.out == ""
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("name", ["net.pt", "MODEL.ONNX"])
def test_the_name_of_a_file_that_is_missing_is_no_formula(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "code", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no such file" in outcome.err
