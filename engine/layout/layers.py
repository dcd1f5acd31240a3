"""Layer assignment of nodes, left to right, with lanes where wires pass through layers.

This is the first step of Sugiyama, Tagawa and Toda (1981); `layer_order` and `layer_rows` are the others. Counts, never
a clock, bound the loops, and nothing is random: equal inputs give equal layouts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# Nodes that hang on one node alone move with it to shorten wires, up to this many.
HANGING = 60


class Edge(NamedTuple):
    """Wire, or its part between two neighbouring layers.

    `leaves` and `enters` are the offsets of its ends below the tops of its nodes, in px; `weight` is its priority for
    being straight.
    """

    source: int
    target: int
    leaves: float = 0.0
    enters: float = 0.0
    weight: float = 1.0


@dataclass
class Layers:
    """Nodes in layers; `edges` join neighbouring layers, and nodes of one `group` stay level.

    `heights` and `margins` are those of the nodes, in px; `group` is -1 for a node alone. `layers` lists the nodes of
    each layer from top to bottom, `spot` is each node's index there.
    """

    rank: list[int] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    layers: list[list[int]] = field(default_factory=list)
    spot: list[int] = field(default_factory=list)

    def add(self, rank: int, height: float, margin: float, group: int = -1) -> int:
        """Adds a node and returns its number."""
        self.rank.append(rank)
        self.heights.append(height)
        self.margins.append(margin)
        self.group.append(group)
        return len(self.rank) - 1

    def put(self, layers: Sequence[Sequence[int]]) -> None:
        """Sets the order of every layer."""
        self.layers = [list(layer) for layer in layers]
        self.spot = [0] * len(self.rank)
        for layer in self.layers:
            for spot, node in enumerate(layer):
                self.spot[node] = spot


Neighbours = list[list[int]]


def neighbours(count: int, ends: Iterable[tuple[int, int]]) -> tuple[Neighbours, Neighbours]:
    """Returns the predecessors and the successors of each node, from the ends of edges."""
    before: Neighbours = [[] for _ in range(count)]
    after: Neighbours = [[] for _ in range(count)]
    for source, target in ends:
        before[target].append(source)
        after[source].append(target)
    return before, after


def joined_parts(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Returns the connected components of an undirected graph (union-find), by their first nodes.

    Source: path halving (Tarjan and van Leeuwen, Worst-Case Analysis of Set Union Algorithms, 1984). Cost:
    O((nodes + pairs) log nodes).
    """
    parent = list(range(count))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one, other in pairs:
        a, b = root(one), root(other)
        parent[max(a, b)] = min(a, b)
    parts: dict[int, list[int]] = {}
    for node in range(count):
        parts.setdefault(root(node), []).append(node)
    return list(parts.values())


def forward(count: int, ends: Sequence[tuple[int, int]]) -> Iterator[bool]:
    """Returns for each edge whether it points forward; a depth-first search finds the others, which close cycles.

    Source: Tarjan, Depth-First Search and Linear Graph Algorithms (1972). Cost: O(nodes + edges).
    """
    _, after = neighbours(count, ends)
    state = [0] * count  # 1 while the search is below the node, 2 when it has left it.
    backward: set[tuple[int, int]] = set()
    for start in range(count):
        pending = [start]
        while pending:
            node = pending[-1]
            if state[node] == 0:
                state[node] = 1
                backward.update((node, other) for other in after[node] if state[other] == 1)
                pending.extend(other for other in after[node] if state[other] == 0)
            else:
                state[node] = 2
                pending.pop()
    return (pair not in backward for pair in ends)


def topological(before: Neighbours, after: Neighbours) -> list[int]:
    """Returns the nodes in topological order, without those on or behind cycles.

    Source: Kahn, Topological Sorting of Large Networks (1962). Cost: O(nodes + edges).
    """
    waiting = [len(arriving) for arriving in before]
    order = [node for node, count in enumerate(waiting) if not count]
    for node in order:
        for other in after[node]:
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    return order


def ranked(count: int, ends: Sequence[tuple[int, int]], framed: Sequence[Sequence[int]] = ()) -> list[int]:
    """Returns the layer of each node: longest-path layering, then moves to the right that shorten wires.

    The nodes of each of the `framed` sets stay together: none moves right beyond the set's last necessary layer. The
    edges must be acyclic. Parts that only a set joins begin in the same layer as the set.
    Cost: O(nodes + edges) for the layering; each move looks at no more than `HANGING` nodes and their edges.
    """
    before, after = neighbours(count, ends)
    order = topological(before, after)
    rank = [0] * count
    for node in order:
        rank[node] = max((rank[other] + 1 for other in before[node]), default=0)
    _shift_parts(rank, ends, framed)
    limit = [max(rank, default=0)] * count
    for nodes in framed:
        last = max(rank[node] for node in nodes)
        for node in nodes:
            limit[node] = min(limit[node], last)
    for node in reversed(order):
        _pull_right(node, rank, limit, before, after)
    lowest = min(rank, default=0)
    return [layer - lowest for layer in rank]


def _shift_parts(rank: list[int], ends: Sequence[tuple[int, int]], framed: Sequence[Sequence[int]]) -> None:
    """Moves parts that only a set joins so that each begins where the set begins."""
    if not framed:
        return
    parts = joined_parts(len(rank), ends)
    part_of = {node: index for index, nodes in enumerate(parts) for node in nodes}
    done: set[int] = set()
    for nodes in sorted(framed, key=len, reverse=True):
        inside: dict[int, int] = {}
        for node in nodes:
            part = part_of[node]
            inside[part] = min(inside.get(part, rank[node]), rank[node])
        fixed = [low for part, low in inside.items() if part in done]
        start = min(fixed, default=max(inside.values()))
        for part, low in inside.items():
            if part not in done:
                for node in parts[part]:
                    rank[node] += start - low
        done.update(inside)


def _pull_right(node: int, rank: list[int], limit: Sequence[int], before: Neighbours, after: Neighbours) -> None:
    """Moves a node towards its first user, together with the nodes that only it needs, if that shortens the wires."""
    room = min(min((rank[other] for other in after[node]), default=0) - 1, limit[node]) - rank[node]
    if room <= 0:
        return
    hanging, order = {node}, [node]
    for member in order:
        for other in before[member]:
            if other not in hanging and hanging.issuperset(after[other]) and len(order) < HANGING:
                hanging.add(other)
                order.append(other)
    longer = sum(other not in hanging for member in order for other in before[member])
    if len(after[node]) > longer:
        for member in order:
            # A frame may hold one of them back, which only leaves its wire longer.
            rank[member] += max(min(room, limit[member] - rank[member]), 0)


def lanes(layers: Layers, edge: Edge, weights: tuple[float, float, float], margin: float) -> None:
    """Adds a wire as edges between neighbouring layers, with a dummy node (lane) in every layer that it passes.

    `weights` are those of its first, its middle and its last part; a wire without lanes has its own.
    """
    first, last = layers.rank[edge.source], layers.rank[edge.target]
    if last == first + 1:
        layers.edges.append(edge)
        return
    nodes = [edge.source, *(layers.add(rank, 0.0, margin) for rank in range(first + 1, last)), edge.target]
    for index, (source, target) in enumerate(itertools.pairwise(nodes)):
        is_first, is_last = index == 0, target == edge.target
        weight = weights[0] if is_first else weights[2] if is_last else weights[1]
        ends = edge.leaves if is_first else 0.0, edge.enters if is_last else 0.0
        layers.edges.append(Edge(source, target, *ends, weight))
