"""Full disks, read-only or missing folders, cycles of links, pipes, devices: clear messages, no losses."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import load, save
from tests.systems.marks import needs_devices, needs_forks, needs_pipes
from tests.torture.support.counts import count
from tests.torture.support.limits import no_larger_files_than
from tests.torture.support.running import mounting_fails, report_of
from tests.torture.support.savers import graph_of

OLD, NEW = graph_of(2_000, 1), graph_of(9_000, 2)
ROUNDS = count(3, 20)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Folder that everybody can reach, unlike those of tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def refused(path: Path, work: str) -> str:
    """Returns the message for saving a graph at a path, or for reading it from there."""
    with pytest.raises(FileError) as caught:
        save(NEW, path) if work == "save" else load(path)
    message = str(caught.value)
    assert message.startswith(f'"{path}" cannot be {"written" if work == "save" else "read"}: ')
    return message.removeprefix(f'"{path}" cannot be {"written" if work == "save" else "read"}: ')


@pytest.mark.long
def test_on_a_full_disk_the_old_file_stays_whole(tmp_path: Path) -> None:
    if reason := mounting_fails(tmp_path):
        pytest.skip(f"no small disk can be mounted here: {reason}")
    found = report_of("full", tmp_path, ROUNDS, before=f'mount -t tmpfs -o size=3m tmpfs "{tmp_path}"')
    assert found == {"the disk is full.": ROUNDS, "old": ROUNDS, "new: the disk is full.": ROUNDS, "left": 0}


def test_where_files_may_not_be_that_large_the_old_file_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    save(OLD, path)
    for number in range(ROUNDS):
        with no_larger_files_than(number * 400):
            assert refused(path, "save") == "it would be larger than files may be here."
        assert os.listdir(tmp_path) == ["a.graph"]
    assert load(path).graph == OLD


@needs_forks
def test_in_a_folder_that_takes_no_files_the_old_file_stays_whole(open_folder: Path) -> None:
    found = report_of("unwritable", open_folder, 65534, ROUNDS)
    assert found == {'its folder "FOLDER" takes no new files from you.': 2 * ROUNDS, "old": ROUNDS, "left": 0}


def test_on_a_read_only_disk_it_is_said_so(tmp_path: Path) -> None:
    if reason := mounting_fails(tmp_path):
        pytest.skip(f"no disk can be mounted here: {reason}")
    found = report_of("read_only", tmp_path, ROUNDS, before=f'mount -t tmpfs tmpfs "{tmp_path}"')
    assert found == {"it is read-only.": ROUNDS, "the disk is read-only.": ROUNDS, "old": ROUNDS, "left": 0}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_folder_that_has_vanished_is_named(tmp_path: Path, number: int) -> None:
    folder = tmp_path.joinpath(*["folder"] * (number + 1))
    folder.mkdir(parents=True)
    path = folder / "a.graph"
    save(OLD, path)
    shutil.rmtree(tmp_path / "folder")
    assert refused(path, "save") == f'its folder "{folder}" does not exist.'
    assert refused(path, "read") == "there is no such file or folder."
    assert os.listdir(tmp_path) == []


def test_a_folder_that_vanishes_while_a_file_is_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, fsync = tmp_path / "folder", os.fsync

    def vanish(descriptor: int) -> None:
        fsync(descriptor)
        shutil.rmtree(folder)

    folder.mkdir()
    monkeypatch.setattr(os, "fsync", vanish)
    assert refused(folder / "a.graph", "save") == f'its folder "{folder}" does not exist.'


@pytest.mark.parametrize("length", range(1, ROUNDS + 1))
def test_links_in_a_circle_are_left_as_they_are(tmp_path: Path, length: int) -> None:
    for at in range(length):
        (tmp_path / f"{at}").symlink_to(f"{(at + 1) % length}")
    for work in ("save", "read"):
        assert refused(tmp_path / "0", work) == "its links lead in a circle."
    assert len(os.listdir(tmp_path)) == length


def test_a_part_of_the_path_that_is_a_file_is_told(tmp_path: Path) -> None:
    save(OLD, tmp_path / "a.graph")
    for work in ("save", "read"):
        assert refused(tmp_path / "a.graph" / "b.graph", work) == "a part of its path is no folder."


@needs_pipes
@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_pipe_is_refused_at_once(tmp_path: Path, number: int) -> None:
    path = tmp_path / f"{number}.graph"
    os.mkfifo(path)
    for work in ("save", "read"):
        assert refused(path, work) == "it is a pipe, not an ordinary file."
    assert stat.S_ISFIFO(path.stat().st_mode)


@needs_pipes
@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_pipe_that_was_a_file_a_moment_ago_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path, ordinary = tmp_path / f"{number}.graph", tmp_path / "ordinary"
    ordinary.touch()
    os.mkfifo(path)
    status = os.stat(ordinary)
    monkeypatch.setattr(os, "stat", lambda *_, **__: status)
    assert refused(path, "read") == "it is a pipe, not an ordinary file."


@needs_devices
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/tty"][:ROUNDS])
@pytest.mark.parametrize("work", ["save", "read"])
def test_a_device_is_refused_and_stays(tmp_path: Path, device: str, work: str) -> None:
    (tmp_path / "a.graph").symlink_to(device)
    before = os.stat(device)
    for path in (Path(device), tmp_path / "a.graph"):
        for _ in range(ROUNDS):
            assert refused(path, work) == "it is a device, not an ordinary file."
    assert (os.stat(device).st_ino, os.stat(device).st_rdev) == (before.st_ino, before.st_rdev)
