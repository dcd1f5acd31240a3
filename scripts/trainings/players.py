"""Lessons with two players, and with examples made against a model: what a StopGradient keeps apart."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from scripts.trainings.drawing import Lesson, Uses, after, drawn, normal, steps, without

ROWS = 64
RULE = {"type": "adam", "rate": 0.02, "beta1": 0.5}


def _critic() -> Uses:
    """Returns the page of the critic, a small network that says how real each point looks; `theta` has its weights."""
    uses = Uses()
    x, theta = gw.Input(np.zeros((ROWS, 1)), name="x"), gw.Input(np.zeros((3, 8)), name="theta")
    weights, biases, votes = gw.Unstack(theta, name="rows")
    hidden = gw.Tanh(gw.Add(gw.Multiply(x, weights, name="slope"), biases, name="sum"), name="hidden")
    uses.page("critic", {"logit": gw.MatVec(hidden, votes, name="score")})
    return uses


def _gan(holds_weights: bool) -> Graph:
    """Returns generator a z + b and critic, with one loss each; the generator's loss may hold the critic fixed."""
    uses = _critic()
    start = np.stack([normal(1, 8), normal(2, 8), normal(3, 8, scale=0.3)])
    theta: Expression = gw.Variable(start, name="theta")
    held = gw.StopGradient(theta, name="stop_theta") if holds_weights else theta
    mean, deviation = gw.Constant(3.0, name="mean"), gw.Constant(0.5, name="deviation")
    real = gw.RandomNormal(mean, deviation, shape=(ROWS, 1), seed=1, every="step", name="real")
    noise = gw.RandomNormal(shape=(ROWS, 1), seed=2, every="step", name="z")
    a, b = gw.Variable(1.0, name="a"), gw.Variable(0.0, name="b")
    fake = gw.Add(gw.Multiply(a, noise, name="a_z"), b, name="fake")
    stopped, like = gw.StopGradient(fake, name="stop"), np.zeros(ROWS)
    on_real = uses.use("on_real", "critic", "logit", like, "D(real)", x=real, theta=theta)
    on_fake = uses.use("on_fake", "critic", "logit", like, "D(fake)", x=stopped, theta=theta)
    judged = uses.use("judged", "critic", "logit", like, "D(fake)", x=fake, theta=held)
    wrong_real = gw.Softplus(gw.Negative(on_real, name="minus_real"), name="taken_for_fake")
    wrong_fake = gw.Softplus(on_fake, name="taken_for_real")
    loss_d = gw.Loss(gw.Add(wrong_real, wrong_fake, name="both"), reduction="mean", name="L_D")
    wrong = gw.Softplus(gw.Negative(judged, name="minus_fake"), name="found_out")
    loss_g = gw.Loss(wrong, reduction="mean", name="L_G")
    spread = gw.ReduceStd(fake, name="spread")
    return drawn(
        loss_d,
        loss_g,
        spread,
        uses=uses,
        frames={"Generator": ["z", "a", "b", "a_z", "fake"]},
        monitors={"fakes": (fake, "histogram", real)},
    )


def gan() -> Lesson:
    """One step on the sum of both losses, which stops keep apart. Numbers are TensorFlow's on the same noise.

    With the seeds 1 to 8 the fakes spread by 0.17 to 0.59 after 800 rounds, and without the stop by less than 0.02.
    """
    checks = [
        after(800, "main/spread.y", "Spread of the fakes, as in TensorFlow", value=0.29105562500703713, rtol=1e-6),
        after(800, "main/b.y", "Their mean, as in TensorFlow", value=2.8028198635818065, rtol=1e-6),
        without(
            "main/stop",
            800,
            "main/spread.y",
            "Without the stop on the fakes they all become one",
            value=0.004181955285861717,
            rtol=1e-4,
        ),
        without("main/stop", 800, "main/b.y", "... at the mean of the data", value=3.2357532366761896, rtol=1e-6),
    ]
    return Lesson(
        "gan",
        "GAN: two players",
        "The critic D learns to tell real points (mean 3, deviation 0.5) from a z + b, and the generator learns to "
        "fool it. One step descends on both losses at once; stops keep them apart. The histogram has the fakes as bars "
        "and the real points as an outline: after 800 rounds the fakes spread by 0.3. Ignore main/stop: D's loss "
        "trains the generator too, and all fakes fall onto one point.",
        _gan(holds_weights=True),
        steps({"rule": RULE}, rounds=800, checks=checks, metrics=["main/spread.y", "main/b.y"]),
    )


def gan_open() -> Lesson:
    """The same game with the critic's weights open to the generator's loss. Numbers are TensorFlow's."""
    checks = [
        after(800, "main/b.y", "Mean of the fakes, as in TensorFlow", value=3.0142312271900207, rtol=1e-6),
        after(800, "main/spread.y", "Their spread, as in TensorFlow", value=0.4536715205951251, rtol=1e-6),
        without(
            "main/stop",
            800,
            "main/b.y",
            "Without any stop they never find the data",
            value=-0.4196138683914777,
            rtol=1e-6,
        ),
        without("main/stop", 800, "main/spread.y", "... and all fall onto one point", below=0.01),
    ]
    return Lesson(
        "gan_open",
        "GAN: the critic held by no stop",
        "Here the generator's loss trains the critic as well, to take fakes for real. What D's own loss says still "
        "wins, and the fakes reach mean 3. Ignore main/stop too: on the fakes the two losses pull against each other "
        "until nothing remains, and the generator stays at -0.4 forever.",
        _gan(holds_weights=False),
        steps({"rule": RULE}, rounds=800, checks=checks, metrics=["main/spread.y", "main/b.y"]),
    )


def gan_twice() -> Lesson:
    """The same players in turn, the critic twice a round. Numbers are TensorFlow's."""
    checks = [
        {"title": "D trains the critic alone", "step": "D", "trains": ["main/theta"]},
        {"title": "G trains the generator alone", "step": "G", "trains": ["main/a", "main/b"]},
        after(200, "main/b.y", "Mean of the fakes, as in TensorFlow", value=3.049349563077944, rtol=1e-6),
        after(200, "main/spread.y", "Their spread, as in TensorFlow", value=0.4645369401378283, rtol=1e-6),
        without(
            "main/stop",
            200,
            "main/spread.y",
            "Without the stop the list of Variables keeps a and b from D's loss",
            value=0.4645369401378283,
            rtol=1e-6,
        ),
    ]
    critic = {"name": "D", "loss": "main/L_D", "variables": ["main/theta"], "rule": RULE, "times": 2}
    generator = {"name": "G", "loss": "main/L_G", "variables": ["main/a", "main/b"], "rule": RULE}
    return Lesson(
        "gan_twice",
        "GAN: the critic twice a round",
        "The same players take turns: two steps of the critic D, then one of the generator G. Each step lists what it "
        "trains, so the losses stay apart without any stop: ignore main/stop, and every number stays the same. What "
        "the stop says here is that D's loss need not go back through the fakes at all.",
        _gan(holds_weights=True),
        steps(critic, generator, rounds=200, checks=checks, metrics=["main/spread.y", "main/b.y"]),
    )
