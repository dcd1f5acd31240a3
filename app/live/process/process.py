"""Starters of evaluator processes; the window starts one before it imports anything large itself."""

from __future__ import annotations

import mmap
import subprocess
from collections.abc import Callable
from functools import partial
from typing import IO, NamedTuple, Protocol

from gradwire.app.live.process.error_output import ErrorOutput
from gradwire.app.live.process.shared_memory import Handle, new_memory
from gradwire.engine.base.processes.python_process import ROOT, helper_command

# The names in the first answer of a large graph take some MB: a larger pipe needs fewer switches between processes.
# Units: bytes.
PIPE_SIZE = 2**20
# The beginning of the line that a process writes to its error output before it ends.
FAULT = "gradwire: the evaluation ended: "


class Process(Protocol):
    """An evaluator process: the part of `subprocess.Popen` that the window needs."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The stream for messages to the process."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """The stream of its answers."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None before it has started."""

    def poll(self) -> int | None:
        """Returns its exit code, or None while it runs."""

    def wait(self) -> int:
        """Waits until it has ended and returns its exit code."""

    def kill(self) -> None:
        """Ends it at once, without waiting for it."""


class Started(NamedTuple):
    """An evaluator process, the memory that holds its answers, and the function that says why it has ended."""

    process: Process
    memory: mmap.mmap
    reason: Callable[[], str]


class Starter(Protocol):
    """A way to start evaluator processes."""

    def start(self) -> Started:
        """Starts a new process, whose imports may still be in progress.

        Raises: OSError if the system cannot start one.
        """

    def close(self) -> None:
        """Ends the parent of the processes, and may end those that still run."""


class FreshStarter:
    """A starter whose processes each start from scratch and import what they need, and the modules `imports`."""

    def __init__(self, *imports: str) -> None:
        self._imports = imports

    def start(self) -> Started:
        """Starts a process that answers through its pipes until the window closes them."""
        with new_memory() as (memory, handle):
            process = subprocess.Popen(
                command("serving", "serve_pipes", handle, *self._imports),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=ROOT,
                pipesize=PIPE_SIZE,
                pass_fds=[handle] if isinstance(handle, int) else [],
            )
        assert process.stderr is not None
        return Started(process, memory, partial(ErrorOutput(process.stderr).last_line, is_over=True))

    def close(self) -> None:
        """Does nothing: there is no parent process."""


def command(module: str, function: str, handle: Handle, *imports: str) -> list[str]:
    """Returns the command that starts a process with a function in a module of this package, and what that is given."""
    return helper_command(f"{__package__}.{module}:{function}", str(handle), *imports)


def end(process: Process) -> None:
    """Ends an unused process and closes its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
