"""Owner and permissions of a file, carried over to its replacement."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator

# Errors of file systems without a feature, or of users without the right; any other error is a fault of the disk.
_REFUSALS = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENODATA}
_ACCESS_LIST = "system.posix_acl_access"


def keep_ownership(descriptor: int, target: str, old: os.stat_result) -> None:
    """Copies owner, group, access lists, user attributes and permissions from the file at `target` to an open file.

    Skips what this user or this file system cannot do; a group that cannot be kept gets no more rights than everybody.
    Raises: OSError for a fault of the disk.
    """
    if sys.platform == "win32":
        return
    made = os.fstat(descriptor)
    if made.st_gid != old.st_gid:
        with _unless_refused():
            os.fchown(descriptor, -1, old.st_gid)
    if made.st_uid != old.st_uid:
        with _unless_refused():
            os.fchown(descriptor, old.st_uid, -1)
    _keep_attributes(descriptor, target)
    made, wanted = os.fstat(descriptor), stat.S_IMODE(old.st_mode)
    if made.st_gid != old.st_gid:
        wanted = wanted & ~stat.S_IRWXG | (wanted & stat.S_IRWXO) << 3
    # Permissions come last, because a change of the owner clears some of them.
    if stat.S_IMODE(made.st_mode) != wanted:
        os.fchmod(descriptor, wanted)


def _keep_attributes(descriptor: int, target: str) -> None:
    if sys.platform != "linux":
        return
    with _unless_refused():
        for name in os.listxattr(target):
            if name == _ACCESS_LIST or name.startswith("user."):
                with _unless_refused():
                    os.setxattr(descriptor, name, os.getxattr(target, name))


@contextlib.contextmanager
def _unless_refused() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
