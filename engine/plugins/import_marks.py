"""Marks of what is being imported: one that outlives its process tells what ended it.

A mark is a locked file with a name in it. The lock ends with the process, whatever ended that.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_PATTERN = "importing-*"
_MAKE = os.O_RDWR | os.O_CREAT | os.O_EXCL


@contextlib.contextmanager
def marked(folder: Path, name: str) -> Iterator[None]:
    """Marks that something is being imported; the mark stays only where neither an end nor an error comes of it.

    Who stops the program by hand does so because it hangs: the mark stays then too.
    """
    descriptor, path = _made(folder, name)
    is_over = False
    try:
        yield
        is_over = True
    except (Exception, SystemExit):
        is_over = True
        raise
    finally:
        if descriptor is not None:
            _removed(descriptor, path, is_over)


def left_behind(folder: Path) -> dict[Path, str]:
    """The marks whose processes are dead, with the names in them."""
    found = {}
    for path in sorted(folder.glob(_PATTERN)):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if _is_free(path):
                found[path] = path.read_text(encoding="utf-8")
    return found


def _made(folder: Path, name: str) -> tuple[int | None, Path]:
    path = folder / f"importing-{secrets.token_hex(6)}"
    # Where nothing can be written, plug-ins cannot be disabled either.
    with contextlib.suppress(OSError):
        descriptor = os.open(path, _MAKE, 0o600)
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(descriptor, name.encode())
        return descriptor, path
    return None, path


def _removed(descriptor: int, path: Path, is_over: bool) -> None:
    with contextlib.suppress(OSError):
        os.close(descriptor)
        if is_over:
            path.unlink()


def _is_free(path: Path) -> bool:
    if sys.platform == "win32":
        # There an open file cannot be given another name.
        path.rename(path)
        return True
    descriptor = os.open(path, os.O_RDWR)
    try:
        # Shared: others may look at the same time.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
