"""Crossing reduction: orders nodes within layers by barycentre and median sweeps, then by sifting.

Source: Sugiyama, Tagawa and Toda (1981) for means, Eades and Wormald, Edge Crossings in Drawings of Bipartite Graphs
(1994) for medians, and Matuszewski, Schönfeld and Molitor, Using Sifting for k-Layer Straightline Crossing Minimization
(1999). Cost: O(V log V + E log E) a sweep; `WORK` bounds the number of sweeps and searches.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from random import Random

from gradwire.engine.layout.layers import Edge, Layers

SEARCHES, SWEEPS, PATIENCE, SIFT_ROUNDS, SIFT_REACH, SIFT_PAIRS = 40, 24, 4, 8, 24, 400
WORK = 400_000

# Edges of at least this weight belong to wires that should be straight.
LONG, LONG_COST = 8.0, 4

Ends = list[list[tuple[int, float, bool]]]


def order_layers(part: Layers) -> int:
    """Orders every layer so that few edges cross, and returns the number of crossings.

    Groups never cross each other.
    """
    return _Order(part).find()


def count_crossings(part: Layers) -> int:
    """Returns the number of crossing pairs of edges; edges that meet at a port do not cross.

    Source: crossings are inversions; Barth, Jünger and Mutzel, Simple and Efficient Bilayer Cross Counting (2002).
    Cost: O(E log E) comparisons.
    """
    return _crossings(part, part.edges)


def _cost(part: Layers) -> int:
    """Returns the number of crossings, weighted: crossings of two long wires count several times."""
    crossings = count_crossings(part)
    return crossings + LONG_COST * _crossings(part, [edge for edge in part.edges if edge.weight >= LONG])


def _crossings(part: Layers, edges: Iterable[Edge]) -> int:
    ends: list[list[tuple[tuple[int, float], tuple[int, float]]]] = [[] for _ in part.layers]
    spot, rank = part.spot, part.rank
    for source, target, leaves, enters, _ in edges:
        ends[rank[source]].append(((spot[source], leaves), (spot[target], enters)))
    total = 0
    for pairs in ends:
        if len(pairs) > 1:
            pairs.sort()
            seen: list[tuple[int, float]] = []
            for _, end in pairs:
                total += len(seen) - bisect_right(seen, end)
                insort(seen, end)
    return total


class _Order:
    """One search.

    `before` and `after` hold the neighbours of each node and their relative port height, from 0 to 1.
    """

    def __init__(self, part: Layers) -> None:
        self.part = part
        count = len(part.rank)
        self.before: Ends = [[] for _ in range(count)]
        self.after: Ends = [[] for _ in range(count)]
        own: list[list[tuple[float, int, int]]] = [[] for _ in range(count)]
        for number, (source, target, leaves, enters, weight) in enumerate(part.edges):
            is_long = weight >= LONG
            self.before[target].append((source, leaves / (part.heights[source] + 1), is_long))
            self.after[source].append((target, enters / (part.heights[target] + 1), is_long))
            own[target].append((enters, number, source))
            own[source].append((leaves, number, target))
        # For the depth-first walks: the neighbours of each node from its top port to its bottom port.
        self.inward = [[other for *_, other in sorted(ends) if part.rank[other] < part.rank[node]]
                       for node, ends in enumerate(own)]  # fmt: skip
        self.outward = [[other for *_, other in sorted(ends) if part.rank[other] > part.rank[node]]
                        for node, ends in enumerate(own)]  # fmt: skip
        self.groups: dict[int, list[int]] = {}
        for node, group in enumerate(part.group):
            if group >= 0:
                self.groups.setdefault(group, []).append(node)

    def find(self) -> int:
        """Returns the crossings of the best of several searches; small parts get more searches."""
        part = self.part
        size = len(part.rank) + len(part.edges) + 1
        searches = min(SEARCHES, max(2, WORK // (size * SWEEPS)))
        best: list[list[int]] = []
        fewest = -1
        for number in range(searches):
            self._start(number, best)
            crossings = self._search(min(SWEEPS, max(2, WORK // (4 * size))))
            if fewest < 0 or crossings < fewest:
                best, fewest = [list(layer) for layer in part.layers], crossings
            if not fewest:
                break
        part.put(best)
        if fewest:
            self._sift(min(SIFT_REACH, max(1, WORK // (4 * size))))
        return count_crossings(part)

    def _start(self, number: int, best: Sequence[Sequence[int]]) -> None:
        """Starts with a depth-first order, later with a perturbation of the best order."""
        part = self.part
        if number < 4:
            part.put(self._walked(backward=number % 2 == 0, from_top=number < 2))
        else:
            chance = Random(number)
            reach = 1.0 + number % 3 * 2
            part.put([
                [node for _, node in sorted((at + reach * chance.random(), node) for at, node in enumerate(layer))]
                for layer in best
            ])  # fmt: skip
        self._part_groups()

    def _search(self, rounds: int) -> int:
        """Sweeps while that helps, then sifts; returns the crossings of the order found."""
        part = self.part
        best: list[list[int]] = []
        fewest, since = -1, 0
        for number in range(rounds + 1):
            crossings = _cost(part)
            since += 1
            if fewest < 0 or crossings < fewest:
                best, fewest, since = [list(layer) for layer in part.layers], crossings, 0
            if not fewest or since > PATIENCE or number == rounds:
                break
            self._sweep(number % 2 == 0, by_median=number % 4 > 1)
        part.put(best)
        if not fewest:
            return 0
        self._sift(reach=1)
        return _cost(part)

    def _walked(self, backward: bool, from_top: bool) -> list[list[int]]:
        """Returns the layers in depth-first order, backwards from the last nodes or forwards from the first ones."""
        part = self.part
        layers: list[list[int]] = [[] for _ in range(max((rank + 1 for rank in part.rank), default=0))]
        entering, leaving = (self.outward, self.inward) if backward else (self.inward, self.outward)
        seen = bytearray(len(part.rank))
        pending = [node for node in range(len(part.rank)) if not entering[node]]
        if from_top:
            pending.reverse()
        while pending:
            node = pending.pop()
            if not seen[node]:
                seen[node] = 1
                layers[part.rank[node]].append(node)
                pending.extend(reversed(leaving[node]) if from_top else leaving[node])
        return layers

    def _sweep(self, is_down: bool, by_median: bool) -> None:
        """Orders each layer by the mean or median position of its neighbours in the previous layer."""
        part, spot = self.part, self.part.spot
        near = self.before if is_down else self.after
        layers = part.layers if is_down else reversed(part.layers)
        for layer in layers:
            if len(layer) < 2:
                continue
            keys: list[tuple[float, int, int]] = []
            for at, node in enumerate(layer):
                ends = near[node]
                if len(ends) == 1:
                    keys.append((spot[ends[0][0]] + ends[0][1], at, node))
                elif ends:
                    places = [spot[other] + share for other, share, _ in ends]
                    key = sorted(places)[(len(places) - 1) // 2] if by_median else sum(places) / len(places)
                    keys.append((key, at, node))
            keys.sort()
            if len(keys) < len(layer):
                # A node without wires on that side keeps its position.
                moving = iter(keys)
                layer[:] = [next(moving)[2] if near[node] else node for node in layer]
            else:
                layer[:] = [key[2] for key in keys]
            for at, node in enumerate(layer):
                spot[node] = at
        self._part_groups()

    def _part_groups(self) -> None:
        """Gives the groups the same order in all layers; only their nodes swap positions."""
        if len(self.groups) < 2:
            return
        part = self.part

        def height(group: int) -> tuple[float, int]:
            nodes = self.groups[group]
            places = [(part.spot[node] + 0.5) / len(part.layers[part.rank[node]]) for node in nodes]
            return sum(places) / len(places), group

        order = {group: place for place, group in enumerate(sorted(self.groups, key=height))}
        for layer in part.layers:
            spots = [spot for spot, node in enumerate(layer) if part.group[node] >= 0]
            nodes = sorted((layer[spot] for spot in spots), key=lambda node: order[part.group[node]])
            for spot, node in zip(spots, nodes, strict=True):
                layer[spot], part.spot[node] = node, spot

    def _sift(self, reach: int) -> None:
        """Moves single nodes to their positions with the fewest crossings, until no move helps."""
        part = self.part
        waiting = set(range(len(part.layers)))
        for _ in range(SIFT_ROUNDS):
            changed = set()
            for index in sorted(waiting):
                moved = [self._sift_node(node, reach) for node in list(part.layers[index])]
                if any(moved):
                    changed |= {index - 1, index, index + 1}
            waiting = changed & set(range(len(part.layers)))
            if not waiting:
                return

    def _sift_node(self, node: int, reach: int) -> bool:
        """Moves one node to its best position; returns whether it moved."""
        part = self.part
        layer, start = part.layers[part.rank[node]], part.spot[node]
        best, most = start, 0
        for step in (-1, 1):
            gain, at = 0, start + step
            while 0 <= at < len(layer) and abs(at - start) <= reach:
                other = layer[at]
                if part.group[node] >= 0 and part.group[other] >= 0:
                    break
                gain += self._gain(other, node) if step < 0 else self._gain(node, other)
                if gain > most:
                    best, most = at, gain
                at += step
        if most:
            layer.insert(best, layer.pop(start))
            for at in range(min(start, best), max(start, best) + 1):
                part.spot[layer[at]] = at
        return most > 0

    def _gain(self, upper: int, lower: int) -> int:
        """Returns how many crossings swapping two neighbouring nodes saves."""
        return self._saved(self.before[upper], self.before[lower]) + self._saved(self.after[upper], self.after[lower])

    def _saved(self, above: Sequence[tuple[int, float, bool]], below: Sequence[tuple[int, float, bool]]) -> int:
        if len(above) * len(below) > SIFT_PAIRS:
            return 0
        spot = self.part.spot
        others = [(spot[node] + share, is_long) for node, share, is_long in below]
        gain = 0
        for node, share, is_long in above:
            place = spot[node] + share
            for other, is_other_long in others:
                if place != other:
                    cost = 1 + LONG_COST if is_long and is_other_long else 1
                    gain += cost if place > other else -cost
        return gain
