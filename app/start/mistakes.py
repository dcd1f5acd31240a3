"""Mistakes that nobody catches, and messages of Qt: they go into the log; the program goes on."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

from gradwire.app.base.terminal import say_text

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType


def listen() -> None:
    """Takes what threads, finalizers and Qt have to say from now on."""
    from PySide6.QtCore import qInstallMessageHandler

    threading.excepthook = _take_thread
    sys.unraisablehook = _take_unraisable
    qInstallMessageHandler(_take_message)


def note(sentence: str, error: BaseException | None, trace: TracebackType | None) -> str:
    """Writes a mistake into the log, with its traceback; returns the sentence about its file, "" without one."""
    from gradwire.app.base import log

    log.begin()
    found = None if error is None else (type(error), error, trace)
    log.logger(__name__).error(sentence, exc_info=found)
    return log.place_sentence()


def note_start(is_safe: bool) -> None:
    """Writes into the log that a window starts, in which version and on which system."""
    import platform  # not needed before the first paint

    import gradwire
    from gradwire.app.base import log

    log.begin()
    kind = "Safe start" if is_safe else "Start"
    facts = (kind, gradwire.__version__, platform.python_version(), platform.platform())
    log.logger(__name__).info("%s of Gradwire %s with Python %s on %s", *facts)


def _take_thread(found: threading.ExceptHookArgs) -> None:
    if not isinstance(found.exc_value, SystemExit):
        note("A thread ended by a mistake", found.exc_value, found.exc_traceback)
        threading.__excepthook__(found)


def _take_unraisable(found: sys.UnraisableHookArgs) -> None:
    note("A mistake where none can be raised", found.exc_value, found.exc_traceback)
    sys.__unraisablehook__(found)


def _take_message(kind: QtMsgType, place: QMessageLogContext, text: str) -> None:
    """Writes a message of Qt into the log, and where Qt itself would have written it."""
    from gradwire.app.base import log

    log.begin()
    level = {"QtDebugMsg": 10, "QtInfoMsg": 20, "QtWarningMsg": 30}.get(kind.name, 40)
    log.logger("gradwire.qt").log(level, "%s", text)
    # There is no error output where no terminal is.
    if sys.stderr is not None:
        say_text(text, sys.stderr)
        sys.stderr.flush()
