"""Temporary files for atomic writes: written beside their target and locked meanwhile.

The lock distinguishes a file in progress from a leftover of a dead process: it ends with its process, however that
ends, on this machine or another.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from types import TracebackType

from gradwire.engine.base.system_reasons import Refused

if sys.platform != "win32":
    import fcntl

_NAME = re.compile(r"\.gradwire-[0-9a-f]{12}\.tmp")
_MAKE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OPEN_OURS = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
# Errors of folders on file systems where a folder needs no sync.
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS}
# Errors of file systems that take no room in advance.
_CANNOT_RESERVE = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.ENODEV}
PATIENCE = 2.0


class Temporary:
    """New file in a folder, open for writing; the context manager removes it unless it was renamed."""

    path: str
    descriptor: int

    def __init__(self, folder: str, permissions: int) -> None:
        self._folder, self._permissions, self._is_open = folder, permissions, False

    def __enter__(self) -> Temporary:
        try:
            self._make()
            # Another process may have swept it away between creation and lock.
            while not (_locked(self.descriptor) and os.fstat(self.descriptor).st_nlink):
                self._discard()
                self._make()
        except OSError:
            self._discard()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._discard()

    def write(self, content: bytes | memoryview) -> None:
        """Writes all of the content.

        Raises: OSError if it cannot.
        """
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]

    def reserve(self, size: int) -> None:
        """Takes room for so many bytes.

        Raises: OSError if the disk has none.
        """
        if sys.platform != "linux":
            self.write(bytes(size))
            return
        try:
            os.posix_fallocate(self.descriptor, 0, size)
        except OSError as error:
            if error.errno not in _CANNOT_RESERVE:
                raise

    def become(self, target: str) -> None:
        """Replaces the target; call this once everything is on the disk.

        Raises: OSError if it cannot.
        """
        if sys.platform == "win32":
            # Windows cannot rename an open file. Elsewhere it stays open, and so locked, until it has its new name.
            self._close()
        os.replace(self.path, target)

    def _make(self) -> None:
        self.path = os.path.join(self._folder, f".gradwire-{os.urandom(6).hex()}.tmp")
        try:
            self.descriptor = os.open(self.path, _MAKE, self._permissions)
        except PermissionError:
            raise Refused(f'its folder "{self._folder}" takes no new files from you') from None
        except FileNotFoundError:
            raise _gone(self._folder) from None
        self._is_open = True

    def _discard(self) -> None:
        if self._is_open:
            # After a success the file has its new name; after a failure nothing may stay behind.
            with contextlib.suppress(OSError):
                os.unlink(self.path)
        self._close()

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            # No data can be lost any more: either all is on the disk, or the file is not wanted.
            with contextlib.suppress(OSError):
                os.close(self.descriptor)


def replace_content(path: str, content: bytes) -> None:
    """Replaces a file of the program's own, or the one that a link there points to; a failure leaves the old one whole.

    Raises: OSError if it cannot be replaced.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    remove_leftovers(folder)
    with Temporary(folder, 0o666) as temporary:
        temporary.write(content)
        os.fsync(temporary.descriptor)
        temporary.become(target)


def remove_leftovers(folder: str) -> None:
    """Removes leftovers of this user's dead processes from a folder; never raises."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _remove_if_dead(entry.path)


@contextlib.contextmanager
def held(folder: str) -> Iterator[int | None]:
    """Yields the open folder with an advisory lock; None where folders cannot be opened.

    Waits for other holders, but not forever.
    Raises: OSError if the disk has a fault.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        raise _gone(folder) from None
    except PermissionError:
        yield None
        return
    try:
        end = time.monotonic() + PATIENCE
        while not _locked(descriptor) and time.monotonic() < end:
            time.sleep(0.005)
        yield descriptor
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def make_lasting(folder: int | None) -> None:
    """Syncs an open folder, so that its names survive a power cut where the disk supports that.

    Raises: OSError if the disk has a fault.
    """
    if folder is None:
        return
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def _gone(folder: str) -> OSError:
    return Refused(f'its folder "{folder}" does not exist')


def _remove_if_dead(path: str) -> None:
    if sys.platform == "win32":
        # Windows cannot remove an open file.
        os.unlink(path)
        return
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        return
    descriptor = os.open(path, _OPEN_OURS)
    try:
        if _locked(descriptor, otherwise=False):
            os.unlink(path)
    finally:
        os.close(descriptor)


def _locked(descriptor: int, otherwise: bool = True) -> bool:
    """Returns whether this process now holds the lock; `otherwise` where files cannot be locked."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return otherwise
        return True
    return otherwise
