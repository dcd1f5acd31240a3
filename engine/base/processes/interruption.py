"""Interruption of an explanation by something more urgent, between any two instructions outside protected parts.

Explanations only read a run, so that they can be given up anywhere and begun anew; no code of theirs has to ask.
Source: Python handles signals in the main thread between two of its instructions.
"""

from __future__ import annotations

import _thread
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# No other part of the program uses this signal. Windows has few, and Python raises it there without the system.
SIGNAL = getattr(signal, "SIGUSR1", None) or signal.SIGTERM
_IMPORTING = "<frozen importlib._bootstrap>"


class Interrupted(BaseException):
    """The end of an explanation that was interrupted; handlers of ordinary errors let it pass."""


class Interruption:
    """The main thread's permission to be interrupted, and the wish of another thread to do so."""

    def __init__(self) -> None:
        self._is_allowed = self._is_due = False
        self._protected = 0

    def listen(self) -> None:
        """Lets wishes reach the main thread, which has to call this."""
        signal.signal(SIGNAL, lambda _, frame: None if _is_importing(frame) else self._take())

    def wish(self) -> None:
        """Interrupts the main thread if it allows that; called from another thread."""
        _thread.interrupt_main(SIGNAL)

    @contextmanager
    def allowed(self, is_due: Callable[[], bool]) -> Iterator[None]:
        """Allows interruption; `is_due` says whether something urgent has come before.

        Raises: Interrupted.
        """
        self._is_due, self._is_allowed = False, True
        try:
            if is_due():
                self._take()
            yield
        finally:
            self._is_allowed = False

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Protects a part.

        Raises: Interrupted at its end, if that was put off.
        """
        self.protect()
        try:
            yield
        finally:
            self.unprotect()

    def protect(self) -> None:
        """Puts interruptions off until `unprotect`."""
        self._protected += 1

    def unprotect(self) -> None:
        """Ends a protected part.

        Raises: Interrupted, if that was put off.
        """
        self._protected -= 1
        if self._is_due:
            self._take()

    def _take(self) -> None:
        self._is_due = self._is_allowed and self._protected > 0
        if self._is_allowed and not self._protected:
            # Once only: what cleans up behind the exception is not interrupted again.
            self._is_allowed = False
            raise Interrupted


def _is_importing(frame: FrameType | None) -> bool:
    """Returns whether a module is being imported: extensions cannot be imported again after half of it."""
    while frame is not None and frame.f_code.co_filename != _IMPORTING:
        frame = frame.f_back
    return frame is not None


INTERRUPTION = Interruption()
