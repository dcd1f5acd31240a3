"""Whose a file is and who may use it, carried over to the one that takes its place."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

# What a file system that lacks something, or a user who may not, is answered; all else is a fault of the disk.
_REFUSALS = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENODATA}
_ACCESS_LIST = "system.posix_acl_access"


def keep_ownership(descriptor: int, target: str, old: os.stat_result) -> None:
    """Gives an open file what the file at `target` has: owner and group, lists of access and notes, permissions.

    What this user or this disk cannot do is left; a group that cannot be kept gets no more than everybody.
    Raises: OSError for a fault of the disk.
    """
    if os.name != "posix":
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
    # Last: a change of the owner takes some permissions away.
    if stat.S_IMODE(made.st_mode) != wanted:
        os.fchmod(descriptor, wanted)


def _keep_attributes(descriptor: int, target: str) -> None:
    if not hasattr(os, "listxattr"):
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
