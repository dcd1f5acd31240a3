"""Lines on which a function over a grid is 0."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# Ends of the pieces in each of the sixteen cases of a cell, by its edges: below, right, above, left.
_CASES = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 2), (0, 1)), 6: ((0, 2),), 7: ((3, 2),),
    8: ((2, 3),), 9: ((2, 0),), 10: ((3, 0), (2, 1)), 11: ((2, 1),), 12: ((1, 3),), 13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip


def zero_lines(x: Array, y: Array, values: Array) -> Array:
    """Returns pieces of the lines on which values over a grid are 0, found by linear interpolation.

    Shapes: `x` (columns,), `y` (rows,), `values` (rows, columns); the result (n, 4), as x, y, x, y.
    Source: marching squares, after Lorensen and Cline, Marching Cubes (1987). Cost: O(cells).
    """
    is_above = values > 0
    case = is_above[:-1, :-1] + 2 * is_above[:-1, 1:] + 4 * is_above[1:, 1:] + 8 * is_above[1:, :-1]
    edges = _crossings(x, y, values)
    found = []
    for number, pieces in _CASES.items():
        rows, columns = np.nonzero(case == number)
        found += [np.concatenate([edges[a][rows, columns], edges[b][rows, columns]], axis=1) for a, b in pieces]
    lines: Array = np.concatenate(found) if found else np.zeros((0, 4))
    return lines


def _crossings(x: Array, y: Array, values: Array) -> list[Array]:
    """Returns where the values are 0 on the four edges of each cell. Shapes: (rows − 1, columns − 1, 2) each."""
    with np.errstate(all="ignore"):
        level = values[:, :-1] / (values[:, :-1] - values[:, 1:])
        upright = values[:-1] / (values[:-1] - values[1:])
    level_x = x[:-1] + level * np.diff(x)
    upright_y = y[:-1, np.newaxis] + upright * np.diff(y)[:, np.newaxis]
    along = np.stack([level_x, np.broadcast_to(y[:, np.newaxis], level_x.shape)], axis=-1)
    across = np.stack([np.broadcast_to(x, upright_y.shape), upright_y], axis=-1)
    return [along[:-1], across[:, 1:], along[1:], across[:, :-1]]
