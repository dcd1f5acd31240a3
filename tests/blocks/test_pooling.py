"""The border of max pooling is below every element, and never a maximum itself."""

from __future__ import annotations

import numpy as np

import gradwire as gw

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


def test_a_window_with_nothing_but_border_is_minus_infinity_and_passes_nothing() -> None:
    x = gw.Input(np.ones((1, 1, 1, 1)))
    y = gw.MaxPool2D(x, ksize=1, strides=1, padding=[[0, 0], [1, 0], [0, 0], [0, 0]])
    run = gw.evaluate(gw.Loss(y, np.array([3.0, 5.0]).reshape(1, 2, 1, 1)))
    np.testing.assert_array_equal(run.value(y).ravel(), [-np.inf, 1])
    np.testing.assert_array_equal(run.gradient(x).ravel(), [5])


def test_integers_are_pooled_too() -> None:
    x = np.arange(4, dtype=np.int32).reshape(1, 2, 2, 1)
    y = gw.MaxPool2D(x, ksize=2, strides=1, padding="SAME")
    np.testing.assert_array_equal(y.ravel(), [3, 3, 3, 3])
    assert y.dtype == np.int32
