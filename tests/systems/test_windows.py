"""Every module of tests can be collected where Python lacks what only POSIX has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def collect(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.systems.windows", "-p", "no:cacheprovider", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_all_modules_are_collected_without_what_windows_lacks() -> None:
    done = collect("--collect-only", "tests")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.long
def test_a_test_of_locks_is_skipped_and_names_what_is_missing() -> None:
    done = collect("-rs", "tests/engine/files/test_disk.py", "-k", "held or holds or pipe or own_ordinary")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "fcntl" in done.stdout
    assert "this system has no named pipes (os.mkfifo)" in done.stdout
