"""Why the system refuses something, in our words: its own differ between systems and follow its language."""

from __future__ import annotations

import errno

REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EFBIG: "it would be larger than files may be here",
    errno.EACCES: "you have no permission",
    errno.EPERM: "you have no permission",
    errno.EROFS: "the disk is read-only",
    errno.EIO: "the disk reports an error",
    errno.EINTR: "the system broke it off; try again",
    errno.ELOOP: "its links lead in a circle",
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EISDIR: "it is a folder",
    errno.EEXIST: "it exists already",
    errno.ENOTEMPTY: "its folder is not empty",
    errno.EXDEV: "it would move to another disk",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EINVAL: "the disk does not take such a name",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ESTALE: "its folder has gone",
    errno.EBUSY: "another program uses it",
    errno.ETXTBSY: "another program uses it",
    errno.ENODEV: "its disk has gone",
    errno.ENXIO: "its disk has gone",
    errno.ETIMEDOUT: "the disk does not answer",
    errno.ENOMEM: "there is not enough memory",
    errno.EAGAIN: "the system has no more processes to give; close some programs",
    errno.ENOEXEC: "the system cannot run it",
    errno.EPIPE: "its reader has gone",
    errno.EBADF: "it is closed",
}
UNKNOWN = "the system refuses it"


class Refused(OSError):
    """Refusal by ourselves; its text is the reason."""


def reason_of(error: OSError) -> str:
    """Returns why the system refused, without capital and full stop; one that we do not know has its code."""
    if isinstance(error, Refused):
        return str(error)
    code = error.errno
    if code in REASONS:
        return REASONS[code]
    return UNKNOWN if code is None else f"the system refuses it with code {errno.errorcode.get(code, code)}"
