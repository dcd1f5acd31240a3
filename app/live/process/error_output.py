"""The error output of processes: it goes on to that of this process and into the log; tracebacks go into the log only.

Its last line is kept as the reason for an end.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from typing import IO

# The beginning of lines that belong into the log only.
TRACE = "gradwire trace: "
_LOG = logging.getLogger(__name__)
# How long the last line of a process that has ended is waited for. Units: seconds.
PATIENCE = 0.5


def print_trace(text: str) -> None:
    """Prints lines that belong into the log only."""
    print("\n".join(TRACE + line for line in text.splitlines()), file=sys.stderr, flush=True)


class TraceHandler(logging.Handler):
    """The way of a process's records into the log of the window."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints a record with its traceback."""
        print_trace(self.format(record))


class ErrorOutput:
    """The reader of an error output, on a thread that ends with the last process that writes to it."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._last_line = ""
        self._thread = threading.Thread(target=self._pass_on, args=(pipe,), name="error output", daemon=True)
        self._thread.start()

    def last_line(self) -> str:
        """Returns the last line of a process that has ended, "" if there is none."""
        self._thread.join(PATIENCE)
        return self._last_line

    def _pass_on(self, pipe: IO[bytes]) -> None:
        with pipe:
            for line in pipe:
                text = line.decode("utf-8", "replace").rstrip()
                if text.startswith(TRACE):
                    _LOG.warning(text.removeprefix(TRACE))
                else:
                    _LOG.warning("%s", text)
                    self._show(line)
                    self._last_line = text.strip() or self._last_line

    @staticmethod
    def _show(line: bytes) -> None:
        # There may be no terminal.
        with contextlib.suppress(OSError):
            os.write(2, line)
