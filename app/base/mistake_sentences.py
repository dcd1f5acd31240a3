"""The sentence for a mistake of the program itself in a command; its traceback goes into the log."""

from __future__ import annotations

import contextlib

from gradwire.engine.base.mistakes import log_mistake

SENTENCE = "Something went wrong inside Gradwire."


def mistake_sentence(error: BaseException) -> str:
    """Writes a mistake into the log; returns the sentence about it, which names the log if it can be written."""
    # Qt, which knows the folder of the log, is heavy, and may be what is missing.
    with contextlib.suppress(ImportError, OSError):
        from gradwire.app.base import log

        log.begin()
        log_mistake("A mistake in a command", error)
        return f"{SENTENCE} {log.place_sentence()}".rstrip()
    return SENTENCE
