"""Numbers of a training over its rounds, as charts and tables show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gradwire.app.base.csv_text import csv_text
from gradwire.app.live.readings.series import Chunk
from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.base.tensor_spec import Array

# A series holds at most so many numbers.
MOST = 1 << 17
# The columns of a new series have room for so many numbers.
_ROOM = 64


class Series:
    """Numbers with their rounds; arrays that were read stay as they are.

    Where it is full, of each four neighbours the least and the greatest stay: extremes are never lost.
    """

    def __init__(self) -> None:
        # The columns may hold numbers of later rounds, which an undo has hidden.
        self._size = self._held = 0
        self._columns = _columns_for(_ROOM)

    @property
    def are_joined(self) -> Array:
        """Whether each number is that of the round behind the one before it, or all rounds between were logged too."""
        return self._columns[2][: self._size]

    @property
    def rounds(self) -> Array:
        """Rounds, ascending."""
        return self._columns[0][: self._size]

    @property
    def numbers(self) -> Array:
        """Numbers, one a round."""
        return self._columns[1][: self._size]

    def add(self, rounds: Sequence[int], numbers: Sequence[float]) -> None:
        """Adds numbers; rounds that come again replace those from there on."""
        if not rounds:
            return
        if self._size and rounds[0] <= self.rounds[-1]:
            self._keep(np.arange(int(np.searchsorted(self.rounds, rounds[0]))))
        end = self._size + len(rounds)
        if end > self._columns[0].size:
            wider = _columns_for(2 * end)
            for column, old in zip(wider, self._columns, strict=True):
                column[: self._size] = old[: self._size]
            self._columns = wider
        joined = np.diff(rounds, prepend=self.rounds[-1] if self._size else rounds[0]) == 1
        for column, new in zip(self._columns, (rounds, numbers, joined), strict=True):
            column[self._size : end] = new
        self._size = self._held = end
        while self._size > MOST:
            self._thin_out()

    def show_until(self, n: int) -> None:
        """Shows the rounds before round n, as many as are there; the others stay until numbers are added."""
        self._size = int(np.searchsorted(self._columns[0][: self._held], n))

    def forget_hidden(self) -> None:
        """Forgets the rounds that are not shown."""
        self._held = self._size

    def _thin_out(self) -> None:
        count = self._size // 4 * 4
        groups = self.numbers[:count].reshape(-1, 4)
        is_known = ~np.isnan(groups)
        least, greatest = np.where(is_known, groups, np.inf), np.where(is_known, groups, -np.inf)
        ends = np.sort([least.argmin(1), greatest.argmax(1)], axis=0) + np.arange(0, count, 4)
        places = np.concatenate([ends.T.ravel(), np.arange(count, self._size)])
        # Four equal numbers have their least and greatest in one place.
        self._keep(places[starts_of_runs(places)])

    def _keep(self, places: Array) -> None:
        breaks = np.cumsum(~self.are_joined)[places]
        self._columns = tuple(column[: self._size][places] for column in self._columns)
        self._columns[2][:] = np.diff(breaks, prepend=-1) == 0
        self._size = self._held = len(places)


class Measured(NamedTuple):
    """Numbers with their rounds; each one `joined` to the one before it if no round between them lacks a number."""

    rounds: Array
    numbers: Array
    joined: Array


class RoundLog:
    """Series by name, each with its own rounds: some are logged seldom."""

    def __init__(self, _: object = None) -> None:
        self._series: dict[str, Series] = {}
        self._now: tuple[int, Mapping[str, float]] = 0, {}

    @property
    def names(self) -> list[str]:
        """Names of the series, in the order in which they came."""
        return [name for name, series in self._series.items() if series.rounds.size]

    def add(self, chunk: Chunk) -> None:
        """Adds the numbers of a piece of news; rounds that come again replace those from there on."""
        for series in self._series.values():
            series.forget_hidden()
        for name, rounds in chunk.rounds.items():
            if name not in self._series:
                self._series[name] = Series()
            self._series[name].add(rounds, chunk.numbers[name])

    def show_until(self, n: int, numbers: Mapping[str, float]) -> None:
        """Shows the rounds before round n, and the numbers with which that one begins."""
        for series in self._series.values():
            series.show_until(n)
        self._now = n, numbers

    def series(self, name: str) -> Series:
        """Returns a series; an empty one where nothing has been logged."""
        return self._series.get(name) or Series()

    def points(self, name: str) -> Measured:
        """Returns all numbers of a series, that of the round shown included, which has not been trained yet."""
        series, (n, now) = self.series(name), self._now
        rounds, numbers, joined = series.rounds, series.numbers, series.are_joined
        if name not in now or (rounds.size and rounds[-1] >= n):
            return Measured(rounds, numbers, joined)
        is_next = bool(rounds.size) and int(rounds[-1]) == n - 1
        return Measured(np.append(rounds, n), np.append(numbers, now[name]), np.append(joined, is_next))

    def newest(self, name: str) -> float | None:
        """Returns the newest number of a series, that of the round shown if it has been measured."""
        numbers = self.points(name).numbers
        return float(numbers[-1]) if numbers.size else None

    def as_csv(self, names: Iterable[str]) -> str:
        """Returns some series as CSV: a line for each round in which one of them was logged."""
        chosen = {name: self.series(name) for name in names}
        columns = {
            name: dict(zip(series.rounds.tolist(), series.numbers.tolist(), strict=True))
            for name, series in chosen.items()
        }
        rounds = sorted({n for column in columns.values() for n in column})
        rows = ([n, *(column.get(n, "") for column in columns.values())] for n in rounds)
        return csv_text([["round", *columns], *rows])


def _columns_for(size: int) -> tuple[Array, ...]:
    return np.empty(size, np.int64), np.empty(size), np.empty(size, bool)
