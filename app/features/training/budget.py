"""Budget of a measurement beside a training: every so many rounds that it costs a share of their time at most."""

from __future__ import annotations

import math


class Budget:
    """Budget in rounds, not in seconds, since other programs may share the processor.

    Two measurements are `least` seconds apart at least, later `most`: a hundredth of the time since the first one, so
    that a short training has many, too. Units: seconds.
    """

    def __init__(self, share: float, least: float = 0.0, most: float = 0.0) -> None:
        self._share, self._least, self._most = share, least, most
        self._cost, self._first_at = math.inf, math.inf
        self._due_round, self._due_at = 0, -math.inf

    def wait_until(self, at: float) -> None:
        """Puts the next measurement off."""
        self._due_at = at

    def is_due(self, n: int, now: float) -> bool:
        """Returns whether round n is to be measured."""
        return n >= self._due_round and now >= self._due_at

    def note_cost(self, n: int, now: float, cost: float, round_seconds: float) -> None:
        """Notes what a measurement in round n has cost, beside the shortest round; the least cost counts.

        Where no plain round has been timed yet, `round_seconds` is infinite: the cost is unknown, and one comes next.
        """
        self._first_at = min(self._first_at, now)
        self._due_at = now + max(self._least, min((now - self._first_at) / 100, self._most))
        if not 0 < round_seconds < math.inf:
            self._due_round = n + 2
            return
        self._cost = min(self._cost, max(cost, 0.0))
        self._due_round = n + 1 + math.ceil(self._cost / (self._share * round_seconds))
