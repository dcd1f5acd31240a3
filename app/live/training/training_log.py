"""Numbers of a training over its rounds, as charts and tables show them."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable

import numpy as np

from gradwire.app.live.training.orders import Chunk
from gradwire.engine.base.tensor_spec import Array

# Share of the newest number in the smoothed curve.
SMOOTHING = 0.1


class TrainingLog:
    """Series by name, each with its own rounds: some are logged seldom."""

    def __init__(self) -> None:
        self._rounds: dict[str, array[int]] = {}
        self._numbers: dict[str, array[float]] = {}

    @property
    def names(self) -> list[str]:
        """Names of the series, in the order in which they came."""
        return list(self._rounds)

    def add(self, chunk: Chunk) -> None:
        """Adds the numbers of a piece of news; rounds that come again replace those from there on."""
        for name, rounds in chunk.rounds.items():
            known, numbers = self._rounds.setdefault(name, array("q")), self._numbers.setdefault(name, array("d"))
            while known and rounds and known[-1] >= rounds[0]:
                known.pop()
                numbers.pop()
            known.extend(rounds)
            numbers.extend(chunk.numbers[name])

    def clear(self) -> None:
        """Forgets all numbers."""
        self._rounds.clear()
        self._numbers.clear()

    def series(self, name: str) -> tuple[Array, Array]:
        """Returns rounds and numbers of a series, copies; empty where nothing has been logged."""
        rounds = np.array(self._rounds.get(name, array("q")), np.int64)
        return rounds, np.array(self._numbers.get(name, array("d")), np.float64)

    def last(self, name: str) -> float | None:
        """Returns the newest number of a series."""
        numbers = self._numbers.get(name)
        return numbers[-1] if numbers else None

    def at(self, name: str, n: int) -> float | None:
        """Returns the number of a series in round n, or the one logged last before it."""
        rounds = self._rounds.get(name)
        place = 0 if rounds is None else int(np.searchsorted(np.frombuffer(rounds, np.int64), n, "right"))
        return self._numbers[name][place - 1] if place else None

    def as_csv(self, names: Iterable[str]) -> str:
        """Returns some series as CSV: a line for each round in which one of them was logged."""
        chosen = list(names)
        columns = {name: dict(zip(*(item.tolist() for item in self.series(name)), strict=True)) for name in chosen}
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(["round", *chosen])
        for n in sorted({n for column in columns.values() for n in column}):
            writer.writerow([n, *(columns[name].get(n, "") for name in chosen)])
        return written.getvalue()


def smoothed(numbers: Array) -> Array:
    """Returns the exponential moving average of a series."""
    found = np.empty_like(numbers)
    now = numbers[0] if numbers.size else 0.0
    for place, number in enumerate(numbers.tolist()):
        now += SMOOTHING * (number - now)
        found[place] = now
    return found
