"""Atomic reads and writes of ordinary files: a path holds either the old content or the new one."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import NamedTuple

from gradwire.engine.base.atomic_writes import Temporary, held, make_lasting, remove_leftovers
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.system_reasons import Refused, reason_of
from gradwire.engine.files.permissions import keep_ownership

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_PART = 2**20
# Units: bytes.
_DIGEST = 16
# Room that even the smallest file takes on a disk.
_BLOCK = 4096
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Stamp(NamedTuple):
    """Identity and content of an ordinary file at the time it was read or written.

    Units: `modified` in ns, `size` in bytes; `digest` is the BLAKE2 sum of the content.
    """

    device: int
    inode: int
    size: int
    modified: int
    digest: bytes


# Stamp of a path without a file.
NO_FILE = Stamp(0, 0, 0, 0, b"")


def read_file(path: str | PathLike[str], limit: int = LIMITS.file_bytes) -> tuple[bytes, Stamp]:
    """Returns the content and the stamp of an ordinary file; of a larger file, one byte more than the limit.

    Raises: FileError if it cannot be read, or is not an ordinary file; the function finds this without blocking.
    """
    with reasons_told(path):
        # Opening a device may have side effects, so its kind is checked first; and again afterwards, as it may be
        # replaced.
        _refuse_other_kinds(os.stat(path))
        descriptor = os.open(path, _READ)
        try:
            status = os.fstat(descriptor)
            _refuse_other_kinds(status)
            content = _content(descriptor, limit + 1)
        finally:
            os.close(descriptor)
    return content, _stamp(status, _digest(content))


def write_file(path: str | PathLike[str], content: bytes, over: Stamp | None = None) -> Stamp:
    """Writes a file atomically and returns its stamp; follows links and keeps permissions.

    Other names of the file (hard links) keep the old content, because a new file takes the place of the old one.
    With `over`, writes only if the path holds the content of this stamp, or no file.
    Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`; the old file is
    then unharmed. FileError also if the file is written but the disk fails to keep its name.
    """
    return write_parts(path, (memoryview(content),), over)


def write_parts(
    path: str | PathLike[str],
    parts: Iterable[memoryview],
    over: Stamp | None = None,
    like: str | PathLike[str] | None = None,
) -> Stamp:
    """Writes a file of several parts as `write_file` does; with `like`, one who may not read that file reads no parts.

    Raises: as `write_file`.
    """
    content = hashlib.blake2b(digest_size=_DIGEST)
    with reasons_told(path, is_written=True):
        target = _resolved(path)
        model = target if like is None else _resolved(like)
        _replaceable(target)
        old = _replaceable(model)
        folder = os.path.dirname(target)
        remove_leftovers(folder)
        with Temporary(folder, 0o666 if old is None else 0o600) as temporary:
            for part in parts:
                temporary.write(part)
                content.update(part)
            if old is not None:
                keep_ownership(temporary.descriptor, model, old)
            os.fsync(temporary.descriptor)
            status = os.fstat(temporary.descriptor)
            with held(folder) as opened:
                _refuse_changed(target, over, content.digest())
                temporary.become(target)
                _make_lasting(opened, path)
    return _stamp(status, content.digest())


def check_writable(path: str | PathLike[str], size: int = _BLOCK) -> None:
    """Finds out whether a file of so many bytes can be written now, and leaves nothing behind.

    Raises: FileError if it cannot.
    """
    with reasons_told(path, is_written=True):
        target = _resolved(path)
        _replaceable(target)
        with Temporary(os.path.dirname(target), 0o600) as temporary:
            temporary.reserve(size)


def stamp_of(path: str | PathLike[str]) -> Stamp:
    """Reads the content at a path and returns its stamp, NO_FILE if there is none.

    Raises: FileError if it cannot be read, or is anything but an ordinary file.
    """
    with reasons_told(path):
        try:
            os.stat(path)
        except FileNotFoundError:
            return NO_FILE
    return read_file(path)[1]


def name_count(path: str | PathLike[str]) -> int:
    """Returns how many names a file has on its disk (hard links); 0 if there is none or it cannot be seen."""
    try:
        return os.stat(path).st_nlink
    except (OSError, ValueError):
        return 0


def has_changed(path: str | PathLike[str], stamp: Stamp) -> bool:
    """Returns whether a path holds other content than the stamp; reads it only if its size or time differ.

    Raises: FileError if it cannot be read, or is anything but an ordinary file.
    """
    with contextlib.suppress(OSError, ValueError):
        if _facts(os.stat(path)) == (stamp.device, stamp.inode, stamp.size, stamp.modified):
            return False
    return stamp_of(path).digest != stamp.digest


def is_same_file(path: str | PathLike[str] | int, other: str | PathLike[str] | int) -> bool:
    """Returns whether both exist and are one file; a file has one inode however many names lead to it."""
    try:
        return os.path.samestat(os.stat(path), os.stat(other))
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def reasons_told(path: str | PathLike[str], is_written: bool = False) -> Iterator[None]:
    """Turns every failure into a sentence about the path."""
    try:
        yield
    except OSError as error:
        raise _failure(path, reason_of(error), is_written) from error
    except ValueError as error:  # NUL, or halves of letters that no disk takes
        raise _failure(path, "no file can have this name", is_written) from error


def _failure(path: str | PathLike[str], reason: str, is_written: bool) -> FileError:
    name = os.fspath(path)
    return FileError(f'"{name}" cannot be written: {reason}.' if is_written else f'"{name}" cannot be read: {reason}.')


def _resolved(path: str | PathLike[str]) -> str:
    """Returns the path with all links resolved; a link that cannot be read is an error."""
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:
        return os.path.realpath(path)


def _replaceable(target: str) -> os.stat_result | None:
    """Returns the status of the file to replace, None for a new one."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    _refuse_other_kinds(status)
    if not os.access(target, os.W_OK):
        raise Refused("it is read-only")
    return status


def _refuse_other_kinds(status: os.stat_result) -> None:
    for is_kind, name in _KINDS:
        if is_kind(status.st_mode):
            raise Refused(f"it is {name}, not an ordinary file")


def _refuse_changed(target: str, over: Stamp | None, digest: bytes) -> None:
    if over is None:
        return
    found = stamp_of(target)
    if found.digest not in (NO_FILE.digest, over.digest, digest):
        raise FileChangedError(f'"{target}" was changed by another program since it was opened or saved here.')


def _make_lasting(folder: int | None, path: str | PathLike[str]) -> None:
    try:
        make_lasting(folder)
    except OSError as error:
        name, reason = os.fspath(path), reason_of(error)
        raise FileError(f'"{name}" is written, but may be lost in a power cut: {reason}.') from error


def _content(descriptor: int, limit: int) -> bytes:
    parts = []
    while limit > 0 and (part := os.read(descriptor, min(limit, _PART))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _stamp(status: os.stat_result, digest: bytes) -> Stamp:
    return Stamp(*_facts(status), digest)


def _facts(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()
