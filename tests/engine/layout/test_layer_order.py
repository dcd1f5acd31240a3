"""Orders of layers beside all orders that there are: none has fewer crossings."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from gradwire.engine.layout.layer_order import LONG, LONG_COST, count_crossings, order_layers
from gradwire.engine.layout.layers import Edge, Layers


def layers_of(seed: int, weights: Sequence[float]) -> Layers:
    """Returns two to four layers of one to three nodes, with some edges from each layer to the next."""
    choose = random.Random(seed)
    found = Layers()
    rows = [[found.add(rank, 60.0, 24.0) for _ in range(choose.randint(1, 3))] for rank in range(choose.randint(2, 4))]
    for upper, lower in itertools.pairwise(rows):
        pairs = [(a, b) for a in upper for b in lower]
        choose.shuffle(pairs)
        found.edges += [
            Edge(a, b, 30.0, 30.0, choose.choice(weights)) for a, b in pairs[: choose.randint(1, len(pairs))]
        ]
    return found


def crossings(edges: Sequence[Edge], layers: Sequence[Sequence[int]]) -> int:
    """Returns the number of pairs of edges between the same layers that end in another order than they begin."""
    spot = {node: place for row in layers for place, node in enumerate(row)}
    rank = {node: number for number, row in enumerate(layers) for node in row}
    return sum(
        (spot[a.source] - spot[b.source]) * (spot[a.target] - spot[b.target]) < 0
        for a, b in itertools.combinations(edges, 2)
        if rank[a.source] == rank[b.source]
    )


@pytest.mark.parametrize("weights", [(1.0,), (1.0, LONG, LONG + 1)], ids=["short", "long"])
@pytest.mark.parametrize("seed", range(40))
def test_no_order_costs_less(seed: int, weights: Sequence[float]) -> None:
    part = layers_of(seed, weights)
    assert order_layers(part) == count_crossings(part) == crossings(part.edges, part.layers)

    def cost(layers: Sequence[Sequence[int]]) -> int:
        long = [edge for edge in part.edges if edge.weight >= LONG]
        return crossings(part.edges, layers) + LONG_COST * crossings(long, layers)

    orders = itertools.product(*[list(itertools.permutations(row)) for row in part.layers])
    best = min(map(cost, orders))
    assert cost(part.layers) == best
    assert [part.spot[node] for row in part.layers for node in row] == [
        at for row in part.layers for at in range(len(row))
    ]


@pytest.mark.parametrize("seed", range(30))
def test_groups_lie_in_the_same_order_in_every_layer(seed: int) -> None:
    choose = random.Random(seed)
    part = Layers()
    rows = [[part.add(rank, 60.0, 24.0, group) for group in (0, 1, 2, -1)] for rank in range(3)]
    for upper, lower in itertools.pairwise(rows):
        ends = choose.sample([(a, b) for a in upper for b in lower], 6)
        part.edges += [Edge(a, b, 30.0, 30.0) for a, b in ends]
    order_layers(part)
    orders = {tuple(part.group[node] for node in row if part.group[node] >= 0) for row in part.layers}
    assert len(orders) == 1 and [sorted(row) for row in part.layers] == rows
