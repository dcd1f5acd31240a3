"""Safe mode: a start of the program without plug-ins, told to all of its processes by their environment."""

from __future__ import annotations

import os

SAFE = "GRADWIRE_SAFE"


def is_safe() -> bool:
    """Returns whether the program was started without its own records."""
    return bool(os.environ.get(SAFE))
