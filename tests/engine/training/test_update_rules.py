"""The rules of training move variables as the optimizer blocks do, which TensorFlow's records pin down."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.update_rules import adam, descent, momentum
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.update_rule import UpdateRule
from gradwire.engine.training.training import Training

GRADIENTS = [np.array([0.5, -1.0, 0.0]), np.array([2.0, 0.25, 0.0]), np.array([-0.125, 3.0, 1.0])]
START = np.array([1.0, 2.0, 3.0])
ZERO = np.zeros(3)


def trained(rule: UpdateRule) -> np.ndarray:
    """Returns the variable after one step with each gradient: the loss is linear, so its gradient is what is fed."""
    w, g = gw.Variable(START, name="w"), gw.Input(GRADIENTS[0], name="g")
    training = Training(gw.graph(library["Loss"](w * g)), rule)
    for gradient in GRADIENTS:
        training.step({"g": gradient})
    return np.asarray(training.graph.pages[0].blocks["w"].parameters["value"])


def test_descent_is_that_of_the_block() -> None:
    expected = START - 0.1 * sum(GRADIENTS)
    np.testing.assert_allclose(trained(descent(0.1)), expected, rtol=1e-15)


@pytest.mark.parametrize("use_nesterov", [False, True])
def test_momentum_is_that_of_the_block(use_nesterov: bool) -> None:
    parameters = {"lr": 0.1, "momentum": 0.8, "use_nesterov": use_nesterov}
    expected = library["ApplyMomentum"](START, ZERO, *GRADIENTS, **parameters)[0]
    np.testing.assert_allclose(trained(momentum(0.1, 0.8, use_nesterov)), expected, rtol=1e-15)


def test_adam_is_that_of_the_block() -> None:
    expected = library["ApplyAdam"](START, ZERO, ZERO, *GRADIENTS, lr=0.1, beta1=0.7, beta2=0.95, epsilon=1e-3)[0]
    np.testing.assert_allclose(trained(adam(0.1, 0.7, 0.95, 1e-3)), expected, rtol=1e-14)
