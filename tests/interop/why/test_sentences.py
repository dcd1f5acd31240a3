"""What `gw.why` says of small graphs with one mistake each: state, place and the whole sentence."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from gradwire.interop.why.finding import Finding
from tests.interop.why.scripts import from_lines, line

_ENDS = "That receives a gradient, so this ends with the first step."


def w(*values: float, name: str = "w") -> Expression:
    return gw.Variable(values or (1.0, 2.0), name=name)


def total(item: Expression) -> Expression:
    return gw.Loss(gw.ReduceSum(item))


def facts(found: Finding) -> tuple[str, str, str, str]:
    return found.parameter, str(found.status), found.where, found.reason


_STOPS = total(gw.StopGradient(w() * 2, name="s"))
_TWICE = (lambda item: total(gw.StopGradient(item, name="s1") + gw.StopGradient(item, name="s2")))(w())
_STEPS = (lambda item: total(gw.Round(item, name="r1") + gw.Floor(item, name="r2")))(w())
_CENTRED = (lambda item: total(gw.Square(item - gw.ReduceMean(item))))(
    gw.Input([1.0, 3.0, 8.0], name="x") * w(2, name="a") + w(1)
)


@pytest.mark.parametrize(
    ("loss", "parameter", "status", "where", "reason"),
    [
        (_STOPS, "w", "blocked", "s", 'StopGradient "s" cuts every path to the loss; what lies behind it is a constant '
         "for the gradient."),
        (_TWICE, "w", "blocked", "s1", 'StopGradient "s1" and StopGradient "s2" cut every path to the loss; what lies '
         "behind it is a constant for the gradient."),
        (total(gw.Round(w(), name="r")), "w", "non_differentiable", "r", 'Every path to the loss runs through Round "r"'
         ", which has no derivative: it changes in jumps."),
        (_STEPS, "w", "non_differentiable", "r1", 'Every path to the loss runs through Round "r1" and Floor "r2", '
         "which have no derivative: they change in jumps."),
        (total(gw.Sign(w(), name="s")), "w", "zero", "s",
         'Sign "s" has the slope 0 everywhere: it changes in jumps, or never.'),
        (total(gw.Sqrt(w(0.0, 1.0), name="root")), "w", "nonfinite", "root",
         'Sqrt "root" makes the gradient of x inf at element 0: sqrt\'(0) = inf.'),
        (total(gw.Log(gw.Input([0.0]), name="log")) + 0 * gw.ReduceSum(w()), "loss", "nonfinite", "log",
         'It is -inf. Log "log" makes -inf at element 0: log(0) = -inf.'),
        (total(gw.Relu(w(-1.5, -2), name="relu")), "w", "zero", "relu",
         'The inputs of Relu "relu" are negative or 0 (x = -1.5, for one): it gives 0 and passes no gradient.'),
        (total(gw.Relu(w(0.0), name="relu")), "w", "zero", "relu",
         'The inputs of Relu "relu" are negative or 0 (x = 0, for one): it gives 0 and passes no gradient.'),
        (total(gw.Relu6(w(7, 8), name="relu")), "w", "zero", "relu",
         'The inputs of Relu6 "relu" lie outside of its bounds (x = 7, for one): it passes no gradient there.'),
        (total(gw.ClipByValue(w(7, 8), 0.0, 1.0, name="clip")), "w", "zero", "clip",
         'The inputs of ClipByValue "clip" lie outside of its bounds (x = 7, for one): it passes no gradient there.'),
        (gw.Loss(gw.ReduceMax(gw.Concat(w(1), w(2, name="v"), axis=0), name="most")), "w", "zero", "most",
         'ReduceMax "most" selects other elements than those that depend on it, and these alone receive a gradient.'),
        (total(gw.Sigmoid(w(800), name="s")), "w", "zero", "s",
         'Sigmoid "s" is saturated (y = 1, for one): its slope is about 0.'),
        (total(gw.Softmax(gw.ExpandDims(w(), axis=1), name="s")), "w", "zero", "s",
         'Softmax "s" has only one input there, so its result never changes.'),
        (total(w() * gw.Input([0.0, 0.0], name="mask")), "w", "zero", "Multiply",
         'Multiply "Multiply" multiplies it by mask, which is 0 everywhere.'),
        (total(w() * gw.Constant([0.0, 0.0])), "w", "zero", "Multiply",
         'Multiply "Multiply" multiplies it by a constant, which is 0 everywhere.'),
        (total(gw.Multiply(w(), w(0, 0, name="z"), name="m")), "w", "zero_at_first", "m",
         f'Multiply "m" multiplies it by z, which is 0 everywhere. {_ENDS}'),
        (total(gw.Multiply(w(), gw.Reshape(w(0, 0, name="z"), shape=[2, 1]), name="m")), "w", "zero_at_first", "m",
         f'Multiply "m" multiplies it by z, which is 0 everywhere. {_ENDS}'),
        (total(gw.Multiply(w(), gw.Input([1.0, 3.0]) * w(0, 0, name="z"), name="m")), "w", "zero_at_first", "m",
         f'What Multiply "m" multiplies it by is 0 everywhere, since z is. {_ENDS}'),
        (total(gw.Multiply(w(), gw.Input([1.0, 3.0]) * gw.Input([0.0, 0.0], name="mask"), name="m")), "w", "zero", "m",
         'Multiply "m" multiplies it by mask, which is 0 everywhere.'),
        (total(gw.Multiply(w(), gw.Add(w(0, name="z"), gw.Input([0.0]), name="sum"), name="m")), "w", "zero_at_first",
         "m", f'What Multiply "m" multiplies it by is 0 everywhere, since z is. {_ENDS}'),
        (total(gw.Multiply(w(), gw.Subtract(gw.Input([1.0]), gw.Input([1.0]), name="less"), name="m")), "w", "zero",
         "less", 'Multiply "m" multiplies it by the result of Subtract "less", 0 everywhere.'),
        (total(gw.Multiply(w(), gw.Relu(gw.Input([-1.0, -3.0]), name="relu"), name="m")), "w", "zero", "relu",
         'Relu "relu" gives only zeros, since none of its inputs is positive: -1 at most; what it multiplies has no '
         "gradient."),
        (total(gw.Multiply(w(), gw.Relu6(gw.Input([0.0, -3.0]), name="relu"), name="m")), "w", "zero", "relu",
         'Relu6 "relu" gives only zeros, since none of its inputs is positive: 0 at most; what it multiplies has no '
         "gradient."),
        (total(gw.Square(w(0.0), name="sq")), "w", "at_rest", "sq",
         'The derivative of Square "sq" itself is 0: the loss is at an optimum, and nothing is wrong.'),
        (total(gw.SoftmaxCrossEntropyWithLogits(gw.Constant([[1.0]]), gw.ExpandDims(w(3), axis=0), name="x")), "w",
         "zero", "x", 'SoftmaxCrossEntropyWithLogits "x" has a single class, so the loss is always 0; for one output '
         "use binary_cross_entropy."),
        (total(gw.Softmax(w() * gw.Input([1.0, 3.0]), name="s")), "w", "zero", "s",
         'The terms that Softmax "s" adds up to its gradient cancel: the loss stays the same, however it changes.'),
        (_CENTRED, "w", "harmless", "Add", "Its terms cancel: what follows takes the same amount away again, so it has "
         "no effect on the loss."),
        (total(w() * 1e-200 * 1e-200), "w", "zero", "Multiply",
         'The gradient that Multiply "Multiply" returns is too small for its dtype and becomes 0.'),
        (gw.graph(total(w(name="v")), w()), "w", "unused", "",
         "The loss does not depend on it: nothing made for the loss reads it."),
        (total(gw.Variable([1.0], trainable=False, name="w") * w(2, name="v")), "w", "frozen", "",
         "It is not trained: requires_grad is False."),
    ],
)  # fmt: skip
def test_a_mistake_has_a_state_a_place_and_a_sentence(
    loss: Expression | Graph, parameter: str, status: str, where: str, reason: str
) -> None:
    found = {item.parameter: item for item in gw.why(loss).findings}
    assert facts(found[parameter]) == (parameter, status, where and f"main/{where}", reason)


@pytest.mark.parametrize(
    ("loss", "notes", "status", "where", "reason"),
    [
        (_STOPS, {"s": line(3, "detach")}, "blocked", "m.py:3",
         "detach at m.py:3 cuts every path to the loss; what lies behind it is a constant for the gradient."),
        (_STOPS, {"s": line(3, "no_grad")}, "blocked", "m.py:3",
         "no_grad at m.py:3 computes what depends on it without gradients, on every path to the loss."),
        (_TWICE, {"s1": line(3, "no_grad"), "s2": line(3, "no_grad")}, "blocked", "m.py:3",
         "no_grad at m.py:3 computes what depends on it without gradients, on every path to the loss."),
        (_TWICE, {"s1": line(3, "no_grad"), "s2": line(4, "no_grad")}, "blocked", "m.py:3",
         "no_grad at m.py:3 and no_grad at m.py:4 compute what depends on it without gradients, on every path to the "
         "loss."),
        (_TWICE, {"s1": line(3, "no_grad"), "s2": line(4, "detach")}, "blocked", "m.py:3",
         "no_grad at m.py:3 and detach at m.py:4 cut every path to the loss; what lies behind it is a constant for the "
         "gradient."),
        (total(gw.Cast(gw.Cast(w(), dtype="int32", name="c"), dtype="float64")), {"c": line(5, "to")},
         "non_differentiable", "m.py:5", "Every path to the loss runs through the cast to int32 at m.py:5, which has "
         "no derivative: it changes in jumps."),
        (gw.Loss(gw.ReduceMax(gw.Concat(w(1), w(2, name="v"), axis=0), name="e")), {"e": line(6, "embedding")}, "zero",
         "m.py:6", "embedding at m.py:6 reads no row of it but that of padding_idx, which receives no gradient."),
        (total(gw.Divide(w(0), gw.Input([0.0]), name="d")), {"d": line(7, "nll_loss")}, "nonfinite", "m.py:7",
         "nll_loss at m.py:7 makes the gradient of x inf at element 0: the derivative of 0 / 0 by x is inf. No label "
         "counts: all are ignore_index, or have the weight 0."),
        (total(gw.Divide(w(0), gw.Input([0.0]), name="d")), {"d": line(7, "std")}, "nonfinite", "m.py:7",
         "std at m.py:7 makes the gradient of x inf at element 0: the derivative of 0 / 0 by x is inf. A single number "
         "has no spread; take more numbers, or correction=0."),
        (total(gw.Sqrt(w(0), name="d")), {"d": line(7, "std")}, "nonfinite", "m.py:7",
         "std at m.py:7 makes the gradient of x inf at element 0: sqrt'(0) = inf."),
    ],
)  # fmt: skip
def test_blocks_of_a_script_are_named_by_their_lines(
    loss: Expression, notes: Mapping[str, Mapping[str, str]], status: str, where: str, reason: str
) -> None:
    found = {item.parameter: item for item in gw.why(from_lines(loss, notes)).findings}
    assert facts(found["w"]) == ("w", status, where, reason)
