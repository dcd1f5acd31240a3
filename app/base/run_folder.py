"""The information that each running program shares with others: it runs, its open files, and its copies.

A lock proves that a process runs, because the system releases it when the process ends in any way. Process ids are no
proof, as the system reuses them; they count only on file systems without locks, together with the host.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gradwire.app.base.state_folder import private_folder, state_folder
from gradwire.engine.base.processes.own_process import STARTED, own_record, seems_alive
from gradwire.engine.base.processes.own_records import OddRecordError, read_table

LOCK = ".lock"
# The position of the locked byte: on Windows no other process can read it.
_LOCKED_AT = 2**30
# Errors that mean that another process holds a lock. After any other one, the file system has no locks that work.
_TAKEN = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}


@dataclass(frozen=True)
class Run:
    """A program that runs or has ended: its folder, its process id, its start, and its host, "" if unknown."""

    folder: Path
    process: int
    since: datetime
    host: str = ""


class RunFolder:
    """The folder of this process, made when first needed, and removed at the end if it is empty."""

    def __init__(self, state: Path | None = None) -> None:
        """Uses the user's state folder unless another one is given."""
        self._state = state
        # The lock that is held, and the folder that belongs to it.
        self._held: tuple[int, Path] | None = None
        self._numbers = 0

    @property
    def state(self) -> Path:
        """The state folder that contains it."""
        return self._state or state_folder()

    @property
    def aside(self) -> Path:
        """The folder for records that cannot be read. It may not exist yet."""
        return self.state / "put-aside"

    @property
    def path(self) -> Path:
        """The folder. Raises: OSError if it cannot be made."""
        if self._held is None:
            runs = private_folder(self.state / "running")
            lock, name = _new_lock(runs)
            self._held = lock, private_folder(runs / name)
        return self._held[1]

    def next_number(self) -> int:
        """Returns a number that no other document of this process has had."""
        self._numbers += 1
        return self._numbers

    def mark(self, file: Path) -> None:
        """Tells other processes that a file is open here. Raises: OSError."""
        (self.path / _mark(file)).touch()

    def unmark(self, file: Path) -> None:
        """Tells other processes that a file is no longer open here."""
        if self._held is not None:
            with contextlib.suppress(OSError):
                (self.path / _mark(file)).unlink(missing_ok=True)

    def holder(self, file: Path) -> Run | None:
        """Returns another process that has a file open, if there is one."""
        return next((run for run in self._others() if (run.folder / _mark(file)).exists()), None)

    def _others(self) -> Iterator[Run]:
        mine = os.getpid(), STARTED
        return (run for run in runs(self.state, alive=True) if (run.process, run.since) != mine)

    @contextlib.contextmanager
    def shared_lock(self) -> Iterator[None]:
        """Lets a process that is started meanwhile hold the lock too: the run then ends with the last of both."""
        if self._held is None or sys.platform == "win32":
            yield
            return
        lock, _ = self._held
        os.set_inheritable(lock, True)
        try:
            yield
        finally:
            os.set_inheritable(lock, False)

    def leave(self) -> None:
        """Releases the lock; remaining copies stay for the next start."""
        if self._held is None:
            return
        (lock, folder), self._held = self._held, None
        if not any(folder.glob("*.graph")):
            remove_folder(folder)
        _release_lock(lock)


def runs(state: Path, alive: bool) -> list[Run]:
    """Returns the programs that run, or those that have ended and left files."""
    found = []
    with contextlib.suppress(OSError):
        for folder in sorted((state / "running").iterdir()):
            if folder.is_dir() and is_alive(folder) is alive:
                found.append(_run(folder))
    return found


def is_alive(folder: Path) -> bool:
    """Returns whether the process of a folder still runs."""
    try:
        descriptor = os.open(folder.with_name(folder.name + LOCK), os.O_RDWR)
    except OSError:
        return False
    try:
        is_free = _takes_lock(descriptor)
    finally:
        os.close(descriptor)
    return seems_alive(_record(folder)) if is_free is None else not is_free


def remove_folder(folder: Path) -> None:
    """Removes a folder with its lock."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        folder.with_name(folder.name + LOCK).unlink()


def _run(folder: Path) -> Run:
    record = _record(folder)
    process, since = record.get("process"), record.get("since")
    with contextlib.suppress(ValueError):
        if isinstance(process, int) and isinstance(since, str):
            return Run(folder, process, datetime.fromisoformat(since), str(record.get("host", "")))
    return Run(folder, 0, datetime.fromtimestamp(0))


def _record(folder: Path) -> Mapping[str, object]:
    """Returns the record in the lock of a folder; empty if it cannot be read: its lock counts, whatever it holds."""
    with contextlib.suppress(OSError, OddRecordError):
        return read_table(folder.with_name(folder.name + LOCK)) or {}
    return {}


def _new_lock(runs: Path) -> tuple[int, str]:
    """Returns a lock that is held, and the name of the folder that belongs to it."""
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    descriptor = os.open(runs / f"{name}{LOCK}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    _takes_lock(descriptor)
    os.write(descriptor, json.dumps(own_record()).encode())
    return descriptor, name


def _takes_lock(descriptor: int) -> bool | None:
    """Takes a lock and returns whether it was free; None where files cannot be locked.

    The process holds it until it closes the descriptor, or ends.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in _TAKEN else None
    return True


def _release_lock(descriptor: int) -> None:
    if sys.platform != "win32":
        import fcntl

        # A process that shares the lock may still run: closing alone would leave it locked.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _mark(file: Path) -> str:
    name = os.path.normcase(os.path.realpath(file))
    return f"opened-{hashlib.sha256(os.fsencode(name)).hexdigest()[:32]}"
