"""Rounding errors of many small sums, computed together for sums of the same shape.

Cost: O(terms) operations on whole arrays for each shape, O(elements) altogether.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.status import rounding
from gradwire.engine.base.tensor_spec import Array


class Sum(NamedTuple):
    """Sum and its terms."""

    total: Array
    terms: tuple[Array, ...]


class Judged(NamedTuple):
    """Rounding error of a sum, None if discarded, and a flag: `is_zero` if no element exceeds the error."""

    error: Array | None
    is_zero: bool


def judged(sums: Sequence[Sum]) -> list[Judged]:
    """Judges each sum by the magnitudes of its terms; all numbers are finite."""
    groups: dict[object, list[int]] = {}
    for row, (total, terms) in enumerate(sums):
        groups.setdefault((total.shape, total.dtype, len(terms)), []).append(row)
    found: dict[int, Judged] = {}
    for rows in groups.values():
        found.update(zip(rows, _judged_alike([sums[row] for row in rows]), strict=True))
    return [found[row] for row in range(len(sums))]


def _judged_alike(sums: Sequence[Sum]) -> list[Judged]:
    """Judges sums of one shape, dtype and number of terms."""
    totals = _stacked([item.total for item in sums])
    sizes = np.zeros((), totals.dtype)
    with np.errstate(over="ignore"):
        for terms in zip(*(item.terms for item in sums), strict=True):
            sizes = sizes + np.abs(_stacked(terms))
        errors = rounding(sizes)
    is_over: Array = np.abs(totals) > errors
    is_zero = np.logical_not(is_over.reshape(len(sums), -1).any(axis=1))
    return [Judged(*item) for item in zip(errors, is_zero.tolist(), strict=True)]


def _stacked(arrays: Sequence[Array]) -> Array:
    # A single array may be large, so it is not copied.
    return arrays[0][np.newaxis] if len(arrays) == 1 else np.stack(arrays)
