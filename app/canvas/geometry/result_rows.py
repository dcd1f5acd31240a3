"""The rows of a page's blocks and wires in the tables of results, and the changes between two results."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.app.canvas.geometry.kept_rows import KeptRows
from gradwire.app.canvas.geometry.routing import Flags, Rows
from gradwire.app.live.readings.readings import Results, Table
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.array_statistics import as_numbers
from gradwire.engine.base.tensor_spec import Array


class ResultRows:
    """The rows of results that belong to one page; `wires` and `sources` have -1 for what the run did not know.

    `port_owners` are the rows of the blocks whose outputs have the rows `ports`.
    """

    def __init__(self, links: Sequence[Link], outputs: Sequence[tuple[int, PortName]]) -> None:
        self._links, self._names = list(links), [name for _, name in outputs]
        self._results: Results | None = None
        self.port_owners = np.array([owner for owner, _ in outputs], np.int64)
        self.wires = self.sources = np.full(len(links), -1)
        self.ports = np.full(len(outputs), -1)

    def read(self, results: Results) -> tuple[Rows, Rows]:
        """Takes new results; gives the rows of blocks and of wires that say something else than before.

        A block with several outputs may be named several times.
        """
        before, self._results = self._results, results
        if before is results:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        # Results of one structure share their names: the rows are looked up once for all of them.
        if before is None or not results.has_rows_of(before):
            self.wires, self.sources = self._found_wires(self._links)
            self.ports = self._found_ports(self._names)
            return self.port_owners, np.arange(len(self._links))
        if before.compared is not None or results.compared is not None:
            return self.port_owners, np.arange(len(self._links))
        # Of a graph with many pages, most rows belong to others.
        here, on_wires = _known(self.ports, self.sources), _known(self.wires)
        values = _differ(before.values, results.values, here)
        gradients = _differ(before.ports.gradients, results.ports.gradients, here)
        ports = values | gradients | (before.ports.statuses != results.ports.statuses)
        wires = _differ(before.wires.gradients, results.wires.gradients, on_wires)
        wires |= before.wires.statuses != results.wires.statuses
        for old, new in ((before.wires.zeros, results.wires.zeros), (before.wires.ties, results.wires.ties)):
            wires[[] if old is new else _changed_rows(old, new)] = True
        changed = _at(wires, self.wires) | _at(values, self.sources)
        return self.port_owners[_at(ports, self.ports)], np.flatnonzero(changed)

    @property
    def breaks(self) -> Flags:
        """The wires whose value holds NaN or infinity."""
        count = len(self.sources)
        return np.zeros(count, bool) if self._results is None else _at(self._results.broken_ports, self.sources)

    def wires_in(self, results: Results) -> Rows:
        """Returns the rows of the wires in other results, -1 for what those do not know."""
        return _rows_of(self._links, results.wires.row_of)

    def keep_wires(self, kept: KeptRows, links: Sequence[Link]) -> None:
        """Takes over which wires there are; `links` are the new ones."""
        before = self._links
        following = iter(links)
        self._links = [before[row] if row >= 0 else next(following) for row in kept.before.tolist()]
        self.wires, self.sources = kept.carried(self.wires), kept.carried(self.sources)
        self.wires[kept.new], self.sources[kept.new] = self._found_wires(links)

    def keep_blocks(self, kept: KeptRows | None, rows: Rows, outputs: Sequence[tuple[int, PortName]]) -> None:
        """Takes over which blocks there are; the `rows` have these outputs now."""
        owners = self.port_owners if kept is None else kept.now[self.port_owners]
        stays = (owners >= 0) & ~np.isin(owners, rows)
        new_owners, names = [owner for owner, _ in outputs], [name for _, name in outputs]
        self._names = [*itertools.compress(self._names, stays.tolist()), *names]
        self.port_owners = np.append(owners[stays], np.array(new_owners, np.int64))
        self.ports = np.append(self.ports[stays], self._found_ports(names))

    def _found_wires(self, links: Sequence[Link]) -> tuple[Rows, Rows]:
        """Returns the rows of some wires, and of the ports that they leave."""
        wires = {} if self._results is None else self._results.wires.row_of
        return _rows_of(links, wires), self._found_ports([source for source, _ in links])

    def _found_ports(self, names: Sequence[PortName]) -> Rows:
        return _rows_of(names, {} if self._results is None else self._results.ports.row_of)


def _rows_of(names: Sequence[Hashable], known: Mapping[Any, int]) -> Rows:  # Any: a table has keys of one kind
    """Returns the rows of names in a table, -1 for what it does not know."""
    return np.fromiter(map(known.get, names, itertools.repeat(-1)), np.int64, len(names))


def _at(flags: Flags, rows: Rows) -> Flags:
    """Returns the flags of some rows, False for row -1."""
    return np.append(flags, False)[rows]


def _changed_rows(before: Mapping[int, object], after: Mapping[int, object]) -> list[int]:
    """Returns the rows for which two sparse columns do not say the same."""
    return [row for row in before.keys() | after.keys() if before.get(row) != after.get(row)]


def _known(*rows: Rows) -> Rows:
    """Returns rows that are there."""
    found = np.concatenate(rows)
    return found[found >= 0]


def _differ(before: Table, after: Table, among: Rows) -> Flags:
    """Returns which of some rows of two tables of one structure differ."""
    found = np.zeros(len(after.rows), bool)
    if not (before.shapes == after.shapes and before.dtypes == after.dtypes):
        found[among] = True
        return found
    numbers = _differ_in(as_numbers(before.rows)[among], as_numbers(after.rows)[among])
    found[among] = numbers | _differ_in(before.first[among], after.first[among])
    old_places, new_places = before.thumbnails.places, after.thumbnails.places
    if old_places is new_places or old_places == new_places:
        found[after.thumbnails.differing(before.thumbnails, among.tolist())] = True
        return found
    found[[*before.thumbnails, *after.thumbnails]] = True
    return found


def _differ_in(old: Array, new: Array) -> Flags:
    """Returns which rows of two matrices differ in any bit; NaN equals NaN. Shapes: a multiple of eight columns."""
    # Eight flags as one number: to reduce rows as short as these takes NumPy longer than all the rest.
    eights = (old.view(np.uint64) != new.view(np.uint64)).view(np.uint64)
    return functools.reduce(np.bitwise_or, eights.T) != 0
