"""Models in the styles that people write: other losses, shapes, constants and activations; wrong ones and sane ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import BITS, LABELS, Dense, Network, chosen_log, data, drawn, weights

Make = Callable[[], Expression]
ACTIONS = np.array([0, 1, 2, 0, 1, 1])


# Wrong


def temperature_after_softmax() -> Expression:
    p = gw.Softmax(Dense(1, 5, 3)(gw.Relu(Dense(2, 4, 5)(data(0, 4, 4)))))
    scaled = p / gw.Constant(0.5)
    return gw.Loss(gw.SoftmaxCrossEntropyWithLogits(gw.Input(LABELS), scaled), reduction="mean")


def masked_softmax_twice() -> Expression:
    p = gw.Softmax(Dense(1, 5, 3)(data(0, 4, 5)))
    each = gw.SparseSoftmaxCrossEntropyWithLogits(gw.Input(np.array([0, 1, 2, 0])), p)
    return gw.Loss(gw.ReduceSum(each * gw.Input(np.array([1.0, 0, 1, 1]))) / gw.Constant(3.0))


def sigmoid_then_softplus_loss() -> Expression:
    x = gw.ReduceMean(data(0, 4, 3, 5), axis=1)
    p = gw.Sigmoid(gw.Squeeze(Dense(1, 5, 1)(x), axis=[1]))
    return gw.Loss(gw.ReduceMean(gw.SigmoidCrossEntropyWithLogits(gw.Input(BITS[:, 0]), p)) * 2.0)


def huber_of_a_column_and_a_row() -> Expression:
    prediction = Network(1, 5, 6, 1)(data(0, 4, 5))
    return gw.Loss(gw.Huber(data(7, 4), prediction), reduction="mean")


def log_cosh_of_a_row_and_a_column() -> Expression:
    error = gw.Input(drawn(7, 5)) - gw.Sigmoid(Dense(1, 3, 1)(data(0, 5, 3)))
    return gw.Loss(gw.ReduceMean(gw.Softplus(error * -2.0) + error))


def detached_behind_a_scale() -> Expression:
    prediction = Network(1, 5, 6, 1)(data(0, 4, 5)) * gw.Constant(2.0)
    held = gw.StopGradient(prediction) + gw.Constant(0.5)
    return gw.Loss(gw.ReduceMean(gw.Abs(held - data(7, 4, 1))))


def dead_in_a_convolution() -> Expression:
    image = gw.Input(np.abs(drawn(0, 3, 5, 5, 1)))
    kernel, bias = weights(1, 3, 3, 1, 2), gw.Variable(np.array([0.1, -40.0]))
    h = gw.Relu(gw.BiasAdd(gw.Conv2D(image, kernel, strides=1, padding="VALID"), bias))
    return gw.Loss(gw.Square(Dense(2, 18, 1)(gw.Reshape(h, shape=[3, 18])) - data(7, 3, 1)), reduction="mean")


def dead_before_rows_and_columns() -> Expression:
    how = {"strides": 1, "padding": "VALID", "data_format": "NCHW"}
    image, bias = gw.Input(np.abs(drawn(0, 3, 1, 5, 5))), gw.Variable(np.array([0.1, -40.0]))
    h = gw.Relu(gw.BiasAdd(gw.Conv2D(image, weights(1, 3, 3, 1, 2), **how), bias, data_format="NCHW"))
    return gw.Loss(gw.Square(Dense(2, 18, 1)(gw.Reshape(h, shape=[3, 18])) - data(7, 3, 1)), reduction="mean")


def padded_log_inside_a_focal_loss() -> Expression:
    p = gw.Softmax(Network(1, 5, 6, 3)(data(0, 4, 5)))
    log = gw.Log(gw.Constant(1e-7) + p)
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(gw.Input(LABELS) * gw.Square(1.0 - p) * log, axis=1)))


def padded_log_of_the_chosen() -> Expression:
    p = gw.Softmax(Dense(1, 5, 3)(data(0, 4, 5)))
    chosen = gw.Gather(p, gw.Input(ACTIONS[:4]), axis=1, batch_dims=1)
    return gw.Loss(-gw.Log(chosen + 1e-6), reduction="mean")


def gan_of_log_sigmoids(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), gw.Tanh(Network(5, 3, 4, 2)(data(0, 6, 3)))
    shown = judge(gw.StopGradient(fake) if detaches else fake)
    of_judge = -gw.ReduceMean(gw.LogSigmoid(judge(data(9, 6, 2)))) - gw.ReduceMean(gw.LogSigmoid(-shown))
    return gw.Loss(of_judge - gw.ReduceMean(gw.LogSigmoid(judge(fake, is_fixed=True))))


def hinge_gan(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), Dense(5, 3, 2)(data(0, 6, 3))
    shown = judge(gw.StopGradient(fake) if detaches else fake)
    real = gw.ReduceMean(gw.Relu(1.0 - judge(data(9, 6, 2))))
    return gw.Loss(real + gw.ReduceMean(gw.Relu(shown + 1.0)) - gw.ReduceMean(judge(fake, is_fixed=True)))


def byol_by_normalized_squares(stops: bool = False) -> Expression:
    encode, predict = Network(1, 4, 6, 3), Network(5, 3, 4, 3)
    one, two = predict(encode(data(0, 6, 4))), encode(data(9, 6, 4))
    target = gw.L2Normalize(gw.StopGradient(two) if stops else two, axis=1)
    return gw.Loss(gw.ReduceMean(gw.ReduceSum(gw.SquaredDifference(gw.L2Normalize(one, axis=1), target), axis=1)))


def scaled_rounding(is_right: bool = False) -> Expression:
    x = Dense(1, 4, 3)(data(0, 5, 4))
    q = gw.Round(x * 4.0) / gw.Constant(4.0)
    y = x + gw.StopGradient(q - x) if is_right else x - gw.StopGradient(q - x)
    return gw.Loss(gw.ReduceMean(gw.Abs(Dense(2, 3, 1)(gw.Relu(y)) - data(7, 5, 1))))


def ratio_with_entropy(stops: bool = False) -> Expression:
    new, old = Network(1, 4, 6, 3), Network(7, 4, 6, 3)
    states, actions, gain = data(0, 6, 4), gw.Input(ACTIONS), data(8, 6)
    before = chosen_log(old(states), actions)
    ratio = gw.Exp(chosen_log(new(states), actions) - (gw.StopGradient(before) if stops else before))
    clipped = gw.Minimum(gw.Maximum(ratio, gw.Constant(0.8)), gw.Constant(1.2))
    log = gw.LogSoftmax(new(states))
    entropy = -gw.ReduceMean(gw.ReduceSum(gw.Exp(log) * log, axis=1))
    return gw.Loss(-gw.ReduceMean(gw.Minimum(ratio * gain, clipped * gain)) - entropy * 0.01)


def deep_tanh_of_small_weights() -> Expression:
    h = data(0, 6, 5)
    for layer in range(8):
        h = gw.Tanh(gw.MatMul(h, weights(layer + 1, 5, 5, scale=0.1)) + gw.Variable(np.zeros(5)))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(np.ones((6, 1))), Dense(60, 5, 1)(h)), reduction="mean")


def double_q_by_one_network(stops: bool = False) -> Expression:
    q, then = Network(1, 4, 6, 3), data(9, 5, 4)
    taken = gw.ReduceSum(q(data(0, 5, 4)) * gw.OneHot(gw.Input(ACTIONS[:5]), depth=3, dtype="float64"), axis=1)
    best = gw.ReduceMax(q(then), axis=1)
    live = gw.Input(np.array([1.0, 0, 1, 1, 0]))
    target = data(3, 5) + gw.Constant(0.99) * live * (gw.StopGradient(best) if stops else best)
    return gw.Loss(gw.Huber(target, taken), reduction="mean")


# Sane


def weighted_classes() -> Expression:
    z = Network(1, 5, 6, 3)(data(0, 4, 5))
    each = gw.SoftmaxCrossEntropyWithLogits(gw.Input(LABELS), z / gw.Constant(2.0))
    return gw.Loss(gw.ReduceMean(each * gw.Input(np.array([1.0, 2.0, 0.5, 1.0]))))


def attention_then_classes() -> Expression:
    # The softmax weighs rows; its result is no probability of the classes.
    x = data(0, 4, 5)
    weight = gw.Softmax(gw.MatMul(x, gw.Transpose(x, perm=[1, 0])))
    z = Dense(1, 5, 3)(gw.MatMul(weight, x))
    return gw.Loss(gw.SoftmaxCrossEntropyWithLogits(gw.Input(LABELS), z), reduction="mean")


def gated_logits() -> Expression:
    x = data(0, 4, 5)
    z = gw.Sigmoid(Dense(1, 5, 1)(x)) * Dense(2, 5, 1)(x)
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(BITS), z), reduction="mean")


def pairwise_distances() -> Expression:
    # A column minus a row on purpose: all pairs.
    x = gw.Squeeze(Dense(1, 3, 1)(data(0, 5, 3)), axis=[1])
    gap = gw.ExpandDims(x, axis=1) - gw.ExpandDims(x, axis=0)
    return gw.Loss(gw.ReduceMean(gw.Square(gap - gw.Input(drawn(7, 5, 5)))))


def quantile_regression() -> Expression:
    error = data(7, 6, 1) - Network(1, 4, 6, 3)(data(0, 6, 4))
    levels = gw.Constant(np.array([0.1, 0.5, 0.9]))
    return gw.Loss(gw.ReduceMean(gw.Maximum(levels * error, (levels - 1.0) * error)))


def target_network() -> Expression:
    q, slow = Network(1, 4, 6, 3), Network(1, 4, 6, 3, trains=False)
    taken = gw.Gather(q(data(0, 5, 4)), gw.Input(ACTIONS[:5]), axis=1, batch_dims=1)
    target = data(3, 5) + gw.ReduceMax(slow(data(9, 5, 4)), axis=1) * 0.9
    return gw.Loss(gw.Huber(target, taken), reduction="mean")


def ridge_regression() -> Expression:
    w = weights(1, 4, 1)
    error = gw.MatMul(data(0, 6, 4), w) - data(7, 6, 1)
    return gw.Loss(gw.ReduceMean(gw.Square(error)) + gw.ReduceSum(gw.Square(w)) * 0.001)


def deep_relu(scale: float = 1.0) -> Expression:
    h = data(0, 6, 8)
    for layer in range(10):
        h = gw.Relu(gw.MatMul(h, weights(layer + 1, 8, 8, scale=0.5)) + gw.Variable(np.full(8, 0.1)))
    return gw.Loss(gw.ReduceMean(gw.Square(Dense(40, 8, 1)(h) - data(7, 6, 1))) * scale)


def deep_relu_of_a_small_loss() -> Expression:
    return deep_relu(1e-6)


def deep_normalized() -> Expression:
    h = data(0, 6, 8)
    for layer in range(8):
        h = gw.MatMul(h, weights(layer + 1, 8, 8, scale=0.2))
        h = gw.Tanh(gw.LayerNormalization(h, gw.Variable(np.ones(8)), gw.Variable(np.zeros(8))))
    return gw.Loss(gw.Square(Dense(40, 8, 1)(h) - data(7, 6, 1)), reduction="mean")


def lstm() -> Expression:
    x, w, b = [data(step, 3, 2) for step in range(4)], weights(50, 5, 12), gw.Variable(np.zeros(12))
    h = c = gw.Constant(np.zeros((3, 3)))
    for now in x:
        i, f, o, g = gw.Split(gw.MatMul(gw.Concat(now, h, axis=1), w) + b, num_or_size_splits=4, axis=1)
        c = gw.Sigmoid(f + 1.0) * c + gw.Sigmoid(i) * gw.Tanh(g)
        h = gw.Sigmoid(o) * gw.Tanh(c)
    return gw.Loss(gw.MeanSquaredError(data(70, 3, 3), h), reduction="mean")


def knowledge_by_logits() -> Expression:
    teacher, student, x = Network(9, 5, 6, 3, trains=False), Network(1, 5, 4, 3), data(0, 4, 5)
    p = gw.StopGradient(gw.Softmax(teacher(x) / gw.Constant(2.0)))
    return gw.Loss(gw.SoftmaxCrossEntropyWithLogits(p, student(x) / gw.Constant(2.0)), reduction="mean")


def poisson_regression() -> Expression:
    rate = gw.Squeeze(Dense(1, 3, 1)(data(0, 5, 3)), axis=[1])
    return gw.Loss(gw.LogPoissonLoss(gw.Input(np.array([0.0, 2, 1, 3, 0])), rate), reduction="mean")


def normal_likelihood() -> Expression:
    h = gw.Tanh(Dense(1, 4, 6)(data(0, 6, 4)))
    mean, wide = Dense(2, 6, 1)(h), gw.Softplus(Dense(3, 6, 1)(h)) + 1e-3
    return gw.Loss(gw.ReduceMean(gw.Square((data(7, 6, 1) - mean) / wide) * 0.5 + gw.Log(wide)))


def sparse_relu() -> Expression:
    # Every unit is off in some examples and on in others.
    h = gw.Relu(Dense(1, 4, 6)(data(0, 30, 4)) - 0.5)
    return gw.Loss(gw.ReduceMean(gw.Square(Dense(2, 6, 1)(h) - data(7, 30, 1))) + gw.ReduceMean(h) * 0.01)


WRONG: dict[str, tuple[str, Make]] = {
    "a softmax, divided by its temperature": ("softmax_twice", temperature_after_softmax),
    "a softmax with masked labels": ("softmax_twice", masked_softmax_twice),
    "a sigmoid of a mean of steps": ("sigmoid_twice", sigmoid_then_softplus_loss),
    "Huber of a column and a row": ("crossed_shapes", huber_of_a_column_and_a_row),
    "an error by Softplus of a row and a column": ("crossed_shapes", log_cosh_of_a_row_and_a_column),
    "a prediction detached before its last step": ("nothing_learns", detached_behind_a_scale),
    "a dead channel": ("dead_units", dead_in_a_convolution),
    "a dead channel before rows and columns": ("dead_units", dead_before_rows_and_columns),
    "a padded logarithm in a focal loss": ("padded_log", padded_log_inside_a_focal_loss),
    "a padded logarithm of the chosen": ("padded_log", padded_log_of_the_chosen),
    "a GAN by LogSigmoid": ("fake_not_stopped", gan_of_log_sigmoids),
    "a hinge GAN": ("fake_not_stopped", hinge_gan),
    "BYOL by squares": ("siamese_not_stopped", byol_by_normalized_squares),
    "rounding to quarters": ("straight_through_sign", scaled_rounding),
    "PPO with an entropy": ("ratio_not_stopped", ratio_with_entropy),
    "eight small layers": ("vanishing_chain", deep_tanh_of_small_weights),
    "Q-learning by a product": ("target_not_stopped", double_q_by_one_network),
}
SANE: dict[str, Make] = {
    make.__name__.replace("_", " "): make
    for make in (
        weighted_classes, attention_then_classes, gated_logits, pairwise_distances, quantile_regression,
        target_network, ridge_regression, deep_relu, deep_relu_of_a_small_loss, deep_normalized, lstm,
        knowledge_by_logits, poisson_regression, normal_likelihood, sparse_relu,
    )
} | {
    "a GAN by LogSigmoid done right": lambda: gan_of_log_sigmoids(detaches=True),
    "a hinge GAN done right": lambda: hinge_gan(detaches=True),
    "BYOL done right": lambda: byol_by_normalized_squares(stops=True),
    "rounding to quarters done right": lambda: scaled_rounding(is_right=True),
    "PPO with an entropy done right": lambda: ratio_with_entropy(stops=True),
    "Q-learning by a product done right": lambda: double_q_by_one_network(stops=True),
}  # fmt: skip
