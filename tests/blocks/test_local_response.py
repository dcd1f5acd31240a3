"""Local response normalisation by its formula, written out."""

from __future__ import annotations

import numpy as np

import gradwire as gw


def test_the_norm_sums_the_squares_of_the_channels_around() -> None:
    x = np.arange(1.0, 6.0).reshape(1, 1, 1, 5)
    y = gw.LRN(x, depth_radius=1, bias=2.0, alpha=0.5, beta=0.75)
    squares = np.array([1 + 4, 1 + 4 + 9, 4 + 9 + 16, 9 + 16 + 25, 16 + 25])
    # The same few operations, so a few units in the last place.
    np.testing.assert_allclose(y.ravel(), x.ravel() / (2 + 0.5 * squares) ** 0.75, rtol=1e-14)


def test_a_radius_beyond_all_channels_takes_all_of_them() -> None:
    x = np.array([3.0, 4.0]).reshape(1, 1, 1, 2)
    np.testing.assert_allclose(gw.LRN(x, depth_radius=9, bias=0.0).ravel(), [0.6, 0.8], rtol=1e-15)


def test_squares_of_float16_do_not_overflow() -> None:
    x = np.full((1, 1, 1, 1), 1000, np.float16)
    assert gw.LRN(x, bias=0.0).item() == 1
