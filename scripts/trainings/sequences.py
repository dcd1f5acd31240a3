"""Lessons with sequences: what a gradient through time learns, and what a shorter one cannot."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from scripts.trainings.drawing import Lesson, Uses, adam, after, drawn, steps, without

ROWS = 4


def truncated() -> Lesson:
    """A bit that comes first is asked for ten steps later; the stop cuts the way back in the middle."""
    uses = Uses()
    h, x, w, u = (
        gw.Input(np.zeros(shape), name=name) for name, shape in (("h", ROWS), ("x", ROWS), ("w", ()), ("u", ()))
    )
    state = gw.Tanh(gw.Add(gw.Multiply(w, h, name="w_h"), gw.Multiply(u, x, name="u_x"), name="sum1"), name="h1")
    for number in range(2, 6):
        state = gw.Tanh(gw.Multiply(w, state, name=f"w_h{number}"), name=f"h{number}")
    uses.page("five_steps", {"later": state})
    w = gw.Variable(0.8, name="w")
    u = gw.Variable(0.5, name="u")
    v = gw.Variable(1.0, name="v")
    first = gw.Input(np.array([1.0, 1.0, -1.0, -1.0]), name="bit")
    second = gw.Input(np.array([0.5, -0.5, 0.5, -0.5]), name="noise")
    like = np.zeros(ROWS)
    begin = gw.Constant(np.zeros(ROWS), name="h0")
    middle = uses.use("steps_1_to_5", "five_steps", "later", like, "steps 1 to 5", h=begin, x=first, w=w, u=u)
    held = gw.StopGradient(middle, name="stop")
    end = uses.use("steps_6_to_10", "five_steps", "later", like, "steps 6 to 10", h=held, x=second, w=w, u=u)
    answer: Expression = gw.Multiply(v, end, name="answer")
    loss = gw.Loss(gw.Square(gw.Subtract(answer, first, name="error"), name="square"), reduction="mean", name="loss")
    checks = [
        after(200, "main/loss.y", "Cut: it learns nothing, as in TensorFlow", value=1.0044283316631484, rtol=1e-8),
        without(
            "main/stop", 200, "main/loss.y", "Whole: it learns, as in TensorFlow", value=0.0001391197233290, rtol=1e-8
        ),
    ]
    return Lesson(
        "truncated",
        "A bit, remembered for ten steps",
        "A network reads a bit in step 1, something else in step 6, and is asked for the bit in step 10. The stop "
        "after step 5 cuts the gradient short, as for long sequences: u hears of step 6 alone, and the loss stays at "
        "1. Here the stop is the mistake: ignore it, and the loss falls to 0.0001 in 200 rounds.",
        drawn(loss, uses=uses),
        steps(adam(0.02), rounds=200, checks=checks),
    )
