"""Lessons with one loss: regression, small networks, and what a gradient needs to reach a weight."""

from __future__ import annotations

import math

import numpy as np

import gradwire as gw
from scripts.trainings.drawing import Lesson, adam, after, dense, descent, drawn, normal, of_example, steps


def linear_regression() -> Lesson:
    """The eight rows of the example, by gradient descent."""
    checks = [
        after(0, "main/loss.y", "Loss at the beginning", value=2790.3125),
        after(1, "main/loss.y", "Loss after one round", value=1151.5103773565, rtol=1e-11),
        after(1000, "main/loss.y", "Loss after 1,000 rounds", value=1.0377341401, rtol=1e-9),
    ]
    return Lesson(
        "linear_regression",
        "Linear regression",
        "Gradient descent moves three weights and a bias towards [1, 2, 3] and 5. The loss falls from 2790 to 1151 in "
        "the first round and to 1.04 in 1,000. The bias comes last and is at 0.77 then: along it the loss is curved "
        "least, 0.12 instead of 230 and more. With the rate 0.001 instead of 0.0005 each step is too long, and the "
        "loss grows.",
        of_example("linreg"),
        steps(descent(0.0005), rounds=1000, checks=checks),
    )


def logistic_regression() -> Lesson:
    """The four points of OR, by gradient descent."""
    checks = [
        after(100, "main/loss.y", "Loss after 100 rounds", below=0.1),
        after(100, "main/W.y", "Both weights point to OR", above=2),
    ]
    return Lesson(
        "logistic_regression",
        "Logistic regression",
        "Two weights and a bias learn OR. The loss falls forever, for the weights may always grow: watch their "
        "gradients shrink while W grows longer. The error of a probability, p - y, is all that flows back.",
        of_example("logreg_or"),
        steps(descent(1), rounds=400, checks=checks),
    )


def xor() -> Lesson:
    """The network of the example with a good start, by gradient descent."""
    checks = [
        after(0, "main/loss.y", "Loss at the beginning", value=0.6366041548, rtol=1e-9),
        after(100, "main/loss.y", "Loss after 100 rounds", value=0.0462333305, rtol=1e-8),
        after(2000, "main/loss.y", "Loss after 2,000 rounds", value=0.0015948563, rtol=1e-7),
    ]
    return Lesson(
        "xor",
        "XOR learned",
        "One hidden unit leans towards OR, the other towards NAND, and training pulls both apart. After 100 rounds "
        "the loss is 0.046, after 2,000 it is 0.0016. Set both columns of W1 and both numbers of b1 to the same: the "
        "units always receive the same gradient and stay one unit.",
        of_example("xor_221_good"),
        steps(descent(1), rounds=2000, checks=checks),
    )


# Places of the spirals: two rows of blocks, and their picture beside them, so that all is seen above an open panel.
_TWO_ROWS = {
    "spirals": (0, 0), "product1": (288, 0), "sum1": (544, 0), "hidden1": (800, 0), "product2": (1056, 0),
    "sum2": (1312, 0), "hidden2": (1568, 0), "W1": (0, 230), "b1": (288, 200), "W2": (800, 200), "b2": (1056, 200),
    "W3": (0, 510), "product3": (288, 490), "sum3": (544, 490), "b3": (288, 660), "cross_entropy": (944, 490),
    "loss": (1312, 490), "accuracy": (944, 680), "boundary": (1872, 0),
}  # fmt: skip


def spirals() -> Lesson:
    """Two spirals, told apart by two hidden layers of eight units."""
    x, y = gw.Data(set="spirals", n=300, noise=0.02, turns=1.5, seed=1, test=0.2, name="spirals")
    hidden = gw.Tanh(dense(x, normal(1, 2, 8), np.zeros(8), "1"), name="hidden1")
    deeper = gw.Tanh(dense(hidden, normal(2, 8, 8, scale=0.35), np.zeros(8), "2"), name="hidden2")
    logits = dense(deeper, normal(3, 8, 2, scale=0.35), np.zeros(2), "3")
    loss = gw.Loss(gw.SoftmaxCrossEntropyWithLogits(y, logits, name="cross_entropy"), reduction="mean", name="loss")
    accuracy = gw.Accuracy(y, logits, name="accuracy")
    checks = [
        after(600, "main/loss.y", "The loss falls", below=0.1),
        after(600, "main/accuracy.y", "Points that training never saw", part="test", above=0.95),
    ]
    return Lesson(
        "spirals",
        "Spirals",
        "A network 2-8-8-2 learns to tell two spirals apart. Run it: the boundary bends round by round. As the loss "
        "falls, the gradient of the logits fades from 0.045 to 0.007; but the weights grow and enlarge it on its way "
        "back, so before the first tanh it grows from 0.01 to 0.73. One fifth of the points is held back, and is told "
        "apart too.",
        drawn(loss, accuracy, monitors={"boundary": (logits, "boundary")}, places=_TWO_ROWS, widths={"boundary": 600}),
        steps(adam(0.01), rounds=600, checks=checks, metrics=["main/accuracy.y"], test_every=50),
        signature=2,
    )


