"""The last resort: every failure is one sentence and an exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradwire.app import __main__
from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line
from gradwire.app.cli.commands import COMMANDS
from gradwire.app.start import start, wanted
from tests.sweeps import a_third_of

ROOT = Path(__file__).parents[3]


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
    files = f"{FOLDER / 'softmax_stable.graph'} {FOLDER / 'softmax_naive.graph'}"
    script = f"{sys.executable} -m gradwire run --json {files} | true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "gradwire", "run", str(FOLDER / "softmax_stable.graph")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0
    assert "blocked by main/stop" in done.stdout


GRAPH = str(FOLDER / "softmax_stable.graph")
PRINTING = {
    "run": ["run", GRAPH],
    "run --json": ["run", "--json", GRAPH, GRAPH],
    "check": ["check", GRAPH],
    "export": ["export", GRAPH, "--to", "numpy"],
    "help": ["--help"],
    "version": ["--version"],
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    ("words", "is_buffered"), a_third_of([*((words, True) for words in PRINTING.values()), (PRINTING["help"], False)])
)
def test_a_full_output_is_told(words: list[str], is_buffered: bool) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "" if is_buffered else "1"}
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gradwire", *words]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT, env=environment
        )
    assert done.returncode == 2
    assert done.stderr == "gradwire: the output is full; not everything was written.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_where_even_the_error_output_is_full_the_exit_code_tells() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gradwire", "run", GRAPH]
        assert subprocess.run(command, stdout=full, stderr=full, check=False, cwd=ROOT).returncode != 0


def test_a_warning_never_reaches_the_error_output() -> None:
    code = (
        "import sys, warnings, numpy as np; sys.argv = ['gradwire', 'x'];"
        "from gradwire.app import __main__ as m; from gradwire.app.start import start;"
        "m._run = lambda _: [np.array([1e300]) * np.array([1e300]), np.array([np.inf]).astype(int), 0][-1];"
        "sys.exit(m.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_is_one_even_beside_a_file_of_its_name() -> None:
    assert {command.name for command in COMMANDS} == {*wanted.COMMANDS}
