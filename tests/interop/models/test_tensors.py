"""Tensors of models: what a block makes of arrays alone is an array again, also one without axes."""

from __future__ import annotations

import numpy as np

from gradwire.interop.models.tensors import made


def test_arrays_without_axes_stay_arrays() -> None:
    count = made("Add", np.array(1), np.array(1))
    assert isinstance(count, np.ndarray)
    assert count.dtype == np.int64 and made("Add", count, count) == 4
