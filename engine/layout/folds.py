"""Layers that repeat on a page: runs of blocks of equal types, wiring and shapes, which can be shown as one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.graph.graph import Page, Port

# A page of more blocks is folded.
MANY = 40
# Layers fold if so many follow each other, each of at least and at most so many blocks.
REPEATS, LEAST, MOST = 4, 2, 96
# A source of so many readers belongs to no layer.
_SHARED = 4
_Rows = np.ndarray[Any, np.dtype[np.int64]]
_Flags = np.ndarray[Any, np.dtype[np.bool_]]


class Fold(NamedTuple):
    """Layers that follow each other and are all alike, each with its blocks in one order, from input to output."""

    layers: tuple[tuple[str, ...], ...]


class _Sequence(NamedTuple):
    """Blocks in an order in which each follows its sources, and layers stand together.

    `codes` are equal for blocks of equal kind and ports. `sources` are the places of what each input reads, -1 for
    none, and `last` the place of the last reader of each block. Shapes: (n,), `sources` (n, inputs).
    """

    ids: list[str]
    codes: _Rows
    sources: _Rows
    last: _Rows

    def repeats(self, period: int) -> _Flags:
        """Returns which blocks are like those a `period` later. Shapes: (n - period,).

        Alike are blocks that read what is equally far behind them, or the very same.
        """
        here, there = self.sources[:-period], self.sources[period:]
        reads_alike = (here == there) | ((here >= 0) & (there - here == period))
        found: _Flags = (self.codes[:-period] == self.codes[period:]) & reads_alike.all(axis=1)
        return found


def folds_of(page: Page, kinds: Mapping[str, Hashable]) -> tuple[Fold, ...]:
    """Returns the longest runs of equal layers on a page, first those that hold most blocks.

    `kinds` are equal for blocks that may stand for each other, as by their types and shapes. Layers that differ in
    these are of several folds. Cost: O(blocks + wires), since a layer has a limited size.
    """
    sequence = _sequence(page, kinds)
    count = len(sequence.ids)
    runs = {period: _runs(sequence.repeats(period), period) for period in _periods(sequence.codes)}
    longest = {period: max((end - start for start, end in found), default=0) for period, found in runs.items()}
    taken, folds = np.zeros(count, bool), list[Fold]()
    for period in sorted(runs, key=lambda item: (-longest[item], item)):
        for start, end in runs[period]:
            if not taken[start:end].any():
                taken[start:end] = True
                folds += _folded(sequence, start, end, period)
    return tuple(folds)


def _sequence(page: Page, kinds: Mapping[str, Hashable]) -> _Sequence:
    inputs = _inputs(page)
    ids = _order(page, inputs)
    place = {name: index for index, name in enumerate(ids)}
    codes: dict[Hashable, int] = {}
    known = [codes.setdefault((kinds[name], *(port for port, _ in inputs[name])), len(codes)) for name in ids]
    sources = np.full((len(ids), max((len(items) for items in inputs.values()), default=0)), -1, np.int64)
    last = np.arange(len(ids))
    for index, name in enumerate(ids):
        for column, (_, source) in enumerate(inputs[name]):
            sources[index, column] = place[source.block]
            last[place[source.block]] = max(last[place[source.block]], index)
    return _Sequence(ids, np.array(known, np.int64), sources, last)


def _inputs(page: Page) -> dict[str, list[tuple[str, Port]]]:
    """Returns the inputs of each block in the order of their names, with the ports that they read."""
    found: dict[str, list[tuple[str, Port]]] = {name: [] for name in page.blocks}
    for source, target in page.wires.values():
        if source.block in found and target.block in found:
            found[target.block].append((target.name, source))
    for items in found.values():
        items.sort(key=lambda item: (len(item[0]), item[0]))
    return found


def _order(page: Page, inputs: Mapping[str, list[tuple[str, Port]]]) -> list[str]:
    """Returns the blocks in the order in which a depth-first search from the last ones leaves them.

    So each follows its sources, and those of one reader stand right before it. What many read comes before all.
    """
    readers = dict.fromkeys(page.blocks, 0)
    for items in inputs.values():
        for name in {source.block for _, source in items}:
            readers[name] += 1
    found: dict[str, None] = {}
    for name in page.blocks:
        if not readers[name]:
            found |= dict.fromkeys(_left(name, inputs, found))
    # Blocks in a circle, of which a broken file may have some, have no last one.
    found |= dict.fromkeys(page.blocks)
    shared = [name for name in found if not inputs[name] and readers[name] >= _SHARED]
    return list(dict.fromkeys([*reversed(shared), *found]))


def _left(name: str, inputs: Mapping[str, list[tuple[str, Port]]], known: Mapping[str, None]) -> Iterator[str]:
    """Yields a block and all that it depends on, each after its sources."""
    seen, open_blocks = {name}, [(name, iter(inputs[name]))]
    while open_blocks:
        block, rest = open_blocks[-1]
        following = next((source.block for _, source in rest if source.block not in seen), None)
        if following is None:
            open_blocks.pop()
            yield block
        elif following not in known:
            seen.add(following)
            open_blocks.append((following, iter(inputs[following])))


def _periods(codes: _Rows) -> list[int]:
    """Returns the distances at which blocks of one code follow each other often enough."""
    order = np.argsort(codes, kind="stable")
    gaps = np.diff(order)[np.diff(codes[order]) == 0]
    counts = np.bincount(gaps[gaps <= MOST], minlength=1)
    return [period for period in np.flatnonzero(counts >= REPEATS - 1).tolist() if period]


def _runs(flags: _Flags, period: int) -> list[tuple[int, int]]:
    """Returns the starts and ends of all runs of layers of a period that are long enough."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False)).reshape(-1, 2)
    long = edges[edges[:, 1] - edges[:, 0] >= (REPEATS - 1) * period]
    return [(start, end + period) for start, end in long.tolist()]


def _folded(sequence: _Sequence, start: int, end: int, period: int) -> Iterator[Fold]:
    """Gives the fold of a run, cut where fewest wires pass from a layer to the next.

    Among equals a layer ends with a block of one input, as an activation is.
    """
    if period < LEAST:
        return
    crossing, inputs = _crossing(sequence, start, end), (sequence.sources[start:end] >= 0).sum(axis=1)

    def cost(offset: int) -> tuple[int, bool]:
        cut = offset + period
        return int(crossing[cut]), int(inputs[cut - 1]) != 1

    fits = [offset for offset in range(period) if (end - start - offset) // period >= REPEATS]
    offset = min(fits, key=cost)
    firsts = range(start + offset, end - period + 1, period)
    yield Fold(tuple(tuple(sequence.ids[first : first + period]) for first in firsts))


def _crossing(sequence: _Sequence, start: int, end: int) -> _Rows:
    """Returns for each place of a run how many of its blocks before it are read there or later."""
    places, last = np.arange(end - start), np.minimum(sequence.last[start:end], end) - start
    size = end - start + 2
    opened, closed = np.bincount(places + 1, minlength=size), np.bincount(last + 1, minlength=size)
    return np.cumsum(opened - closed)
