"""Steps of optimizers known from their papers and by hand, besides the recorded ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.library import library
from tests.blocks.contract.pinned import OPTIMIZERS

GRADIENT = np.array([0.02, -3.0, 400.0])
ZEROS = np.zeros(3)


def step(name: str, *inputs: Any, **parameters: Any) -> Any:
    return library[name](*inputs, **parameters)


def test_adams_first_step_has_the_size_of_the_rate() -> None:
    var, _, _ = step("ApplyAdam", ZEROS, ZEROS, ZEROS, GRADIENT, lr=0.01, epsilon=0.0)
    np.testing.assert_allclose(var, -0.01 * np.sign(GRADIENT), rtol=1e-12)


def test_adamax_moves_by_the_rate_at_each_of_equal_gradients() -> None:
    var, _, _ = step("ApplyAdaMax", ZEROS, ZEROS, ZEROS, *[GRADIENT] * 5, lr=0.01, epsilon=0.0)
    np.testing.assert_allclose(var, -0.05 * np.sign(GRADIENT), rtol=1e-12)


def test_adam_moves_on_when_the_gradient_is_zero() -> None:
    # By hand: -0.1 after the first step; then m = 0.09, v = 0.000999, so 0.1 sqrt(0.001999) / 0.19 * m / sqrt(v) more.
    state = (np.zeros(1), np.zeros(1), np.zeros(1))
    var, _, _ = step("ApplyAdam", *state, np.ones(1), np.zeros(1), lr=0.1, epsilon=0.0)
    np.testing.assert_allclose(var, -0.1 - 0.1 * 0.001999**0.5 / 0.19 * 0.09 / 0.000999**0.5, rtol=1e-12)


def test_momentum_adds_up_to_a_geometric_sum() -> None:
    _, speed = step("ApplyMomentum", ZEROS, ZEROS, *[GRADIENT] * 6, momentum=0.5)
    np.testing.assert_allclose(speed, GRADIENT * (1 - 0.5**6) / (1 - 0.5), rtol=1e-12)


def test_nesterovs_momentum_moves_by_the_speed_of_the_next_step() -> None:
    inputs = (ZEROS, ZEROS, GRADIENT)
    ahead, _ = step("ApplyMomentum", *inputs, lr=1.0, momentum=0.5, use_nesterov=True)
    _, next_speed = step("ApplyMomentum", *inputs, GRADIENT, momentum=0.5)
    np.testing.assert_allclose(ahead, -next_speed, rtol=1e-12)


def test_gradient_descent_ends_at_the_minimum_of_a_parabola() -> None:
    x = np.array([5.0])
    for _ in range(60):
        x = step("ApplyGradientDescent", x, 2 * (x - 3), alpha=0.25)
    np.testing.assert_allclose(x, 3, rtol=1e-12)


def test_adagrad_steps_fall_with_the_root_of_their_number() -> None:
    var, _ = step("ApplyAdagrad", ZEROS, ZEROS, *[GRADIENT] * 3, lr=1.0)
    np.testing.assert_allclose(var, -np.sign(GRADIENT) * (1 + 1 / np.sqrt(2) + 1 / np.sqrt(3)), rtol=1e-12)


@pytest.mark.parametrize("name", ["ApplyAdadelta", "ApplyAdaMax", "ApplyAdam"])
def test_without_epsilon_the_scale_of_gradients_does_not_matter(name: str) -> None:
    # Adadelta's update keeps the scale of d, which is not that of the gradients.
    start = (ZEROS, ZEROS, np.ones(3) if name == "ApplyAdadelta" else ZEROS)
    gradients = [GRADIENT, GRADIENT[::-1], -GRADIENT]
    small, large = (step(name, *start, *(scale * g for g in gradients), epsilon=0.0)[0] for scale in (1, 1e5))
    np.testing.assert_allclose(small, large, rtol=1e-12)


def test_the_variance_of_equal_gradients_vanishes() -> None:
    gradients = [np.ones(1)] * 400
    _, mean, square, _ = step("ApplyCenteredRMSProp", *[np.zeros(1)] * 4, *gradients, rho=0.9)
    assert square - mean**2 == pytest.approx(0, abs=1e-12)


def test_rmsprop_divides_by_the_root_of_the_mean_square() -> None:
    var, mean_square, _ = step("ApplyRMSProp", ZEROS, ZEROS, ZEROS, GRADIENT, lr=1.0, rho=0.75, epsilon=0.0)
    np.testing.assert_allclose(mean_square, GRADIENT**2 / 4, rtol=1e-12)
    np.testing.assert_allclose(var, -2 * np.sign(GRADIENT), rtol=1e-12)


def test_a_strong_penalty_makes_the_variable_exactly_zero() -> None:
    var = np.array([0.5, -1.0, 2.0])
    gradient = np.array([1.0, -2.0, 3.0])
    assert not step("ApplyFtrl", var, np.ones(3), ZEROS, gradient, lr=1.0, l1=10.0)[0].any()
    assert not step("ApplyAdagradDA", var, ZEROS, ZEROS, gradient, lr=0.1, l1=3.0)[0].any()
    assert not step("ApplyProximalAdagrad", var, np.ones(3), gradient, lr=1.0, l1=10.0)[0].any()
    assert not step("ApplyProximalGradientDescent", var, gradient, alpha=1.0, l1=5.0)[0].any()


def test_ftrl_without_penalties_is_adagrad() -> None:
    # McMahan et al. 2013: the leader without penalties follows gradient descent at Adagrad's rates.
    start = np.array([0.5, -1.0, 2.0])
    linear = -start * np.sqrt(0.1) / 0.3
    gradients = [np.array([0.3, -0.2, 0.1]), np.array([-1.0, 0.4, 0.2])]
    ftrl, _, _ = step("ApplyFtrl", start, np.full(3, 0.1), linear, *gradients, lr=0.3)
    adagrad, _ = step("ApplyAdagrad", start, np.full(3, 0.1), *gradients, lr=0.3)
    np.testing.assert_allclose(ftrl, adagrad, rtol=1e-12)


def test_ftrl_is_the_same_whether_or_not_its_state_is_kept_times_the_rate() -> None:
    start, accum, linear = np.array([0.5, -1.0, 2.0]), np.full(3, 0.1), np.array([3.0, -2.0, 0.1])
    settings = {"lr": 0.3, "l1": 0.2, "l2": 0.1, "l2_shrinkage": 0.05, "lr_power": -0.7}
    plain = step("ApplyFtrl", start, accum, linear, GRADIENT, **settings)
    scaled = step("ApplyFtrl", start, accum, 0.3 * linear, GRADIENT, **settings, multiply_linear_by_lr=True)
    np.testing.assert_allclose(scaled[0], plain[0], rtol=1e-12)
    np.testing.assert_allclose(scaled[2], 0.3 * plain[2], rtol=1e-12)


def test_ftrl_stays_at_zero_where_nothing_ever_arrived() -> None:
    var, _, _ = step("ApplyFtrl", np.ones(1), np.zeros(1), np.zeros(1), np.zeros(1), lr=0.1)
    assert var == 0


@pytest.mark.parametrize("name", sorted(OPTIMIZERS))
def test_without_a_gradient_nothing_changes(name: str) -> None:
    block_type = library[name]
    state = [np.array([float(index), -2.0]) for index in range(len(block_type.outputs))]
    rates = {item.name: 0.1 for item in block_type.parameters.values() if item.is_required}
    after = block_type(*state, **rates)
    for old, new in zip(state, after if isinstance(after, tuple) else (after,), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("name", sorted(OPTIMIZERS))
def test_a_gradient_of_another_shape_is_refused(name: str) -> None:
    block_type = library[name]
    specs = [(3,)] * len(block_type.outputs) + [(3,), (1,)]
    rates = {item.name: 0.1 for item in block_type.parameters.values() if item.is_required}
    with pytest.raises(ShapeError, match=r"grad_1 is \[1\] but var is \[3\]"):
        block_type.infer_outputs([TensorSpec(shape, np.dtype("f8")) for shape in specs], block_type.normalize(rates))


@pytest.mark.parametrize(("parameter", "value"), [("lr", 0.0), ("l1", -1.0), ("l2", -1.0), ("lr_power", 0.5)])
def test_ftrl_takes_only_parameters_that_tensorflow_takes(parameter: str, value: float) -> None:
    block_type = library["ApplyFtrl"]
    with pytest.raises(ParameterError, match=f"parameter {parameter} is .*, but must be"):
        block_type.infer_outputs([TensorSpec((), np.dtype("f8"))] * 4, block_type.normalize({parameter: value}))


@pytest.mark.parametrize("beta", [1.0, 1e200])
def test_means_that_never_forget_give_no_number_rather_than_a_failure(beta: float) -> None:
    var, _, _ = step("ApplyAdam", ZEROS, ZEROS, ZEROS, GRADIENT, GRADIENT, beta1=beta, beta2=beta)
    assert np.isnan(var).all()
