"""Saves in which each system call fails in turn: the old file stays, no leftovers remain, and a message appears."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from tests.sweeps import a_third_of
from tests.torture.support.savers import graph_of

CALLS = ("open", "write", "fsync", "replace", "close", "unlink", "stat", "lstat", "fstat", "scandir", "fchmod")
CALLS += ("fchown", "listxattr", "getxattr", "setxattr", "read")
FAULTS = {errno.EIO: "the disk reports an error", errno.ENOSPC: "the disk is full"}
FAULTS |= {errno.EDQUOT: "your share of the disk is used up", errno.EINTR: "the system broke it off; try again"}
FAULTS |= {errno.EACCES: "you have no permission|takes no new files from you"}

# Leftover of a dead process.
LEFT = ".gradwire-0123456789ab.tmp"
OLD, NEW = graph_of(3_000, 1), graph_of(5_000, 2)


class Faults:
    """System calls, one of which fails at its n-th use."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, at: int, code: int) -> None:
        self.has_fired = False
        following, call = itertools.count(1), getattr(os, name)

        def failing(*arguments: Any, **keys: Any) -> Any:  # Any: any call of the system
            if next(following) != at:
                return call(*arguments, **keys)
            self.has_fired = True
            if name == "close":
                # A file is closed even if that call fails.
                call(*arguments, **keys)
            raise OSError(code, os.strerror(code))

        patch.setattr(os, name, failing)


@pytest.fixture(params=["a file", "a new file", "a link", "a file beside what a dead process left"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Path at which the graph is saved."""
    path = tmp_path / "a.graph"
    if request.param == "a new file":
        return path
    save(OLD, path)
    path.chmod(0o640)
    if request.param == "a link":
        path.rename(tmp_path / "real.graph")
        path.symlink_to("real.graph")
    if request.param.startswith("a file beside"):
        (tmp_path / LEFT).write_bytes(b"half")
    return path


@pytest.fixture
def _short_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit of a thousand bytes for every write."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, part: write(to, part[:1000]))


def open_files() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def faulty(work: Callable[[], object], name: str, at: int, code: int) -> tuple[bool, str]:
    """Runs some work while a call fails at its n-th use; returns whether it failed, and the message."""
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch, name, at, code)
        try:
            work()
        except FileError as error:
            return faults.has_fired, str(error)
    return faults.has_fired, ""


def each_fault(path: Path, name: str, code: int) -> Iterator[str]:
    """Lets the n-th call fail for every n and yields the messages, until no call fails any more."""
    old, is_link, before = graph_at(path), path.is_symlink(), open_files()
    for at in itertools.count(1):
        has_fired, said = faulty(lambda: save(NEW, path), name, at, code)
        # Files of other tests may be closed meanwhile.
        assert open_files() <= before
        assert path.is_symlink() is is_link
        if not has_fired:
            assert not said
            return
        # Once the new file has its name, only the sync of the folder remains.
        is_new = not said or said.startswith(f'"{path}" is written, but may be lost in a power cut: ')
        assert is_new or said.startswith(f'"{path}" cannot be written: ')
        assert (is_new and bool(said)) is (name == "fsync" and at == 2)
        assert graph_at(path) == (NEW if is_new else old)
        if name != "unlink":
            assert litter(path.parent) <= {LEFT}
        yield said
        restore(path, old)


def graph_at(path: Path) -> Graph | None:
    return load(path).graph if path.exists() else None


def litter(folder: Path) -> set[str]:
    return {name for name in os.listdir(folder) if "gradwire-" in name}


def restore(path: Path, old: Graph | None) -> None:
    if old is None:
        path.unlink(missing_ok=True)
    else:
        save(old, path)
    for name in litter(path.parent):
        (path.parent / name).unlink()


@pytest.mark.usefixtures("_short_writes")
@pytest.mark.parametrize("code", a_third_of(FAULTS), ids=errno.errorcode.get)
@pytest.mark.parametrize("name", CALLS)
def test_whatever_fails_the_file_is_the_old_one_or_whole_and_the_new_one(path: Path, name: str, code: int) -> None:
    for said in each_fault(path, name, code):
        if said:
            assert any(reason in said for reason in FAULTS[code].split("|"))


@pytest.mark.parametrize("name", ["open", "write", "fsync", "replace"])
def test_what_cannot_do_without_a_call_tells_its_failure(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.graph"
    save(OLD, path)
    (said,) = itertools.islice(each_fault(path, name, errno.EIO), 1)
    assert said == f'"{path}" cannot be written: the disk reports an error.'


@pytest.mark.usefixtures("_short_writes")
def test_short_writes_write_all(tmp_path: Path) -> None:
    save(NEW, tmp_path / "a.graph")
    assert load(tmp_path / "a.graph").graph == NEW


@pytest.mark.parametrize("name", ["open", "stat", "fstat", "read"])
@pytest.mark.parametrize("code", FAULTS, ids=errno.errorcode.get)
def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path, name: str, code: int) -> None:
    path = tmp_path / "a.graph"
    save(OLD, path)
    before = open_files()
    for at in itertools.count(1):
        has_fired, said = faulty(lambda: load(path), name, at, code)
        # Files of other tests may be closed meanwhile.
        assert open_files() <= before
        if not has_fired:
            break
        assert said.startswith(f'"{path}" cannot be read: {FAULTS[code].split("|")[0]}')
    assert load(path).graph == OLD
