"""Stages of a child process, run one by one with printed costs; a failing stage fails the process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gradwire.engine.base.gc_pause import collection_paused

# Far below the depth of the graphs, and enough for Python's own modules.
RECURSION_LIMIT = 300
Result = TypeVar("Result")


def stage(name: str, action: Callable[[], Result]) -> Result:
    """Returns the result of an action; prints its processor time and the peak memory meanwhile."""
    _forget_peak()
    start = time.process_time()
    with collection_paused():
        result = action()
    print(f"figure: {name}: {time.process_time() - start:.2f} s, {_peak():.0f} MiB", flush=True)
    return result


def limit_recursion() -> None:
    """Limits recursion from now on; imports everything before, since later imports would count."""
    sys.setrecursionlimit(RECURSION_LIMIT)


def _forget_peak() -> None:
    place = Path("/proc/self/clear_refs")
    if place.exists():
        place.write_text("5")


def _peak() -> float:
    place = Path("/proc/self/status")
    lines = place.read_text().splitlines() if place.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)
