"""Gradients that explode or vanish: from which size on, over which steps, and what is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.why.paths import Step, growth
from gradwire.interop.why.sizes import is_unusual, largest
from tests.interop.why.scripts import from_lines, line

_HARDLY = "of the largest gradient; training hardly moves it."


def chain(start: Expression, factors: Sequence[float]) -> Expression:
    for place, factor in enumerate(factors):
        start = gw.Multiply(start, factor, name=f"m{place}")
    return start


def said(loss: Expression, notes: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, str, str]]:
    found = gw.why(from_lines(gw.Loss(loss), notes)).findings
    return {item.parameter: (str(item.status), item.where, item.reason) for item in found}


def same_line(count: int, start: int = 0, number: int = 1) -> dict[str, dict[str, str]]:
    return {f"m{place}": line(number, "mul") for place in range(start, start + count)}


@pytest.mark.parametrize(
    ("value", "factors", "text"),
    [
        (1.0, [10.0] * 5, "mul at m.py:1 enlarges it 1e+05 times in 5 steps. The largest is 1e+05."),
        (1.0, [10.0] * 4 + [9.9], ""),
        (99.9, [10.0] * 5, "mul at m.py:1 enlarges it 1e+05 times in 5 steps. The largest is 1e+05."),
        (100.0, [10.0] * 5, ""),
        (1.0, [100.0, 10.0, 10.0, 10.0, 1.0], ""),
        (1.0, [10.0] * 6 + [0.1], "mul at m.py:1 enlarges it 1e+06 times in 6 steps. The largest is 1e+05."),
        (1.0, [1e6], "mul at m.py:1 enlarges it 1e+06 times in 1 step. The largest is 1e+06."),
        (0.5, [1e6], "mul at m.py:1 enlarges it 1e+06 times in 1 step. The largest is 1e+06."),
        (0.5, [0.99e6], ""),
        (2.0, [1e6], ""),
        (2.0, [2e6], "mul at m.py:1 enlarges it 2e+06 times in 1 step. The largest is 2e+06."),
    ],
)
def test_a_gradient_explodes_that_grew_over_steps_or_is_enormous(value: float, factors: list[float], text: str) -> None:
    found = said(gw.ReduceSum(chain(gw.Variable([value], name="w"), factors)), same_line(len(factors)))
    assert found == ({"w": ("exploding", "m.py:1", text)} if text else {})


@pytest.mark.parametrize(
    ("factors", "notes", "where", "text"),
    [
        ([1e-6], {}, "", ""),
        ([0.9e-6], same_line(1), "m.py:1",
         f"mul at m.py:1 leaves 9e-07 of the gradient in 1 step. That of w is 9e-07 {_HARDLY}"),
        ([1e-4, 10.0, 1e-5], same_line(3), "m.py:1",
         f"mul at m.py:1 leaves 1e-09 of the gradient in 2 steps. That of w is 1e-08 {_HARDLY}"),
        # One that grew on its way, but is faint at last, has vanished.
        ([10.0] * 5 + [1e-20], same_line(5), "main/m5",
         f"Multiply at main/m5 leaves 1e-20 of the gradient in 1 step. That of w is 1e-15 {_HARDLY}"),
        # Many small steps of one line are told before a larger one of another.
        ([0.1] * 5 + [1e-6], same_line(5), "m.py:1",
         f"mul at m.py:1 leaves 1e-05 of the gradient in 5 steps. That of w is 1e-11 {_HARDLY}"),
        ([0.1] * 4 + [1e-6], same_line(4) | same_line(1, 4, 2), "m.py:2",
         f"mul at m.py:2 leaves 1e-06 of the gradient in 1 step. That of w is 1e-10 {_HARDLY}"),
        ([0.3] * 5 + [1e-6], same_line(5) | same_line(1, 5, 2), "m.py:2",
         f"mul at m.py:2 leaves 1e-06 of the gradient in 1 step. That of w is 2e-09 {_HARDLY}"),
    ],
)  # fmt: skip
def test_a_gradient_vanishes_below_a_millionth_of_the_largest(
    factors: list[float], notes: Mapping[str, Mapping[str, str]], where: str, text: str
) -> None:
    loss = gw.ReduceSum(chain(gw.Variable([1.0], name="w"), factors) + gw.Variable([1.0], name="v"))
    assert said(loss, notes) == ({"w": ("vanishing", where, text)} if text else {})


@pytest.mark.parametrize(
    ("value", "factors", "text"),
    [
        (
            20.0,
            [],
            f"sigmoid at m.py:2 is saturated and leaves 2e-09 of the gradient in 1 step. That of w is 2e-09 {_HARDLY}",
        ),
        (6.0, [0.01, 0.01], f"sigmoid at m.py:2 leaves 0.002 of the gradient in 1 step. That of w is 2e-07 {_HARDLY}"),
    ],
)
def test_a_squashing_step_that_leaves_less_than_a_thousandth_is_saturated(
    value: float, factors: list[float], text: str
) -> None:
    squashed = chain(gw.Sigmoid(gw.Variable([value], name="w"), name="s"), factors)
    loss = gw.ReduceSum(squashed + gw.Variable([1.0], name="v"))
    assert said(loss, {"s": line(2, "sigmoid")}) == {"w": ("vanishing", "m.py:2", text)}


def test_a_product_with_what_has_vanished_before_is_told_with_its_size() -> None:
    w, v = gw.Variable([[1.0]], name="w"), gw.Variable([1.0], name="v")
    product = gw.MatMul(gw.Input([[1e-8]]), w, name="p")
    assert said(gw.ReduceSum(product) + gw.ReduceSum(v), {"p": line(4, "linear")}) == {
        "w": (
            "vanishing",
            "m.py:4",
            "linear at m.py:4 multiplies it by what has vanished before: by 1e-08 at most. That "
            f"of w is 1e-08 {_HARDLY}",
        )
    }


def test_a_product_whose_factor_is_larger_than_the_root_of_what_it_leaves_is_not_told_by_it() -> None:
    """Only the row of 1e-8 counts for the loss, and the factor 1e-3 does not."""
    w, v = gw.Variable([[1.0]], name="w"), gw.Variable([1.0], name="v")
    product = gw.MatMul(gw.Input([[1e-8], [1e-3]]), w, name="p")
    loss = gw.ReduceSum(gw.Multiply(product, gw.Constant([[1.0], [0.0]]), name="k")) + gw.ReduceSum(v)
    assert said(loss, {"p": line(4, "linear")})["w"][2] == (
        f"linear at m.py:4 leaves 1e-08 of the gradient in 1 step. That of w is 1e-08 {_HARDLY}"
    )


def test_of_one_spot_the_parameter_that_suffers_most_is_told() -> None:
    a, b, v = (gw.Variable([1.0], name=name) for name in "abv")
    loss = gw.ReduceSum(gw.Multiply(gw.Multiply(a, 0.1, name="m1") + b, 1e-7, name="m0") + v)
    text = f"mul at m.py:1 leaves 1e-08 of the gradient in 2 steps. That of a is 1e-08 {_HARDLY}"
    assert said(loss, same_line(2)) == dict.fromkeys("ab", ("vanishing", "m.py:1", text))


def test_a_gradient_that_grew_until_it_was_infinite_explodes() -> None:
    w = gw.Variable([1.0], name="w")
    text = said(gw.ReduceSum(chain(w, [1e60] * 6)), same_line(6))["w"]
    assert text[:2] == ("exploding", "m.py:1")
    assert text[2].startswith("The gradient explodes: mul at m.py:1 enlarges it 1e+300 times in 5 steps. mul at m.py:1")
    assert said(gw.ReduceSum(chain(w, [1e200] * 2)), same_line(2))["w"][0] == "nonfinite"


@pytest.mark.parametrize("is_stored", [True, False])
def test_sizes_say_little_where_a_batch_normalisation_uses_stored_statistics(is_stored: bool) -> None:
    x = gw.Input([[1.0], [3.0]], name="x")
    mean, variance = (gw.Input([2.0]), gw.Input([1.0])) if is_stored else gw.Moments(x, axes=[0])
    normal = gw.BatchNormalization(x, mean, variance, gw.Constant([0.0]), gw.Constant([1.0]), name="n")
    loss = gw.ReduceSum(normal) + gw.ReduceSum(gw.Variable([1.0], name="w") * 1e7)
    report = gw.why(from_lines(gw.Loss(loss), {"n": line(2, "batch_norm")}))
    assert [str(item.status) for item in report.findings] == ([] if is_stored else ["exploding"])
    said = (
        "1 gradient is far smaller or larger than others. Their sizes say little, for batch normalisations use stored "
        "statistics (eval): call .train() for the gradients of training."
    )
    assert report.notes == ((said,) if is_stored else ())


@pytest.mark.parametrize(
    ("ratios", "grown"),
    [
        ([], 1), ([0.5], 1), ([3.0], 3), ([2.0, 3.0], 6), ([2.0, 0.5, 3.0], 3), ([3.0, 0.5, 2.0], 3),
        ([4.0, 0.5, 2.0], 4), ([4.0, 0.5, 3.0], 6), ([2.0, 0.01, 3.0], 3), ([2.0, np.inf, 3.0], 6),
    ],
)  # fmt: skip
def test_growth_is_the_largest_factor_between_two_places(ratios: list[float], grown: float) -> None:
    assert growth([Step("", ratio) for ratio in ratios]) == pytest.approx(grown)


@pytest.mark.parametrize(
    ("size", "top", "weights", "is_so"),
    [
        (1000, 1000, 1, False), (1001, 1001, 1, True), (100, 100, 0.01, False), (101, 101, 0.01, True),
        (1e-6, 1, 1, False), (0.9e-6, 1, 1, True), (0, 0, 1, True), (1, 1, 1, False),
    ],
)  # fmt: skip
def test_a_size_is_unusual_beside_weights_and_beside_the_largest(
    size: float, top: float, weights: float, is_so: bool
) -> None:
    assert is_unusual(size, top, weights) is is_so


def test_the_largest_number_is_a_finite_one() -> None:
    assert largest(np.array([np.nan, -3.0, np.inf, 2.0])) == 3
    assert largest(None) == largest(np.array([np.nan])) == 0


@pytest.mark.parametrize(
    ("array", "size"),
    [([0.5, -0.25], 0.5), ([-0.5], 0.5), ([], 0.0), ([np.nan], 0.0), ([np.inf, 1e-9], 1e-9), ([0.0], 0.0), (None, 0.0)],
)
def test_sizes_below_one_and_of_nothing(array: list[float] | None, size: float) -> None:
    assert largest(None if array is None else np.array(array)) == size
