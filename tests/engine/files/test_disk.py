"""Atomic reads and writes: which files, with whose permissions, and how changes are detected."""

from __future__ import annotations

import errno
import os
import socket
import stat
from pathlib import Path

import pytest

from gradwire.engine.base import atomic_writes
from gradwire.engine.base.atomic_writes import remove_leftovers
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.files.disk import NO_FILE, has_changed, read_file, stamp_of, write_file
from tests.systems.marks import needs_devices, needs_modes, needs_pipes, needs_sockets, only_root


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """File that contains "old"."""
    path = tmp_path / "a.graph"
    path.write_bytes(b"old")
    return path


def names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_what_is_written_is_read_with_the_same_stamp(tmp_path: Path) -> None:
    stamp = write_file(tmp_path / "a", b"text")
    assert read_file(tmp_path / "a") == (b"text", stamp)
    assert stamp_of(tmp_path / "a") == stamp


def test_one_byte_above_the_limit_is_read_and_no_more(path: Path) -> None:
    assert read_file(path, limit=1)[0] == b"ol"


def test_an_empty_file_is_written_and_read(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"")
    assert read_file(tmp_path / "a")[0] == b""


# Only ordinary files


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    # The name of a socket has at most 108 characters, wherever the test runs.
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def device(path: Path) -> None:
    path.symlink_to("/dev/null")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        pytest.param(pipe, "a pipe", marks=needs_pipes),
        pytest.param(listener, "a socket", marks=needs_sockets),
        pytest.param(device, "a device", marks=needs_devices),
        (Path.mkdir, "a folder"),
    ],
)
def test_what_is_no_ordinary_file_is_neither_read_nor_replaced(tmp_path: Path, make: object, kind: str) -> None:
    path = tmp_path / "odd.graph"
    make(path)  # type: ignore[operator]
    before = path.stat()
    with pytest.raises(FileError, match=f"cannot be read: it is {kind}, not an ordinary file"):
        read_file(path)
    with pytest.raises(FileError, match=f"cannot be written: it is {kind}, not an ordinary file"):
        write_file(path, b"new")
    assert path.stat().st_ino == before.st_ino
    assert names(tmp_path) == ["odd.graph"]


# Links


def test_a_link_to_nothing_yet_makes_the_file_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("there")
    write_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"


def test_links_in_a_circle_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for work in (lambda: read_file(tmp_path / "a"), lambda: write_file(tmp_path / "a", b"new")):
        with pytest.raises(FileError, match="its links lead in a circle"):
            work()
    assert names(tmp_path) == ["a", "b"]


def test_the_other_name_of_a_file_with_two_keeps_the_old_content(path: Path) -> None:
    os.link(path, path.with_name("other"))
    write_file(path, b"new")
    assert (path.read_bytes(), path.with_name("other").read_bytes()) == (b"new", b"old")


# Permissions and owner


@needs_modes
@pytest.mark.parametrize("permissions", [0o600, 0o644, 0o664, 0o777])
def test_permissions_stay(path: Path, permissions: int) -> None:
    path.chmod(permissions)
    write_file(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == permissions


@needs_modes
def test_what_only_the_owner_may_read_is_at_no_time_open_to_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(0o600)
    seen: list[int] = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, part: (seen.append(os.fstat(to).st_mode & 0o77), write(to, part))[1])
    write_file(path, b"new")
    assert seen == [0]


@only_root
def test_root_leaves_a_file_to_its_owner_and_group(path: Path) -> None:
    os.chown(path, 1234, 4321)
    path.chmod(0o640)
    write_file(path, b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 4321, 0o640)


def test_a_group_that_cannot_be_kept_gives_its_rights_to_no_other(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(0o664)
    status = os.stat_result([*path.stat()[:5], path.stat().st_gid + 1, *path.stat()[6:]])
    stat_of = os.stat

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "stat", lambda asked, **keys: status if str(asked) == str(path) else stat_of(asked, **keys))
    monkeypatch.setattr(os, "fchown", refuse)
    write_file(path, b"new")
    monkeypatch.undo()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_notes_of_the_user_on_a_file_stay(path: Path) -> None:
    try:
        os.setxattr(path, "user.origin", b"here")
    except (AttributeError, OSError):
        pytest.skip("this disk keeps no notes on files")
    write_file(path, b"new")
    assert os.getxattr(path, "user.origin") == b"here"


