"""The last resort: whatever goes wrong is one sentence and an exit code, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app import __main__, command_line, start
from app.examples import FOLDER

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [[], ["run"]])
@pytest.mark.parametrize(("fault", "code"), [(RuntimeError("odd"), 1), (MemoryError(), 1), (KeyboardInterrupt(), 130)])
def test_a_fault_of_ours_is_a_sentence(
    fault: BaseException,
    code: int,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> int:
        raise fault

    monkeypatch.setattr(sys, "argv", ["gradwire", *words])
    monkeypatch.setattr(start, "start", fail)
    monkeypatch.setattr(command_line, "main", fail)
    assert __main__.main() == code
    said = capsys.readouterr().err
    assert said.startswith("gradwire: ")
    assert said.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error() -> None:
    script = (
        f"{sys.executable} -m app run --json {FOLDER / 'softmax_stable.graph'} {FOLDER / 'softmax_naive.graph'} | true"
    )
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "app", "run", str(FOLDER / "softmax_stable.graph")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0
    assert "blocked by main/stop" in done.stdout
