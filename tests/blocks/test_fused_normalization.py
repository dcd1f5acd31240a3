"""Promises of the two normalizations: moments, inputs, and outputs without a gradient."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

IMAGES = np.random.default_rng(5).normal(3, 2, (4, 5, 6, 2))
ONES, ZEROS = np.ones(2), np.zeros(2)


def test_a_normalized_batch_has_mean_0_and_variance_1_in_every_channel() -> None:
    y, mean, variance = gw.FusedBatchNorm(IMAGES, ONES, ZEROS, epsilon=0.0)
    np.testing.assert_allclose(y.mean((0, 1, 2)), ZEROS, atol=1e-13)
    # The smallest epsilon that counts, 1.001e-5, is what the variance lacks.
    np.testing.assert_allclose(y.var((0, 1, 2)), ONES, rtol=1e-5)
    np.testing.assert_allclose(mean, IMAGES.mean((0, 1, 2)))
    np.testing.assert_allclose(variance, IMAGES.var((0, 1, 2), ddof=1))


def test_channels_may_come_first() -> None:
    first = gw.FusedBatchNorm(np.moveaxis(IMAGES, -1, 1), ONES, ZEROS, data_format="NCHW")[0]
    np.testing.assert_allclose(np.moveaxis(first, 1, -1), gw.FusedBatchNorm(IMAGES, ONES, ZEROS)[0])


def test_the_average_moves_from_the_given_to_the_batch() -> None:
    old = np.array([10.0, 20.0])
    _, mean, variance = gw.FusedBatchNorm(IMAGES, ONES, ZEROS, old, old, exponential_avg_factor=0.25)
    np.testing.assert_allclose(mean, 0.75 * old + 0.25 * IMAGES.mean((0, 1, 2)))
    np.testing.assert_allclose(variance, 0.75 * old + 0.25 * IMAGES.var((0, 1, 2), ddof=1))


def test_outside_training_mean_and_variance_have_to_be_connected() -> None:
    with pytest.raises(gw.GradwireError, match="connect mean and variance"):
        gw.FusedBatchNorm(gw.Input(IMAGES), ONES, ZEROS, is_training=False)


def test_outside_training_the_images_are_only_scaled() -> None:
    x, variance = gw.Input(IMAGES), gw.Input(np.array([4.0, 9.0]))
    y, _, passed = gw.FusedBatchNorm(x, ONES, ZEROS, ZEROS, variance, is_training=False, epsilon=0.5)
    run = gw.evaluate(gw.Loss(y) + gw.Loss(passed))
    np.testing.assert_allclose(run.gradient(x), np.broadcast_to([4.5**-0.5, 9.5**-0.5], IMAGES.shape))
    assert run.status(variance) == "non_differentiable"


def test_each_example_is_normalized_over_several_axes_at_once() -> None:
    y = gw.LayerNormalization(IMAGES, np.ones((5, 6)), np.zeros((5, 6)), axis=[2, 1], epsilon=0.0)
    np.testing.assert_allclose(y.mean((1, 2)), np.zeros((4, 2)), atol=1e-13)
    np.testing.assert_allclose(y.var((1, 2)), np.ones((4, 2)))


def test_half_precision_survives_squares_beyond_its_range() -> None:
    x = np.array([300, -300, 900, -900], np.float16)
    y = gw.LayerNormalization(x, np.ones(4, np.float16), np.zeros(4, np.float16))
    np.testing.assert_allclose(y, x / np.sqrt(np.float64(450_000)), rtol=1e-3)


def test_gamma_of_another_size_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match=r"gamma has shape \[1\]"):
        gw.LayerNormalization(gw.Input(IMAGES), np.ones(1), np.zeros(2))