# Changed by another program


def test_a_file_that_stays_has_not_changed(path: Path) -> None:
    stamp = stamp_of(path)
    assert not has_changed(path, stamp)
    os.utime(path, ns=(5, 5))
    assert not has_changed(path, stamp)
    write_file(path, b"old")
    assert not has_changed(path, stamp)


def test_another_content_is_a_change(path: Path) -> None:
    stamp = stamp_of(path)
    path.write_bytes(b"odd")
    assert has_changed(path, stamp)


def test_a_file_that_is_gone_or_came_is_a_change(path: Path) -> None:
    stamp = stamp_of(path)
    assert has_changed(path, NO_FILE)
    path.unlink()
    assert has_changed(path, stamp)
    assert not has_changed(path, NO_FILE)
    assert stamp_of(path) == NO_FILE


def test_what_another_has_written_is_not_overwritten_unasked(path: Path) -> None:
    stamp = stamp_of(path)
    path.write_bytes(b"theirs")
    with pytest.raises(FileChangedError, match="was changed by another program since"):
        write_file(path, b"mine", stamp)
    assert path.read_bytes() == b"theirs"
    assert names(path.parent) == [path.name]


def test_a_file_that_came_meanwhile_is_not_overwritten_unasked(path: Path) -> None:
    with pytest.raises(FileChangedError):
        write_file(path, b"mine", NO_FILE)
    assert path.read_bytes() == b"old"


def test_in_place_of_what_is_known_of_the_same_and_of_nothing_a_file_is_written(path: Path) -> None:
    stamp = stamp_of(path)
    later = write_file(path, b"new", stamp)
    assert write_file(path, b"new", stamp).digest == later.digest
    path.unlink()
    write_file(path, b"newer", stamp)
    assert path.read_bytes() == b"newer"


# Leftovers of dead processes


def test_what_a_dead_process_left_is_swept_by_the_next_save(path: Path) -> None:
    (path.parent / ".gradwire-0123456789ab.tmp").write_bytes(b"half")
    write_file(path, b"new")
    assert names(path.parent) == [path.name]


def test_what_is_being_written_is_not_swept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def write_and_sweep(to: int, part: memoryview) -> int:
        remove_leftovers(str(path.parent))
        return write(to, part)

    monkeypatch.setattr(os, "write", write_and_sweep)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_what_is_swept_before_it_is_locked_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    call = os.open

    def open_and_sweep(name: str, flags: int, *more: int) -> int:
        descriptor = call(name, flags, *more)
        if flags & os.O_CREAT:
            made.append(name)
            if len(made) == 1:
                remove_leftovers(str(path.parent))
                assert not Path(name).exists()
        return descriptor

    monkeypatch.setattr(os, "open", open_and_sweep)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert len(made) == 2
    assert names(path.parent) == [path.name]


def test_where_files_cannot_be_locked_they_are_saved_and_nothing_is_swept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    left = path.parent / ".gradwire-0123456789ab.tmp"
    left.write_bytes(b"half")
    monkeypatch.setattr(fcntl, "flock", refuse)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert left.exists()


def test_a_folder_that_somebody_holds_is_waited_for_and_not_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(atomic_writes, "PATIENCE", 0.01)
    descriptor = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    write_file(path, b"new")
    os.close(descriptor)
    assert path.read_bytes() == b"new"


@needs_pipes
def test_nothing_is_swept_but_our_own_ordinary_files(path: Path) -> None:
    folder = path.parent
    for name in (".gradwire-0123456789ab.tmp.txt", ".gradwire-0123456789AB.tmp", "x.gradwire-0123456789ab.tmp"):
        (folder / name).write_bytes(b"theirs")
    (folder / ".gradwire-0123456789ab.tmp").symlink_to(path)
    (folder / ".gradwire-0123456789ac.tmp").mkdir()
    os.mkfifo(folder / ".gradwire-0123456789ad.tmp")
    before = names(folder)
    remove_leftovers(str(folder))
    assert names(folder) == before


@only_root
def test_what_belongs_to_somebody_else_is_not_swept(path: Path) -> None:
    left = path.parent / ".gradwire-0123456789ab.tmp"
    left.write_bytes(b"half")
    os.chown(left, 1234, 1234)
    remove_leftovers(str(path.parent))
    assert left.exists()