def moons() -> Lesson:
    """Two half moons, told apart by one hidden layer."""
    x, y = gw.Data(set="moons", n=200, noise=0.1, seed=1, batch=32, test=0.2, name="moons")
    hidden = gw.Tanh(dense(x, normal(1, 2, 6), np.zeros(6), "1"), name="hidden")
    logits = dense(hidden, normal(2, 6, 2, scale=0.4), np.zeros(2), "2")
    loss = gw.Loss(gw.SoftmaxCrossEntropyWithLogits(y, logits, name="cross_entropy"), reduction="mean", name="loss")
    accuracy = gw.Accuracy(y, logits, name="accuracy")
    checks = [
        after(300, "main/loss.y", "Loss of round 300, as in TensorFlow", value=0.017183715398495017, rtol=1e-10),
        after(300, "main/accuracy.y", "Points that training never saw", part="test", above=0.95),
    ]
    return Lesson(
        "moons",
        "Two moons",
        "Six hidden units bend a line into the gap between two half moons, with 32 points a round. At first the "
        "boundary is straight and cuts the tips off; the points there have the largest errors, and pull it into an S.",
        drawn(loss, accuracy, monitors={"boundary": (logits, "boundary")}),
        steps(adam(0.03), rounds=300, checks=checks, metrics=["main/accuracy.y"], test_every=20),
    )


def rate_too_large() -> Lesson:
    """The linear regression at twice the rate: the error along the largest curvature grows by a known factor."""
    graph, rate, tenth = of_example("linreg"), 0.001, 14803414.964205267
    rows = np.asarray(graph.block("main/X").parameters["value"])
    with_ones = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
    # Its last digits differ from one processor to another; the check below needs three.
    curvature = round(float(np.linalg.eigvalsh(2 * with_ones.T @ with_ones / len(rows))[-1]), 6)
    checks = [
        after(10, "main/loss.y", "Loss after ten rounds, as in TensorFlow", value=tenth, rtol=1e-10),
        after(
            20,
            "main/loss.y",
            "From there by the square of 1 - rate times curvature in each round",
            value=tenth * (1 - rate * curvature) ** 20,
            rtol=1e-2,
        ),
    ]
    return Lesson(
        "rate_too_large",
        "A rate that is too large",
        "The linear regression at the rate 0.001. Along the direction in which the loss is most curved, 2614, a step "
        "multiplies the error by 1 - 0.001 * 2614 = -1.6: it goes to the other side, and further each time. The loss "
        "grows 2.6 times a round. Below 2 / 2614 = 0.00076 it falls.",
        graph,
        steps(descent(rate), rounds=20, checks=checks),
    )


BATCHES = (4, 256)
COPIES = 128


def batch_noise() -> Lesson:
    """A mean found from batches: w becomes 0.8 w + 0.2 (their mean), whose variance ends at 1 / 9 / batch."""
    losses, spreads, weights = [], [], {}
    for number, size in enumerate(BATCHES):
        x = gw.RandomNormal(shape=(size, COPIES), seed=number, every="step", name=f"batch{size}")
        w = weights[size] = gw.Variable(np.full(COPIES, 2.0), name=f"w{size}")
        miss = gw.SquaredDifference(w, x, name=f"miss{size}")
        losses.append(gw.Loss(miss, reduction="mean", name=f"loss{size}"))
        spreads.append(gw.ReduceStd(w, name=f"spread{size}"))
    checks = [
        after(
            60,
            f"main/spread{size}.y",
            f"Spread with batches of {size}: root of 1/9 through {size}",
            value=math.sqrt(1 / 9 / size),
            rtol=0.2,
        )
        for size in BATCHES
    ]
    return Lesson(
        "batch_noise",
        "Batches of 4 and of 256",
        "Twice 128 weights look for the mean 0 of random numbers, from 2, with batches of 4 and of 256. All "
        "come near it in the same time, and then keep moving, as the histograms show: the spread that stays is the "
        "root of 1 / 9 through the size of the batch. With 256 it is an eighth of that with 4; a smaller rate would "
        "help too.",
        drawn(*losses, *spreads, monitors={f"at{size}": (w, "histogram") for size, w in weights.items()}),
        steps(descent(0.1 * COPIES), rounds=60, checks=checks, metrics=[f"main/spread{size}.y" for size in BATCHES]),
    )


def sine() -> Lesson:
    """A sine fitted by one hidden layer."""
    x, y = gw.Data(set="sine", n=80, noise=0, seed=1, order="in_order", name="sine")
    hidden = gw.Tanh(dense(x, normal(1, 1, 12, scale=3), normal(2, 12), "1"), name="hidden")
    fit = dense(hidden, normal(3, 12, 1, scale=0.3), np.zeros(1), "2")
    loss = gw.Loss(gw.Square(gw.Subtract(fit, y, name="error"), name="square"), reduction="mean", name="loss")
    score = gw.R2(y, fit, name="r2")
    checks = [after(1000, "main/r2.y", "The curve explains 99.9 % of the variance", above=0.999)]
    return Lesson(
        "sine",
        "A curve fitted to a sine",
        "Twelve tanh units add up to one period of a sine. Each is a smooth step; training moves, tilts and weighs "
        "the steps until their sum is the curve. R2 says how much of the variance is explained: below 0 at "
        "first, then nearly 1.",
        drawn(loss, score, monitors={"curve": (fit, "fit")}),
        steps(adam(0.02), rounds=1000, checks=checks, metrics=["main/r2.y"]),
    )
