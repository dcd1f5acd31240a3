"""Losses at their kinks and far from zero, where the recorded cases do not reach."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gradwire as gw


def test_the_logarithm_of_cosh_does_not_overflow() -> None:
    truth, prediction = np.zeros(1), gw.Input(np.array([-1000.0]))
    loss = gw.LogCosh(truth, prediction)
    run = gw.evaluate(gw.Loss(loss))
    assert run.value(loss) == pytest.approx(1000 - math.log(2))
    assert run.gradient(prediction) == [-1]


def test_at_the_margin_the_hinge_still_pulls() -> None:
    prediction = gw.Input(np.array([1.0]))
    run = gw.evaluate(gw.Loss(gw.Hinge(np.array([1.0]), prediction)))
    assert run.gradient(prediction) == [-1]


def test_opposite_vectors_have_a_similarity_of_minus_one_whatever_their_lengths() -> None:
    a = np.array([[3.0, -4.0], [1e-3, 0.0]])
    np.testing.assert_allclose(gw.CosineSimilarity(a, a * [[-7], [-1e4]]), [-1, -1], rtol=1e-15)


def test_a_logit_of_zero_gets_only_the_linear_part_as_in_tensorflow() -> None:
    logits = gw.Input(np.zeros(2))
    run = gw.evaluate(gw.Loss(gw.WeightedCrossEntropyWithLogits(np.array([0.25, 1.0]), logits, np.array(3.0))))
    np.testing.assert_array_equal(run.gradient(logits), [0.75, 0])


def test_stirlings_formula_is_near_the_logarithm_of_the_factorial() -> None:
    count = np.array([20.0])
    with_factorial = gw.LogPoissonLoss(count, np.zeros(1), compute_full_loss=True)
    # The next term of Stirling's series, 1 / (12 n), is what is missing.
    missing = math.lgamma(21) - (with_factorial - gw.LogPoissonLoss(count, np.zeros(1)))
    np.testing.assert_allclose(missing, 1 / 240, rtol=1e-3)


def test_counts_and_inputs_of_different_shapes_are_refused() -> None:
    with pytest.raises(gw.GradwireError, match="must have the same shape"):
        gw.LogPoissonLoss(gw.Input(np.ones(2)), gw.Input(np.ones((2, 2))))


def test_a_cross_entropy_over_no_classes_at_all_is_zero_for_each_row() -> None:
    nothing = np.zeros((0, 3))
    loss = gw.SoftmaxCrossEntropyWithLogits(nothing, gw.Input(nothing), axis=0)
    np.testing.assert_array_equal(gw.evaluate(gw.Loss(loss)).value(loss), np.zeros(3))


def test_an_infinite_error_has_the_gradient_of_tensorflow() -> None:
    prediction = gw.Input(np.array([np.inf, 3.0, 0.25]))
    run = gw.evaluate(gw.Loss(gw.Huber(np.zeros(3), prediction)))
    # Recorded from TensorFlow 2.21: the branch that was not chosen sends 0 times infinity.
    np.testing.assert_allclose(run.gradient(prediction), [np.nan, 1 / 3, 0.25 / 3], rtol=1e-15)
