"""The information that running programs share, and the remains of a killed one: nothing looks alive."""

from __future__ import annotations

import errno
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gradwire.app.base import run_folder
from gradwire.app.base.run_folder import RunFolder, is_alive, remove_folder, runs
from gradwire.app.base.state_folder import private_folder, state_folder

# A program that has a file open until its input ends.
OTHER = """
import sys
from pathlib import Path
from gradwire.app.base.run_folder import RunFolder

folder = RunFolder(Path(sys.argv[1]))
folder.mark(Path(sys.argv[2]))
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program of ours that has `a.graph` open."""
    command = [sys.executable, "-c", OTHER, str(tmp_path / "state"), str(tmp_path / "a.graph")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_the_state_folder_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "gradwire"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_nobody_else_may_look_into_it(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    assert private_folder(tmp_path / "state").stat().st_mode & 0o777 == 0o700
    folder = RunFolder(tmp_path / "fresh")
    assert folder.path.stat().st_mode & 0o777 == 0o700


def test_a_file_that_another_program_has_open_is_known(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    folder = RunFolder(tmp_path / "state")
    found = folder.holder(tmp_path / "." / "a.graph")
    assert found is not None and found.process == other.pid
    assert abs(datetime.now() - found.since) < timedelta(minutes=5)
    assert folder.holder(tmp_path / "b.graph") is None


def test_a_link_to_it_is_the_same_file(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    (tmp_path / "a.graph").touch()
    (tmp_path / "link.graph").symlink_to(tmp_path / "a.graph")
    assert RunFolder(tmp_path / "state").holder(tmp_path / "link.graph") is not None


def test_a_program_that_was_killed_has_nothing_open(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    other.kill()
    other.wait()
    assert RunFolder(tmp_path / "state").holder(tmp_path / "a.graph") is None
    (run,) = runs(tmp_path / "state", alive=False)
    remove_folder(run.folder)
    assert not list((tmp_path / "state" / "running").iterdir())


def test_a_process_id_that_was_given_again_is_not_taken_for_the_program(tmp_path: Path) -> None:
    # A lock that nobody holds, with the id of a running process: this one.
    folder = private_folder(tmp_path / "running" / f"{os.getpid()}-0000")
    folder.with_name(folder.name + ".lock").write_text(f'{{"process": {os.getpid()}, "since": "2026-01-01T00:00:00"}}')
    assert not is_alive(folder)


def test_what_is_closed_is_open_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, its = RunFolder(tmp_path), RunFolder(tmp_path)
    mine.mark(tmp_path / "a.graph")
    assert its.holder(tmp_path / "a.graph") is None, "a process does not warn of itself"
    # Simulates another process with another start time.
    monkeypatch.setattr(run_folder, "STARTED", datetime(2026, 1, 1))
    assert its.holder(tmp_path / "a.graph") is not None
    mine.unmark(tmp_path / "a.graph")
    assert its.holder(tmp_path / "a.graph") is None


def test_who_leaves_without_copies_leaves_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.mark(tmp_path / "a.graph")
    folder.leave()
    assert not list((tmp_path / "running").iterdir())


def test_copies_stay_when_their_program_leaves(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    (folder.path / "1.graph").touch()
    kept = folder.path
    assert is_alive(kept)
    folder.leave()
    assert (kept / "1.graph").exists() and not is_alive(kept)


def test_a_folder_that_is_not_made_yet_is_left_and_shared_at_no_cost(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with folder.shared_lock():
        folder.unmark(tmp_path / "a.graph")
    folder.leave()
    assert not list(tmp_path.iterdir())
    assert (folder.state, folder.aside) == (tmp_path, tmp_path / "put-aside")
    assert [folder.next_number() for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"process": 7, "since": "2026-01-02T03:04:05", "host": "box"}, (7, datetime(2026, 1, 2, 3, 4, 5), "box")),
        ({"process": 7, "since": "2026-01-02T03:04:05"}, (7, datetime(2026, 1, 2, 3, 4, 5), "")),
        ({"process": "7", "since": "2026-01-02T03:04:05"}, (0, datetime.fromtimestamp(0), "")),
        ({"process": 7, "since": 5}, (0, datetime.fromtimestamp(0), "")),
        ({"process": 7, "since": "yesterday"}, (0, datetime.fromtimestamp(0), "")),
        ({}, (0, datetime.fromtimestamp(0), "")),
    ],
)
def test_a_program_that_ended_is_known_by_its_record(
    tmp_path: Path, record: dict[str, object], expected: tuple[int, datetime, str]
) -> None:
    folder = private_folder(tmp_path / "running" / "1-0000")
    folder.with_name(folder.name + ".lock").write_text(json.dumps(record))
    (run,) = runs(tmp_path, alive=False)
    assert (run.process, run.since, run.host) == expected
    assert runs(tmp_path, alive=True) == []


def test_a_damaged_record_is_no_obstacle(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "running" / "1-0000")
    folder.with_name(folder.name + ".lock").write_bytes(b"\xff\x00{")
    (run,) = runs(tmp_path, alive=False)
    assert run.folder == folder and run.process == 0


@pytest.fixture(params=[errno.ENOLCK, errno.EIO, errno.EPERM], ids=errno.errorcode.get)
def _without_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """File system that knows no locks."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.usefixtures("_without_locks")
def test_without_locks_a_program_runs_while_its_process_does(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    folder = RunFolder(tmp_path / "state")
    assert folder.holder(tmp_path / "a.graph") is not None
    other.kill()
    other.wait()
    assert folder.holder(tmp_path / "a.graph") is None
    assert len(runs(tmp_path / "state", alive=False)) == 1


@pytest.mark.usefixtures("_without_locks")
def test_without_locks_copies_of_this_process_are_not_those_of_an_ended_one(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    assert is_alive(folder.path)
    folder.leave()


@pytest.mark.usefixtures("_without_locks")
@pytest.mark.parametrize(
    ("record", "lives"),
    [
        ({"process": os.getpid(), "host": platform.node()}, False),  # an earlier process with the id of this one
        ({"process": os.getpid(), "host": "another"}, True),
        ({"process": os.getpid()}, False),
        ({"process": 2**22 + 1, "host": platform.node()}, False),
        ({"process": 2**70, "host": platform.node()}, False),
        ({"process": 0, "host": platform.node()}, False),
        ({"process": 1, "host": platform.node()}, True),
    ],
)
def test_without_locks_the_record_decides(tmp_path: Path, record: dict[str, object], lives: bool) -> None:
    folder = private_folder(tmp_path / "running" / "1-0000")
    text = json.dumps({"since": "2026-01-01T00:00:00", **record})
    folder.with_name(folder.name + ".lock").write_text(text)
    assert is_alive(folder) is lives


@pytest.mark.skipif(os.name != "posix", reason="only there a lock can be shared")
def test_a_run_ends_with_the_last_process_that_shares_its_lock(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    path = folder.path
    with folder.shared_lock():
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    assert folder._held is not None
    os.close(folder._held[0])  # as the end of this process would
    assert is_alive(path)
    child.communicate()
    assert not is_alive(path)
    other.communicate()
