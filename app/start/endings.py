"""The ways in which a program ends that nobody closes: signals, log-out, and a main loop that is left."""

from __future__ import annotations

import contextlib
import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from gradwire.app.shell.documents.window_list import WindowList

# The signals of a terminal, of the system and of a session that ends; Windows has only some of them.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))


class Endings(QObject):
    """Keeps what is not saved in all windows, whatever ends the program; `close` restores the signals.

    The first interrupt from the terminal (Ctrl C) asks as closing the windows does; a second one does not wait for the
    answer.
    """

    def __init__(self, application: QApplication, windows: WindowList) -> None:
        super().__init__(application)
        self._windows, self._is_asking = windows, False
        # Python runs a handler only between two of its own instructions, so never while Qt waits. The system's half of
        # the handler writes the number into this socket, which wakes the main loop.
        self._bell, self._rope = socket.socketpair()
        for end in (self._bell, self._rope):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._bell.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._take)
        # A signal that is ignored from the start, as after `nohup`, stays so.
        self._before = {
            number: signal.signal(number, _wait_for_loop)
            for number in SIGNALS
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        signal.set_wakeup_fd(self._rope.fileno(), warn_on_full_buffer=False)
        application.aboutToQuit.connect(windows.keep_unsaved)
        application.commitDataRequest.connect(self._commit)

    def close(self) -> None:
        """Restores the signals."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        for end in (self._bell, self._rope):
            end.close()

    def _take(self) -> None:
        numbers = b""
        with contextlib.suppress(BlockingIOError):
            numbers = self._bell.recv(4096)
        for number in numbers:
            if number == signal.SIGINT and not self._is_asking:
                self._ask()
            elif number in self._before:
                self._end(number)

    def _ask(self) -> None:
        self._is_asking = True
        try:
            self._windows.quit()
        finally:
            self._is_asking = False

    def _end(self, number: int) -> None:
        self._windows.keep_unsaved()
        # The exit code of a program that a signal has ended.
        QApplication.exit(128 + number)

    def _commit(self, _: QSessionManager) -> None:
        self._windows.keep_unsaved()


def _wait_for_loop(number: int, frame: FrameType | None) -> None:
    """Leaves a signal to the main loop, which the socket wakes."""
