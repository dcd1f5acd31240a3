"""Lessons with gradients that fade, die or explode on their way back, and what holds them."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph
from scripts.trainings.drawing import Lesson, Uses, after, dense, descent, drawn, normal, steps

DEPTHS, CHAINS = (5, 20, 80), (5, 20)
SINE = {"set": "sine", "n": 80, "noise": 0, "seed": 1, "order": "in_order"}


def vanishing() -> Lesson:
    """Three chains of sigmoids, each of which takes three quarters of the gradient. Numbers are TensorFlow's."""
    uses = Uses()
    for length in CHAINS:
        z: Expression = gw.Input(0.0, name="z")
        for number in range(1, length + 1):
            z = gw.Sigmoid(z, name=f"sigmoid{number}")
        uses.page(f"sigmoids_{length}", {"later": z})
    x, target = gw.Constant(1.0, name="x"), gw.Constant(0.5, name="target")
    losses, weights = [], {}
    for depth in DEPTHS:
        weights[depth] = gw.Variable(1.0, name=f"w{depth}")
        z = gw.Multiply(weights[depth], x, name=f"w_x{depth}")
        length = min(depth, max(CHAINS))
        for number in range(length, depth + 1, length):
            z = uses.use(f"after{depth}_{number}", f"sigmoids_{length}", "later", 0.0, f"to sigmoid {number}", z=z)
        losses.append(gw.Loss(gw.SquaredDifference(z, target, name=f"miss{depth}"), name=f"loss{depth}"))
    checks = [
        after(200, "main/w5.y", "Behind five sigmoids w moves, as in TensorFlow", value=0.8385614889612343, rtol=1e-10),
        after(200, "main/w20.y", "Behind twenty it hardly moves", value=0.9999999999709344, rtol=1e-14),
        after(200, "main/w80.y", "Behind eighty not at all", value=1.0, rtol=0, atol=0),
    ]
    return Lesson(
        "vanishing",
        "Gradients that vanish",
        "Three weights stand before 5, 20 and 80 sigmoids and have the same goal. The slope of a sigmoid is at most a "
        "quarter, here 0.22, so each takes most of the gradient: 1.5e-4, 2.9e-14 and 3.6e-53 remain. At the same rate "
        "the first weight moves, the second hardly, and the third not even in its last bit.",
        drawn(*losses, uses=uses, charts={f"g{depth}": (weight, "gradient") for depth, weight in weights.items()}),
        steps(descent(5), rounds=200, checks=checks),
    )


def dying_relu() -> Lesson:
    """A sine fitted by twelve relus at a rate that is too high. Dead, they give a mean, and the loss a variance."""
    x, y = gw.Data(**SINE, name="sine")
    before = dense(x, normal(1, 1, 12), normal(2, 12, scale=0.5), "1")
    hidden = gw.Relu(before, name="hidden")
    fit = dense(hidden, normal(3, 12, 1), np.zeros(1), "2")
    loss = gw.Loss(gw.Square(gw.Subtract(fit, y, name="error"), name="square"), reduction="mean", name="loss")
    strongest = gw.ReduceMax(hidden, axis=0, name="strongest")
    alive = gw.ReduceSum(gw.Sign(strongest, name="is_alive"), name="alive")
    checks = [
        after(3, "main/alive.y", "After three rounds no unit is alive", value=0),
        after(3, "main/loss.y", "Loss after three rounds, as in TensorFlow", value=4.8514971524251305, rtol=1e-9),
        after(100, "main/loss.y", "What remains is the variance of the sine's points", value=_variance(), rtol=1e-12),
    ]
    return Lesson(
        "dying_relu",
        "Relus that die",
        "Twelve relus are to fit a sine, and the rate 0.3 is too high. Three rounds throw all biases below 0: then no "
        "relu passes anything for any point, so no gradient reaches W1 and b1 ever again. Only b2 still "
        "learns, and finds the mean. With the rate 0.1 eight relus stay alive.",
        drawn(
            loss,
            alive,
            monitors={"curve": (fit, "fit")},
            charts={"units": (alive, "value"), "back": (before, "gradient")},
        ),
        steps(descent(0.3), rounds=100, checks=checks, metrics=["main/alive.y"]),
    )


def _variance() -> float:
    """Returns the variance of the sine over the places of the data, by NumPy's sine."""
    x, _ = library["Data"].function(**SINE)
    return float(np.var(np.sin(2 * np.pi * x)))


def _recurrent() -> Graph:
    """Returns fifty steps of x -> w sigmoid(x) + b, after which the state has a goal."""
    uses = Uses()
    x, w, b = (gw.Input(0.0, name=name) for name in ("x", "w", "b"))
    state = x
    for number in range(1, 11):
        gate = gw.Sigmoid(state, name=f"gate{number}")
        state = gw.Add(gw.Multiply(w, gate, name=f"w_gate{number}"), b, name=f"x{number}")
    uses.page("ten_steps", {"later": state})
    w, b = gw.Variable(6.1, name="w"), gw.Variable(-2.6, name="b")
    state = gw.Constant(0.5, name="x0")
    for end in range(10, 51, 10):
        state = uses.use(f"x_{end}", "ten_steps", "later", 0.0, f"to step {end}", x=state, w=w, b=b)
    last = gw.Sigmoid(state, name="last")
    loss = gw.Loss(gw.SquaredDifference(last, gw.Constant(0.7, name="goal"), name="miss"), name="loss")
    return drawn(loss, uses=uses, charts={"loss_curve": (loss, "value"), "gradient_of_w": (w, "gradient")})


def rnn_exploding() -> Lesson:
    """The cliff of Pascanu, Mikolov and Bengio (2013), at which a step goes far astray. Numbers are TensorFlow's."""
    checks = [
        after(100, "main/loss.y", "Loss before the cliff, as in TensorFlow", value=0.3777605136229423, rtol=1e-7),
        after(300, "main/w.y", "Thrown far away, as in TensorFlow", value=-14.965304099378752, rtol=1e-6),
        after(300, "main/b.y", "... b too", value=-35.3234523134536, rtol=1e-6),
        after(300, "main/loss.y", "The goal is 0.7, and the answer stays 0", value=0.49, rtol=1e-12),
    ]
    return Lesson(
        "rnn_exploding",
        "Gradients that explode",
        "Fifty steps of x -> w sigmoid(x) + b are to end at a goal. The loss has a cliff: for 106 rounds the gradient "
        "is small, then its norm is 192. One step along it throws w and b far away, where every sigmoid is flat: the "
        "gradient is below 1e-15, and nothing brings them back. Compare with the training that clips.",
        _recurrent(),
        steps(descent(0.2), rounds=300, checks=checks),
    )


def rnn_clipped() -> Lesson:
    """The same cliff with the gradients clipped by their norm. Numbers are TensorFlow's."""
    checks = [
        after(300, "main/w.y", "w, as in TensorFlow", value=4.689920616318398, rtol=1e-8),
        after(300, "main/b.y", "b, as in TensorFlow", value=-2.3960013094275285, rtol=1e-8),
        after(300, "main/loss.y", "The answer is near the goal", below=0.01),
    ]
    return Lesson(
        "rnn_clipped",
        "Exploding gradients, clipped",
        "The same fifty steps from the same start, but no gradient is longer than 0.1. At the cliff the step has the "
        "direction of the gradient and the length of any other, so w and b walk along the edge and down to the goal. "
        "The norms still reach 1,815 on the path.",
        _recurrent(),
        steps(descent(0.2), rounds=300, checks=checks, clip={"global_norm": 0.1}),
    )
