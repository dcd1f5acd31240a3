"""Pictures at another size, by PyTorch's rules for places: corners for the nearest pixel, the given factor, float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import find

ROW = np.arange(5.0)


def resized(kind: str, **settings: Any) -> Array:
    """Returns a row of five pixels at another size."""
    operation = find(f"aten.upsample_{kind}2d.vec")
    assert operation is not None
    return np.asarray(operation(input=ROW.reshape(1, 1, 1, 5), **settings))


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"output_size": [1, 2]}, [0, 2]),
        ({"output_size": [1, 7]}, [0, 0, 1, 2, 2, 3, 4]),
        ({"scale_factors": [1, 1.5]}, [0, 0, 1, 2, 2, 3, 4]),
        ({"output_size": [1, 10]}, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]),
    ],
)
def test_the_nearest_pixel_is_that_of_a_corner(settings: dict[str, Any], wanted: list[int]) -> None:
    np.testing.assert_array_equal(resized("nearest", **settings)[0, 0, 0], wanted)


def test_a_mixture_lies_between_centres_by_the_factor_that_is_given() -> None:
    by_size = np.clip((np.arange(7) + 0.5) * 5 / 7 - 0.5, 0, 4)
    by_factor = np.clip((np.arange(7) + 0.5) / 1.5 - 0.5, 0, 4)
    found = resized("bilinear", output_size=[1, 7], align_corners=False)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found[0, 0, 0], by_size, atol=1e-12)
    found = resized("bilinear", scale_factors=[1, 1.5], align_corners=False)
    np.testing.assert_allclose(found[0, 0, 0], by_factor, atol=1e-12)
