"""Gradients of blocks with several outputs or inputs, beside central differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression

X = np.array([[0.3, -1.2, 2.0], [1.1, 0.4, -0.7]])
W = np.array([[1.0, 2.0, -1.0], [0.5, -3.0, 2.0]])

LOSSES: dict[str, Callable[[Expression], Expression]] = {
    "both outputs": lambda x: gw.ReduceSum(gw.Moments(x, axes=(0,))[0] * W[0] + gw.Moments(x, axes=(0,))[1] * W[1]),
    "first output alone": lambda x: gw.ReduceSum(gw.Square(gw.Moments(x, axes=(1,))[0])),
    "second output alone": lambda x: gw.ReduceSum(gw.Square(gw.Moments(x, axes=(1,))[1])),
    "outputs by number": lambda x: gw.ReduceSum(gw.Unstack(x)[0] ** 2.0 * gw.Unstack(x)[1]),
    "one of the numbered outputs": lambda x: gw.ReduceSum(gw.Exp(gw.Unstack(x)[1])),
    "one input read twice": lambda x: gw.ReduceSum(x * gw.Exp(x) + gw.MatMul(x, gw.Transpose(x))[0, 0]),
    "inputs by number": lambda x: gw.ReduceSum(gw.AddN([x, gw.Square(x), x]) * W),
    "repeated along an axis": lambda x: gw.ReduceSum(gw.Square(x + gw.ReduceSum(x, axis=0)) * W),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_gradient_is_the_slope_of_the_loss(name: str) -> None:
    def loss(values: np.ndarray) -> float:
        return float(gw.evaluate(gw.Loss(LOSSES[name](gw.Input(values)))).loss)  # type: ignore[arg-type]  # it has one

    x = gw.Variable(X)
    found = gw.evaluate(gw.Loss(LOSSES[name](x))).gradient(x)
    step = 1e-5
    for index in np.ndindex(*X.shape):
        nudge = np.zeros_like(X)
        nudge[index] = step
        slope = (loss(X + nudge) - loss(X - nudge)) / (2 * step)
        assert found[index] == pytest.approx(slope, rel=1e-6, abs=1e-8)
