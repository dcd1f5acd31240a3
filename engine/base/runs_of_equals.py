"""Runs of equal neighbours in an array."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array


def starts_of_runs(values: Array) -> Array:
    """Returns where each run of equal neighbours begins in an array of one axis.

    For sorted values it finds what `np.unique` does, which would import a package of NumPy's that nothing else needs.
    """
    is_start = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)
