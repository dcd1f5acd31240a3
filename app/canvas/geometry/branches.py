"""The branches of wires: the points at which wires of one output part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.routing import Points, Rows

# Every two wires of an output with at most so many are compared; of one with more only neighbours, from top to bottom.
FEW = 6
# Wires closer than this run together; a branch so close to its port needs no mark. Units: px at 100 %.
APART, NEAR_PORT = 0.5, 8.0


class Branches(NamedTuple):
    """Points where two wires part. Shapes: `at` (n, 2); `pairs` (n, 2), the rows of the two wires."""

    at: Points
    pairs: Rows


def find_branches(points: Points, sources: Rows) -> Branches:
    """Returns the points where wires with corners part that come from one output; some pairs part at the same point.

    Source: two paths of straight pieces part at the last corner of either up to which they agree at all corners.
    Cost: linear in the wires.
    Shapes: `points` (wires, k, 2); `sources` (wires,), a number for each output.
    """
    pairs = _neighbours(points, sources)
    if not len(pairs):
        return Branches(np.zeros((0, 2)), pairs)
    first, second = points[pairs[:, 0]], points[pairs[:, 1]]
    corners = np.sort(np.concatenate([_lengths(first), _lengths(second)], axis=1), axis=1)
    on_first, on_second = _at(first, corners), _at(second, corners)
    agree = np.logical_and.accumulate((np.abs(on_first - on_second) < APART).all(axis=2), axis=1)
    # Both begin at the port, where they always agree.
    last = agree.sum(axis=1) - 1
    rows = np.arange(len(pairs))
    at = on_first[rows, last]
    parts = ~agree.all(axis=1) & (corners[rows, last] > NEAR_PORT)
    return Branches(at[parts], pairs[parts])


def _neighbours(points: Points, sources: Rows) -> Rows:
    """Returns the pairs of wires that are compared. Shapes: (n, 2)."""
    order = np.lexsort((points[:, -1, 0], points[:, -1, 1], sources))
    ordered = sources[order]
    counts = np.bincount(sources, minlength=1)[ordered]
    found = []
    for step in range(1, FEW):
        same = ordered[:-step] == ordered[step:]
        if step > 1:
            same &= counts[:-step] <= FEW
        found.append(np.column_stack([order[:-step][same], order[step:][same]]))
    return np.concatenate(found)


def _lengths(points: Points) -> Points:
    """Returns how far along its wire each corner is. Shapes: (n, k, 2); (n, k)."""
    steps = np.abs(np.diff(points, axis=1)).sum(axis=2)
    return np.concatenate([np.zeros((len(points), 1)), np.cumsum(steps, axis=1)], axis=1)


def _at(points: Points, along: Points) -> Points:
    """Returns the points of wires at some distances from their ports. Shapes: (n, k, 2), (n, m); (n, m, 2)."""
    ends = _lengths(points)
    # The piece on which each point lies, counted by the corners before it.
    piece = np.clip((ends[:, None, :] < along[:, :, None]).sum(axis=2) - 1, 0, points.shape[1] - 2)
    start, end = (np.take_along_axis(ends, piece + shift, axis=1) for shift in (0, 1))
    share = np.clip((along - start) / np.maximum(end - start, 1e-9), 0, 1)[..., None]
    corners = [np.take_along_axis(points, (piece + shift)[..., None], axis=1) for shift in (0, 1)]
    return corners[0] + share * (corners[1] - corners[0])
