"""Calls that TensorFlow has kernels for: each condition alone decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.blocks.support import tensorflow_kernels as kernels
from gradwire.engine.base.tensor_spec import TensorSpec


def spec(*shape: int, dtype: str = "float32") -> TensorSpec:
    return TensorSpec(shape, np.dtype(dtype))


IMAGE, FILTERS = spec(1, 5, 6, 4), spec(3, 3, 4, 8)
PLAIN: dict[str, Any] = {"data_format": "NHWC", "dilations": (1, 1), "output_shape": (1, 5, 6, 4)}


@pytest.mark.parametrize(
    ("given", "filters", "is_plain"),
    [
        ({}, FILTERS, True),
        ({"data_format": None, "dilations": None}, FILTERS, True),
        ({"dilations": 1}, FILTERS, True),
        ({"data_format": "NCHW"}, FILTERS, False),
        ({"dilations": (1, 2)}, FILTERS, False),
        ({"dilations": 2}, FILTERS, False),
        ({}, spec(3, 3, 2, 8), False),
    ],
)
def test_a_convolution_is_plain_without_channels_first_dilation_and_groups(
    given: dict[str, Any], filters: TensorSpec, is_plain: bool
) -> None:
    assert kernels.is_plain_convolution(PLAIN | given, [IMAGE, filters]) is is_plain
    assert kernels.is_plain_transposed(PLAIN | given, [spec(1, 3, 4, 8), filters]) is is_plain


@pytest.mark.parametrize(("name", "is_last"), [("NCHW", False), ("NCW", False), ("NHWC", True), ("NWC", True)])
def test_formats_say_where_channels_are(name: str, is_last: bool) -> None:
    given = {"data_format": name}
    assert kernels.channels_are_last(given, []) is is_last
    assert kernels.is_narrow_with_channels_last(given, [None, spec(2)]) is is_last
    assert not kernels.is_narrow_with_channels_last(given, [spec(2), spec(2, dtype="float64")])


def test_shapes_and_dtypes_decide_over_kernels() -> None:
    narrow, wide = [spec(2), None, spec(3, dtype="int64")], [spec(2), spec(2, dtype="float64")]
    assert kernels.is_narrow({}, narrow) and not kernels.is_narrow({}, wide)
    assert kernels.has_elements({}, [spec(2), None]) and not kernels.has_elements({}, [spec(2), spec(3, 0)])
    assert [kernels.has_segments({"num_segments": count}, []) for count in (0, 1, 2)] == [False, True, True]
    first = kernels.is_of_whole_shape(0)
    assert first({}, [spec(2, 3), spec(3)]) and first({}, [spec(2, 3), None, spec(1, 1)])
    assert not first({}, [spec(3), spec(2, 3)]) and kernels.is_of_whole_shape(1)({}, [spec(3), spec(2, 3)])
    assert kernels.are_of_one_shape({}, [spec(2), None, spec(2)])
    assert not kernels.are_of_one_shape({}, [spec(2), spec(1)])
