"""The start of evaluator processes; the window starts one before it imports anything large itself."""

from __future__ import annotations

import mmap
import os
import subprocess
from collections.abc import Callable
from typing import NamedTuple

from gradwire.app.live.process.error_output import ErrorOutput
from gradwire.app.live.process.shared_memory import new_memory
from gradwire.engine.base.processes.python_process import ROOT, helper_command

# The names in the first answer of a large graph take some MB: a larger pipe needs fewer switches between processes.
# Units: bytes.
PIPE_SIZE = 2**20
# The beginning of the line that a process writes to its error output before it ends.
FAULT = "gradwire: the evaluation ended: "
_SERVE = "gradwire.app.live.process.serving:serve_pipes"


class Started(NamedTuple):
    """An evaluator process, the memory that holds its answers, and the function that says why it has ended."""

    process: subprocess.Popen[bytes]
    memory: mmap.mmap
    reason: Callable[[], str]


class Starter:
    """A starter of evaluator processes, which import what they need, and the modules `imports`."""

    def __init__(self, *imports: str) -> None:
        self._imports = imports

    def start(self) -> Started:
        """Starts a process, whose imports may still be in progress; it answers until the window closes its pipes.

        Raises: OSError if the system cannot start one.
        """
        with new_memory() as (memory, handle):
            process = subprocess.Popen(
                helper_command(_SERVE, str(handle), str(os.getpid()), *self._imports),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=ROOT,
                pipesize=PIPE_SIZE,
                pass_fds=[handle] if isinstance(handle, int) else [],
            )
        assert process.stderr is not None
        return Started(process, memory, ErrorOutput(process.stderr).last_line)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends an unused process and closes its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
