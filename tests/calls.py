"""Counts of calls: how the work for a graph grows with the graph, on a machine that others use too."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls_of(work: Callable[[], object], within: str = "/gradwire/") -> int:
    """Returns how many calls of our functions some work takes."""
    count = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and within in frame.f_code.co_filename

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
