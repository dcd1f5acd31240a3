"""Convolutions against SciPy, against each other, and where channels come first.

SciPy's filters are imported where they are needed: every process of a test run would load them otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.support.layouts import layout_of
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.library import library

RNG = np.random.default_rng(3)
# Sums of some dozen products in another order differ by a few units in the last place.
CLOSE = {"rtol": 1e-12, "atol": 1e-13}


def numbers(*shape: int) -> Array:
    return RNG.normal(size=shape)


@pytest.mark.parametrize(("spatial", "how"), [(1, {"stride": 1}), (2, {"strides": 1}), (3, {"strides": 1})])
def test_one_channel_is_the_correlation_of_scipy(spatial: int, how: dict[str, int]) -> None:
    from scipy.signal import correlate

    x, f = numbers(*(5, 6, 4)[:spatial]), numbers(*(2, 3, 3)[:spatial])
    y = library[f"Conv{spatial}D"](x[None, ..., None], f[..., None, None], padding="VALID", **how)
    np.testing.assert_allclose(y[0, ..., 0], correlate(x, f, "valid", "direct"), **CLOSE)


def test_depthwise_convolution_correlates_each_channel_with_its_own_filters() -> None:
    from scipy.signal import correlate2d

    x, f = numbers(1, 5, 6, 3), numbers(2, 3, 3, 2)
    y = gw.DepthwiseConv2D(x, f, strides=1, padding="VALID")
    for channel in range(3):
        for multiple in range(2):
            expected = correlate2d(x[0, :, :, channel], f[:, :, channel, multiple], "valid")
            np.testing.assert_allclose(y[0, :, :, 2 * channel + multiple], expected, **CLOSE)


def test_dilation_is_that_of_scipy() -> None:
    from scipy.ndimage import grey_dilation

    x, f = numbers(5, 6), numbers(3, 3)
    y = gw.Dilation2D(x[None, :, :, None], f[:, :, None], strides=1, padding="VALID", dilations=1)
    # SciPy turns the structure around, as convolution does.
    expected = grey_dilation(x, structure=f[::-1, ::-1])[1:-1, 1:-1]
    np.testing.assert_allclose(y[0, :, :, 0], expected, **CLOSE)


def test_dilation_skips_nan_and_falls_to_the_lowest_number() -> None:
    x = np.array([np.nan, 1.0, np.nan, np.nan, -np.inf, -np.inf]).reshape(1, 1, 6, 1)
    y = gw.Dilation2D(x, np.zeros((1, 2, 1)), strides=2, padding="VALID", dilations=1)
    np.testing.assert_array_equal(y.ravel(), [1, np.finfo(np.float64).min, np.finfo(np.float64).min])


def test_a_dilated_window_of_nothing_but_border_is_the_lowest_number() -> None:
    y = gw.Dilation2D(np.ones((1, 1, 1, 1)), np.ones((1, 2, 1)), strides=1, padding="SAME", dilations=2)
    assert y.item() == np.finfo(np.float64).min


def test_equal_sums_give_the_gradient_to_the_first_in_image_and_filter() -> None:
    x, f = gw.Input(np.zeros((1, 1, 3, 1))), gw.Input(np.zeros((1, 2, 1)))
    y = gw.Dilation2D(x, f, strides=1, padding="VALID", dilations=1)
    run = gw.evaluate(gw.Loss(y, np.array([3.0, 5.0]).reshape(1, 1, 2, 1)))
    np.testing.assert_array_equal(run.gradient(x).ravel(), [3, 5, 0])
    np.testing.assert_array_equal(run.gradient(f).ravel(), [8, 0])


@pytest.mark.parametrize("padding", ["SAME", "VALID", [[0, 0], [2, 1], [0, 1], [0, 0]]])
def test_the_transpose_is_adjoint_to_the_convolution(padding: Any) -> None:
    x, f, how = numbers(2, 5, 6, 2), numbers(3, 2, 2, 3), {"strides": 2, "padding": padding}
    y = gw.Conv2D(x, f, **how)
    g = numbers(*y.shape)
    back = gw.Conv2DTranspose(g, f, output_shape=x.shape, **how)
    np.testing.assert_allclose(np.sum(y * g), np.sum(x * back), **CLOSE)
    np.testing.assert_array_equal(gw.Conv2DTranspose(g, f, output_shape=[5, 6], **how), back)


CHANNELS_FIRST = {
    "Conv1D": ((2, 5, 2), [(3, 2, 4)], {"stride": 2, "padding": "SAME"}),
    "Conv2D": ((1, 4, 5, 2), [(2, 3, 2, 3)], {"strides": (1, 2), "padding": "VALID"}),
    "Conv3D": ((1, 3, 4, 2, 2), [(2, 2, 1, 2, 2)], {"strides": (1, 2, 1), "padding": "SAME"}),
    "DepthwiseConv2D": ((1, 4, 5, 2), [(2, 3, 2, 2)], {"strides": 1, "padding": "SAME"}),
    "SeparableConv2D": ((1, 4, 5, 2), [(2, 3, 2, 2), (1, 1, 4, 3)], {"strides": 2, "padding": "SAME"}),
    "MaxPool1D": ((2, 5, 2), [], {"ksize": 2, "strides": 2, "padding": "SAME"}),
    "MaxPool2D": ((1, 4, 5, 2), [], {"ksize": (2, 3), "strides": (1, 2), "padding": "VALID"}),
    "MaxPool3D": ((1, 3, 4, 2, 2), [], {"ksize": 2, "strides": (1, 2, 1), "padding": "SAME"}),
    "AvgPool1D": ((2, 5, 2), [], {"ksize": 2, "strides": 2, "padding": "SAME"}),
    "AvgPool2D": ((1, 4, 5, 2), [], {"ksize": (2, 3), "strides": (1, 2), "padding": "VALID"}),
    "AvgPool3D": ((1, 3, 4, 2, 2), [], {"ksize": 2, "strides": (1, 2, 1), "padding": "SAME"}),
}


@pytest.mark.parametrize("name", list(CHANNELS_FIRST))
def test_channels_first_is_the_same_with_moved_axes(name: str) -> None:
    shape, filters, how = CHANNELS_FIRST[name]
    data_format = {3: "NCW", 4: "NCHW", 5: "NCDHW"}[len(shape)]
    x, others = numbers(*shape), [numbers(*item) for item in filters]
    y = library[name](x, *others, **how)
    moved = library[name](np.moveaxis(x, -1, 1), *others, data_format=data_format, **how)
    np.testing.assert_array_equal(np.moveaxis(moved, 1, -1), y)


def test_explicit_pairs_follow_the_data_format() -> None:
    x, f = numbers(1, 2, 4, 5), numbers(2, 2, 2, 1)
    y = gw.Conv2D(x, f, strides=1, padding=[[0, 0], [0, 0], [1, 2], [0, 0]], data_format="NCHW")
    assert y.shape == (1, 1, 6, 4)
    with pytest.raises(BlockError, match="4 pairs with 0 for batch and channels"):
        gw.Conv2D(x, f, strides=1, padding=[[0, 0], [1, 2], [0, 0], [0, 0]], data_format="NCHW")


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_the_axes_of_a_layout_go_there_and_back(data_format: str) -> None:
    layout, x = layout_of(2, data_format), numbers(2, 3, 4, 5, 6)
    np.testing.assert_array_equal(layout.channels_back(layout.channels_last(x)), x)


def test_float16_is_summed_in_float32() -> None:
    # 400 products of 200 each pass 65504, the largest float16, before the other 400 take them back.
    x = np.full((1, 800, 1), 20, np.float16)
    f = np.repeat(np.array([10, -10], np.float16), 400).reshape(800, 1, 1)
    assert gw.Conv1D(x, f, stride=1, padding="VALID").item() == 0
    assert gw.AvgPool1D(np.full((1, 800, 1), 200, np.float16), ksize=800, strides=1, padding="VALID").item() == 200


@pytest.mark.parametrize("how", [{"strides": (1, 2), "dilations": 1}, {"strides": 2, "dilations": 2}])
def test_what_tensorflow_cannot_do_depthwise_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(BlockError, match="strides"):
        gw.DepthwiseConv2D(gw.Input(numbers(1, 5, 5, 1)), numbers(2, 2, 1, 1), padding="SAME", **how)


@pytest.mark.parametrize(
    ("padding", "strides", "expected"),
    [("VALID", 2, "padding=(0, 0)"), ("SAME", 1, "padding='same'"), ("SAME", 2, ""), (((1, 1), (2, 2)), 2, "(1, 2)")],
)
def test_pytorch_has_a_line_only_where_both_sides_are_alike(padding: Any, strides: int, expected: str) -> None:
    padding = padding if isinstance(padding, str) else ((0, 0), *padding, (0, 0))
    parameters = library["Conv2D"].normalize({"strides": strides, "padding": padding})
    image, filters = (TensorSpec(shape, np.dtype(np.float64)) for shape in ((1, 5, 5, 1), (2, 2, 1, 1)))
    line = library["Conv2D"].spelling.write("torch", {"input": "x", "filters": "f"}, parameters, [image, filters])
    assert expected in line
    assert bool(line) == bool(expected)
