"""What an installation is tried with: bounds that can be installed, a lock with sums, Pythons that are really there."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts import try_installation
from scripts.environments import PYTHONS, Failed, python_of, requirements
from scripts.try_installation import LOCK, ROOT, TRIALS, Archives, attempt


def test_every_package_of_the_program_has_a_lower_bound() -> None:
    assert len(requirements()) >= 4
    assert [item for item in requirements() if ">=" not in item] == []


def test_the_pythons_that_are_tried_are_those_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [item.rpartition(" ")[2] for item in project["classifiers"] if ":: 3." in item]
    assert list(PYTHONS) == named
    assert project["requires-python"] == f">={PYTHONS[0]}"


def test_a_python_that_is_not_there_is_not_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "versions" / "3.99.1" / "bin").mkdir(parents=True)
    (tmp_path / "versions" / "3.99.1" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    none = subprocess.CompletedProcess([], 1, "", "")
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda asked, **given: none if "find" in asked else real(asked, **given))
    # The program of that name is there, but of another version.
    assert python_of("3.99") is None


def test_a_trial_that_fails_says_why_and_the_next_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> str:
        raise Failed("no network here")

    monkeypatch.setitem(TRIALS, "locked", refuse)
    monkeypatch.setitem(TRIALS, "newest", lambda *_: "NumPy 9")
    archives = Archives(Path("a.whl"), Path("a.tar.gz"))
    assert not attempt("locked", archives, tmp_path / "locked")
    assert attempt("newest", archives, tmp_path / "newest")
    said = capsys.readouterr().out
    assert said.startswith("FAILED locked, 0 s\n    no network here\nfine   newest, 0 s\n    NumPy 9\n")


def test_a_trial_that_is_unknown_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["try_installation", "nonsense"])
    with pytest.raises(SystemExit):
        try_installation.main()
    assert "unknown: nonsense" in capsys.readouterr().err


def locked() -> dict[str, tuple[str, int]]:
    """Returns the version, and the number of sums, of each package in `requirements.lock`."""
    pattern = r"^([\w.-]+)==([\w.]+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)"
    blocks = re.findall(pattern, LOCK.read_text(), re.MULTILINE)
    return {canonical(name): (version, sums.count("sha256:")) for name, version, sums in blocks}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_each_locked_package_has_sums_and_the_version_of_the_constraints() -> None:
    lines = [line for line in LOCK.read_text().splitlines() if line and line[0] not in "# "]
    assert len(lines) == len(locked()) > 30
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    versions = {canonical(name): version for name, version in pinned.items()}
    assert {name: version for name, (version, _) in locked().items() if versions.get(name, version) != version} == {}


def test_every_package_of_program_and_tests_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    names = {canonical(re.match(r"[\w.-]+", item)[0]) for item in wanted}  # type: ignore[index]  # each has a name
    assert names <= set(locked())


def test_the_wheels_of_all_platforms_are_locked() -> None:
    # NumPy has wheels for four kinds of Python or more on each of three systems; a lock for one machine has one or two.
    assert locked()["numpy"][1] > 30


def test_the_lock_names_no_host() -> None:
    assert "://" not in LOCK.read_text()
