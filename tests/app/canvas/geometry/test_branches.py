"""Branches: where wires of one output part, found beside a walk along both wires in small steps."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.canvas.geometry.branches import APART, NEAR_PORT, find_branches
from gradwire.app.canvas.geometry.routing import Points

STEP = 0.25
numbers = st.integers(1, 12).map(lambda number: 12.0 * number)


@st.composite
def courses(draw: st.DrawFn) -> list[Points]:
    """Two to four wires of one port with up to six corners, which often run together at first."""
    trunk = _course(draw, (0.0, 0.0), 6)
    found = [trunk]
    for _ in range(draw(st.integers(1, 3))):
        kept = draw(st.integers(1, 5))
        start = trunk[kept - 1]
        before = float(np.sign(start[1] - trunk[kept - 2][1])) if kept > 1 else 0.0
        found.append(np.concatenate([trunk[:kept], _course(draw, tuple(start), 7 - kept, before)[1:]]))
    return found


def _course(draw: st.DrawFn, start: tuple[float, float], corners: int, down: float = 0.0) -> Points:
    """Pieces to the right, up and down from a point; none turns back on the one before, which ran `down`."""
    points = [start]
    for _ in range(corners - 1):
        ways = [(1, 0), (0, 1), (0, -1)] if down == 0 else [(1, 0), (0, int(down))]
        length, (x, y) = draw(numbers), draw(st.sampled_from(ways))
        points.append((points[-1][0] + x * length, points[-1][1] + y * length))
        down = y
    return np.array(points)


def walked(points: Points) -> Points:
    """The points of a wire every quarter of a px."""
    pieces = [
        a + np.arange(0, np.abs(b - a).sum(), STEP)[:, None] * np.sign(b - a) for a, b in itertools.pairwise(points)
    ]
    return np.concatenate([*pieces, points[-1:]])


def parting(a: Points, b: Points) -> Points | None:
    """The last point that two wires share from their port on, None if one of them never leaves the other."""
    a, b = walked(a), walked(b)
    together = (np.abs(a[: len(b)] - b[: len(a)]) < 1e-9).all(axis=1)
    if together.all():
        return None if len(a) == len(b) else a[min(len(a), len(b)) - 1]
    return a[np.argmin(together) - 1]


@given(courses())
def test_wires_branch_where_a_walk_along_both_parts(wires: list[Points]) -> None:
    found = find_branches(np.array(wires), np.zeros(len(wires), np.int64))
    for at, (first, second) in zip(found.at, found.pairs, strict=True):
        expected = parting(wires[first], wires[second])
        assert expected is not None
        assert np.abs(at - expected).max() <= APART
    pairs = {tuple(sorted(pair)) for pair in found.pairs.tolist()}
    for first in range(len(wires)):
        for second in range(first + 1, len(wires)):
            expected = parting(wires[first], wires[second])
            is_far = expected is not None and np.abs(expected).sum() > NEAR_PORT
            assert ((first, second) in pairs) == is_far


def test_wires_of_different_outputs_never_branch() -> None:
    wires = np.array([[(0, 0), (20, 0), (20, 50), (90, 50)], [(0, 0), (20, 0), (20, -50), (90, -50)]], float)
    assert len(find_branches(wires, np.array([0, 1])).at) == 0
    assert find_branches(wires, np.array([0, 0])).at.tolist() == [[20, 0]]


def test_a_hub_of_many_wires_branches_once_for_each_that_leaves_the_trunk() -> None:
    wires = np.array([[(0, 0), (20, 0), (20, 40 * place), (90, 40 * place)] for place in range(1, 31)], float)
    found = find_branches(wires, np.zeros(30, np.int64))
    assert sorted({y for _, y in found.at.tolist()}) == [40.0 * place for place in range(1, 30)]
