"""Lessons with images: handwritten digits by three rules and by a convolution, printed digits without end."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from scripts.trainings.drawing import Json, Lesson, after, dense, drawn, normal, steps


def _judged(logits: Expression, labels: Expression) -> tuple[Expression, Expression]:
    entropy = gw.SoftmaxCrossEntropyWithLogits(labels, logits, name="cross_entropy")
    return gw.Loss(entropy, reduction="mean", name="loss"), gw.Accuracy(labels, logits, name="accuracy")


def _digits() -> tuple[Expression, Expression]:
    x, y = gw.Data(set="digits", batch=32, seed=1, test=0.2, scale="unit", name="digits")
    return x, y


def _convolved(x: Expression, filters: Array, number: str) -> Expression:
    kernel = gw.Variable(filters, name=f"K{number}")
    bias = gw.Variable(np.zeros(filters.shape[-1], filters.dtype), name=f"b{number}")
    convolved = gw.Conv2D(x, kernel, strides=1, padding="SAME", name=f"conv{number}")
    active = gw.Relu(gw.BiasAdd(convolved, bias, name=f"biased{number}"), name=f"relu{number}")
    made: Expression = gw.MaxPool2D(active, ksize=2, strides=2, padding="VALID", name=f"pool{number}")
    return made


def _digits_by(rule: Json, name: str, title: str, text: str, last: float) -> Lesson:
    """The network 64-32-10; `last` is the loss of round 300 by TensorFlow."""
    x, y = _digits()
    hidden = gw.Relu(dense(x, normal(1, 64, 32, scale=0.15), np.zeros(32), "1"), name="hidden")
    loss, accuracy = _judged(dense(hidden, normal(2, 32, 10, scale=0.2), np.zeros(10), "2"), y)
    checks = [
        after(300, "main/loss.y", "Loss of round 300, as in TensorFlow", value=last, rtol=1e-10),
        after(300, "main/accuracy.y", "Digits that training never saw", part="test", above=0.9),
    ]
    plan = steps({"rule": rule}, rounds=300, checks=checks, metrics=["main/accuracy.y"], test_every=50)
    return Lesson(name, title, text, drawn(loss, accuracy), plan)


def digits_descent() -> Lesson:
    """The network 64-32-10 by gradient descent."""
    return _digits_by(
        {"type": "descent", "rate": 0.1},
        "digits_descent",
        "Digits by gradient descent",
        "A network 64-32-10 reads handwritten digits, 32 at a time. Plain descent is steady and slow: compare the "
        "loss after 300 rounds with the same network by momentum and by Adam. A fifth of the digits is held back to "
        "test it.",
        0.314064347780701,
    )


def digits_momentum() -> Lesson:
    """The network 64-32-10 by momentum."""
    return _digits_by(
        {"type": "momentum", "rate": 0.05, "momentum": 0.9},
        "digits_momentum",
        "Digits by momentum",
        "The same network and the same batches as by gradient descent, but each step also repeats nine tenths of the "
        "one before. Directions that stay the same add up, those that change cancel: the loss falls sooner.",
        0.13365651755562225,
    )


def digits_adam() -> Lesson:
    """The network 64-32-10 by Adam."""
    return _digits_by(
        {"type": "adam", "rate": 0.005},
        "digits_adam",
        "Digits by Adam",
        "The same network and the same batches as by gradient descent. Adam divides each step by the usual size of "
        "that gradient, so that weights with small gradients move as far as the others.",
        0.16816945636416808,
    )


def _cnn_by(rule: Json, name: str, title: str, text: str, last: float) -> Lesson:
    """One convolution of eight filters over the 8 x 8 images; `last` is the loss of round 300 by TensorFlow."""
    x, y = _digits()
    images = gw.Reshape(x, shape=(-1, 8, 8, 1), name="images")
    flat = gw.Reshape(_convolved(images, normal(1, 3, 3, 1, 8, scale=0.4), "1"), shape=(-1, 128), name="flat")
    loss, accuracy = _judged(dense(flat, normal(2, 128, 10, scale=0.1), np.zeros(10), "2"), y)
    checks = [
        after(300, "main/loss.y", "Loss of round 300, as in TensorFlow", value=last, rtol=1e-10),
        after(300, "main/accuracy.y", "Digits that training never saw", part="test", above=0.9),
    ]
    plan = steps({"rule": rule}, rounds=300, checks=checks, metrics=["main/accuracy.y"], test_every=50)
    return Lesson(name, title, text, drawn(loss, accuracy), plan)


def digits_cnn() -> Lesson:
    """The convolution by momentum."""
    return _cnn_by(
        {"type": "momentum", "rate": 0.05, "momentum": 0.9},
        "digits_cnn",
        "Digits by convolution",
        "Eight filters of 3 x 3 look for strokes anywhere in the image, and the strongest answer in each 2 x 2 square "
        "counts. The pooling passes each gradient to the winner alone: three of four pixels receive 0 there.",
        0.09046283077260667,
    )


def digits_cnn_descent() -> Lesson:
    """The convolution by gradient descent."""
    return _cnn_by(
        {"type": "descent", "rate": 0.1},
        "digits_cnn_descent",
        "Digits by convolution and descent",
        "The convolution on the same batches by plain descent. Compare with momentum and Adam: the filters move "
        "least here, and the loss of round 300 is highest.",
        0.24128478757754457,
    )


def digits_cnn_adam() -> Lesson:
    """The convolution by Adam."""
    return _cnn_by(
        {"type": "adam", "rate": 0.005},
        "digits_cnn_adam",
        "Digits by convolution and Adam",
        "The convolution on the same batches by Adam, which moves a filter with small gradients as far as the weights "
        "behind it.",
        0.19032701346026829,
    )


def glyphs_cnn() -> Lesson:
    """Two convolutions over printed digits of 28 x 28; the test part has weights of fonts that training never draws."""
    x, y = gw.Data(set="glyphs", n=4000, batch=32, seed=1, test=0.1, dtype="float32", name="glyphs")
    kind = np.float32
    first = _convolved(x, normal(1, 5, 5, 1, 8, scale=0.2).astype(kind), "1")
    second = _convolved(first, normal(2, 3, 3, 8, 16, scale=0.12).astype(kind), "2")
    flat = gw.Reshape(second, shape=(-1, 784), name="flat")
    loss, accuracy = _judged(dense(flat, normal(3, 784, 10, scale=0.04).astype(kind), np.zeros(10, kind), "3"), y)
    checks = [
        after(60, "main/loss.y", "It begins to learn: below the loss of guessing, log 10", below=1.9),
        after(700, "main/accuracy.y", "Fonts that training never saw", part="test", above=0.97),
    ]
    return Lesson(
        "glyphs_cnn",
        "Printed digits by convolution",
        "Two convolutions learn to read printed digits, turned, scaled and moved at random, 32 at a time. They are "
        "tested on weights of the fonts that training never draws, and read 97 of 100 there.",
        drawn(loss, accuracy),
        steps(
            {"rule": {"type": "adam", "rate": 0.003}},
            rounds=700,
            checks=checks,
            metrics=["main/accuracy.y"],
            test_every=100,
        ),
    )
