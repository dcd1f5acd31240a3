"""Marks of running imports: a mark that outlives its process names the plug-in that ended it.

A mark is a locked file with a name in it. The lock ends with the process, however that ends. The record of the process
in its second line counts only where files cannot be locked.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from gradwire.engine.base.processes.own_process import own_record, seems_alive
from gradwire.engine.base.processes.own_records import OddRecordError, read_record

if sys.platform != "win32":
    import fcntl

_IMPORTING = "importing"
_MAKE = os.O_RDWR | os.O_CREAT | os.O_EXCL


@contextlib.contextmanager
def marked(folder: Path, name: str, kind: str = _IMPORTING) -> Iterator[None]:
    """Marks that an import, or another `kind` of task, is running; removes the mark when it returns or raises.

    An interrupt by the user keeps the mark, because it means that the import hangs.
    """
    descriptor, path = _made(folder, name, kind)
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


def left_behind(folder: Path, kind: str = _IMPORTING) -> dict[Path, str]:
    """Returns the marks of dead processes, with the names in them."""
    found = {}
    for path in sorted(folder.glob(f"{kind}-*")):
        with contextlib.suppress(OSError, OddRecordError):
            if path.is_file():
                name, _, record = read_record(path).partition("\n")
                if _is_free(path, record):
                    found[path] = name
    return found


def _made(folder: Path, name: str, kind: str) -> tuple[int | None, Path]:
    path = folder / f"{kind}-{os.urandom(6).hex()}"
    # Without write access plug-ins cannot be disabled either.
    with contextlib.suppress(OSError):
        descriptor = os.open(path, _MAKE, 0o600)
        if sys.platform != "win32":
            # Without locks the record decides.
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(descriptor, f"{name}\n{json.dumps(own_record())}".encode())
        return descriptor, path
    return None, path


def _removed(descriptor: int, path: Path, is_over: bool) -> None:
    with contextlib.suppress(OSError):
        os.close(descriptor)
        if is_over:
            path.unlink()


def _is_free(path: Path, record: str) -> bool:
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDWR)
        try:
            # A shared lock: other processes may look at the same time.
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return not seems_alive(_table(record))
        finally:
            os.close(descriptor)
        return True
    # Windows refuses to rename an open file.
    path.rename(path)
    return True


def _table(record: str) -> Mapping[str, object]:
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(record)
        return found if isinstance(found, dict) else {}
    return {}
