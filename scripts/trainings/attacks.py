"""Lessons with examples made against a model: adversarial training by the sign of the gradient, or along it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from scripts.trainings.drawing import Json, Lesson, Uses, adam, after, dense, drawn, normal, steps

ROWS, UNITS = 64, 24


def _network(uses: Uses) -> None:
    x = gw.Input(np.zeros((ROWS, 64)), name="x")
    hidden = gw.Relu(dense(x, normal(1, 64, UNITS, scale=0.15), np.zeros(UNITS), "1"), name="hidden")
    uses.page("network", {"logits": dense(hidden, normal(2, UNITS, 10, scale=0.2), np.zeros(10), "2")})


def _attacked(direction: Callable[[Expression], Expression], size: float, trains_on_attack: bool) -> Graph:
    uses = Uses()
    _network(uses)
    x, y = gw.Data(set="digits", batch=ROWS, seed=1, test=0.2, scale="unit", name="digits")
    like = np.zeros((ROWS, 10))
    seen = uses.use("on_clean", "network", "logits", like, "network", x=x)
    clean = gw.SoftmaxCrossEntropyWithLogits(y, seen, name="clean")
    (slope,) = gw.Gradients(gw.ReduceSum(clean, name="total"), x, name="dL_dx")
    step = gw.Multiply(direction(slope), gw.Constant(size, name="size"), name="step")
    worse = gw.StopGradient(gw.Add(x, step, name="worse"), name="stop")
    fooled = uses.use("on_worse", "network", "logits", like, "network", x=worse)
    attacked = gw.SoftmaxCrossEntropyWithLogits(y, fooled, name="attacked")
    loss = gw.Loss(attacked if trains_on_attack else clean, reduction="mean", name="loss")
    plain = gw.Accuracy(y, seen, name="accuracy")
    robust = gw.Accuracy(y, fooled, name="robust")
    return drawn(loss, plain, robust, attacked, uses=uses)


def _by_sign(g: Expression) -> Expression:
    made: Expression = gw.Sign(g, name="sign")
    return made


def _by_length(g: Expression) -> Expression:
    made: Expression = gw.L2Normalize(g, axis=1, name="unit")
    return made


ROUNDS = 200


def _accuracies(plain: float, robust: float, stop: str | None = None) -> list[Json]:
    """Returns the checks of both accuracies on the digits held back, as TensorFlow has them; one digit is 0.0026."""
    found = {"accuracy": ("Digits that training never saw", plain), "robust": ("... attacked", robust)}
    made = [
        after(ROUNDS, f"main/{name}.y", title, value=value, part="test", rtol=0, atol=0.006)
        for name, (title, value) in found.items()
    ]
    return (
        made
        if stop is None
        else [{**check, "title": f"{check['title']}, without the stop", "run_without": stop} for check in made]
    )


def _plan(checks: list[Json]) -> Json:
    metrics = ["main/accuracy.y", "main/robust.y"]
    return steps(adam(0.005), rounds=ROUNDS, checks=checks, metrics=metrics, test_every=20)


def attack_none() -> Lesson:
    """Training on the digits as they are, with the attack by sign as a test."""
    return Lesson(
        "attack_none",
        "Attacked digits: not trained for it",
        "A network learns digits as they are. The attack moves each pixel by 0.12 to where the loss rises: nobody "
        "would read another digit, but the network reads three of four wrong. Compare with the network trained on "
        "attacked digits.",
        _attacked(_by_sign, 0.12, trains_on_attack=False),
        _plan(_accuracies(0.966, 0.255)),
    )


def attack_sign() -> Lesson:
    """Training on digits attacked by the sign of the gradient. The sign is flat: the stop changes nothing."""
    return Lesson(
        "attack_sign",
        "Attacked digits: trained by sign",
        "Each round makes an attack on its 64 digits, every pixel 0.12 to where the loss rises, and trains on that. "
        "The network reads two of three attacked digits, not one of four. How the attack was made is held fixed by a "
        "stop; as the slope of a sign is 0, this one could be left out.",
        _attacked(_by_sign, 0.12, trains_on_attack=True),
        _plan([*_accuracies(0.929, 0.682), *_accuracies(0.929, 0.682, "main/stop")]),
    )


def attack_l2() -> Lesson:
    """Training on digits attacked along the gradient, at length 0.7."""
    return Lesson(
        "attack_l2",
        "Attacked digits: trained by length",
        "The attack is a step of length 0.7 along the gradient, where the stop matters. Ignore it: the network is "
        "also trained to turn its gradient, so that the attack goes astray. It reads more attacked digits, and fewer "
        "of those as they are: it hides its slope and learns less.",
        _attacked(_by_length, 0.7, trains_on_attack=True),
        _plan([*_accuracies(0.916, 0.577), *_accuracies(0.892, 0.614, "main/stop")]),
    )
