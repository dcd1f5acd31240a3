"""Statistics of a run's arrays wherever they lie: the bits of those that NumPy computes."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.array_statistics import as_numbers, survey_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.magnitudes import survey_of_run

LARGE = np.random.default_rng(0).normal(size=(50, 200))


def broken() -> Array:
    """Returns numbers with NaN, infinities and a negative zero among them."""
    found = LARGE.copy()
    found[3, :4] = np.nan, np.inf, -np.inf, -0.0
    return found


@pytest.mark.parametrize(
    "array",
    [
        LARGE,
        LARGE.astype(np.float32),
        LARGE.astype(np.float16),
        LARGE > 0,
        (LARGE * 1000).astype(np.int64),
        LARGE.T,
        LARGE[:, ::2],
        LARGE[::-1],
        np.broadcast_to(LARGE[:, None], (50, 3, 200)),
        broken(),
        LARGE * 1e300,
        LARGE * 1e-300,
        np.zeros((0, 5000)),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}{array.strides}",
)
def test_large_arrays_have_the_same_rows_in_place(array: Array) -> None:
    given = [None, array, LARGE[0], array]
    assert as_numbers(survey_of_run(given)).tobytes() == as_numbers(survey_of(given)).tobytes()
