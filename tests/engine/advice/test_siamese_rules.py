"""Two trained outputs that are pulled together: which comparisons count, what holds apart, what is stopped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.siamese_rules import siamese_not_stopped
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.advice.parts import Dense, data

Compare = Callable[[Expression, Expression], Expression]


def views(predicts: int = 0) -> tuple[Expression, Expression]:
    """Returns the codes of two views by one encoder; `predicts` puts a predictor behind the first (1) or second (2)."""
    encoder, predictor = Dense(1, 3, 2), Dense(2, 2, 2)
    found = [encoder(data(3, 4, 3)), encoder(data(4, 4, 3))]
    if predicts:
        found[predicts - 1] = predictor(found[predicts - 1])
    return found[0], found[1]


def findings(*losses: Expression) -> list[Finding]:
    return [*siamese_not_stopped(Flow(run_graph(gw.graph(*losses))))]


def of(compare: Compare, predicts: int = 0) -> list[Finding]:
    return findings(gw.Loss(compare(*views(predicts)), name="loss"))


def rows(x: Expression) -> Expression:
    """Returns rows of length one."""
    return x / gw.Sqrt(gw.ReduceSum(gw.Square(x), axis=-1, keepdims=True))


@pytest.mark.parametrize(
    ("compare", "is_told"),
    [
        (lambda a, b: gw.SquaredDifference(a, b, name="c"), True),
        (lambda a, b: gw.MeanSquaredError(a, b, name="c"), True),
        (lambda a, b: gw.MeanAbsoluteError(a, b, name="c"), True),
        (lambda a, b: gw.ReduceMean(gw.Square(gw.Subtract(a, b, name="c"))), True),
        (lambda a, b: gw.ReduceMean(gw.Abs(gw.Subtract(a, b, name="c"))) * 3.0, True),
        # A difference that is no penalty yet pulls nothing together; nor does one that is rewarded.
        (lambda a, b: gw.ReduceMean(gw.Subtract(a, b, name="c")), False),
        (lambda a, b: -gw.ReduceMean(gw.SquaredDifference(a, b, name="c")), False),
        (lambda a, b: -gw.ReduceMean(gw.CosineSimilarity(a, b, name="c")), True),
        (lambda a, b: gw.ReduceMean(gw.CosineSimilarity(a, b, name="c")), False),
        # Products are likenesses of vectors of length one alone.
        (lambda a, b: -gw.ReduceSum(gw.Multiply(rows(a), rows(b), name="c")), True),
        (lambda a, b: gw.ReduceSum(gw.Multiply(rows(a), rows(b), name="c")), False),
        (lambda a, b: -gw.ReduceSum(gw.Multiply(a, b, name="c")), False),
        (lambda a, b: -gw.ReduceSum(gw.Multiply(rows(a), b, name="c")), False),
        # A tensor beside itself, rows beside columns, or one that is stopped already.
        (lambda a, _: gw.SquaredDifference(a, a * 2.0, name="c"), True),
        (lambda a, _: gw.SquaredDifference(a, gw.Reshape(a, shape=[4, 2]), name="c"), False),
        (lambda a, b: gw.SquaredDifference(a, gw.ReduceMean(b, axis=0), name="c"), False),
        (lambda a, b: gw.SquaredDifference(a, gw.StopGradient(b), name="c"), False),
        # Data that is added keeps both from being one constant.
        (lambda a, b: gw.Square(gw.Subtract(a + data(7, 4, 2), b, name="c")), False),
        (lambda a, b: gw.Square(gw.Subtract(a * 2.0, b, name="c")), True),
        # A penalty of a penalty by another trained factor is no plain way to the loss.
        (lambda a, b: gw.ReduceMean(gw.SquaredDifference(a, b, name="c")) / gw.Constant(2.0), True),
        (lambda a, b: gw.Constant(2.0) / gw.ReduceMean(gw.SquaredDifference(a, b, name="c")), False),
        (lambda a, b: gw.Exp(gw.ReduceMean(gw.SquaredDifference(a, b, name="c"))), False),
    ],
)
def test_a_comparison_that_is_all_that_is_rewarded_is_told(compare: Compare, is_told: bool) -> None:
    found = of(compare)
    assert [item.at for item in found] == (["main/c"] if is_told else [])


@pytest.mark.parametrize(
    ("hold", "is_told"),
    [
        (lambda a, _: gw.ReduceSum(gw.Exp(a)), False),
        (lambda a, _: -gw.ReduceSum(gw.Square(a - gw.ReduceMean(a, axis=0))), False),
        # A penalty of weights, or what another encoder learns, holds nothing apart.
        (lambda *_: gw.L2Loss(gw.Variable([1.0, 2.0])), True),
        (lambda *_: gw.ReduceSum(gw.Exp(Dense(9, 3, 2)(data(9, 4, 3)))), True),
    ],
)
def test_what_else_the_loss_says_of_the_same_encoders_holds_them_apart(hold: Compare, is_told: bool) -> None:
    a, b = views()
    c = gw.ReduceMean(gw.SquaredDifference(a, b, name="c"))
    for losses in ([gw.Loss(c + hold(a, b))], [gw.Loss(c), gw.Loss(hold(a, b))]):
        assert bool(findings(*losses)) is is_told
        a, b = views()
        c = gw.ReduceMean(gw.SquaredDifference(a, b, name="c"))


def test_a_penalty_of_the_weights_of_the_encoder_itself_holds_nothing_apart() -> None:
    encoder = Dense(1, 3, 2)
    a, b = encoder(data(3, 4, 3)), encoder(data(4, 4, 3))
    loss = gw.ReduceSum(gw.SquaredDifference(a, b, name="c"))
    assert [item.at for item in findings(gw.Loss(loss + gw.L2Loss(encoder.w)))] == ["main/c"]
    assert [item.at for item in findings(gw.Loss(loss + gw.ReduceSum(gw.Exp(encoder.w))))] == ["main/c"]


@pytest.mark.parametrize(
    ("compare", "predicts", "stopped"),
    [
        # The side behind fewer variables is the target, else the second; labels come first.
        (lambda a, b: gw.SquaredDifference(a, b, name="c"), 1, "y"),
        (lambda a, b: gw.SquaredDifference(a, b, name="c"), 2, "x"),
        (lambda a, b: gw.SquaredDifference(a, b, name="c"), 0, "y"),
        (lambda a, b: gw.SoftmaxCrossEntropyWithLogits(gw.Softmax(a), b, name="c"), 0, "labels"),
        (lambda a, b: gw.SoftmaxCrossEntropyWithLogits(gw.Softmax(a), b, name="c"), 1, "labels"),
    ],
)
def test_the_fix_stops_the_target(compare: Compare, predicts: int, stopped: str) -> None:
    a, b = views(predicts)
    graph = gw.graph(gw.Loss(compare(a, b)))
    (found,) = siamese_not_stopped(Flow(run_graph(graph)))
    assert found.fix is not None
    page = found.fix.edit(graph).pages[0]
    (source,) = (wire.source.block for wire in page.wires.values() if str(wire.target) == f"c.{stopped}")
    assert page.blocks[source].type == "StopGradient"
    assert sum(block.type == "StopGradient" for block in page.blocks.values()) == 1


def test_the_largest_gradient_of_all_targets_is_told_and_the_other_comparisons_are_named() -> None:
    (a, b), (c, d) = views(1), views(2)
    loss = gw.ReduceSum(gw.SquaredDifference(a, b, name="c1")) + 5.0 * gw.ReduceSum(
        gw.SquaredDifference(c, d, name="c2")
    )
    run = run_graph(gw.graph(gw.Loss(loss)))
    (found,) = siamese_not_stopped(Flow(run))
    sizes = [
        float(np.abs(np.asarray(run.snapshot.wires[link].gradient)).max())
        for link in run.snapshot.wires if str(link.target) in ("main/c1.y", "main/c2.x")
    ]  # fmt: skip
    assert len(sizes) == 2 and max(sizes) == sizes[1] > sizes[0]
    assert found.message == (
        'SquaredDifference "c1" pulls two trained outputs together, and nothing holds them apart. A gradient of up to '
        f"{max(sizes):g} flows into the target as well: both may become one constant."
    )
    assert (found.at, found.also) == ("main/c1", ("main/c2",))
