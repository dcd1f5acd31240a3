"""Processes that evaluate as copies of one that has imported all they need: each is there within milliseconds.

On Linux alone: what libraries of other systems have begun may not survive in a copy. The process that is copied is
`fork_server`. For each copy it gets the ends of two pipes, memory, and a socket: where that is shut here it ends the
copy, and where the copy has ended it closes it there. Id and exit code of the copy it leaves in the memory.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import signal
import socket
import subprocess
from typing import IO

from app.live.process import PIPE_SIZE, ROOT, Started, command
from app.live.shared_memory import CODE, NUMBER, PID, new_memory


class ForkStarter:
    """Starts copies of a process, which it starts first where there is none."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._door: socket.socket | None = None

    def start(self) -> Started:
        """A copy, made as soon as the process has imported everything."""
        if self._server is None or self._server.poll() is not None:
            self.close()
            self._open()
        assert self._door is not None
        with new_memory() as (memory, handle), contextlib.ExitStack() as theirs:
            # What is true wherever it cannot be said.
            NUMBER.pack_into(memory, CODE, -signal.SIGKILL)
            source, stdin = _pipe()
            stdout, target = _pipe()
            line, end = socket.socketpair()
            theirs.enter_context(end)
            for descriptor in (source, target):
                theirs.callback(os.close, descriptor)
            # The process may have gone just now: then nobody holds the other ends, as after any death.
            with contextlib.suppress(OSError):
                socket.send_fds(self._door, [b"\0"], [source, target, int(handle), end.fileno()])
        return Started(ForkedProcess(line, memory, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")), memory)

    def close(self) -> None:
        """Ends the process, and with it all its copies."""
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
                command("fork_server", f"serve_forks({inside.fileno()})"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
                pass_fds=[inside.fileno()],
            )


class ForkedProcess:
    """A copy. Who made it ends it: its id may be another's as soon as it has been waited for."""

    def __init__(self, line: socket.socket, memory: mmap.mmap, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.stdin, self.stdout = stdin, stdout
        self._line, self._memory = line, memory

    @property
    def pid(self) -> int | None:
        """The id of the copy; None before it has been made."""
        return self._number(PID) or None

    def poll(self) -> int | None:
        """Its exit code, None while it runs."""
        try:
            self._line.recv(1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:  # closed, because it has been waited for
            pass
        return self._number(CODE)

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        with self._line, contextlib.suppress(OSError):
            self._line.recv(1)
        return self._number(CODE)

    def kill(self) -> None:
        """Ends it, whatever it is at, and waits for nothing."""
        # It may have ended, and nobody listen any more.
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def _number(self, place: int) -> int:
        return int(NUMBER.unpack_from(self._memory, place)[0])


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    # The system may grant no more to one user; smaller ones do too.
    with contextlib.suppress(PermissionError):
        fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return ends
