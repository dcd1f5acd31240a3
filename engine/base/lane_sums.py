"""Sums in a fixed order, which gives them the same bits on every machine, compiled or not.

Up to `FEW` numbers are added one after the other. Of more, each belongs to the lane of its place modulo `LANES`.
Each lane of a piece of `PIECE` numbers adds its own one after the other. Then pieces are added in pairs, again and
again, and at last the halves of the lanes. A compiler can add several lanes at once without changing this order.

Source: blocked and pairwise summation; Higham, The Accuracy of Floating Point Summation (1993). The error is at most
PIECE / LANES + log2(pieces) + log2(LANES) roundings of the sum of magnitudes, or `FEW` of them for few numbers. NumPy's
own sum has about as many. Cost: O(numbers). The compiled counterpart is engine/executors/_survey.c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array

Indices = np.ndarray[Any, np.dtype[np.intp]]
LANES, FEW, PIECE = 16, 32, 256


def lanes_of(numbers: Array) -> Array:
    """Returns the sums of the lanes of each piece.

    Shapes: `numbers` (size,) in float64, the result (pieces, LANES).
    """
    whole = numbers.size // PIECE * PIECE
    found = _rows_added(numbers[:whole].reshape(-1, PIECE // LANES, LANES))
    if whole == numbers.size:
        return found
    last = np.zeros(PIECE)
    last[: numbers.size - whole] = numbers[whole:]
    return np.concatenate([found, _rows_added(last.reshape(1, -1, LANES))])


def total_of(pieces: Array) -> float:
    """Returns the sum of all pieces, given by their lanes."""
    while len(pieces) > 1:
        even = len(pieces) // 2 * 2
        pieces = np.concatenate([pieces[:even:2] + pieces[1:even:2], pieces[even:]])
    return float(_halves_added(pieces)[0])


def sums_of_runs(numbers: Array, counts: Indices) -> Array:
    """Returns the sums of short runs of numbers, which stand one after the other.

    Shapes: `numbers` (size,) in float64 or complex128; `counts` (runs,), each from 1 to PIECE; the result (runs,).
    """
    is_few = counts <= FEW
    if is_few.all():
        return _added_one_by_one(numbers, counts)
    found: Array = np.empty(len(counts), numbers.dtype)
    is_of_few = np.repeat(is_few, counts)
    found[~is_few] = _added_in_lanes(numbers[~is_of_few], counts[~is_few])
    if is_few.any():
        found[is_few] = _added_one_by_one(numbers[is_of_few], counts[is_few])
    return found


def _added_one_by_one(rows: Array, counts: Indices) -> Array:
    """Returns the sums of runs along the first axis: all first rows, plus all second ones, and so on."""
    order = np.argsort(-counts, kind="stable")
    starts, lengths = (np.cumsum(counts) - counts)[order], -counts[order]
    found: Array = rows[starts]
    for row, number in enumerate(np.searchsorted(lengths, -np.arange(1, -lengths[0])).tolist(), 1):
        found[:number] += rows[starts[:number] + row]
    sums: Array = np.empty_like(found)
    sums[order] = found
    return sums


def _added_in_lanes(numbers: Array, counts: Indices) -> Array:
    """Returns the sums of runs of more than FEW numbers; zeros fill the last lanes of each."""
    lengths = -(-counts // LANES)
    spare = lengths * LANES - counts
    filled = np.zeros(lengths.sum() * LANES, numbers.dtype)
    filled[np.arange(numbers.size) + np.repeat(np.cumsum(spare) - spare, counts)] = numbers
    return _halves_added(_added_one_by_one(filled.reshape(-1, LANES), lengths))


def _rows_added(rows: Array) -> Array:
    """Returns the sums along the middle axis, one row after the other; NumPy's own takes three times as long."""
    found: Array = np.einsum("prl->pl", rows)
    return found


def _halves_added(lanes: Array) -> Array:
    """Returns the sums of lanes along the last axis."""
    while (half := lanes.shape[1] // 2) > 0:
        lanes = lanes[:, :half] + lanes[:, half:]
    found: Array = lanes[:, 0]
    return found
