"""Random numbers by their properties: large samples whose moments lie within five standard errors of what is promised.

A fixed seed makes each test give the same result in every run.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import ParameterError

COUNT = 100_000
OF_FLOATS = ["RandomNormal", "RandomUniform", "TruncatedNormal"]

# Mean and variance by the textbook, and the fourth central moment, which gives the standard error of the variance.
NORMAL = (0.0, 1.0, 3.0)
UNIFORM = (1 / 2, 1 / 12, 1 / 80)
# Of a normal distribution between -2 and 2, integrated by parts: m[k] = (k - 1) m[k - 2] - 2 * 2^(k - 1) density(2).
DENSITY = math.exp(-2) / math.sqrt(2 * math.pi) / math.erf(math.sqrt(2))
SECOND = 1 - 4 * DENSITY
TRUNCATED = (0.0, SECOND, 3 * SECOND - 16 * DENSITY)


def drawn(name: str, *inputs: Any, **parameters: Any) -> np.ndarray:
    expression = getattr(gw, name)(*inputs, **parameters)
    return gw.evaluate(expression).value(expression)


def assert_moments(numbers: np.ndarray, mean: float, variance: float, fourth: float) -> None:
    numbers = numbers.astype(np.float64)
    assert abs(numbers.mean() - mean) < 5 * math.sqrt(variance / numbers.size)
    assert abs(numbers.var() - variance) < 5 * math.sqrt((fourth - variance**2) / numbers.size)


@pytest.mark.parametrize(
    ("name", "moments"), [("RandomNormal", NORMAL), ("RandomUniform", UNIFORM), ("TruncatedNormal", TRUNCATED)]
)
def test_mean_and_variance_are_those_of_the_distribution(name: str, moments: tuple[float, float, float]) -> None:
    for dtype in ("float32", "float64"):
        numbers = drawn(name, shape=[COUNT], seed=7, dtype=dtype)
        assert numbers.dtype.name == dtype
        assert_moments(numbers, *moments)


@pytest.mark.parametrize("name", OF_FLOATS)
def test_a_seed_means_the_same_numbers_and_another_seed_others(name: str) -> None:
    first, again, other = (drawn(name, shape=[3, 4], seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).all()


@pytest.mark.parametrize("name", [*OF_FLOATS, "RandomUniformInt"])
def test_without_anything_connected_it_is_an_expression_like_a_source(name: str) -> None:
    more = {"maxval": 4} if name == "RandomUniformInt" else {}
    noise = getattr(gw, name)(shape=[3], seed=1, **more)
    assert isinstance(noise, gw.Expression)
    assert noise.shape == (3,)


def test_an_input_stays_inside_the_graph_when_nothing_is_connected() -> None:
    x = gw.Input(np.ones(3))
    run = gw.evaluate(gw.Loss(x * gw.RandomNormal(shape=[3], seed=1)))
    np.testing.assert_array_equal(run.gradient(x), drawn("RandomNormal", shape=[3], seed=1))


@pytest.mark.parametrize("name", ["RandomNormal", "TruncatedNormal"])
def test_gradients_flow_through_mean_and_deviation(name: str) -> None:
    noise = drawn(name, shape=[4, 3], seed=5)
    mean, stddev = gw.Input(np.array([1.0, 2, 3])), gw.Input(2.0)
    weights = np.arange(12.0).reshape(4, 3)
    y = getattr(gw, name)(mean, stddev, shape=[4, 3], seed=5)
    run = gw.evaluate(gw.Loss(y, weights))
    np.testing.assert_allclose(run.value(y), [1, 2, 3] + 2 * noise)
    np.testing.assert_allclose(run.gradient(mean), weights.sum(0))
    np.testing.assert_allclose(run.gradient(stddev), (weights * noise).sum())


def test_a_deviation_of_zero_still_gets_its_gradient() -> None:
    stddev = gw.Input(0.0)
    run = gw.evaluate(gw.Loss(gw.RandomNormal(None, stddev, shape=[2], seed=5)))
    assert run.gradient(stddev) == pytest.approx(drawn("RandomNormal", shape=[2], seed=5).sum())


def test_the_bounds_of_uniform_numbers_share_the_gradient() -> None:
    share = drawn("RandomUniform", shape=[5], seed=9)
    low, high = gw.Input(-1.0), gw.Input(3.0)
    y = gw.RandomUniform(low, high, shape=[5], seed=9)
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_allclose(run.value(y), -1 + 4 * share)
    assert run.gradient(low) == pytest.approx((1 - share).sum())
    assert run.gradient(high) == pytest.approx(share.sum())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_uniform_numbers_never_reach_the_upper_bound(dtype: str) -> None:
    low, high = np.asarray(1024, dtype), np.asarray(1026, dtype)
    numbers = gw.RandomUniform(low, high, shape=[COUNT], seed=3)
    # float16 has only two numbers from 1024 up to and without 1026, so rounding up would be seen.
    assert numbers.min() >= low
    assert numbers.max() < high


def test_truncated_numbers_stay_within_two_deviations() -> None:
    numbers = drawn("TruncatedNormal", shape=[COUNT], seed=3, dtype="float16")
    assert np.abs(numbers).max() <= 2


def test_whole_numbers_are_equally_likely() -> None:
    numbers = drawn("RandomUniformInt", shape=[COUNT], minval=-2, maxval=3, seed=11, dtype="int32")
    assert numbers.dtype == np.int32
    values, counts = np.unique(numbers, return_counts=True)
    np.testing.assert_array_equal(values, [-2, -1, 0, 1, 2])
    assert np.abs(counts - COUNT / 5).max() < 5 * math.sqrt(COUNT * 0.2 * 0.8)


def test_shuffling_keeps_the_rows_and_passes_no_gradient() -> None:
    rows = np.arange(40.0).reshape(20, 2)
    x = gw.Input(rows)
    y = gw.RandomShuffle(x, seed=4)
    run = gw.evaluate(gw.Loss(y))
    assert (run.value(y) != rows).any()
    np.testing.assert_array_equal(run.value(y)[np.argsort(run.value(y)[:, 0])], rows)
    assert run.status(x) == "non_differentiable"


def test_every_order_of_three_is_equally_likely() -> None:
    seeds = range(3000)
    orders = [tuple(gw.RandomShuffle(np.arange(3), seed=seed)) for seed in seeds]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert max(abs(count - 500) for count in counts) < 5 * math.sqrt(3000 * (1 / 6) * (5 / 6))


def test_classes_are_drawn_with_the_probabilities_of_the_softmax() -> None:
    chances = np.array([[0.5, 0.3, 0.2, 0.0], [0.1, 0.0, 0.2, 0.7]])
    with np.errstate(divide="ignore"):
        logits = np.log(chances) + np.array([[100.0], [-1000.0]])
    classes = gw.RandomCategorical(logits, num_samples=COUNT, seed=2)
    assert classes.dtype == np.int64
    for row, expected in zip(classes, chances, strict=True):
        counts = np.bincount(row, minlength=4)
        assert (np.abs(counts - COUNT * expected) <= 5 * np.sqrt(COUNT * expected * (1 - expected))).all()


def test_a_row_without_any_possible_class_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match="row 1 of logits"):
        gw.RandomCategorical(np.array([[0.0, 1], [-np.inf, np.nan]]), num_samples=1)


def test_a_mean_that_does_not_fit_the_shape_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match="cannot be repeated"):
        gw.RandomNormal(gw.Input(np.ones((2, 3))), shape=[3])


def test_dropout_keeps_its_share_and_scales_it() -> None:
    x = np.full(COUNT, 3.0)
    y = drawn("Dropout", gw.Constant(x), rate=0.25, seed=1)
    assert set(np.unique(y)) == {0.0, 4.0}
    # Five standard errors of a share.
    assert abs((y == 0).mean() - 0.25) < 5 * math.sqrt(0.25 * 0.75 / COUNT)
    assert (drawn("Dropout", gw.Constant(x), rate=0.0) == x).all()


@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_dropout_refuses_a_rate_outside_of_0_to_1(rate: float) -> None:
    with pytest.raises(ParameterError, match="rate must be at least 0 and below 1"):
        gw.Dropout(gw.Constant([1.0]), rate=rate)
