"""A drawing of nodes and edges in layers, left to right, with few crossings and straight rows.

Layers, order within layers, then rows, as Sugiyama, Tagawa and Toda (1981) do it; rows by isotonic regression. Loops
are bounded by counts, never by a clock, and nothing is random: the same nodes always come out the same.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from typing import NamedTuple

GRID = 16
# A wire's label is about 90 px wide and stands between two columns.
COLUMN_GAP, ROW_GAP = 112, 48
# A wire that passes a layer needs the height of a block's header and first port, where wires end.
LANE, LANE_GAP = 80, 16
SWEEPS, SWAP_ROUNDS, SWAP_PAIRS, ROW_SWEEPS = 24, 4, 400, 12
WORK = 400_000
STIFF, FIRM, LOOSE, SLIGHT = 8.0, 4.0, 0.5, 0.02

Corner = tuple[int, int]
Size = tuple[float, float]


class Edge(NamedTuple):
    """A wire, or its part between two neighbouring layers; `leaves` and `enters` say where at its ends, 0 to 1."""

    source: int
    target: int
    leaves: float = 0.5
    enters: float = 0.5


@dataclass
class Layers:
    """One connected part of a page. Nodes from `count` on are lanes of wires that pass a layer.

    `layers` lists the nodes of each layer from top to bottom, `spot` is each node's index there.
    """

    count: int
    rank: list[int]
    edges: list[Edge]
    layers: list[list[int]] = field(default_factory=list)
    spot: list[int] = field(default_factory=list)
    before: list[list[Edge]] = field(default_factory=list)
    after: list[list[Edge]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.before, self.after = neighbours(len(self.rank), self.edges)
        self.spot = [0] * len(self.rank)

    def put(self, layers: list[list[int]]) -> None:
        """Puts every layer into this order."""
        self.layers = [[] for _ in layers]
        for index, order in enumerate(layers):
            self.put_layer(index, order)

    def put_layer(self, index: int, order: list[int]) -> None:
        """Puts one layer into this order."""
        self.layers[index] = order
        for spot, node in enumerate(order):
            self.spot[node] = spot


def up(length: float) -> int:
    """The next multiple of the grid."""
    return math.ceil(length / GRID) * GRID


def neighbours(count: int, edges: Iterable[Edge]) -> tuple[list[list[Edge]], list[list[Edge]]]:
    """The edges into and out of each node, top to bottom."""
    before: list[list[Edge]] = [[] for _ in range(count)]
    after: list[list[Edge]] = [[] for _ in range(count)]
    for edge in edges:
        before[edge.target].append(edge)
        after[edge.source].append(edge)
    for node in range(count):
        before[node].sort(key=lambda edge: edge.enters)
        after[node].sort(key=lambda edge: edge.leaves)
    return before, after


def connected_parts(count: int, edges: Sequence[Edge]) -> Iterator[tuple[list[int], list[Edge]]]:
    """The connected parts with their own edges, renumbered; nodes without edges come together, last."""
    label = _labels(count, edges)
    nodes: dict[int, list[int]] = {}
    wired = {edge.source for edge in edges} | {edge.target for edge in edges}
    for node in range(count):
        nodes.setdefault(label[node] if node in wired else -1, []).append(node)
    number = {node: index for members in nodes.values() for index, node in enumerate(members)}
    inner: dict[int, list[Edge]] = {}
    for edge in edges:
        renumbered = edge._replace(source=number[edge.source], target=number[edge.target])
        inner.setdefault(label[edge.source], []).append(renumbered)
    alone = nodes.pop(-1, [])
    yield from ((members, inner[key]) for key, members in nodes.items())
    if alone:
        yield alone, []


def _labels(count: int, edges: Iterable[Edge]) -> list[int]:
    """For each node a number that all nodes of its part share."""
    parent = list(range(count))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for edge in edges:
        a, b = root(edge.source), root(edge.target)
        parent[max(a, b)] = min(a, b)
    return [root(node) for node in range(count)]


# Layers


def part_corners(count: int, edges: list[Edge], boxes: Sequence[Size]) -> list[Corner]:
    """The top-left corners of the nodes of one connected part, from 0, 0.

    Edges that close a circle are turned round first: as few as a depth-first walk finds go left.
    """
    part = ordered(count, edges)
    rows = _rows(part, boxes)
    left, lefts = 0, []
    for layer in part.layers:
        lefts.append(left)
        left += up(max((boxes[node][0] for node in layer if node < count), default=0) + COLUMN_GAP)
    return [(lefts[part.rank[node]], rows[node]) for node in range(count)]


def ordered(count: int, edges: list[Edge]) -> Layers:
    """The part in layers whose order makes few edges cross."""
    part = _layered(count, edges)
    _order(part)
    return part


def _layered(count: int, edges: list[Edge]) -> Layers:
    """The part in layers, with a lane in every layer that a wire passes."""
    edges = _acyclic(count, edges)
    rank = _ranks(count, edges)
    short = [edge for edge in edges if rank[edge.target] == rank[edge.source] + 1]
    # A wire across thousands of layers says little about rows: beyond a budget the longest get no lane.
    budget = 8 * count + 1_000
    for edge in sorted(edges, key=lambda edge: rank[edge.target] - rank[edge.source]):
        span = rank[edge.target] - rank[edge.source]
        budget -= span - 1
        if budget < 0:
            break
        if span > 1:
            short += _lanes(edge, rank)
    return Layers(count, rank, short)


def _lanes(edge: Edge, rank: list[int]) -> Iterator[Edge]:
    """A long wire as short edges; adds its lanes to `rank`."""
    node, leaves = edge.source, edge.leaves
    for layer in range(rank[edge.source] + 1, rank[edge.target]):
        rank.append(layer)
        yield Edge(node, len(rank) - 1, leaves)
        node, leaves = len(rank) - 1, 0.5
    yield Edge(node, edge.target, leaves, edge.enters)


def _acyclic(count: int, edges: list[Edge]) -> list[Edge]:
    """The edges with those turned round that close a circle on a depth-first walk."""
    _, after = neighbours(count, edges)
    state = [0] * count  # 1 while the walk is below the node, 2 when it has left it
    turned: set[Edge] = set()
    for start in range(count):
        pending = [start]
        while pending:
            node = pending[-1]
            if state[node] == 0:
                state[node] = 1
                turned.update(edge for edge in after[node] if state[edge.target] == 1)
                pending.extend(edge.target for edge in after[node] if state[edge.target] == 0)
            else:
                state[node] = 2
                pending.pop()
    turn = [Edge(edge.target, edge.source) if edge in turned else edge for edge in edges]
    return turn if turned else edges


def topological(before: list[list[Edge]], after: list[list[Edge]]) -> list[int]:
    """The nodes, each after those before it; those on circles are left out."""
    waiting = [len(arriving) for arriving in before]
    order = [node for node, count in enumerate(waiting) if not count]
    for node in order:
        for edge in after[node]:
            waiting[edge.target] -= 1
            if not waiting[edge.target]:
                order.append(edge.target)
    return order


def _ranks(count: int, edges: Sequence[Edge]) -> list[int]:
    """The layer of each node: as far left as it can be, but what has more wires out than in next to its first user."""
    before, after = neighbours(count, edges)
    order = topological(before, after)
    rank = [0] * count
    for node in order:
        rank[node] = max((rank[edge.source] + 1 for edge in before[node]), default=0)
    for node in reversed(order):
        if len(after[node]) > len(before[node]):
            rank[node] = min(rank[edge.target] for edge in after[node]) - 1
    lowest = min(rank)
    return [layer - lowest for layer in rank]


# Order within layers


def _order(part: Layers) -> None:
    """Orders every layer so that few wires cross."""
    rounds = min(SWEEPS, max(2, WORK // (len(part.rank) + len(part.edges))))
    best, fewest = [], -1
    for backward in (True, False):
        part.put(_walked(part, backward))
        for number in range(rounds):
            crossings = count_crossings(part)
            if fewest < 0 or crossings < fewest:
                best, fewest = [list(layer) for layer in part.layers], crossings
            if not fewest:
                break
            _sweep(part, is_down=number % 2 == 0, by_median=number % 4 > 1)
        if not fewest:
            break
    part.put(best)
    if fewest and rounds > 2:
        _swap(part)


def _walked(part: Layers, backward: bool) -> list[list[int]]:
    """The layers in the order of a depth-first walk, from the last blocks back or from the first ones on."""
    layers: list[list[int]] = [[] for _ in range(max(part.rank) + 1)]
    entering, leaving = (part.after, part.before) if backward else (part.before, part.after)
    seen = bytearray(len(part.rank))
    pending = [node for node in reversed(range(len(part.rank))) if not entering[node]]
    while pending:
        node = pending.pop()
        if not seen[node]:
            seen[node] = 1
            layers[part.rank[node]].append(node)
            pending.extend(edge.source if backward else edge.target for edge in reversed(leaving[node]))
    return layers


def count_crossings(part: Layers) -> int:
    """How many pairs of edges cross; wires that meet at a port do not."""
    ends: list[list[tuple[float, float]]] = [[] for _ in part.layers]
    for source, target, leaves, enters in part.edges:
        ends[part.rank[source]].append((part.spot[source] + leaves, part.spot[target] + enters))
    total = 0
    for pairs in ends:
        seen: list[float] = []
        for _, end in sorted(pairs) if len(pairs) > 1 else ():
            total += len(seen) - bisect_right(seen, end)
            insort(seen, end)
    return total


def _sweep(part: Layers, is_down: bool, by_median: bool) -> None:
    """Orders each layer by where the wires from the layer before it (or after it) come from."""
    last = len(part.layers) - 1
    for index in range(1, last + 1) if is_down else range(last - 1, -1, -1):
        layer = part.layers[index]
        if len(layer) > 1:
            wanted = {node: _wanted(_ends(part, node, is_down), by_median) for node in layer}
            # A node without wires on that side keeps its place.
            movable = iter(sorted((node for node in layer if wanted[node] >= 0), key=wanted.__getitem__))
            part.put_layer(index, [next(movable) if wanted[node] >= 0 else node for node in layer])


def _ends(part: Layers, node: int, is_down: bool) -> list[float]:
    if is_down:
        return [part.spot[edge.source] + edge.leaves for edge in part.before[node]]
    return [part.spot[edge.target] + edge.enters for edge in part.after[node]]


def _wanted(ends: list[float], by_median: bool) -> float:
    if not ends:
        return -1.0
    return sorted(ends)[(len(ends) - 1) // 2] if by_median else sum(ends) / len(ends)


def _swap(part: Layers) -> None:
    """Swaps neighbours wherever that saves crossings."""
    for _ in range(SWAP_ROUNDS):
        swapped = False
        for index, layer in enumerate(part.layers):
            for spot in range(len(layer) - 1):
                if _gain(part, layer[spot], layer[spot + 1]) > 0:
                    layer[spot], layer[spot + 1] = layer[spot + 1], layer[spot]
                    part.put_layer(index, layer)
                    swapped = True
        if not swapped:
            return


def _gain(part: Layers, upper: int, lower: int) -> int:
    """How many crossings fewer there are with two neighbours swapped."""
    gain = 0
    for is_down in (True, False):
        above, below = _ends(part, upper, is_down), _ends(part, lower, is_down)
        if len(above) * len(below) <= SWAP_PAIRS:
            gain += sum((a > b) - (a < b) for a in above for b in below)
    return gain


# Rows


def _rows(part: Layers, boxes: Sequence[Size]) -> list[int]:
    """The top of each node; wires run straight where they can, those across several layers first."""
    offsets = [_offsets(layer, part.count, boxes) for layer in part.layers]
    tops = [0.0] * len(part.rank)
    for layer, steps in zip(part.layers, offsets, strict=True):
        for node, step in zip(layer, steps, strict=True):
            tops[node] = step - steps[-1] / 2
    pulls = _pulls(part)
    sweeps = min(ROW_SWEEPS, max(4, WORK // len(part.rank)))
    for number in range(sweeps):
        sides = (0, 1) if number >= sweeps - 2 else (number % 2,)
        order = range(len(part.layers)) if number % 2 == 0 else range(len(part.layers) - 1, -1, -1)
        for index in order:
            _place(part.layers[index], offsets[index], [pulls[side] for side in sides], tops)
    # All steps are multiples of the grid, so that rounding keeps every gap.
    rounded = [math.floor(top / GRID + 0.5) * GRID for top in tops]
    highest = min(rounded[: part.count])
    return [top - highest for top in rounded]


def _offsets(layer: Sequence[int], count: int, boxes: Sequence[Size]) -> list[int]:
    """How far below the first node of a layer each node is when there is nothing but gaps between them."""
    steps = [0]
    for upper, lower in itertools.pairwise(layer):
        height = boxes[upper][1] if upper < count else LANE if lower < count else LANE_GAP
        steps.append(steps[-1] + up(height + (ROW_GAP if max(upper, lower) < count else LANE_GAP)))
    return steps


Pulls = list[list[tuple[int, float]]]


def _pulls(part: Layers) -> tuple[Pulls, Pulls]:
    """For each node its neighbours on the left, and on the right, with the strength of the wire between."""
    before: Pulls = [[] for _ in part.rank]
    after: Pulls = [[] for _ in part.rank]
    forks = [len(leaving) > 1 for leaving in part.after]
    for source, target, *_ in part.edges:
        forks[target] = forks[source] if target >= part.count else forks[target]
        weight = _weight(source >= part.count, target >= part.count, forks[source])
        if not part.before[source] and len(part.after[source]) == 1:
            weight = SLIGHT  # a variable follows its user, and the trunk stays straight
        before[target].append((source, weight))
        after[source].append((target, weight))
    return before, after


def _weight(from_lane: bool, to_lane: bool, forks: bool) -> float:
    if from_lane and to_lane:
        return STIFF
    if not from_lane and not to_lane:
        return 1.0
    # A wire that forks runs at the height of its end, any other at that of its start: so should its lanes.
    return FIRM if from_lane == forks else LOOSE


def _place(layer: Sequence[int], offsets: Sequence[int], pulls: Sequence[Pulls], tops: list[float]) -> None:
    """Moves the nodes of a layer to where their neighbours are, as far as their order and gaps allow."""
    if len(layer) == 1:
        tops[layer[0]] = _target(layer[0], pulls, tops)[0]
        return
    wanted = [_target(node, pulls, tops) for node in layer]
    starts = _isotonic([top - step for (top, _), step in zip(wanted, offsets, strict=True)], [w for _, w in wanted])
    for node, start, step in zip(layer, starts, offsets, strict=True):
        tops[node] = start + step


def _target(node: int, pulls: Sequence[Pulls], tops: Sequence[float]) -> tuple[float, float]:
    """Where the neighbours of a node want it, and how much: the median, so that one wire will be straight."""
    ends = sorted((tops[other], weight) for side in pulls for other, weight in side[node])
    return (_median(ends), sum(weight for _, weight in ends)) if ends else (tops[node], 0.001)


def _median(ends: Sequence[tuple[float, float]]) -> float:
    """The weighted median of sorted numbers with weights, the lower of two."""
    half = sum(weight for _, weight in ends) / 2 - 1e-9
    passed = itertools.accumulate(weight for _, weight in ends)
    return next(number for (number, _), weight in zip(ends, passed, strict=True) if weight >= half)


def _isotonic(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The non-decreasing numbers next to the wanted ones (pool adjacent violators).

    A pool takes the median of what its members want: one of them gets it exactly, where a mean would bend all wires.
    """
    pools: list[tuple[float, list[tuple[float, float]]]] = []
    for value, weight in zip(wanted, weights, strict=True):
        number, members = value, [(value, weight)]
        while pools and pools[-1][0] > number:
            members = list(merge(pools.pop()[1], members))
            number = _median(members)
        pools.append((number, members))
    return [number for number, members in pools for _ in members]
