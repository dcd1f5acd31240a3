"""Mistakes of the program itself: the log has their tracebacks; users get a sentence without them."""

from __future__ import annotations

import logging
import traceback

ROOT = "gradwire"
# Without a handler Python would print records to the error output.
logging.getLogger(ROOT).addHandler(logging.NullHandler())
_LOG = logging.getLogger(f"{ROOT}.mistakes")


def log_mistake(where: str, error: BaseException) -> None:
    """Writes a mistake into the log, with its traceback; `where` says in a few words what failed."""
    # As text: a record that kept the error would keep all that its traceback refers to.
    _LOG.error(f"{where}\n{''.join(traceback.format_exception(error)).rstrip()}")


def cause_of(error: BaseException) -> str:
    """Returns why the program failed, for users: no words of a library, and no place in our files."""
    return "there is not enough memory" if isinstance(error, MemoryError) else "a mistake in Gradwire; the log names it"
