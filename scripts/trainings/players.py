"""Lessons with two players, and with examples made against a model: what a StopGradient keeps apart."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from scripts.trainings.drawing import Lesson, Uses, after, drawn, normal, steps, without

ROWS = 64
RULE = {"type": "adam", "rate": 0.02, "beta1": 0.5}


def _critic(uses: Uses) -> None:
    """Adds the page of the critic: a small network that says how real each point looks."""
    shapes = {"x": (ROWS, 1), "W": (1, 8), "c": (8,), "U": (8, 1), "d": (1,)}
    x, w, c, u, d = (gw.Input(np.zeros(shape), name=name) for name, shape in shapes.items())
    hidden = gw.Tanh(gw.Add(gw.MatMul(x, w, name="product"), c, name="sum"), name="hidden")
    uses.page("critic", {"logit": gw.Add(gw.MatMul(hidden, u, name="weighed"), d, name="score")})


def _gan(holds_weights: bool) -> Graph:
    """Returns generator a z + b and critic, with one loss each; the generator's loss may hold the critic fixed."""
    uses = Uses()
    _critic(uses)
    weights: dict[str, Expression] = {
        "W": gw.Variable(normal(1, 1, 8), name="W"),
        "c": gw.Variable(normal(2, 8), name="c"),
        "U": gw.Variable(normal(3, 8, 1, scale=0.3), name="U"),
        "d": gw.Variable(np.zeros(1), name="d"),
    }
    held = {name: gw.StopGradient(each, name=f"stop_{name}") for name, each in weights.items()}
    mean, deviation = gw.Constant(3.0, name="mean"), gw.Constant(0.5, name="deviation")
    real = gw.RandomNormal(mean, deviation, shape=(ROWS, 1), seed=1, every="step", name="real")
    noise = gw.RandomNormal(shape=(ROWS, 1), seed=2, every="step", name="z")
    a, b = gw.Variable(1.0, name="a"), gw.Variable(0.0, name="b")
    fake = gw.Add(gw.Multiply(a, noise, name="a_z"), b, name="fake")
    like = np.zeros((ROWS, 1))
    stopped = gw.StopGradient(fake, name="stop")
    on_real = uses.use("on_real", "critic", "logit", like, "D(real)", x=real, **weights)
    on_fake = uses.use("on_fake", "critic", "logit", like, "D(fake)", x=stopped, **weights)
    judged = uses.use("judged", "critic", "logit", like, "D(fake)", x=fake, **(held if holds_weights else weights))
    wrong_real = gw.Softplus(gw.Negative(on_real, name="minus_real"), name="taken_for_fake")
    wrong_fake = gw.Softplus(on_fake, name="taken_for_real")
    loss_d = gw.Loss(gw.Add(wrong_real, wrong_fake, name="both"), reduction="mean", name="L_D")
    wrong = gw.Softplus(gw.Negative(judged, name="minus_fake"), name="found_out")
    loss_g = gw.Loss(wrong, reduction="mean", name="L_G")
    spread = gw.ReduceStd(fake, name="spread")
    return drawn(loss_d, loss_g, spread, uses=uses, frames={"Generator": ["z", "a", "b", "a_z", "fake"]})


def gan() -> Lesson:
    """One step on the sum of both losses, which stops keep apart. Numbers are TensorFlow's on the same noise."""
    checks = [
        after(800, "main/spread.y", "Spread of the fakes, as in TensorFlow", value=0.4351013971631361, rtol=1e-6),
        after(800, "main/b.y", "Their mean, as in TensorFlow", value=3.108227202104076, rtol=1e-6),
        without(
            "main/stop",
            800,
            "main/spread.y",
            "Without the stop on the fakes they all become one",
            value=0.002372642447342322,
            rtol=1e-4,
        ),
        without("main/stop", 800, "main/b.y", "... at the mean of the data", value=3.2201721546332833, rtol=1e-6),
    ]
    return Lesson(
        "gan",
        "GAN: two players",
        "The critic D learns to tell real points (mean 3, deviation 0.5) from a z + b, and the generator learns to "
        "fool it. One step descends on both losses at once; stops keep them apart. After 800 rounds the fakes spread "
        "by 0.4. Ignore main/stop: D's loss trains the generator too, and all fakes fall onto one point.",
        _gan(holds_weights=True),
        steps({"rule": RULE}, rounds=800, checks=checks, metrics=["main/spread.y", "main/b.y"]),
    )


def gan_open() -> Lesson:
    """The same game with the critic's weights open to the generator's loss. Numbers are TensorFlow's."""
    checks = [
        after(800, "main/b.y", "Mean of the fakes, as in TensorFlow", value=3.0325714586044197, rtol=1e-6),
        after(800, "main/spread.y", "Their spread, as in TensorFlow", value=0.4253889551492539, rtol=1e-6),
        without(
            "main/stop",
            800,
            "main/b.y",
            "Without any stop they never find the data",
            value=-0.5315941058906595,
            rtol=1e-6,
        ),
        without("main/stop", 800, "main/spread.y", "... and all fall onto one point", below=0.01),
    ]
    return Lesson(
        "gan_open",
        "GAN: the critic held by no stop",
        "Here the generator's loss trains the critic as well, to take fakes for real. What D's own loss says still "
        "wins, and the fakes reach mean 3. Ignore main/stop too: on the fakes the two losses pull against each other "
        "until nothing is left, and the generator stays at -0.5 for ever.",
        _gan(holds_weights=False),
        steps({"rule": RULE}, rounds=800, checks=checks, metrics=["main/spread.y", "main/b.y"]),
    )
