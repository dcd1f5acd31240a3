"""One line on a terminal that says what a long command is doing; it appears after a second and is erased."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

from gradwire.app.base.terminal import safe, sent
from gradwire.app.cli.colour import is_terminal
from gradwire.engine.base.untrusted_text import plain

# Units: seconds.
PATIENCE, PACE = 1.0, 0.5
LONGEST = 60
ERASE = "\r\x1b[K"


@contextlib.contextmanager
def progress(doing: str, is_quiet: bool) -> Iterator[None]:
    """Says on standard error what is being done, if it takes long and a terminal is there."""
    stream = safe(sys.stderr)
    if is_quiet or not is_terminal(stream):
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(plain(doing, LONGEST), stream, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(doing: str, stream: TextIO, done: threading.Event) -> None:
    """Writes the line anew at each pace until all is done, and erases it."""
    began = time.monotonic()
    if done.wait(PATIENCE):
        return
    while True:
        stream.write(f"{sent(ERASE)}{doing} ... {time.monotonic() - began:.0f} s")
        stream.flush()
        if done.wait(PACE):
            break
    stream.write(sent(ERASE))
    stream.flush()
