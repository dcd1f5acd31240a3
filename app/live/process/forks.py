"""Evaluator processes forked from one that has imported all they need: each starts within milliseconds.

This works only on Linux: on other systems, threads and handles of libraries may not survive a fork. The parent process
is `fork_server`. For each copy it receives the ends of two pipes, memory, and a socket. If the window closes its end of
the socket, the server ends the copy. If the copy ends, the server closes its own end. It writes the id and the exit
code of the copy into the memory.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import signal
import socket
import subprocess
import sys
from functools import partial
from typing import IO

from gradwire.app.live.process.error_output import PATIENCE, ErrorOutput
from gradwire.app.live.process.process import PIPE_SIZE, Started, command
from gradwire.app.live.process.shared_memory import CODE, NUMBER, PID, new_memory
from gradwire.engine.base.processes.python_process import ROOT

assert sys.platform == "linux", "elsewhere threads and handles may not survive a fork"

# The exit code of a copy before the server has written one.
_NOT_WRITTEN = -(2**31)


class ForkStarter:
    """A starter that forks a server process, which it starts first if there is none; that has the `imports`, too."""

    def __init__(self, *imports: str) -> None:
        self._imports = imports
        self._server: subprocess.Popen[bytes] | None = None
        self._errors: ErrorOutput | None = None
        self._door: socket.socket | None = None

    def start(self) -> Started:
        """Starts a copy, which runs as soon as the server has imported everything."""
        if self._server is None or self._server.poll() is not None:
            self.close()
            self._open()
        assert self._door is not None and self._errors is not None and self._server is not None
        self._errors.forget()
        with new_memory() as (memory, handle), contextlib.ExitStack() as theirs:
            NUMBER.pack_into(memory, CODE, _NOT_WRITTEN)
            source, stdin = _pipe()
            stdout, target = _pipe()
            line, end = socket.socketpair()
            theirs.enter_context(end)
            for descriptor in (source, target):
                theirs.callback(os.close, descriptor)
            # The server may just have died: then nobody holds the other ends, as after any death.
            with contextlib.suppress(OSError):
                socket.send_fds(self._door, [b"\0"], [source, target, int(handle), end.fileno()])
        process = ForkedProcess(line, memory, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), self._server)
        return Started(process, memory, partial(_reason, process, self._errors))

    def close(self) -> None:
        """Ends the server, and with it all its copies."""
        if self._door is not None:
            self._door.close()
        if self._server is not None:
            self._server.kill()
            self._server.wait()
        self._server = self._door = None

    def _open(self) -> None:
        self._door, inside = socket.socketpair()
        with inside:
            self._server = subprocess.Popen(
                command("fork_server", "serve_forks", inside.fileno(), *self._imports),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=ROOT,
                pass_fds=[inside.fileno()],
            )
        assert self._server.stderr is not None
        self._errors = ErrorOutput(self._server.stderr)


class ForkedProcess:
    """A copy. Only the server ends it: after the server has reaped it, its id may belong to another process."""

    def __init__(
        self,
        line: socket.socket,
        memory: mmap.mmap,
        stdin: IO[bytes],
        stdout: IO[bytes],
        server: subprocess.Popen[bytes],
    ) -> None:
        self.stdin, self.stdout = stdin, stdout
        self._line, self._memory, self._server = line, memory, server

    @property
    def pid(self) -> int | None:
        """The id of the copy; None before it exists."""
        return self._number(PID) or None

    def poll(self) -> int | None:
        """Returns its exit code, or None while it runs."""
        try:
            self._line.recv(1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:  # closed, because it has been waited for
            pass
        return self._code()

    def wait(self) -> int:
        """Waits until it has ended and returns its exit code."""
        with self._line, contextlib.suppress(OSError):
            self._line.recv(1)
        return self._code()

    def kill(self) -> None:
        """Ends the copy at once, without waiting for it."""
        # The copy may have ended, and nobody may listen any more.
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def _code(self) -> int:
        """Returns the exit code; that of the server if it ended first, and with it the copy."""
        code = self._number(CODE)
        if code != _NOT_WRITTEN:
            return code
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._server.wait(PATIENCE)
        return -signal.SIGKILL

    def _number(self, place: int) -> int:
        return int(NUMBER.unpack_from(self._memory, place)[0])


def _reason(process: ForkedProcess, errors: ErrorOutput) -> str:
    """Returns the last line of a copy, or of the server if there has been no copy: then the server has ended."""
    return errors.last_line(is_over=process.pid is None)


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    # The system may refuse larger pipes to one user; smaller ones work too.
    with contextlib.suppress(PermissionError):
        fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return ends
