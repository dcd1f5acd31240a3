"""What each running program tells the others: that it lives, which files it has open, and where its copies lie.

A lock that the system takes back when a process ends, however it ends, says whether one lives: process ids are given
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.state_folder import private_folder, state_folder

LOCK = ".lock"
# With the process id, what tells this process from all others, in other containers too.
STARTED = datetime.now()
# Where the locked byte lies: on Windows nobody else can read it.
_LOCKED_AT = 2**30


@dataclass(frozen=True)
class Run:
    """A program that runs, or has ended: its folder, its process id, and since when it runs."""

    folder: Path
    process: int
    since: datetime


class RunFolder:
    """The folder of this process, made when it is first needed, and gone when it is left with nothing in it."""

    def __init__(self, state: Path | None = None) -> None:
        """In the state folder of the user, if no other is named."""
        self._state = state
        self._lock: int | None = None
        self._path: Path | None = None
        self._numbers = 0

    @property
    def state(self) -> Path:
        """The state folder that it belongs to."""
        return self._state or state_folder()

    @property
    def path(self) -> Path:
        """The folder. Raises: OSError if it cannot be made."""
        if self._path is None:
            runs = private_folder(self.state / "running")
            self._lock, name = _new_lock(runs)
            self._path = private_folder(runs / name)
        return self._path

    def next_number(self) -> int:
        """A number that no other document of this process has had."""
        self._numbers += 1
        return self._numbers

    def mark(self, file: Path) -> None:
        """Tells other processes that a file is open here. Raises: OSError."""
        (self.path / _mark(file)).touch()

    def unmark(self, file: Path) -> None:
        """Tells them that it is no longer."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                (self._path / _mark(file)).unlink(missing_ok=True)

    def holder(self, file: Path) -> Run | None:
        """The other process that has a file open."""
        return next((run for run in self._others() if (run.folder / _mark(file)).exists()), None)

    def _others(self) -> Iterator[Run]:
        mine = os.getpid(), STARTED
        return (run for run in runs(self.state, alive=True) if (run.process, run.since) != mine)

    def leave(self) -> None:
        """Ends being alive; copies that are still there stay for the next start."""
        if self._path is None or self._lock is None:
            return
        lock, folder, self._lock, self._path = self._lock, self._path, None, None
        if not any(folder.glob("*.graph")):
            sweep(folder)
        os.close(lock)


def runs(state: Path, alive: bool) -> list[Run]:
    """The programs that run, or that have ended and left something."""
    found = []
    with contextlib.suppress(OSError):
        for folder in sorted((state / "running").iterdir()):
            if folder.is_dir() and is_alive(folder) is alive:
                found.append(_run(folder))
    return found


def is_alive(folder: Path) -> bool:
    """Whether the process that a folder belongs to still runs."""
    try:
        descriptor = os.open(folder.with_name(folder.name + LOCK), os.O_RDWR)
    except OSError:
        return False
    try:
        return not _takes_lock(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Removes a folder with its lock."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        folder.with_name(folder.name + LOCK).unlink()


def _run(folder: Path) -> Run:
    try:
        record = json.loads(folder.with_name(folder.name + LOCK).read_text("utf-8"))
        return Run(folder, int(record["process"]), datetime.fromisoformat(record["since"]))
    except (OSError, ValueError, KeyError, TypeError):  # damaged, or gone by now
        return Run(folder, 0, datetime.fromtimestamp(0))


def _new_lock(runs: Path) -> tuple[int, str]:
    """A lock that is held, and the name of the folder that goes with it."""
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    descriptor = os.open(runs / f"{name}{LOCK}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    _takes_lock(descriptor)
    record = {"process": os.getpid(), "since": STARTED.isoformat()}
    os.write(descriptor, json.dumps(record).encode())
    return descriptor, name


def _takes_lock(descriptor: int) -> bool:
    """Whether a lock was free; it is then held until the descriptor is closed, at the latest by the system."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _mark(file: Path) -> str:
    name = os.path.normcase(os.path.realpath(file))
    return f"opened-{hashlib.sha256(os.fsencode(name)).hexdigest()[:32]}"
