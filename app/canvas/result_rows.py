"""Where the blocks and wires of a page stand in the tables of results, and which of them say something new."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.canvas.page_arrays import Rows
from app.live.readings import Results, Table
from engine.expand import Link, PortName

Flags = np.ndarray[Any, np.dtype[np.bool_]]


class ResultRows:
    """The rows of results that belong to one page; `wires` and `sources` have -1 for what the run did not know.

    `port_owners` are the rows of the blocks whose outputs have the rows `ports`.
    """

    def __init__(self, links: Sequence[Link], outputs: Sequence[tuple[int, PortName]]) -> None:
        self._links, self._outputs = links, outputs
        self._results: Results | None = None
        self.wires = self.sources = self.ports = self.port_owners = np.zeros(0, np.int64)

    def read(self, results: Results) -> tuple[Rows, Rows]:
        """Takes new results; gives the rows of blocks and of wires that say something else than before.

        A block with several outputs may be named several times.
        """
        before, self._results = self._results, results
        # Results of one structure share their names: the rows are looked up once for all of them.
        if before is None or before.wire_rows is not results.wire_rows or before.port_rows is not results.port_rows:
            self._find(results)
            return np.unique(self.port_owners), np.arange(len(self._links))
        if before.compared is not None or results.compared is not None:
            return np.unique(self.port_owners), np.arange(len(self._links))
        values, gradients = _differ(before.values, results.values), _differ(before.gradients, results.gradients)
        ports = values | gradients | (before.port_status != results.port_status)
        wires = _differ(before.wires, results.wires) | (before.wire_status != results.wire_status)
        for old, new in ((before.wire_zeros, results.wire_zeros), (before.wire_ties, results.wire_ties)):
            wires[[] if old is new else _changed_rows(old, new)] = True
        changed = _at(wires, self.wires) | _at(values, self.sources)
        return self.port_owners[_at(ports, self.ports)], np.flatnonzero(changed)

    def _find(self, results: Results) -> None:
        ports, links, none = results.port_rows, self._links, itertools.repeat(-1)
        self.wires = np.fromiter(map(results.wire_rows.get, links, none), np.int64, len(links))
        self.sources = np.fromiter(map(ports.get, (source for source, _ in links), none), np.int64, len(links))
        found = [(owner, ports.get(name, -1)) for owner, name in self._outputs]
        self.port_owners, self.ports = np.array(found, np.int64).reshape(-1, 2).T


def _at(flags: Flags, rows: Rows) -> Flags:
    """The flags of some rows, False for row -1."""
    found: Flags = np.append(flags, False)[rows]
    return found


def _changed_rows(before: Mapping[int, object], after: Mapping[int, object]) -> list[int]:
    """The rows for which two sparse columns do not say the same."""
    return [row for row in before.keys() | after.keys() if before.get(row) != after.get(row)]


def _differ(before: Table, after: Table) -> Flags:
    """Which rows of two tables of one structure differ."""
    if before.shapes != after.shapes or before.dtypes != after.dtypes:
        return np.ones(len(after.rows), bool)
    # By their bits: NaN is the same as NaN.
    old, new = (table.rows.view(np.uint64).reshape(len(table.rows), -1) for table in (before, after))
    found: Flags = (old != new).any(axis=1)
    old_places, new_places = before.thumbnails.places, after.thumbnails.places
    if old_places is new_places or old_places == new_places:
        found[after.thumbnails.differing(before.thumbnails)] = True
        return found
    found[[*before.thumbnails, *after.thumbnails]] = True
    return found
