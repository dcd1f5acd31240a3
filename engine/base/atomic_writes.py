"""Files on their way to a name: written beside it under one of their own, locked for as long as somebody writes them.

The lock tells a file that is being written from what a dead process left behind: it ends with its process, whatever
ended that, on this machine or another.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from types import TracebackType

if sys.platform != "win32":
    import fcntl

_NAME = re.compile(r"\.gradwire-[0-9a-f]{12}\.tmp")
_MAKE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OPEN_OURS = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
# What folders of some disks are answered, which have nothing to be made lasting.
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS}
PATIENCE = 2.0


class Temporary:
    """A new file in a folder, open for writing; it is gone at the end, unless it has become another."""

    path: str
    descriptor: int

    def __init__(self, folder: str, permissions: int) -> None:
        self._folder, self._permissions, self._is_open = folder, permissions, False

    def __enter__(self) -> Temporary:
        try:
            self._make()
            # Between making and locking it somebody may have swept it away.
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

    def write(self, content: bytes) -> None:
        """Writes all of the content.

        Raises: OSError if it cannot.
        """
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]

    def become(self, target: str) -> None:
        """Takes the name of the target, and its place; to be called once all is on the disk.

        Raises: OSError if it cannot.
        """
        if sys.platform == "win32":
            # There an open file keeps its name. Elsewhere it stays open, and so locked, until it has its new one.
            self._close()
        os.replace(self.path, target)

    def _make(self) -> None:
        self.path = os.path.join(self._folder, f".gradwire-{secrets.token_hex(6)}.tmp")
        try:
            self.descriptor = os.open(self.path, _MAKE, self._permissions)
        except PermissionError:
            raise PermissionError(f'its folder "{self._folder}" takes no new files from you') from None
        except FileNotFoundError:
            raise _gone(self._folder) from None
        self._is_open = True

    def _discard(self) -> None:
        if self._is_open:
            # After a success it has its new name; after a failure nothing may stay behind.
            with contextlib.suppress(OSError):
                os.unlink(self.path)
        self._close()

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            # Nothing can be lost any more: either all is on the disk, or the file is not wanted.
            with contextlib.suppress(OSError):
                os.close(self.descriptor)


def sweep(folder: str) -> None:
    """Removes what dead processes of this user left in a folder on the way to another name; never complains."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _remove_if_dead(entry.path)


@contextlib.contextmanager
def held(folder: str) -> Iterator[int | None]:
    """The open folder, for us alone among all that ask in this way; None where folders cannot be opened.

    Whoever else holds it is waited for, though not for ever.
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
    """Lets the names in an open folder outlast a power cut, where the disk can.

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
    return FileNotFoundError(f'its folder "{folder}" does not exist')


def _remove_if_dead(path: str) -> None:
    if sys.platform == "win32":
        # There an open file cannot be removed.
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
    """Whether nobody else has this file locked, and we have now; `otherwise` where files cannot be locked."""
    if sys.platform == "win32":
        return otherwise
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return otherwise
    return True
