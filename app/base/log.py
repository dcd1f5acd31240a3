"""The log: a file for each process in the folder `log` of the state folder, for reports of problems.

Only the window's process writes: those that evaluate have their error output read there, tracebacks included. Programs
that run at the same time would take each other's file away while they rotate it, so each has its own, named by its
process. Only the newest files stay. Nothing is written before the first record; a log that cannot be written is left
out without a word.
"""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

from gradwire.app.base.state_folder import private_folder, state_folder
from gradwire.engine.base.mistakes import ROOT

# Of each of the files of a process. Units: bytes.
LARGEST = 512 * 1024
OLDER_KEPT = 2
# How many files of earlier processes stay.
FILES_KEPT = 8
FORMAT = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"


def logger(name: str) -> logging.Logger:
    """Returns the logger of a module, by its full name."""
    return logging.getLogger(name)


def log_folder() -> Path:
    """Returns the folder of all logs. It may not exist yet."""
    return state_folder() / "log"


def begin(folder: Path | None = None) -> Path:
    """Writes all further records to the file of this process, and returns its path; a second call changes nothing."""
    root = logging.getLogger(ROOT)
    found = [handler for handler in root.handlers if isinstance(handler, logging.FileHandler)]
    if not found:
        found = [_file_handler((folder or log_folder()) / f"gradwire-{os.getpid()}.log")]
        root.addHandler(found[0])
        root.setLevel(logging.INFO)
    return Path(found[0].baseFilename)


def end() -> None:
    """Closes the file of this process."""
    root = logging.getLogger(ROOT)
    for handler in list(root.handlers):
        if isinstance(handler, logging.FileHandler):
            root.removeHandler(handler)
            with contextlib.suppress(OSError):
                handler.close()


def place_sentence() -> str:
    """Returns the sentence about the file of this process, "" if there is none."""
    path = begin()
    return f"The traceback is in {path}." if path.is_file() else ""


def last_lines(count: int, folder: Path | None = None) -> list[str]:
    """Returns the last lines of all logs, those of the newest file last."""
    lines: list[str] = []
    for path in _newest_first(folder or log_folder()):
        with contextlib.suppress(OSError):
            lines = path.read_text("utf-8", "replace").splitlines() + lines
    return lines[-count:]


def _file_handler(path: Path) -> logging.FileHandler:
    from logging.handlers import RotatingFileHandler  # heavy: it imports sockets and pickling

    class LogFile(RotatingFileHandler):
        """A file that is made with its folder by the first record."""

        def _open(self):  # type: ignore[no-untyped-def]  # its type has another name in each Python
            private_folder(path.parent)
            _remove_oldest(path.parent)
            return super()._open()

        def handleError(self, record: logging.LogRecord) -> None:
            """Leaves a record out: there is nobody to tell that the log cannot be written."""

    class Formatter(logging.Formatter):
        """A formatter that quotes texts in records: they may come from the user, and reports leave them out."""

        def format(self, record: logging.LogRecord) -> str:
            """Returns the line of a record."""
            args = record.args if isinstance(record.args, tuple) else ()
            record = logging.makeLogRecord({**record.__dict__, "args": tuple(map(_quoted, args)) or record.args})
            return super().format(record)

    handler = LogFile(path, maxBytes=LARGEST, backupCount=OLDER_KEPT, encoding="utf-8", delay=True, errors="replace")
    handler.setFormatter(Formatter(FORMAT))
    return handler


def _quoted(item: object) -> object:
    return f"“{str(item).replace('”', '')}”" if isinstance(item, str) else item


def _newest_first(folder: Path) -> list[Path]:
    def written(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:  # removed meanwhile
            return 0.0

    return sorted(folder.glob("gradwire-*.log*"), key=written, reverse=True)


def _remove_oldest(folder: Path) -> None:
    for path in _newest_first(folder)[FILES_KEPT:]:
        # Another program may still write to it.
        with contextlib.suppress(OSError):
            path.unlink()
