"""Search for sums that have lost half of their digits, many small ones of the same shape together.

Cost: O(terms) operations on whole arrays for each shape, O(elements) altogether.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# Share of a large sum's elements that must be small before it is looked at; so many are not by accident.
MOST = 0.5


class Sum(NamedTuple):
    """Sum and its terms."""

    total: Array
    terms: tuple[Array, ...]


def lossy_share(dtype: np.dtype[Any]) -> float:
    """Returns the share of its terms below which a sum is looked at: it has lost half of its digits."""
    return math.sqrt(float(np.finfo(dtype).eps))


def counts_as_whole(size: int, dtype: np.dtype[Any]) -> bool:
    """Returns whether a sum of `size` elements must be small in most of them, because some are so by accident."""
    return size * lossy_share(dtype) > 1


def lossy(sums: Sequence[Sum]) -> list[bool]:
    """Returns for each sum whether its terms cancel half of their digits in some element; all numbers are finite."""
    groups: dict[object, list[int]] = {}
    for row, (total, terms) in enumerate(sums):
        groups.setdefault((total.shape, total.dtype, len(terms)), []).append(row)
    found: dict[int, bool] = {}
    for rows in groups.values():
        found.update(zip(rows, _lossy_alike([sums[row] for row in rows]), strict=True))
    return [found[row] for row in range(len(sums))]


def _lossy_alike(sums: Sequence[Sum]) -> list[bool]:
    """Returns the same for sums of one shape, dtype and number of terms."""
    totals = _stacked([item.total for item in sums])
    sizes = np.zeros((), totals.dtype)
    with np.errstate(over="ignore"):
        for terms in zip(*(item.terms for item in sums), strict=True):
            sizes = sizes + np.abs(_stacked([np.broadcast_to(term, totals.shape[1:]) for term in terms]))
    # Zeros of which all terms are zero are exact.
    has_terms = np.asarray(sizes > 0).reshape(len(sums), -1)
    near = (np.abs(totals) <= lossy_share(totals.dtype) * sizes).reshape(len(sums), -1) & has_terms
    least = MOST if counts_as_whole(totals[0].size, totals.dtype) else 0.0
    return [bool(item) for item in near.sum(axis=1) > least * has_terms.sum(axis=1)]


def _stacked(arrays: Sequence[Array]) -> Array:
    # A single array may be large, so it is not copied.
    return arrays[0][np.newaxis] if len(arrays) == 1 else np.stack(arrays)
