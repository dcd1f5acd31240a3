"""Patterns that rules look for: softmax, sigmoid and scales, carried on, chosen from, or written out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.linear_sums import terms_of
from gradwire.engine.advice.patterns import axes_of, is_all, sigmoid_at, softmax_at, softmax_behind_choice, unscaled
from gradwire.engine.advice.probability_rules import padded_log
from gradwire.engine.advice.softmax_rules import log_of_sigmoid
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from tests.engine.advice.parts import data, weights
from tests.engine.calls import count_calls

Through = Callable[[Expression], Expression]


def flow_of(found: Expression) -> tuple[Flow, Edge]:
    """Returns the graph up to a block "end" that reads a tensor, and its input."""
    flow = Flow(run_graph(gw.graph(gw.Loss(gw.Tanh(found, name="end")))))
    return flow, Edge(named(flow, "end"), 0)


def named(flow: Flow, name: str) -> Application:
    (step,) = [step for step in flow.steps if flow.path(step) == f"main/{name}"]
    return step


def logits(*shape: int) -> Expression:
    return gw.Add(weights(1, *shape), data(2, *shape), name="z")


def by_hand(z: Expression, axis: Any = -1, total_of: Through = lambda e: e) -> Expression:
    e = gw.Exp(z, name="e")
    return gw.Divide(e, gw.ReduceSum(total_of(e), axis=axis, keepdims=True), name="p")


SOFTMAXES: dict[str, tuple[Through, str, str, int | None]] = {
    "one block": (lambda z: gw.Softmax(z, name="p"), "p", "p", 1),
    "along the first axis": (lambda z: gw.Softmax(z, axis=0, name="p"), "p", "p", 0),
    "its logarithm": (lambda z: gw.Exp(gw.LogSoftmax(z, name="l"), name="p"), "p", "l", 1),
    "written out": (by_hand, "p", "e", 1),
    "written out along the first axis": (lambda z: by_hand(z, 0), "p", "e", 0),
    "written out along a list of axes": (lambda z: by_hand(z, [-2]), "p", "e", 0),
    "written out along both axes": (lambda z: by_hand(z, [0, 1]), "p", "e", None),
    "carried on": (lambda z: gw.Reshape(gw.Transpose(gw.Softmax(z, name="p")), shape=[6]), "p", "p", 1),
    "the sum of another exponential": (lambda z: by_hand(z, -1, lambda e: e * 1.0), "", "", None),
    "an exponential": (gw.Exp, "", "", None),
    "a quotient": (lambda z: z / gw.ReduceSum(z), "", "", None),
}


@pytest.mark.parametrize("name", SOFTMAXES)
def test_a_softmax_is_one_block_or_written_out(name: str) -> None:
    make, step, before, axis = SOFTMAXES[name]
    flow, end = flow_of(make(logits(2, 3)))
    found, behind = softmax_at(flow, end), softmax_behind_choice(flow, end)
    assert found == behind
    assert (found is not None) is bool(step)
    if found is not None:
        assert found.step is named(flow, step) and found.logits == Edge(named(flow, before), 0) and found.axis == axis
        assert (found.reader == end) is (name != "carried on")


def test_probabilities_may_be_chosen_from_a_softmax() -> None:
    flow, end = flow_of(gw.Reshape(gw.Gather(gw.Softmax(logits(2, 3), name="p"), np.array([1]), name="g"), shape=[3]))
    assert softmax_at(flow, end) is None
    found = softmax_behind_choice(flow, end)
    assert found is not None and found.step is named(flow, "p") and found.reader == Edge(named(flow, "g"), 0)
    flow, end = flow_of(gw.Gather(gw.Exp(logits(2, 3)), np.array([1])))
    assert softmax_behind_choice(flow, end) is None


ONE = gw.Constant(1.0)
SIGMOIDS: dict[str, tuple[Through, str, str]] = {
    "one block": (lambda z: gw.Sigmoid(z, name="p"), "p", "p"),
    "its logarithm": (lambda z: gw.Exp(gw.LogSigmoid(z, name="l"), name="p"), "p", "l"),
    "a quotient": (lambda z: gw.Divide(ONE, ONE + gw.Exp(gw.Negative(z, name="n")), name="p"), "p", "n"),
    "turned": (lambda z: gw.Divide(ONE, gw.Exp(gw.Negative(z, name="n")) + ONE, name="p"), "p", "n"),
    "a reciprocal": (lambda z: gw.Reciprocal(ONE + gw.Exp(gw.Negative(z, name="n")), name="p"), "p", "n"),
    "of a number that is not negated": (lambda z: gw.Reciprocal(ONE + gw.Exp(z), name="p"), "p", ""),
    "twice": (lambda z: gw.Constant(2.0) / (ONE + gw.Exp(-z)), "", ""),
    "beside 2": (lambda z: ONE / (gw.Constant(2.0) + gw.Exp(-z)), "", ""),
    "without an exponential": (lambda z: ONE / (ONE + gw.Square(z)), "", ""),
    "without a sum": (lambda z: ONE / gw.Exp(-z), "", ""),
}


@pytest.mark.parametrize("name", SIGMOIDS)
def test_a_sigmoid_is_one_block_or_written_out(name: str) -> None:
    make, step, before = SIGMOIDS[name]
    flow, end = flow_of(gw.Reshape(make(logits(2, 3)), shape=[6]))
    found = sigmoid_at(flow, end)
    assert (found is not None) is bool(step)
    if found is not None:
        assert found.step is named(flow, step) and found.reader != end and found.axis is None
        assert found.logits == (Edge(named(flow, before), 0) if before else None)


@pytest.mark.parametrize(
    ("make", "factor", "reader"),
    [
        (lambda z: z, 1.0, ("end", 0)),
        (lambda z: gw.Multiply(z, gw.Constant(4.0), name="a"), 4.0, ("a", 0)),
        (lambda z: gw.Multiply(gw.Constant(-4.0), z, name="a"), 4.0, ("a", 1)),
        (lambda z: gw.Divide(z, gw.Constant(4.0), name="a"), 0.25, ("a", 0)),
        (
            lambda z: gw.Reshape(gw.Multiply(z, gw.Constant(4.0), name="a"), shape=[6]) / gw.Constant([[2.0]]),
            2.0,
            ("a", 0),
        ),
        # A quotient by the tensor, and products with 0, data, several numbers or what is trained are no scale.
        (lambda z: gw.Constant(4.0) / z, 1.0, ("end", 0)),
        (lambda z: z * gw.Constant(0.0), 1.0, ("end", 0)),
        (lambda z: z * gw.Input(4.0), 1.0, ("end", 0)),
        (lambda z: z * gw.Constant([4.0, 4.0, 4.0]), 1.0, ("end", 0)),
        (lambda z: z * gw.Variable(4.0), 1.0, ("end", 0)),
    ],
)
def test_scales_are_looked_through(make: Through, factor: float, reader: tuple[str, int]) -> None:
    flow, end = flow_of(make(logits(2, 3)))
    found, size = unscaled(flow, end)
    assert (found, size) == (Edge(named(flow, reader[0]), reader[1]), factor)


@pytest.mark.parametrize(
    ("axis", "axes"), [(None, {-1, -2, -3}), (0, {-3}), (-1, {-1}), ([0, 2], {-3, -1}), ([-1, 1], {-1, -2})]
)
def test_axes_are_counted_from_the_end(axis: Any, axes: set[int]) -> None:
    flow, _ = flow_of(gw.ReduceSum(logits(2, 3, 4), axis=axis, name="s"))
    assert axes_of(named(flow, "s")) == axes


@pytest.mark.parametrize(
    ("make", "is_one"),
    [
        (lambda: gw.Constant(1.0), True),
        (lambda: gw.Constant([1.0, 1.0]), True),
        (lambda: gw.Constant([1.0, 2.0]), False),
        (lambda: gw.Variable(1.0), False),
        (lambda: gw.StopGradient(gw.Variable(1.0)), True),
    ],
)
def test_a_tensor_of_one_number_is_not_trained(make: Callable[[], Expression], is_one: bool) -> None:
    flow, _ = flow_of(gw.Add(logits(2, 2), make(), name="a"))
    assert is_all(flow, named(flow, "a").inputs[1], 1) is is_one
    assert not is_all(flow, None, 1)


def test_two_tensors_are_the_same_if_they_are_one_or_one_variable() -> None:
    v = gw.Variable([1.0, 2.0], name="v")
    flow, _ = flow_of(
        gw.Add(gw.Reshape(v, shape=[2], name="r"), gw.Multiply(gw.Exp(v, name="e"), v, name="m"), name="a")
    )
    a, m = named(flow, "a"), named(flow, "m")
    e, other = m.inputs[0], named(flow, "v").outputs[0]
    assert e is not None and a.inputs[1] is not None
    assert flow.is_same(e, e) and flow.is_same(other, other) and not flow.is_same(e, a.inputs[1])
    assert not flow.is_same(e, other) and not flow.is_same(other, e)


def terms(make: Through) -> list[tuple[str, list[float], bool]]:
    """Returns the terms of a step "s": the names of their blocks, their factors, and whether they are stopped."""
    flow, _ = flow_of(make(logits(2, 3)))
    found = terms_of(flow, named(flow, "s"))
    return sorted((flow.path(term.tensor.application)[5:], sorted(term.factor), term.is_stopped) for term in found)


def other() -> Expression:
    return gw.Exp(weights(5, 2, 3), name="o")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda z: gw.Subtract(gw.Tanh(z, name="t"), other(), name="s"), [("o", [-1], False), ("t", [1], False)]),
        (lambda z: gw.Add(gw.Tanh(z, name="t"), other(), name="s"), [("o", [1], False), ("t", [1], False)]),
        (
            lambda z: gw.SquaredDifference(gw.Tanh(z, name="t"), -other(), name="s"),
            [("o", [1], False), ("t", [1], False)],
        ),
        (
            lambda z: gw.AddN(
                gw.Tanh(z, name="t"),
                gw.Transpose(gw.Transpose(other())),
                gw.StopGradient(gw.Sin(z, name="k")),
                name="s",
            ),
            [("k", [1], True), ("o", [1], False), ("t", [1], False)],
        ),
        (
            lambda z: gw.Subtract(
                gw.Tanh(z, name="t") - other() * 3.0,
                gw.Constant(2.0) * (gw.Sin(z, name="k") - gw.Cos(z, name="c")),
                name="s",
            ),
            [("c", [2], False), ("k", [-2], False), ("o", [-3], False), ("t", [1], False)],
        ),
        (
            lambda z: gw.Subtract(
                gw.Where(gw.IsFinite(z), gw.Tanh(z, name="t"), other()), gw.Sin(z, name="k"), name="s"
            ),
            [("k", [-1], False), ("o", [0, 1], False), ("t", [0, 1], False)],
        ),
        # A factor may have three different numbers; with more, or trained, the product is the term.
        (
            lambda z: gw.Subtract(gw.Tanh(z, name="t") * gw.Constant([1.0, 0.0, 2.0]), other(), name="s"),
            [("o", [-1], False), ("t", [0, 1, 2], False)],
        ),
        (
            lambda z: gw.Subtract(
                gw.Multiply(gw.Tanh(z), gw.Constant([[1.0, 0.0, 2.0], [3.0] * 3]), name="p"), other(), name="s"
            ),
            [("o", [-1], False), ("p", [1], False)],
        ),
        (
            lambda z: gw.Subtract(gw.Multiply(gw.Tanh(z), gw.Variable(2.0), name="p"), other(), name="s"),
            [("o", [-1], False), ("p", [1], False)],
        ),
        (
            lambda z: gw.Subtract(
                gw.Multiply(gw.Tanh(z), gw.Constant([1.0, 1.0, np.inf]), name="p"), other(), name="s"
            ),
            [("o", [-1], False), ("p", [1], False)],
        ),
    ],
)
def test_a_sum_has_terms_with_their_factors(make: Through, expected: list[tuple[str, list[float], bool]]) -> None:
    assert terms(make) == expected


@pytest.mark.parametrize(("count", "is_known"), [(64, True), (65, False)])
def test_more_than_64_terms_are_too_many(count: int, is_known: bool) -> None:
    z = gw.Tanh(logits(2, 3), name="t")
    flow, _ = flow_of(gw.AddN(*[z] * count, name="s"))
    found = terms_of(flow, named(flow, "s"))
    assert len(found) == (count if is_known else 0) and all(term.number == 1 for term in found)
    assert [term.edge.slot for term in found] == [*range(len(found))]


FEW, MANY, MOST = 100, 400, 4.5


def sum_of_many(count: int) -> Evaluation:
    """Returns the run of one variable that is read `count` times by the inputs of one sum."""
    x = gw.Variable(0.5)
    return run_graph(gw.graph(gw.Loss(gw.AddN(*(gw.Tanh(x) for _ in range(count))))))


def test_four_times_as_many_inputs_of_a_sum_take_about_four_times_as_many_calls() -> None:
    few, many = (count_calls(functools.partial(advise, sum_of_many(count))) for count in (FEW, MANY))
    assert many < MOST * few


# Logarithms of them


def sure(*numbers: float) -> Expression:
    """Returns numbers that depend on a variable."""
    return gw.Multiply(gw.Input(np.array(numbers)), gw.Variable(1.0), name="z")


@pytest.mark.parametrize(
    ("floor", "below", "severity"),
    [
        (1e-3, "1 of 3 elements lie below it and lose their gradient", "warning"),
        (1e-9, "Probabilities below it would lose their gradient", "info"),
    ],
)
@pytest.mark.parametrize("kind", ["Add", "Maximum"])
def test_a_floor_under_the_logarithm_of_a_softmax_is_told_with_what_lies_below_it(
    kind: str, floor: float, below: str, severity: str
) -> None:
    p, number = gw.Softmax(sure(0.0, 1.0, -9.0), name="p"), gw.Constant(floor)
    guard = gw.Add(p, number, name="g") if kind == "Add" else gw.Maximum(number, p, name="g")
    (found,) = padded_log(Flow(run_graph(gw.graph(gw.Loss(gw.Log(guard, name="l"))))))
    assert found.message == (
        f'Log "l" is taken of Softmax "p" with a floor of {floor:g}. {below}; LogSoftmax is exact.'
    )
    assert (found.severity, found.at, found.also) == (severity, "main/l", ("main/p", "main/g"))


@pytest.mark.parametrize("floor", [gw.Constant(0.0), gw.Variable(1e-3), gw.Constant(0.5)])
def test_other_sums_under_a_logarithm_are_no_floors(floor: Expression) -> None:
    p = gw.Softmax(sure(0.0, 1.0, -9.0))
    assert not [*padded_log(Flow(run_graph(gw.graph(gw.Loss(gw.Log(p + floor))))))]


def log_loss(z: Expression, is_turned: bool = False, one: float = 1.0) -> Expression:
    p, y = gw.Sigmoid(z, name="p"), gw.Input(np.array([1.0, 0.0]), name="y")
    first, second = gw.Multiply(y, gw.Log(p)), gw.Multiply(gw.Log(gw.Constant(1.0) - p), gw.Constant(one) - y)
    return gw.Add(second, first, name="s") if is_turned else gw.Add(first, second, name="s")


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(("z", "severity"), [((2.0, -3.0), "info"), ((800.0, 800.0), "warning")])
def test_a_log_loss_by_hand_is_a_warning_where_it_is_infinite(
    z: tuple[float, ...], severity: str, is_turned: bool
) -> None:
    run = run_graph(gw.graph(gw.Loss(-gw.ReduceMean(log_loss(sure(*z), is_turned)))))
    found = [item for item in log_of_sigmoid(Flow(run)) if item.at == "main/s"]
    assert [item.severity for item in found] == [severity]
    assert found[0].message == (
        'Add "s" adds up a log loss of Sigmoid "p" by hand. Where the sigmoid is 0 or 1 it is infinite; '
        "SigmoidCrossEntropyWithLogits is exact."
    )
    other = run_graph(gw.graph(gw.Loss(-gw.ReduceMean(log_loss(sure(*z), is_turned, 2.0)))))
    assert not [item for item in log_of_sigmoid(Flow(other)) if item.at == "main/s"]
