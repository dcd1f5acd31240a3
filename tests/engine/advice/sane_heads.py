"""A hundred sane graphs, by combination: bodies of networks with the losses of public models, and methods of training.

Each stops, masks, shares, freezes and starts at 0 where its method does, so that advice has much to be wrong about.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import LABELS, Dense, Network, cross_entropy, data, weights

Make = Callable[[], Expression]
ROWS, CLASSES = 4, 3
NUMBERS = np.array([0, 1, 2, 0])


# Bodies: from an image or a row of features to `wide` numbers for each of four examples


def linear(wide: int) -> Expression:
    return Dense(1, 5, wide)(data(0, ROWS, 5))


def deep(wide: int) -> Expression:
    return Dense(1, 16, wide)(gw.Relu(Dense(2, 16, 16)(gw.Relu(Dense(3, 5, 16)(data(0, ROWS, 5))))))


def residual(wide: int) -> Expression:
    h = Dense(3, 5, 6)(data(0, ROWS, 5))
    for seed in (4, 6):
        branch = Dense(seed + 1, 12, 6)(gw.Gelu(Dense(seed, 6, 12)(gw.LayerNormalization(h, *affine(6)))))
        # ReZero: the branch starts at 0.
        h = h + gw.Variable(0.0) * branch
    return Dense(1, 6, wide)(h)


def normalised(wide: int) -> Expression:
    h = gw.MatMul(data(0, ROWS, 5), weights(3, 5, 6)) + weights(4, 6)
    centred = h - gw.ReduceMean(h, axis=0)
    h = centred / gw.Sqrt(gw.ReduceVariance(h, axis=0) + 1e-5) * gw.Variable(np.ones(6)) + gw.Variable(np.zeros(6))
    return Dense(1, 6, wide)(gw.Relu(h))


def convolved(wide: int) -> Expression:
    x = data(0, ROWS, 6, 6, 1)
    h = gw.Relu(gw.Conv2D(x, weights(3, 3, 3, 1, 4), strides=[1, 1], padding="VALID"))
    return Dense(1, 16, wide)(
        gw.Reshape(gw.MaxPool2D(h, ksize=[2, 2], strides=[2, 2], padding="VALID"), shape=[ROWS, -1])
    )


def attending(wide: int, mask: float = -1e9) -> Expression:
    x = data(0, ROWS, 6)
    q, k, v = Dense(3, 6, 6)(x), Dense(5, 6, 6)(x), Dense(7, 6, 6)(x)
    hidden = gw.Constant(np.triu(np.full((ROWS, ROWS), mask), 1))
    mixed = gw.MatMul(gw.Softmax(gw.MatMul(q, k, transpose_b=True) / gw.Constant(6**0.5) + hidden), v)
    return Dense(1, 6, wide)(gw.LayerNormalization(x + mixed, *affine(6)))


def recurring(wide: int) -> Expression:
    h, gate, new = gw.Constant(np.zeros((ROWS, 5))), Dense(3, 7, 5), Dense(5, 7, 5)
    for step in range(4):
        both = gw.Concat(data(10 + step, ROWS, 2), h, axis=1)
        z = gw.Sigmoid(gate(both))
        h = z * h + (1.0 - z) * gw.Tanh(new(both))
    return Dense(1, 5, wide)(h)


def fine_tuned(wide: int) -> Expression:
    """LoRA: the weights are frozen, and the product that is added starts at 0."""
    x, low = data(0, ROWS, 5), gw.MatMul(data(0, ROWS, 5), weights(3, 5, 2))
    h = gw.Tanh(Dense(5, 5, 6, trains=False)(x) + gw.MatMul(low, gw.Variable(np.zeros((2, 6)))))
    return Dense(1, 6, wide)(h)


def affine(wide: int) -> tuple[Expression, Expression]:
    return gw.Variable(np.ones(wide)), gw.Variable(np.zeros(wide))


# Heads: from a body to a loss


def classes(body: Callable[[int], Expression]) -> Expression:
    return gw.Loss(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(NUMBERS), body(CLASSES)), reduction="mean")


def smoothed(body: Callable[[int], Expression]) -> Expression:
    return gw.Loss(cross_entropy(gw.Constant(0.9 * LABELS + 0.1 / CLASSES), body(CLASSES)))


def focal(body: Callable[[int], Expression]) -> Expression:
    log = gw.Gather(gw.LogSoftmax(body(CLASSES)), gw.Constant(NUMBERS), axis=1, batch_dims=1)
    return gw.Loss(-gw.ReduceMean(gw.Square(1.0 - gw.Exp(log)) * log))


def regression(body: Callable[[int], Expression]) -> Expression:
    return gw.Loss(gw.Huber(data(7, ROWS), gw.Squeeze(body(1), axis=[1])), reduction="mean")


def gaussian(body: Callable[[int], Expression]) -> Expression:
    both = body(2)
    mean, log_var = (gw.Gather(both, gw.Constant(np.array(place)), axis=1) for place in (0, 1))
    return gw.Loss(gw.ReduceMean(log_var + gw.Square(data(7, ROWS) - mean) * gw.Exp(-log_var)) * 0.5)


def masked(body: Callable[[int], Expression]) -> Expression:
    """Examples without a label count 0; the mean is over the others."""
    loss = gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(NUMBERS), body(CLASSES))
    mask = gw.Constant(np.array([1.0, 0, 1, 1]))
    return gw.Loss(gw.DivNoNan(gw.ReduceSum(loss * mask), gw.ReduceSum(mask)))


def hinge(body: Callable[[int], Expression]) -> Expression:
    signs = gw.Constant(np.where(LABELS > 0, 1.0, -1.0))
    return gw.Loss(gw.ReduceMean(gw.Relu(1.0 - signs * body(CLASSES))))


def probe(body: Callable[[int], Expression]) -> Expression:
    """A second head looks at features that only the first one trains."""
    features = body(6)
    main = cross_entropy(gw.Constant(LABELS), Dense(8, 6, CLASSES)(gw.Tanh(features)))
    beside = gw.Squeeze(Network(20, 6, 5, 1)(gw.StopGradient(features)), axis=[1])
    return gw.Loss(main + gw.ReduceMean(gw.Square(beside - data(7, ROWS))))


def distilled(body: Callable[[int], Expression]) -> Expression:
    """The teacher is stopped, though nobody has marked it as frozen."""
    teacher = gw.StopGradient(Network(30, 5, 8, CLASSES)(data(0, ROWS, 5)))
    student = body(CLASSES)
    soft = cross_entropy(gw.Softmax(teacher / gw.Constant(2.0)), student / gw.Constant(2.0))
    return gw.Loss(soft + cross_entropy(gw.Constant(LABELS), student))


def vicreg(body: Callable[[int], Expression]) -> Expression:
    z = body(4)
    spread = gw.ReduceMean(gw.Relu(1.0 - gw.Sqrt(gw.ReduceVariance(z, axis=0) + 1e-4)))
    centred = z - gw.ReduceMean(z, axis=0)
    cov = gw.MatMul(centred, centred, transpose_a=True) / gw.Constant(ROWS - 1.0)
    off = cov * gw.Constant(1.0 - np.eye(4))
    return gw.Loss(spread + gw.ReduceSum(gw.Square(off)) / gw.Constant(4.0))


BODIES = (linear, deep, residual, normalised, convolved, attending, recurring, fine_tuned)
HEADS = (classes, smoothed, focal, regression, gaussian, masked, hinge, probe, distilled, vicreg)


def combined() -> dict[str, Make]:
    return {f"{body.__name__} {head.__name__}": partial(head, body) for body in BODIES for head in HEADS}
