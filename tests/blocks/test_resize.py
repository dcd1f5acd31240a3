"""Resizing against what geometry says: pixels have their centres at halves."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

RAMP = np.arange(8, dtype=np.float32).reshape(1, 8, 1)


def test_halving_takes_the_mean_of_two_pixels_and_doubling_a_quarter_of_the_neighbour() -> None:
    half = gw.ResizeBilinear(RAMP, size=[1, 4])
    np.testing.assert_allclose(half[0, :, 0], [0.5, 2.5, 4.5, 6.5])
    double = gw.ResizeBilinear(half, size=[1, 8])
    np.testing.assert_allclose(double[0, :, 0], [0.5, 1, 2, 3, 4, 5, 6, 6.5])


def test_bicubic_keeps_a_straight_line_straight_away_from_the_border() -> None:
    y = gw.ResizeBicubic(RAMP, size=[1, 16])[0, 4:12, 0]
    np.testing.assert_allclose(y, np.arange(4, 12) / 2 - 0.25, rtol=1e-6)


@pytest.mark.parametrize("resize", [gw.ResizeNearest, gw.ResizeBilinear, gw.ResizeBicubic])
def test_a_constant_image_stays_constant_and_each_new_pixel_hands_back_all_it_gets(resize: object) -> None:
    x = gw.Input(np.full((5, 3, 2), 7.0, np.float32))
    y = resize(x, size=[4, 9])
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_allclose(run.value(y), np.full((4, 9, 2), 7.0), rtol=1e-6)
    assert run.gradient(x).sum() == pytest.approx(4 * 9 * 2, rel=1e-6)


def test_the_nearest_pixel_is_the_one_in_which_the_new_centre_lies() -> None:
    y = gw.ResizeNearest(RAMP.astype(np.int32), size=[1, 3])
    np.testing.assert_array_equal(y[0, :, 0], [1, 4, 6])
    assert y.dtype == np.int32


def test_the_aspect_ratio_can_be_preserved() -> None:
    y = gw.ResizeBilinear(np.ones((2, 20, 10, 3)), size=[8, 8], preserve_aspect_ratio=True)
    assert y.shape == (2, 8, 4, 3)
    assert y.dtype == np.float32


@pytest.mark.parametrize("shape", [(3, 3), (0, 3, 1), (1, 1, 3, 3, 1)])
def test_what_is_no_image_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(gw.GradwireError, match="images"):
        gw.ResizeBicubic(gw.Input(np.ones(shape)), size=[2, 2])
