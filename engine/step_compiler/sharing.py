"""Threads that share work, as long as that is faster than to do it alone.

On a machine that is busy a thread may wait for a processor while the others wait for its piece: the work takes many
times as long as without it. Whether work was shared changes no result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

# So many runs in a row show how long the work takes, alone or shared: a thread that has slept long wakes up slowly.
# After runs that were not faster so many at most are not shared.
TRIED, LONGEST_PAUSE = 3, 4095


class Sharing:
    """Threads for the pieces of some work, each with a number from 0 on; 0 is the thread that asks."""

    def __init__(self, threads: int) -> None:
        self._lanes = range(1, threads)
        self._others = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def run(self, work: Callable[[int], object]) -> None:
        """Lets all threads do some work, which each of them leaves when no piece is left."""
        waiting = [self._others.submit(work, lane) for lane in self._lanes] if self._others is not None else []
        work(0)
        for future in waiting:
            # A thread that has had no processor so far is not waited for: there is nothing left for it.
            if not future.cancel():
                future.result()


class Trial:
    """The choice between two ways to do the same work, from run to run: alone, or shared where that is faster.

    After some runs in a row that were slower, twice as many are done alone before it is tried again.
    """

    def __init__(self) -> None:
        self._alone = math.inf
        self._left, self._pause, self._slow = TRIED, 0, 0

    def run(self, alone: Callable[[], object], shared: Callable[[], object]) -> None:
        """Does the work in the way that promises to be faster."""
        if self._left:
            self._left -= 1
            self._alone = min(self._alone, _seconds(alone))
        elif _seconds(shared) < self._alone:
            self._pause = self._slow = 0
        else:
            self._slow += 1
            if self._slow >= TRIED:
                self._slow = 0
                self._left = self._pause = min(2 * self._pause + 1, LONGEST_PAUSE)


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
