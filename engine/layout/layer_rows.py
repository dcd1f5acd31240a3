"""Vertical coordinates of nodes in ordered layers: wires run straight where possible, long ones first.

Source: medians and straightening as in Gansner, Koutsofios, North and Vo, A Technique for Drawing Directed Graphs
(1993). Cost: O(V log V + E log E) a sweep; `WORK` bounds the number of sweeps.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush, heapreplace

from gradwire.engine.layout.layers import Layers

ROW_SWEEPS, STRAIGHTENINGS = 40, 8
WORK = 120_000
# Cost of a bend, as an equivalent vertical distance. Units: px.
KINK = 60.0
# Nodes joined by straight wires move together, up to this many.
TOGETHER = 240
# A node with more wires than this keeps the median position of its neighbours; straightening one of its wires does not
# justify a look at all of them.
HUB = 400

Pull = list[tuple[int, float, float]]


def rows(part: Layers) -> list[int]:
    """Returns the top of each node; nodes of one group stand level. Units: whole px."""
    return _Rows(part).find()


class _Rows:
    """Neighbours of each node in `left` and `right`, with the wanted offset from their tops and the weight.

    `shifts` maps two neighbours to the offset between their tops at which their wire is straight.
    """

    def __init__(self, part: Layers) -> None:
        self.part = part
        count = len(part.rank)
        self.left: list[Pull] = [[] for _ in range(count)]
        self.right: list[Pull] = [[] for _ in range(count)]
        self.shifts: dict[tuple[int, int], float] = {}
        for source, target, leaves, enters, weight in part.edges:
            self.left[target].append((source, leaves - enters, weight))
            self.right[source].append((target, enters - leaves, weight))
            self.shifts.setdefault((source, target), enters - leaves)
        # Whole steps: rounding at the end then preserves every gap.
        self.steps = [[float(step) for step in _steps(part, layer)] for layer in part.layers]
        self.tops = [0.0] * count
        for layer, steps in zip(part.layers, self.steps, strict=True):
            for node, step in zip(layer, steps, strict=True):
                self.tops[node] = step - steps[-1] / 2

    def find(self) -> list[int]:
        part = self.part
        sweeps = min(ROW_SWEEPS, max(4, WORK // (len(part.rank) + 1)))
        for number in range(sweeps):
            before = list(self.tops)
            sides = (self.left, self.right) if number > 1 else ((self.left, self.right)[number % 2],)
            order = range(len(part.layers)) if number % 2 == 0 else range(len(part.layers) - 1, -1, -1)
            for index in order:
                self._place(index, sides)
            if self.tops == before and number > 1:
                break
        self._close_stripes()
        self._level_groups()
        for _ in range(min(STRAIGHTENINGS, max(1, WORK // (4 * len(part.rank) + 1)))):
            if not self._straighten():
                break
        self._close_stripes()
        lowest = math.floor(min(self.tops, default=0.0) + 0.5)
        return [math.floor(top + 0.5) - lowest for top in self.tops]

    def _place(self, index: int, sides: Sequence[list[Pull]]) -> None:
        """Moves the nodes of a layer towards their neighbours, as far as order and gaps allow."""
        layer, tops = self.part.layers[index], self.tops
        wanted = [_target(node, sides, tops) for node in layer]
        if len(layer) < 2:
            for node, (top, _) in zip(layer, wanted, strict=True):
                tops[node] = top
            return
        steps = self.steps[index]
        starts = [top - step for (top, _), step in zip(wanted, steps, strict=True)]
        if any(above > below for above, below in itertools.pairwise(starts)):
            starts = isotonic(starts, [weight for _, weight in wanted])
        for node, start, step in zip(layer, starts, steps, strict=True):
            tops[node] = start + step

    def _close_stripes(self) -> None:
        """Closes empty stripes across all layers: sweeps may drive parts asunder that few wires join.

        No wire becomes longer by it, and none crooked. Whole px: rounding at the end then preserves every gap.
        """
        part, tops = self.part, self.tops
        room = 2 * max(part.margins, default=0.0)
        order = sorted(range(len(tops)), key=tops.__getitem__)
        closed, bottom = 0.0, min(tops, default=0.0)
        for node in order:
            top = tops[node]
            closed += max(math.floor(top - bottom - room), 0)
            bottom = max(bottom, top + math.ceil(part.heights[node]))
            tops[node] = top - closed

    # Groups

    def _level_groups(self) -> None:
        """Aligns all nodes of a group, and moves down the nodes that are then in the way."""
        part = self.part
        members: dict[int, list[int]] = {}
        for node, group in enumerate(part.group):
            members.setdefault(group if group >= 0 else -1 - node, []).append(node)
        if len(members) == len(part.rank):
            return
        key = {node: name for name, nodes in members.items() for node in nodes}
        wanted = {name: sorted(self.tops[node] for node in nodes)[len(nodes) // 2] for name, nodes in members.items()}
        below: dict[int, list[tuple[int, float]]] = {name: [] for name in members}
        waiting = dict.fromkeys(members, 0)
        for layer, steps in zip(part.layers, self.steps, strict=True):
            for at in range(len(layer) - 1):
                below[key[layer[at]]].append((key[layer[at + 1]], steps[at + 1] - steps[at]))
                waiting[key[layer[at + 1]]] += 1
        free = [name for name, count in waiting.items() if not count]
        for name in free:
            for other, gap in below[name]:
                wanted[other] = max(wanted[other], wanted[name] + gap)
                waiting[other] -= 1
                if not waiting[other]:
                    free.append(other)
        for name, nodes in members.items():
            for node in nodes:
                self.tops[node] = wanted[name]

    # Straight wires

    def _straighten(self) -> bool:
        """Straightens single wires by moving everything that straight wires join, if the total cost falls."""
        moved = False
        for edge in sorted(self._bent(), key=lambda bent: (-bent[3], abs(bent[2]))):
            source, target, *_ = edge
            bend = self._bend(source, target)
            if bend and not self._shift(target, source, -bend):
                moved = self._shift(source, target, bend) or moved
            elif bend:
                moved = True
        return moved

    def _bent(self) -> Iterator[tuple[int, int, float, float]]:
        for source, target, leaves, enters, weight in self.part.edges:
            bend = self.tops[target] + enters - self.tops[source] - leaves
            if abs(bend) > 0.01:
                yield source, target, bend, weight

    def _bend(self, source: int, target: int) -> float:
        """Returns how much lower a wire ends than it starts, 0 for a straight one."""
        bend = self.tops[target] - self.tops[source] - self.shifts[source, target]
        return bend if abs(bend) > 0.01 else 0.0

    def _shift(self, node: int, fixed: int, way: float) -> bool:
        """Moves a node and all that straight wires join to it, if there is room and the cost falls.

        `fixed` stays; a node joined to it does not move.
        """
        together = self._joined(node, fixed)
        if together is None or not self._pays(together, way) or not self._has_room(together, way):
            return False
        for member in together:
            self.tops[member] += way
        return True

    def _joined(self, node: int, fixed: int) -> set[int] | None:
        tops = self.tops
        together, order = {node}, [node]
        for member in order:
            if len(self.left[member]) + len(self.right[member]) > HUB:
                return None
            top = tops[member]
            for side in (self.left, self.right):
                for other, shift, _ in side[member]:
                    if other not in together and abs(top - tops[other] - shift) < 0.01:
                        if other == fixed or len(order) == TOGETHER:
                            return None
                        together.add(other)
                        order.append(other)
        return together

    def _pays(self, together: set[int], way: float) -> bool:
        cost = 0.0
        for member in together:
            top = self.tops[member]
            for side in (self.left, self.right):
                for other, shift, weight in side[member]:
                    if other not in together:
                        before = abs(top - self.tops[other] - shift)
                        after = abs(top + way - self.tops[other] - shift)
                        cost += weight * (after - before + KINK * ((after > 0.01) - (before > 0.01)))
        return cost < -1e-6

    def _has_room(self, together: set[int], way: float) -> bool:
        part, step = self.part, 1 if way > 0 else -1
        for member in together:
            layer, steps = part.layers[part.rank[member]], self.steps[part.rank[member]]
            at = part.spot[member] + step
            if 0 <= at < len(layer) and layer[at] not in together:
                gap = abs(steps[at] - steps[at - step])
                if (self.tops[layer[at]] - self.tops[member] - way) * step < gap - 1e-6:
                    return False
        return True


def _steps(part: Layers, layer: Sequence[int]) -> list[int]:
    """Returns the offset of each node from the first of its layer when nodes are packed with minimal gaps."""
    steps = [0] if layer else []
    for upper, lower in itertools.pairwise(layer):
        steps.append(steps[-1] + math.ceil(part.heights[upper] + part.margins[upper] + part.margins[lower]))
    return steps


def _target(node: int, sides: Sequence[list[Pull]], tops: Sequence[float]) -> tuple[float, float]:
    """Returns a node's wanted top and its weight: the median over its neighbours, so that one wire becomes straight."""
    ends = [(tops[other] + shift, weight) for side in sides for other, shift, weight in side[node]]
    if len(ends) == 1:
        return ends[0]
    if not ends:
        return tops[node], 0.001
    if len(ends) == 2:
        (one, own), (other, its) = ends
        return one if own > its or (own == its and one <= other) else other, own + its
    ends.sort()
    return median(ends), sum(weight for _, weight in ends)


def median(ends: Sequence[tuple[float, float]]) -> float:
    """Returns the weighted median of sorted numbers with weights, the lower of two."""
    half = sum(weight for _, weight in ends) / 2 - 1e-9
    passed = itertools.accumulate(weight for _, weight in ends)
    return next(number for (number, _), weight in zip(ends, passed, strict=True) if weight >= half)


def isotonic(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Returns the non-decreasing numbers with the least weighted distance from the wanted ones (isotonic regression).

    Each result is one of the wanted numbers. `slopes` holds the places at which the last number's cost changes its
    slope, and by how much, up to its minimum.
    Source: Rote, Isotonic Regression by Dynamic Programming (2019). Cost: O(n log n).
    """
    slopes: list[tuple[float, float]] = []
    found = []
    for value, weight in zip(wanted, weights, strict=True):
        heappush(slopes, (-value, 2 * weight))
        while weight > 0:
            place, change = slopes[0]
            if change > weight:
                heapreplace(slopes, (place, change - weight))
            else:
                heappop(slopes)
            weight -= change
        found.append(-slopes[0][0])
    for index in range(len(found) - 2, -1, -1):
        found[index] = min(found[index], found[index + 1])
    return found
