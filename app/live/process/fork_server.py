"""The process that forks into evaluators: it has imported what they need and computes nothing itself.

It has one thread and no work in progress, so it can fork at any moment. (OpenBLAS stops its threads before a fork and
starts them again when they are needed.) The server imports no plug-ins. Their threads might not survive a fork, and the
server must always answer.
"""

from __future__ import annotations

import ctypes
import gc
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from gradwire.app.live.process.serving import faults_told, serve
from gradwire.app.live.process.shared_memory import CODE, NUMBER, PID, memory_at
from gradwire.engine.blocktypes.library import library

assert sys.platform == "linux", "elsewhere threads and handles may not survive a fork"

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def serve_forks(door: str, *imports: str) -> None:
    """Forks once for each message from the window, until the window has gone. `door` is a file descriptor.

    The copies have the modules `imports`.
    """
    with faults_told():
        library.keeps_code_out = True
        import gradwire.blocks  # noqa: F401  # fills the library

        library.load()
        for name in imports:
            import_module(name)
        # The copies share these objects as long as nobody writes to them: the garbage collector must not touch them.
        gc.freeze()
        _Server(socket.socket(fileno=int(door))).serve()


@dataclass(frozen=True)
class _Copy:
    """The server's resources for a running copy: the window's socket to it, and their shared memory."""

    line: socket.socket
    memory: int

    def note(self, place: int, number: int) -> None:
        os.pwrite(self.memory, NUMBER.pack(number), place)

    def close(self) -> None:
        self.line.close()
        os.close(self.memory)


class _Server:
    def __init__(self, door: socket.socket) -> None:
        self._door, self._copies = door, dict[int, _Copy]()
        self._selector = selectors.DefaultSelector()
        self._bell, self._rope = socket.socketpair()

    def serve(self) -> None:
        """Handles requests and records which copies have ended, for ever."""
        for end in (self._bell, self._rope):
            end.setblocking(False)
        signal.set_wakeup_fd(self._rope.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(self._door, selectors.EVENT_READ, self._make_copy)
        self._selector.register(self._bell, selectors.EVENT_READ, self._note_ends)
        while True:
            for key, _ in self._selector.select():
                key.data()

    def _make_copy(self) -> None:
        asked, handles, _, _ = socket.recv_fds(self._door, 1, 4, socket.MSG_CMSG_CLOEXEC)
        if not asked:
            raise EOFError
        source, target, memory, line = handles
        copy, parent, pid = _Copy(socket.socket(fileno=line), memory), os.getpid(), _fork()
        if pid == 0:
            self._forget(copy)
            _evaluate(parent, source, target, memory)
        os.close(source)
        os.close(target)
        if pid is None:
            copy.close()
        else:
            copy.note(PID, pid)
            self._copies[pid] = copy
            self._selector.register(copy.line, selectors.EVENT_READ, partial(self._end, pid, copy))

    def _end(self, pid: int, copy: _Copy) -> None:
        # The copy may have been reaped since this event, and its id may belong to another process.
        if self._copies.get(pid) is copy:
            self._selector.unregister(copy.line)
            os.kill(pid, signal.SIGKILL)

    def _note_ends(self) -> None:
        self._bell.recv(4096)
        while self._copies:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            copy = self._copies.pop(pid)
            if copy.line.fileno() in self._selector.get_map():
                self._selector.unregister(copy.line)
            copy.note(CODE, os.waitstatus_to_exitcode(status))
            copy.close()

    def _forget(self, made: _Copy) -> None:
        """Releases everything in a copy that belongs to the server."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for end in (self._door, self._bell, self._rope, made.line):
            end.close()
        for copy in self._copies.values():
            copy.close()


def _fork() -> int | None:
    """Returns the id of a copy, 0 in the copy itself, or None if the system cannot create it."""
    try:
        return os.fork()
    except OSError:
        return None


def _evaluate(parent: int, source: int, target: int, memory: int) -> None:
    """Evaluates until the window or the server has gone."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    serve(os.fdopen(source, "rb"), os.fdopen(target, "wb"), memory_at(memory))
