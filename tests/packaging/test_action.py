"""The action on a hostile repository: the shell of its own steps runs there, and nothing of that repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.packaging.hostile import GRAPHS, make

ROOT = Path(__file__).parents[2]
HERE = Path(sys.executable).parent
pytestmark = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("git"), reason="runs a shell and git")

# The Python of the runner, which makes an environment of a Python that installs nothing and a program that is there.
INTERPRETER = """#!/bin/sh
echo "$*" >> "{log}"
[ "$*" = "-I -m venv {place}" ] || exit 3
mkdir -p "{place}/bin"
cp "{stub}" "{place}/bin/python"
cp "{program}" "{place}/bin/gradwire"
"""
STUB = """#!/bin/sh
echo "$* with $PIP_CONSTRAINT in $(pwd)" >> "{log}"
[ "$1 $2 $3 $4" = "-I -m pip install" ] || exit 3
"""


class Step(NamedTuple):
    """Step of the action that runs a shell: its folder, its variables and its script."""

    name: str
    folder: str
    variables: dict[str, str]
    script: str


def steps(text: str) -> Iterator[Step]:
    """Yields the steps with a shell of an action, whose YAML has the plain form of ours."""
    for part in re.split(r"^    - ", text, flags=re.MULTILINE)[1:]:
        run = re.search(r"^      run: (?:\|\n)?(.*)", part, re.MULTILINE | re.DOTALL)
        if run is None:
            continue
        variables = dict(re.findall(r"^        ([A-Z]+): (.*)$", part[: run.start()], re.MULTILINE))
        folder = re.search(r"^      working-directory: (.*)$", part, re.MULTILINE)
        name = re.match(r"name: (.*)", part)
        assert name is not None
        yield Step(name[1], folder[1] if folder else "", variables, re.sub("^        ", "", run[1], flags=re.MULTILINE))


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], text)


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


class Repository:
    """Hostile repository on a runner, and what its code has noted."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary, self.marks = folder / "repository", folder / "temp", folder / "marks"
        self.log = folder / "log"
        for made in (self.folder, self.temporary):
            made.mkdir()
        make(self.folder, self.marks)
        # Variables of a workflow that make Python look into the folder, wherever it may be.
        user = self.folder / "user"
        self.variables = {"PYTHONPATH": f".:{self.folder}", "PYTHONUSERBASE": str(user), "PYTHONSTARTUP": "setup.py"}
        place = self.temporary / "gradwire-check"
        stub = executable(folder / "stub", STUB.format(log=self.log))
        program = {"log": self.log, "place": place, "stub": stub, "program": HERE / "gradwire"}
        self.interpreter = executable(folder / "python", INTERPRETER.format(**program))

    @property
    def noted(self) -> set[str]:
        """Names of the code that ran, and of what commands in names of files have made."""
        return {path.name for path in self.marks.iterdir()} | {path.name for path in self.folder.glob("ran*")}

    def run(self, step: Step, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Runs the shell of a step as a runner does."""
        values = {
            "runner.temp": str(self.temporary),
            "github.action_path": str(ROOT),
            "steps.python.outputs.python-path": str(self.interpreter),
            "inputs.files": "*.graph",
            "inputs.arguments": "",
            **{f"inputs.{name}": value for name, value in inputs.items()},
        }
        variables = {name: filled(value, values) for name, value in step.variables.items()}
        return self.shell(step.script, filled(step.folder, values) or str(self.folder), variables)

    def shell(self, script: str, folder: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        variables = {**os.environ, **self.variables, **variables}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.run(command, cwd=folder, env=variables, text=True, check=False, **pipes)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_none_of_the_code_of_a_repository_runs(repository: Repository) -> None:
    install, check = steps((ROOT / "action.yml").read_text("utf-8"))
    assert repository.run(install).returncode == 0
    asked = repository.log.read_text().splitlines()
    assert asked[1] == f"-I -m pip install --quiet {ROOT} with {ROOT}/constraints.txt in {repository.temporary}"
    done = repository.run(check)
    assert repository.noted == set(), done.stderr
    # Each graph has one error, and each name stands in one line of the code host's.
    found = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert done.returncode == 123 and len(found) == len(GRAPHS)
    assert all(line.startswith("::error file=") and "title=" in line for line in found), done.stdout


@pytest.mark.long
def test_names_of_files_do_not_become_arguments(repository: Repository) -> None:
    (repository.folder / "--quiet").touch()
    *_, check = steps((ROOT / "action.yml").read_text("utf-8"))
    repository.run(next(steps((ROOT / "action.yml").read_text("utf-8"))))
    done = repository.run(check, files="fine.graph", arguments="--quie?")
    assert "there is no option" in done.stderr
    assert repository.noted == set()


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("python -m pip", {"pip.__main__", "sitecustomize"}),
        ("python -m gradwire", {"gradwire.__main__", "sitecustomize"}),
        ("python -c 'import numpy'", {"numpy"}),
        ("gradwire --version", {"sitecustomize"}),
        (f'"{sys._base_executable}" -c ""', {"usercustomize", "pth"}),
    ],
)
@pytest.mark.long
def test_the_code_of_that_repository_runs_where_nothing_keeps_it_out(
    repository: Repository, script: str, names: set[str]
) -> None:
    repository.shell(script, str(repository.folder), {"PATH": f"{HERE}:{os.environ['PATH']}"})
    assert names <= repository.noted


@pytest.mark.long
def test_the_hook_looks_nowhere_but_into_its_own_environment(repository: Repository) -> None:
    entry = re.search(r"^  entry: (.*)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE)
    assert entry is not None
    done = repository.shell(f"{entry[1]} fine.graph", str(repository.folder), {"PATH": f"{HERE}:{os.environ['PATH']}"})
    assert done.returncode == 1 and "fine.graph" in done.stderr
    assert repository.noted == set()


def test_other_actions_are_pinned() -> None:
    used = re.findall(r"uses: (\S+)", (ROOT / "action.yml").read_text("utf-8"))
    assert used and all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", name) for name in used)
