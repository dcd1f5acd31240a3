"""Facts in the notes of trainings that read digits, attacked or not."""

from __future__ import annotations

import numpy as np

from tests.notes.facts import Facts, close
from tests.notes.trainings import Training, training


def attack_none(t: Training) -> Facts:
    yield "A network learns digits as they are.", t.kept("test", "accuracy.y") > 0.95
    start = t.at(0)
    moved = np.abs(start.value("worse.z") - start.value("digits.x"))
    yield "The attack moves each pixel by 0.12 to where the loss rises", [moved.max()]
    yield (
        "nobody would read another digit, but the network reads three of four wrong",
        (abs(1 - t.kept("test", "robust.y") - 0.75) < 0.02),
    )
    yield (
        "Compare with the network trained on attacked digits.",
        training("attack_sign").kept("test", "robust.y") > t.kept("test", "robust.y"),
    )


def attack_sign(t: Training) -> Facts:
    start = t.at(0)
    moved = np.abs(start.value("worse.z") - start.value("digits.x"))
    yield (
        "Each round makes an attack on its 64 digits, every pixel 0.12 to where the loss rises, and trains on that.",
        [len(start.value("digits.x")), moved.max()],
    )
    yield (
        "The network reads two of three attacked digits, not one of four.",
        abs(t.kept("test", "robust.y") - 2 / 3) < 0.02
        and abs(training("attack_none").kept("test", "robust.y") - 1 / 4) < 0.02,
    )
    yield (
        "How the attack was made is held fixed by a stop; as the slope of a sign is 0, this one could be left out.",
        close(t.at(5).loss, t.at(5, "stop").loss),
    )


def attack_l2(t: Training) -> Facts:
    steps = np.linalg.norm(t.at(0).value("step.z"), axis=1)
    yield "The attack is a step of length 0.7 along the gradient", [steps.max()] if close(steps, 0.7) else False
    yield "where the stop matters", not close(t.at(5).loss, t.at(5, "stop").loss)
    yield (
        "Ignore it: the network is also trained to turn its gradient, so that the attack goes astray.",
        bool(t.at(0, "stop").along("unit.x").any()) and not t.at(0).along("unit.x").any(),
    )
    yield (
        "It reads more attacked digits, and fewer of those as they are: it hides its slope and learns less.",
        t.kept("test", "robust.y", "stop") > t.kept("test", "robust.y")
        and t.kept("test", "accuracy.y", "stop") < t.kept("test", "accuracy.y"),
    )


def digits_descent(t: Training) -> Facts:
    start = t.at(0)
    yield (
        "A network 64-32-10 reads handwritten digits, 32 at a time.",
        (start.value("W1.y").shape, start.value("W2.y").shape) == ((64, 32), (32, 10))
        and len(start.value("digits.x")) == 32,
    )
    losses = {name: t_of(name).kept(None, "loss.y") for name in ("descent", "momentum", "adam")}
    yield "Plain descent is steady and slow", max(losses, key=losses.__getitem__) == "descent"
    yield "compare the loss after 300 rounds with the same network by momentum and by Adam", [t.steps]
    yield "A fifth of the digits is held back to test it.", t.block("digits")["test"] == 0.2


def t_of(rule: str) -> Training:
    return training(f"digits_{rule}")


def is_same_network(t: Training, other: Training) -> bool:
    """Returns whether both start with the same numbers, and read the same batches."""
    mine, its = t.at(0), other.at(0)
    return all(np.array_equal(mine.value(port), its.value(port)) for port in ("W1.y", "W2.y", "digits.x"))


def digits_momentum(t: Training) -> Facts:
    yield "The same network and the same batches as by gradient descent", is_same_network(t, t_of("descent"))
    yield "each step also repeats nine tenths of the one before", t.rule("momentum") == 0.9
    yield "Directions that stay the same add up, those that change cancel", None
    yield "the loss falls sooner", t.kept(None, "loss.y") < t_of("descent").kept(None, "loss.y")


def digits_adam(t: Training) -> Facts:
    yield "The same network and the same batches as by gradient descent.", is_same_network(t, t_of("descent"))
    start, first = t.at(0), t.at(1)
    moved = np.abs(first.value("W1.y") - start.value("W1.y"))[np.abs(start.gradient("W1.y")) > 1e-4]
    yield (
        "Adam divides each step by the usual size of that gradient, so that weights with small gradients move as far"
        " as the others.",
        close(moved, t.rule("rate"), 0.05),
    )


def digits_cnn(t: Training) -> Facts:
    start = t.at(0)
    yield "Eight filters of 3 x 3 look for strokes anywhere in the image", start.value("K1.y").shape == (3, 3, 1, 8)
    blocks = start.value("relu1.y").reshape(-1, 4, 2, 4, 2, 8).max(axis=(2, 4))
    yield "the strongest answer in each 2 x 2 square counts", np.array_equal(blocks, start.value("pool1.y"))
    yield "The pooling passes each gradient to the winner alone", None
    yield "three of four pixels receive 0 there", (start.along("pool1.input") == 0).mean() >= 0.75


def digits_cnn_adam(t: Training) -> Facts:
    other = t_of("cnn").at(0)
    yield (
        "The convolution on the same batches by Adam",
        np.array_equal(t.at(0).value("digits.x"), other.value("digits.x")),
    )
    filters = t.at(0).gradient("K1.y")
    moved = [np.abs(t.at(1).value(port) - t.at(0).value(port)).max() for port in ("K1.y", "W2.y")]
    yield (
        "which moves a filter with small gradients as far as the weights behind it",
        close(*moved, 0.02) and bool(filters.any()),
    )


def digits_cnn_descent(t: Training) -> Facts:
    yield (
        "The convolution on the same batches by plain descent.",
        np.array_equal(t.at(0).value("digits.x"), t_of("cnn").at(0).value("digits.x")),
    )
    kinds = {name: t_of(name) for name in ("cnn_descent", "cnn", "cnn_adam")}
    moved = {
        name: float(np.linalg.norm(-kind.at(0).value("K1.y") + kind.end().value("K1.y")))
        for name, kind in kinds.items()
    }
    losses = {name: kind.kept(None, "loss.y") for name, kind in kinds.items()}
    yield "the filters move least here", min(moved, key=moved.__getitem__) == "cnn_descent"
    yield (
        "the loss of round 300 is highest",
        [t.steps] if max(losses, key=losses.__getitem__) == "cnn_descent" else False,
    )


def glyphs_cnn(t: Training) -> Facts:
    yield (
        "Two convolutions learn to read printed digits, turned, scaled and moved at random, 32 at a time.",
        len(t.at(0).value("glyphs.x")) == 32,
    )
    yield "They are tested on weights of the fonts that training never draws", None
    yield "read 97 of 100 there", [100 * t.kept("test", "accuracy.y"), 100]
