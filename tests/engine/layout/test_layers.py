"""Layers of nodes, their components, cycles and lanes, beside their definitions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.layout import layers as layers_module
from gradwire.engine.layout.layer_order import count_crossings, order_layers
from gradwire.engine.layout.layer_rows import median, rows
from gradwire.engine.layout.layers import Edge, Layers, forward, joined_parts, lanes, neighbours, ranked, topological

COUNT = 7
Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)), max_size=12)
acyclic = pairs.map(lambda ends: [(min(end), max(end)) for end in ends if end[0] != end[1]])


@given(pairs)
def test_components_are_what_a_walk_over_edges_reaches(ends: Pairs) -> None:
    found = joined_parts(COUNT, ends)
    assert sorted(node for part in found for node in part) == list(range(COUNT))
    assert [part[0] for part in found] == sorted(min(part) for part in found)
    part_of = {node: place for place, part in enumerate(found) for node in part}
    assert all(part_of[a] == part_of[b] for a, b in ends)
    for part in found:
        reached = {part[0]}
        for _ in range(COUNT):
            reached |= {item for end in ends if reached & set(end) for item in end}
        assert sorted(reached) == part


@given(pairs)
def test_edges_that_close_cycles_are_found_and_the_others_have_none(ends: Pairs) -> None:
    flags = list(forward(COUNT, ends))
    kept = [pair for pair, is_forward in zip(ends, flags, strict=True) if is_forward]
    assert len(topological(*neighbours(COUNT, kept))) == COUNT
    # An acyclic graph keeps all.
    if all(a < b for a, b in ends):
        assert kept == ends
    turned = [(a, b) if is_forward else (b, a) for (a, b), is_forward in zip(ends, flags, strict=True) if a != b]
    assert len(topological(*neighbours(COUNT, turned))) == COUNT


@given(acyclic)
def test_topological_order_puts_nodes_behind_those_before_them(ends: Pairs) -> None:
    order = topological(*neighbours(COUNT, ends))
    assert sorted(order) == list(range(COUNT))
    assert all(order.index(a) < order.index(b) for a, b in ends)


def test_nodes_on_or_behind_a_cycle_have_no_order() -> None:
    assert topological(*neighbours(5, [(0, 1), (1, 2), (2, 1), (2, 3)])) == [0, 4]


def depth(node: int, ends: Pairs) -> int:
    return max((1 + depth(a, ends) for a, b in ends if b == node), default=0)


def length(rank: Sequence[int], ends: Pairs) -> int:
    return sum(rank[b] - rank[a] for a, b in ends)


@given(acyclic)
def test_layers_are_as_few_as_the_longest_path_and_wires_no_longer_than_from_the_left(ends: Pairs) -> None:
    found, left = ranked(COUNT, ends), [depth(node, ends) for node in range(COUNT)]
    assert all(found[a] < found[b] for a, b in ends)
    assert min(found) == 0 and max(found) <= max(left)
    assert length(found, ends) <= length(left, ends)
    # A node with wires to the right alone stands beside the first of its users.
    for node in range(COUNT):
        users = [b for a, b in ends if a == node]
        if users and not any(b == node for _, b in ends):
            assert found[node] == min(found[user] for user in users) - 1


def test_a_node_moves_with_what_only_it_needs() -> None:
    # The chain 0 1 2 is read by 6, behind 3 4 5 6; it moves as a whole.
    ends = [(0, 1), (1, 2), (2, 6), (3, 4), (4, 5), (5, 7), (7, 6)]
    assert ranked(8, ends) == [1, 2, 3, 0, 1, 2, 4, 3]
    # What another one reads from the beginning stays: it would make one wire longer for one that is shorter.
    ends = [(0, 1), (0, 2), (1, 3), (3, 4), (4, 5), (2, 5)]
    assert ranked(6, ends)[2] in (1, 3) and length(ranked(6, ends), ends) == 8


def test_what_two_moved_nodes_need_moves_once() -> None:
    # The diamond 0 1 2 3 is read by 9, behind a chain of five.
    ends = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 9), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9)]
    assert ranked(10, ends) == [2, 3, 3, 4, 0, 1, 2, 3, 4, 5]


def test_a_chain_longer_than_what_hangs_together_moves_only_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two chains of three and of five nodes; the shorter one has to move by two to stand before the user of both.
    ends = [(0, 1), (1, 2), (2, 8), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8)]
    assert ranked(9, ends) == [2, 3, 4, 0, 1, 2, 3, 4, 5]
    monkeypatch.setattr(layers_module, "HANGING", 3)
    assert ranked(9, ends) == [2, 3, 4, 0, 1, 2, 3, 4, 5]
    # With two the end of the chain would only make another of its wires longer.
    monkeypatch.setattr(layers_module, "HANGING", 2)
    assert ranked(9, ends) == [0, 1, 2, 0, 1, 2, 3, 4, 5]


def test_a_set_stays_together_and_parts_begin_with_it() -> None:
    # 0 is read by 3 alone, in layer 3; in one set with 4 it moves no further than the last of the set.
    ends = [(4, 1), (1, 2), (2, 3), (0, 3)]
    assert ranked(5, ends) == [2, 1, 2, 3, 0]
    assert ranked(5, ends, [[0, 4]])[0] == 0
    assert ranked(5, ends, [[0, 1]])[0] == 1
    # Two parts that only a set joins: the lone node 3 begins where the set begins in the other.
    assert ranked(4, [(0, 1), (1, 2)], [[2, 3]]) == [0, 1, 2, 2]
    assert ranked(4, [(0, 1), (1, 2)], [[1, 2, 3]]) == [0, 1, 2, 1]


def test_a_wire_has_a_lane_in_each_layer_that_it_passes() -> None:
    found = Layers()
    start, end = found.add(0, 60.0, 24.0), found.add(3, 80.0, 24.0)
    lanes(found, Edge(start, end, 30.0, 40.0, 0.5), (1.0, 8.0, 2.0), 22.0)
    assert (found.rank, found.heights, found.margins) == ([0, 3, 1, 2], [60, 80, 0, 0], [24, 24, 22, 22])
    assert found.edges == [(0, 2, 30, 0, 1), (2, 3, 0, 0, 8), (3, 1, 0, 40, 2)]
    assert found.group == [-1] * 4


def test_a_wire_between_neighbours_stays_as_it_is() -> None:
    found = Layers()
    edge = Edge(found.add(1, 60.0, 24.0), found.add(2, 80.0, 24.0), 30.0, 40.0, 0.5)
    lanes(found, edge, (1.0, 8.0, 2.0), 22.0)
    assert found.edges == [edge] and len(found.rank) == 2


leaving, arriving = st.sampled_from([15.0, 30.0, 45.0]), st.sampled_from([20.0, 40.0])
ports = st.tuples(st.integers(0, 2), st.integers(3, 5), leaving, arriving)


@given(st.lists(ports, max_size=9), st.permutations(range(3)), st.permutations(range(3, 6)))
def test_wires_cross_where_their_ends_are_in_another_order(
    ends: list[tuple[int, int, float, float]], upper: Sequence[int], lower: Sequence[int]
) -> None:
    part = Layers()
    for rank in (0, 0, 0, 1, 1, 1):
        part.add(rank, 60.0, 24.0)
    part.edges = [Edge(*end) for end in ends]
    part.put([upper, lower])
    places = [((part.spot[a], leaves), (part.spot[b], enters)) for a, b, leaves, enters in ends]
    crossed = sum(
        (one[0] < other[0] and one[1] > other[1]) or (one[0] > other[0] and one[1] < other[1])
        for one, other in itertools.combinations(places, 2)
    )
    assert count_crossings(part) == crossed


def column(*heights: float) -> Layers:
    """Returns one layer of nodes, each of them joined to one in the next layer."""
    part = Layers()
    upper = [part.add(0, height, 24.0) for height in heights]
    lower = [part.add(1, height, 24.0) for height in heights]
    part.edges = [Edge(a, b, 10.0, 10.0) for a, b in zip(upper, lower, strict=True)]
    part.put([upper, lower])
    return part


def test_nodes_of_a_layer_are_as_near_as_their_margins_allow() -> None:
    # Two margins of 24 px behind heights of 50 and 30.2, rounded up.
    assert rows(column(50.0, 30.2, 10.0)) == [0, 98, 177] * 2


def test_one_wire_is_straight_from_port_to_port() -> None:
    part = Layers()
    a, b = part.add(0, 60.0, 24.0), part.add(1, 90.0, 24.0)
    part.edges = [Edge(a, b, 50.0, 20.0)]
    part.put([[a], [b]])
    assert rows(part) == [0, 30]


def test_of_two_wires_the_heavier_one_is_straight() -> None:
    for heavy in (0, 1):
        part = Layers()
        user, one, other = part.add(1, 60.0, 24.0), part.add(0, 60.0, 24.0), part.add(0, 60.0, 24.0)
        part.edges = [
            Edge(source, user, 30.0, 30.0, 8.0 if place == heavy else 1.0) for place, source in enumerate((one, other))
        ]
        part.put([[one, other], [user]])
        tops = rows(part)
        assert tops[user] == tops[(one, other)[heavy]] and tops[other] - tops[one] == 108


def test_nodes_of_a_group_are_level_and_others_keep_their_distance() -> None:
    part = Layers()
    first = [part.add(0, 60.0, 24.0, 0), part.add(0, 60.0, 24.0)]
    second = [part.add(1, 200.0, 24.0), part.add(1, 60.0, 24.0, 0), part.add(1, 60.0, 24.0)]
    part.edges = [Edge(first[0], second[1], 0.0, 0.0, 1000.0), Edge(first[1], second[2], 30.0, 30.0)]
    part.put([first, second])
    tops = rows(part)
    assert tops[first[0]] == tops[second[1]] == 248
    assert tops[second[2]] - tops[second[1]] >= 108 and tops[first[1]] - tops[first[0]] >= 108
    assert tops[first[1]] == tops[second[2]]


def test_a_median_of_weights_is_the_lower_of_two() -> None:
    assert median([(1.0, 1.0), (2.0, 1.0)]) == 1
    assert median([(1.0, 1.0), (2.0, 1.0), (5.0, 1.0)]) == 2
    assert median([(1.0, 1.0), (2.0, 1.0), (5.0, 3.0)]) == 5


def test_nothing_has_no_layers() -> None:
    part = Layers()
    assert order_layers(part) == 0 and part.layers == [] and rows(part) == []
