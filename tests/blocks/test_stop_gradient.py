"""StopGradient may be replaced by a Constant of its value without changing any other gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.blocks.arithmetic import Add, Divide, Multiply, Subtract
from gradwire.blocks.control import StopGradient
from gradwire.blocks.elementwise import Exp, Tanh
from gradwire.blocks.selection import Maximum
from gradwire.blocks.sources import Variable
from gradwire.blocks.trigonometry import Sin
from gradwire.engine.autodiff.backward import backward_pass, ones
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from tests.blocks.contract.differences import computed

ONE_INPUT = (Exp, Sin, Tanh)
TWO_INPUTS = (Add, Subtract, Multiply, Divide, Maximum)


@settings(derandomize=True, deadline=None, database=None, max_examples=40)
@given(
    steps=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6),
    stop=st.integers(0, 9),
)
def test_a_stopped_value_acts_like_a_constant(steps: list[tuple[int, int, int]], stop: int) -> None:
    stopped = gradients_of(steps, stop, StopGradient)
    fixed = gradients_of(steps, stop, lambda item: constant(computed([item])({})[0]))
    for a, b in zip(stopped, fixed, strict=True):
        assert (a is None) == (b is None)
        # Where several gradients meet they may be added in another order, which costs a few units in the last place.
        assert a is None or np.allclose(a, b, rtol=1e-12, atol=0, equal_nan=True)


def gradients_of(steps: list[tuple[int, int, int]], stop: int, hold: Any) -> list[Array | None]:
    """Returns the gradients of both variables of a random graph whose value number `stop` passes through `hold`."""
    variables = [Variable(value=np.array([0.3, -1.1, 0.8])), Variable(value=np.array([[0.7], [-0.4]]))]
    values: list[Expression] = list(variables)
    for kind, first, second in steps:
        a, b = values[first % len(values)], values[second % len(values)]
        values.append(ONE_INPUT[kind](a) if kind < 3 else TWO_INPUTS[kind - 3](a, b))
        if len(values) - 3 == stop % len(steps):
            values.append(hold(values[-1]))
    total = Add(values[-1], Multiply(values[0], values[len(values) // 2]))
    totals = backward_pass({total: ones(total.spec)}).totals
    return [computed([totals[item]])({})[0] if item in totals else None for item in variables]


def test_nothing_passes_a_stop_though_the_value_does() -> None:
    x = Variable(value=np.array([3.0]))
    product = Multiply(x, StopGradient(x))
    (gradient,) = computed([backward_pass({product: ones(product.spec)}).totals[x]])({})
    assert gradient == pytest.approx([3.0])
