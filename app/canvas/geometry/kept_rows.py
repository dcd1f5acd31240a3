"""Which rows of a list are still there after an edit, and where they stand now."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from gradwire.app.canvas.geometry.routing import Rows

Column = np.ndarray[Any, np.dtype[Any]]


class KeptRows:
    """`before` says of each row where it stood, -1 if it is new; `now` where each stands that there was, -1 if gone.

    `now` has one item more, which is -1: what stood at row -1, nowhere, stands there still.
    """

    def __init__(self, old: Sequence[Hashable], new: Iterable[Hashable]) -> None:
        places = dict(zip(old, itertools.count(), strict=False))
        self.before: Rows = np.fromiter(map(places.get, new, itertools.repeat(-1)), np.int64)
        self.now: Rows = np.full(len(old) + 1, -1)
        kept = np.flatnonzero(self.before >= 0)
        self.now[self.before[kept]] = kept

    @property
    def new(self) -> Rows:
        """The rows that are new."""
        return np.flatnonzero(self.before < 0)

    def carried(self, column: Column) -> Column:
        """Returns the same column for the rows that there are now, with zeros where they are new."""
        found = np.zeros((len(self.before), *column.shape[1:]), column.dtype)
        kept = self.before >= 0
        found[kept] = column[self.before[kept]]
        return found
