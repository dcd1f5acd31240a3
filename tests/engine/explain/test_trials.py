"""Trials behind the claims about a zero: other dtypes, other inputs, and losses whose course is known."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.claims.claims import Claim, claims_of
from gradwire.engine.explain.claims.local_trials import LocalTrial, element
from gradwire.engine.explain.why_zero import why_zero

NUMBERS = np.array([[1.0, math.inf, -3.0], [math.nan, -math.inf, 6.0]])


@pytest.mark.parametrize(
    ("array", "index", "expected"),
    [
        (NUMBERS, (0, 0), 1.0), (NUMBERS, (0, 2), -3.0), (NUMBERS, (1, 2), 6.0),
        (NUMBERS, (0, 1), 0.0), (NUMBERS, (1, 0), 0.0), (NUMBERS, (1, 1), 0.0),
        (NUMBERS, (2, 0), 0.0), (NUMBERS, (0, 3), 0.0), (NUMBERS, (0,), 0.0), (NUMBERS, (), 0.0),
        (NUMBERS, (0, 0, 0), 0.0), (None, (), 0.0), (None, (0,), 0.0), (np.array(2.5), (), 2.5),
    ],
)  # fmt: skip
def test_an_element_that_is_not_there_or_not_finite_counts_as_zero(
    array: np.ndarray | None, index: tuple[int, ...], expected: float
) -> None:
    assert element(array, index) == expected


def trial(run: Evaluation, port: str) -> LocalTrial:
    return LocalTrial(run, run.lowered.edges[PortName(*port.rsplit(".", 1))])


def test_a_trial_in_another_dtype_leaves_integers_and_missing_inputs_as_they_are() -> None:
    x = gw.Variable(np.array([1.0, 2.0, 3.0], np.float16), name="x")
    run = run_graph(gw.graph(gw.Loss(gw.Gather(x, gw.Constant(np.array([2, 0, 2])), name="g"), name="loss")))
    of_loss, of_gather = (trial(run, port).in_dtype(np.float64) for port in ("main/loss.x", "main/g.params"))
    assert of_loss is not None and of_loss.tolist() == [1, 1, 1]
    # Element 0 is chosen once, element 2 twice.
    assert of_gather is not None and of_gather.tolist() == [1, 0, 2]


@pytest.mark.parametrize(("power", "dtype", "is_there"), [(-30, "float16", True), (-800, "float64", False)])
def test_a_gradient_that_a_wider_dtype_holds_is_claimed_to_be_there(power: float, dtype: str, is_there: bool) -> None:
    """exp(-30) is 9e-14, beyond float16, and exp(-800) is beyond float64 as well."""
    run = run_graph(gw.graph(gw.Loss(gw.Exp(gw.Variable(np.array([power], dtype), name="x")))))
    assert why_zero(run, PortName("main/x", "y"))[-1].claims == ({Claim.WIDER_DTYPE} if is_there else set())


Loss = Callable[[gw.Expression], gw.Expression]


def beyond(start: float, sign: float = 1.0) -> Loss:
    """Returns the loss that is 0 up to a number and rises behind it, to the right or to the left."""
    return lambda x: gw.Relu(gw.Subtract(gw.Multiply(x, gw.Constant(sign)), gw.Constant(start)))


# Trials stand at ± 0.001, or a thousandth of a larger number, at an eighth of it, and at + 0.7 and - 0.4.
COURSES: dict[str, tuple[Loss, object, tuple[int, ...], set[Claim]]] = {
    "a square": (gw.Square, 0.0, (), {Claim.SLOPE_ZERO}),
    "a cube": (lambda x: gw.Pow(x, gw.Constant(3.0)), 0.0, (), {Claim.SLOPE_ZERO}),
    "a slope": (lambda x: gw.Multiply(x, gw.Constant(5.0)), 0.0, (), set()),
    "a slope on one side": (beyond(0.0), 0.0, (), set()),
    "a constant": (lambda x: gw.Multiply(x, gw.Constant(0.0)), 0.0, (), {Claim.INDEPENDENT}),
    "a rise within the step": (beyond(0.0005), 0.0, (), {Claim.SLOPE_ZERO}),
    "a rise within an eighth of it": (beyond(0.00005), 0.0, (), set()),
    "a rise before 0.7": (beyond(0.69), 0.0, (), {Claim.SLOPE_ZERO}),
    "a rise behind 0.7": (beyond(0.71), 0.0, (), {Claim.INDEPENDENT}),
    "a rise before - 0.4": (beyond(0.39, -1), 0.0, (), {Claim.SLOPE_ZERO}),
    "a rise behind - 0.4": (beyond(0.41, -1), 0.0, (), {Claim.INDEPENDENT}),
    "a rise near 1000": (beyond(1000.05), 1000.0, (), set()),
    "a rise within the step at 1000": (beyond(1000.5), 1000.0, (), {Claim.SLOPE_ZERO}),
    "a rise near - 1000": (beyond(1000.05, -1), -1000.0, (), set()),
    "a loss that is not finite on the left": (
        lambda x: gw.Square(gw.Sqrt(gw.Add(x, gw.Constant(1e-4)))), 0.0, (), set(),
    ),
    "the element of a square": (
        lambda x: gw.Multiply(gw.Square(x), gw.Constant([1.0, 0.0])), [0.0, 1.0], (0,), {Claim.SLOPE_ZERO},
    ),
    "the element beside it": (
        lambda x: gw.Multiply(gw.Square(x), gw.Constant([1.0, 0.0])), [0.0, 1.0], (1,), {Claim.INDEPENDENT},
    ),
    "no element": (gw.Square, [0.0, 1.0], (), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", COURSES)
def test_a_loss_has_the_slope_of_zero_that_its_course_shows(name: str) -> None:
    loss, value, index, expected = COURSES[name]
    run = run_graph(gw.graph(gw.Loss(loss(gw.Variable(np.asarray(value, float), name="x")))))
    place = run.lowered.ports[PortName("main/x", "y")]
    assert claims_of(run, Root(Cause.AT_OPTIMUM, port=place), index, place, index) == expected
