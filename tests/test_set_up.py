"""Setting up on a machine where something is missing: one sentence and one command, never a bare failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "make_environment.sh"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="on Windows the README gives the commands themselves")


def set_up(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHON": python, "PATH": "/usr/bin:/bin"}
    command = ["sh", str(SCRIPT), str(folder / "environment")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def fake_python(folder: Path, *, refuses: str) -> str:
    """A program that stands for a Python: it fails on source code that holds `refuses`."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\ncase "$2" in *"{refuses}"*) exit 1;; esac\nexit 0\n')
    path.chmod(0o755)
    return str(path)


def test_without_a_python_the_command_that_installs_it_is_named(tmp_path: Path) -> None:
    done = set_up(tmp_path, "no-such-python")
    assert done.returncode == 1
    assert "Gradwire needs Python 3.11 or newer and found none." in done.stderr
    assert "install" in done.stderr.splitlines()[-1]


def test_a_python_that_is_too_old_counts_as_none(tmp_path: Path) -> None:
    done = set_up(tmp_path, fake_python(tmp_path, refuses="version_info"))
    assert done.returncode == 1
    assert "found none" in done.stderr


def test_a_python_that_cannot_make_environments_is_named(tmp_path: Path) -> None:
    python = fake_python(tmp_path, refuses="ensurepip")
    done = set_up(tmp_path, python)
    assert done.returncode == 1
    assert f"Gradwire found {python}, but not the part that makes virtual environments." in done.stderr


def test_a_suitable_python_makes_the_environment(tmp_path: Path) -> None:
    done = set_up(tmp_path, sys.executable)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "environment" / "pyvenv.cfg").exists()
