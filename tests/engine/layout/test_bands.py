"""Where bands of a part end: as low together as any division is, found by trying all; and how far parts stand apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.graph.graph import Block, Frame, Page
from gradwire.engine.layout import bands
from gradwire.engine.layout.layout import Outline, arrange

heights = st.lists(st.tuples(st.integers(1, 300), st.booleans(), st.integers(0, 3)), min_size=1, max_size=7)


def divisions(count: int, columns: int, ends: Sequence[bool]) -> Iterator[list[int]]:
    """Yields all divisions of layers into bands of so many at most, each of which ends where it may."""
    for cuts in itertools.product((False, True), repeat=count - 1):
        found = [*(place + 1 for place, cut in enumerate(cuts) if cut), count]
        sizes = [end - start for start, end in itertools.pairwise([0, *found])]
        if max(sizes) <= columns and all(ends[end - 1] for end in found):
            yield found


@given(heights, st.integers(1, 7))
def test_bands_are_as_low_as_those_of_any_division(given_layers: list[tuple[int, bool, int]], columns: int) -> None:
    ends = [is_last for _, is_last, _ in given_layers[:-1]] + [True]
    layers = [
        bands._Layer(160.0, 150.0, float(layer[0]), is_last) for layer, is_last in zip(given_layers, ends, strict=True)
    ]
    returning = [0, *(count for *_, count in given_layers)]

    def height(found: Sequence[int]) -> float:
        tallest = sum(max(layers[at].height for at in range(*pair)) for pair in itertools.pairwise([0, *found]))
        # Between two bands 40 px, and 44 for each output that returns there.
        return tallest + sum(40 + 44 * returning[end] for end in found[:-1])

    found, total = bands._division(layers, returning, columns)
    all_heights = [height(item) for item in divisions(len(layers), columns, ends)]
    if all_heights:
        assert total == height(found) == min(all_heights) and found in divisions(len(layers), columns, ends)
    else:
        assert (found, total) == ([], 0.0)


@pytest.mark.parametrize(("depth", "apart"), [(1, 352), (2, 416)])
def test_parts_stand_apart_by_their_gap_and_the_tops_of_two_frames(depth: int, apart: int) -> None:
    # Blocks of 160 px, then 112 px, and 2 * 34 px for each frame around the other: up to the grid of 16 px.
    blocks = {name: Block(name, "Input") for name in ("a", "b")}
    frames = [Frame(f"{name}1", blocks=(name,)) for name in blocks]
    frames += [Frame(f"{name}2", frames=(f"{name}1",)) for name in blocks if depth > 1]
    page = Page("main", blocks, {}, frames=tuple(frames))
    places = arrange(page, dict.fromkeys(page.blocks, Outline(160.0, 96.0)))
    assert places["b"][0] - places["a"][0] == apart and places["b"][1] == places["a"][1]
