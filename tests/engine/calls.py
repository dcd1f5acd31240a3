"""A measure of work that is the same on every machine: the number of calls of our own functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def count_calls(action: Callable[[], object]) -> int:
    """Returns the number of calls of our functions, and of resumptions of our generators, during an action."""
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and "gradwire" in frame.f_code.co_filename

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls
