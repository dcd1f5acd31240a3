"""Colours and images where other sources than the recorded cases know the answer."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

import gradwire as gw

COLORS = np.random.default_rng(3).uniform(size=(50, 3))


def test_both_ways_between_colors_agree_with_colorsys() -> None:
    np.testing.assert_allclose(gw.RGBToHSV(COLORS), [colorsys.rgb_to_hsv(*color) for color in COLORS], rtol=1e-12)
    np.testing.assert_allclose(gw.HSVToRGB(COLORS), [colorsys.hsv_to_rgb(*color) for color in COLORS], rtol=1e-12)


def test_going_to_hue_and_back_changes_nothing() -> None:
    np.testing.assert_allclose(gw.HSVToRGB(gw.RGBToHSV(COLORS)), COLORS, rtol=1e-12)


def test_the_gradient_of_the_saturation_leaves_out_channels_at_zero_as_in_tensorflow() -> None:
    x = gw.Input(np.array([[0.5, 0.25, 0.0]]))
    run = gw.evaluate(gw.Loss(gw.RGBToHSV(x), np.array([0.0, 1.0, 0.0])))
    # By the formula the smallest channel would get -1 / 0.5.
    np.testing.assert_array_equal(run.gradient(x), [[0, 0, 0]])


def test_whole_numbers_become_grey_by_their_share_of_the_greatest() -> None:
    images = np.array([[255, 255, 255], [255, 0, 0]], np.uint8)
    np.testing.assert_array_equal(gw.RGBToGrayscale(images), [[255], [int(0.2989 * 255.5)]])


def test_contrast_that_leaves_the_range_of_whole_numbers_stops_at_its_ends() -> None:
    images = np.array([0, 100, 110, 250], np.uint8).reshape(1, 4, 1)
    y = gw.AdjustContrast(images, np.float32(3))
    assert y.dtype == np.uint8
    # The mean is 115: 3 x (100 - 115) + 115 = 70, and 70.1 of the 255.5 parts are left.
    np.testing.assert_array_equal(y.ravel(), [0, 70, 100, 255])


def test_contrast_keeps_the_mean_of_each_channel() -> None:
    images = COLORS.reshape(5, 10, 3)
    y = gw.AdjustContrast(images, np.float32(0.25))
    np.testing.assert_allclose(y.mean((0, 1)), images.mean((0, 1)), rtol=1e-12)
    np.testing.assert_allclose(y.std((0, 1)), images.std((0, 1)) / 4, rtol=1e-12)


def test_equal_neighbours_pull_nowhere_and_a_single_bright_pixel_down_on_all_sides() -> None:
    image = np.zeros((3, 3, 1))
    image[1, 1] = 2
    x = gw.Input(image)
    y = gw.TotalVariation(x)
    run = gw.evaluate(gw.Loss(y))
    assert run.value(y) == 8
    np.testing.assert_array_equal(run.gradient(x)[..., 0], [[0, -1, 0], [-1, 4, -1], [0, -1, 0]])


@pytest.mark.parametrize("block", [gw.FlipLeftRight, gw.TotalVariation])
def test_a_matrix_is_no_image(block: object) -> None:
    with pytest.raises(gw.GradwireError, match="three axes"):
        block(gw.Input(np.ones((2, 2))))
