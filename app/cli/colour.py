"""Colours of the command's texts: only on a terminal, and never the only sign of anything.

NO_COLOR switches them off, FORCE_COLOR on, whatever the output is; https://no-color.org describes the first.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from gradwire.app.base.terminal import sent

RED, GREEN, YELLOW, MAGENTA, DIM, BOLD = "31", "32", "33", "35", "2", "1"
CODES = {"red": RED, "yellow": YELLOW, "magenta": MAGENTA, "dim": DIM}


def has_colour(stream: TextIO) -> bool:
    """Returns whether texts for this stream are coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") != "0":
        return True
    return is_terminal(stream) and (sys.platform != "win32" or "WT_SESSION" in os.environ)


def is_terminal(stream: TextIO | None) -> bool:
    """Returns whether a stream is a terminal that can move its cursor."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, colour: str, stream: TextIO) -> str:
    """Returns a text in a colour if the stream shows colours; it is printed by `say`."""
    return sent(f"\x1b[{colour}m") + text + sent("\x1b[0m") if colour and has_colour(stream) else text
