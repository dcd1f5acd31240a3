"""Rows of layers: gaps hold, and no wire that is bent could be straightened at less cost."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from gradwire.engine.layout.layer_rows import KINK, isotonic, median, rows
from gradwire.engine.layout.layers import Edge, Layers


def drawn(seed: int) -> Layers:
    """Returns some layers of blocks of different heights, with wires of several weights between neighbours."""
    choose = random.Random(seed)
    part = Layers()
    layers = [
        [part.add(rank, choose.choice((40.0, 64.0, 112.0)), choose.choice((16.0, 24.0))) for _ in range(count)]
        for rank, count in enumerate(choose.choices((1, 2, 3, 4), k=choose.randint(2, 5)))
    ]
    for upper, lower in itertools.pairwise(layers):
        pairs = [(a, b) for a in upper for b in lower]
        part.edges += [
            Edge(a, b, choose.choice((10.0, 20.0, 30.0)), choose.choice((10.0, 24.0)), choose.choice((1.0, 2.0, 8.0)))
            for a, b in choose.sample(pairs, min(len(pairs), choose.randint(1, 4)))
        ]
    part.put(layers)
    return part


def bend(edge: Edge, tops: Sequence[float]) -> float:
    return tops[edge.target] + edge.enters - tops[edge.source] - edge.leaves


def cost(part: Layers, tops: Sequence[float]) -> float:
    return sum(edge.weight * (abs(bend(edge, tops)) + KINK * (abs(bend(edge, tops)) > 0.01)) for edge in part.edges)


def keeps_gaps(part: Layers, tops: Sequence[float]) -> bool:
    return all(
        tops[lower] - tops[upper] >= math.ceil(part.heights[upper] + part.margins[upper] + part.margins[lower])
        for layer in part.layers
        for upper, lower in itertools.pairwise(layer)
    )


def joined(part: Layers, tops: Sequence[float], node: int) -> set[int]:
    """Returns a node and all that straight wires join to it."""
    found, before = {node}, set[int]()
    while found != before:
        before = set(found)
        for edge in part.edges:
            if abs(bend(edge, tops)) < 0.01 and {edge.source, edge.target} & found:
                found |= {edge.source, edge.target}
    return found


@pytest.mark.parametrize("seed", range(20))
def test_no_bent_wire_could_be_straight_at_less_cost(seed: int) -> None:
    part = drawn(seed)
    tops = rows(part)
    assert min(tops) == 0 and keeps_gaps(part, tops)
    for edge in part.edges:
        way = bend(edge, tops)
        for node, fixed, step in ((edge.source, edge.target, way), (edge.target, edge.source, -way)):
            together = joined(part, tops, node)
            if fixed in together:
                continue
            moved = [top + step * (at in together) for at, top in enumerate(tops)]
            assert not keeps_gaps(part, moved) or cost(part, moved) > cost(part, tops) - 1, (edge, node)


@pytest.mark.parametrize("seed", range(30))
def test_isotonic_numbers_cost_the_least(seed: int) -> None:
    """Some best numbers are among the wanted ones, so all of these can be tried."""
    choose = random.Random(seed)
    wanted = [float(choose.randint(0, 6)) for _ in range(choose.randint(1, 5))]
    weights = [choose.choice((0.5, 1.0, 2.0, 7.0)) for _ in wanted]
    found = isotonic(wanted, weights)
    assert found == sorted(found) and set(found) <= set(wanted)

    def away(numbers: Sequence[float]) -> float:
        return sum(weight * abs(a - b) for weight, a, b in zip(weights, numbers, wanted, strict=True))

    orders = itertools.combinations_with_replacement(sorted(set(wanted)), len(wanted))
    assert away(found) == pytest.approx(min(map(away, orders)))


@pytest.mark.parametrize(
    ("ends", "middle"),
    [([(3.0, 1.0)], 3), ([(1.0, 1.0), (2.0, 1.5)], 2), ([(1.0, 1.5), (2.0, 1.0)], 1),
     ([(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0)], 2), ([(1.0, 1.0), (2.0, 1.0), (3.0, 2.1)], 3),
     ([(1.0, 1.0), (2.0, 1.0), (3.0, 2.0)], 2), ([(1.0, 0.1), (2.0, 0.2), (3.0, 0.3)], 2)],
)  # fmt: skip
def test_a_median_has_half_of_the_weight_up_to_it(ends: list[tuple[float, float]], middle: float) -> None:
    assert median(ends) == middle


def two_parts(gap: float) -> Layers:
    """Returns two pairs that no wire joins, with a long wire that holds the second pair down."""
    part = Layers()
    a, b = part.add(0, 40.0, 16.0), part.add(0, 40.0, 16.0)
    c, d = part.add(1, 40.0, 16.0), part.add(1, 40.0, 16.0)
    part.edges = [Edge(a, c, 10.0, 10.0), Edge(b, d, 10.0 + gap, 10.0)]
    part.put([[a, b], [c, d]])
    return part


@pytest.mark.parametrize("gap", [0.0, 24.0])
def test_wires_of_two_rows_are_straight_and_the_rows_near(gap: float) -> None:
    tops = rows(two_parts(gap))
    assert tops[2] - tops[0] == 0 and tops[3] - tops[1] == gap
    assert tops[1] - tops[0] == 72
