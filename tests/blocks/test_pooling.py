"""Max pooling at borders and ties, what its index means, and means without the border."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.library import library

LOWEST = np.full((1, 2, 2, 1), -np.inf)


def test_a_window_of_minus_infinity_keeps_its_gradient_away_from_the_border() -> None:
    x = gw.Input(LOWEST)
    y = gw.MaxPool2D(x, ksize=2, strides=1, padding=[[0, 0], [1, 0], [1, 0], [0, 0]])
    run = gw.evaluate(gw.Loss(y, np.ones((1, 2, 2, 1))))
    # Of each of the four windows the first element inside the image: all of them the upper left one.
    np.testing.assert_array_equal(run.gradient(x)[0, :, :, 0], [[4, 0], [0, 0]])


def test_the_border_is_no_partner_of_a_tie() -> None:
    x = gw.Input(np.full((1, 1, 1, 1), -np.inf))
    run = gw.evaluate(gw.MaxPool2D(x, ksize=2, strides=2, padding="SAME"))
    assert not any("equal maxima" in problem for problem in run.problems)


def test_a_window_with_nothing_but_border_is_the_lowest_number_and_passes_nothing() -> None:
    x = gw.Input(np.ones((1, 1, 1, 1)))
    y = gw.MaxPool2D(x, ksize=1, strides=1, padding=[[0, 0], [1, 0], [0, 0], [0, 0]])
    run = gw.evaluate(gw.Loss(y, np.array([3.0, 5.0]).reshape(1, 2, 1, 1)))
    np.testing.assert_array_equal(run.value(y).ravel(), [np.finfo(float).min, 1])
    np.testing.assert_array_equal(run.gradient(x).ravel(), [5])


def test_integers_are_pooled_too() -> None:
    x = np.arange(4, dtype=np.int32).reshape(1, 2, 2, 1)
    y = gw.MaxPool2D(x, ksize=2, strides=1, padding="SAME")
    np.testing.assert_array_equal(y.ravel(), [3, 3, 3, 3])
    assert y.dtype == np.int32


def test_the_border_does_not_count_in_a_mean() -> None:
    x = np.array([1.0, 2.0, 6.0]).reshape(1, 3, 1)
    y = gw.AvgPool1D(x, ksize=2, strides=2, padding="SAME")
    np.testing.assert_array_equal(y.ravel(), [1.5, 6])


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_argmax_is_the_index_in_the_flat_batch(padding: str) -> None:
    x = np.random.default_rng(1).normal(size=(2, 5, 4, 3))
    output, argmax = gw.MaxPoolWithArgmax(x, ksize=(3, 2), strides=(2, 1), padding=padding, include_batch_in_index=True)
    np.testing.assert_array_equal(x.ravel()[argmax], output)
    np.testing.assert_array_equal(output, gw.MaxPool2D(x, ksize=(3, 2), strides=(2, 1), padding=padding))
    _, single = gw.MaxPoolWithArgmax(x, ksize=(3, 2), strides=(2, 1), padding=padding)
    np.testing.assert_array_equal(single, argmax - np.array([0, 60]).reshape(2, 1, 1, 1))


def test_nan_has_an_argmax_only_where_it_comes_first() -> None:
    x = np.array([np.nan, 1.0, 1.0, np.nan]).reshape(1, 1, 4, 1)
    output, argmax = gw.MaxPoolWithArgmax(x, ksize=(1, 2), strides=(1, 2), padding="VALID")
    np.testing.assert_array_equal(output.ravel(), [np.nan, 1])
    np.testing.assert_array_equal(argmax.ravel(), [0, 2])


@pytest.mark.parametrize("name", ["MaxPool1D", "MaxPool2D", "MaxPool3D"])
def test_ties_are_told_in_all_dimensions(name: str) -> None:
    spatial = int(name[-2])
    x = gw.Input(np.zeros((1, *(2,) * spatial, 1)))
    run = gw.evaluate(library[name](x, ksize=2, strides=2, padding="VALID"))
    assert any("1 window has equal maxima" in problem for problem in run.problems)


def test_channels_first_tells_the_same_ties() -> None:
    x = gw.Input(np.array([1.0, 1.0, 2.0, 3.0]).reshape(1, 1, 4))
    run = gw.evaluate(gw.MaxPool1D(x, ksize=2, strides=2, padding="VALID", data_format="NCW"))
    assert any("1 window has equal maxima" in problem for problem in run.problems)


def test_in_three_dimensions_every_equal_maximum_gets_all_of_the_gradient() -> None:
    x = gw.Input(np.array([1.0, 3, 3, 2, 3, 3, 1, 0]).reshape(1, 2, 2, 2, 1), name="x")
    run = gw.evaluate(gw.Loss(gw.MaxPool3D(x, ksize=2, strides=2, padding="VALID")))
    # Recorded from tf.nn.max_pool3d.
    np.testing.assert_array_equal(run.gradient(x).ravel(), [0, 1, 1, 0, 1, 1, 0, 0])
