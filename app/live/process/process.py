"""Starting processes that evaluate, which the window does before it imports anything large itself."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from app.live.shared_memory import new_memory

ROOT = Path(__file__).parent.parent.parent
# The names in the first answer of a large graph are some MB: with room for them the processes take turns less often.
# Units: bytes.
PIPE_SIZE = 2**20


class Process(Protocol):
    """A process that evaluates: as much of `subprocess.Popen` as is needed of it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """What it is told goes here."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """Its answers come from here."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None before it has begun."""

    def poll(self) -> int | None:
        """Its exit code, None while it runs."""

    def wait(self) -> int:
        """Its exit code, once it has ended."""

    def kill(self) -> None:
        """Ends it, whatever it is at, and waits for nothing."""


class Started(NamedTuple):
    """A process that evaluates, and the memory that its answers lie in."""

    process: Process
    memory: mmap.mmap


class Starter(Protocol):
    """A way to start processes that evaluate."""

    def start(self) -> Started:
        """A new process; its imports may not be over yet."""

    def close(self) -> None:
        """Ends what starts them, and may end those that still run."""


class FreshStarter:
    """Each process begins from nothing, and imports what it needs."""

    def start(self) -> Started:
        """A process that answers through its pipes until the window closes them."""
        with new_memory() as (memory, handle):
            process = subprocess.Popen(
                command("serving", f"serve_pipes({handle!r})"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=ROOT,
                pipesize=PIPE_SIZE,
                pass_fds=[handle] if isinstance(handle, int) else [],
            )
        return Started(process, memory)

    def close(self) -> None:
        """Nothing is left behind."""


def command(module: str, call: str) -> list[str]:
    """What starts a process with a call of a function in a module of this package."""
    # -c, not -m: the folder the user stands in must not be searched for packages of our names.
    name = call.partition("(")[0]
    script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.live.{module} import {name}; {call}"
    return [sys.executable, "-c", script]


def end(process: Process) -> None:
    """Ends a process that nobody uses, and lets go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
