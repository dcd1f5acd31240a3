"""Joining the pieces of wires changes nothing of what they cover, rank by rank."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.painting.cache.sprites import Grain
from gradwire.app.canvas.painting.wires.far_wires import FarWires, joined
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import EXAMPLE_NAMES, example, mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")

GRAIN = Grain(0.2, 60, 60, 1.0)
RANKS = 4


def covered(rects: Rows) -> set[tuple[int, int]]:
    return {
        (x, y) for left, top, right, bottom in rects.tolist() for x in range(left, right) for y in range(top, bottom)
    }


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(EXAMPLE_NAMES), width=st.integers(1, 5), seed=st.integers(0, 99))
def test_each_rank_covers_what_the_pieces_of_its_wires_cover(name: str, width: int, seed: int) -> None:
    mirror = mirror_of(example(name))
    wires = np.arange(len(mirror.wires))
    pieces = FarWires().find(mirror, wires, GRAIN, width)
    ranks = np.random.default_rng(seed).integers(0, RANKS, len(wires))
    rects, ends = joined(pieces, ranks, RANKS)
    for rank, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        assert covered(rects[start:end]) == covered(pieces.rects[ranks[pieces.owners] == rank])


def test_wires_that_run_along_one_another_are_drawn_once() -> None:
    """Three wires from one output down to three inputs: one trunk, and what branches off."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.ones(3))
    for index in range(3):
        graph = wired(with_block(graph, f"t{index}", "Tanh", (400, 200 * (index + 1))), f"x.y > t{index}.x")
    mirror, wires = mirror_of(graph), np.arange(3)
    pieces = FarWires().find(mirror, wires, GRAIN, 2)
    rects, ends = joined(pieces, np.zeros(3, np.int64), 1)
    uprights = rects[rects[:, 2] - rects[:, 0] == 2]
    assert ends == [len(rects)]
    assert len(uprights) == 1
    assert len(rects) < len(pieces.rects)


def test_without_wires_there_is_nothing() -> None:
    pieces = FarWires().find(mirror_of(Graph()), np.zeros(0, np.int64), GRAIN, 2)
    rects, ends = joined(pieces, np.zeros(0, np.int64), RANKS)
    assert rects.shape == (0, 4)
    assert ends == [0] * RANKS
