"""Marks of running tasks outlive a process that ends, with and without locks of the file system."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradwire.engine.base.processes.python_process import ROOT
from gradwire.engine.plugins.import_marks import left_behind, marked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there open files are locked")
_HOLDING = """
import errno, fcntl, sys
from pathlib import Path
from gradwire.engine.plugins.import_marks import marked

def refuse(*_):
    raise OSError(int(sys.argv[2]), "no locks")

if sys.argv[2] != "0":
    fcntl.flock = refuse
with marked(Path(sys.argv[1]), "deadly"):
    print("marked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(params=[0, errno.ENOLCK, errno.EIO, errno.EPERM])
def other(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of an import, on a file system where locks work, or raise some error."""
    if request.param:
        import fcntl

        def refuse(*_: object) -> None:
            raise OSError(request.param, "no locks")

        monkeypatch.setattr(fcntl, "flock", refuse)
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDING, str(tmp_path), str(request.param)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == "marked\n"
    yield process
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


def test_the_mark_of_a_process_that_runs_is_not_left_behind(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    assert left_behind(tmp_path) == {}


def test_a_mark_outlives_a_process_that_is_killed(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    other.kill()
    other.wait()
    assert list(left_behind(tmp_path).values()) == ["deadly"]


def test_a_mark_goes_with_the_task_and_its_descriptor(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    with marked(tmp_path, "fine"):
        assert len(list(tmp_path.iterdir())) == 2
        assert {path.stat().st_mode & 0o7777 for path in tmp_path.iterdir()} == {0o600}
        assert left_behind(tmp_path) == {}
    assert len(list(tmp_path.iterdir())) == 1
    assert before == (len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0)
