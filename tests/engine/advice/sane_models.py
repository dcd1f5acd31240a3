"""Sane models: ordinary ones, and neighbours of each mistake, on which no rule may say anything."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice import mistakes
from tests.engine.advice.parts import BITS, LABELS, Dense, Network, chosen_log, cross_entropy, data, drawn, weights

Make = Callable[[], Expression]


def linear_regression() -> Expression:
    return gw.Loss(gw.Square(gw.MatVec(data(0, 8, 3), weights(1, 3)) + weights(2) - data(7, 8)), reduction="mean")


def logistic_regression() -> Expression:
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(BITS), Dense(1, 5, 1)(data(0, 4, 5))), reduction="mean")


def classifier() -> Expression:
    h = gw.Relu(Dense(1, 5, 16)(data(0, 12, 5)))
    logits = Dense(2, 16, 3)(gw.Relu(Dense(3, 16, 16)(h)))
    decay = gw.L2Loss(weights(9, 3)) * 1e-3
    return gw.Loss(cross_entropy(gw.Input(np.tile(LABELS, (3, 1))), logits) + decay)


def convolutional() -> Expression:
    x = data(0, 4, 6, 6, 1)
    h = gw.Relu(gw.Conv2D(x, weights(1, 3, 3, 1, 4), strides=[1, 1], padding="VALID"))
    h = gw.Reshape(gw.MaxPool2D(h, ksize=[2, 2], strides=[2, 2], padding="VALID"), shape=[4, -1])
    return gw.Loss(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Input(np.array([0, 1, 2, 0])), Dense(2, 16, 3)(h)))


def autoencoder() -> Expression:
    x = data(0, 6, 5)
    return gw.Loss(gw.Square(Dense(2, 3, 5)(gw.Tanh(Dense(1, 5, 3)(x))) - x), reduction="mean")


def variational_autoencoder() -> Expression:
    x = gw.Input((drawn(0, 6, 5) > 0).astype(float))
    h = gw.Tanh(Dense(1, 5, 4)(x))
    mean, log_var = Dense(2, 4, 2)(h), Dense(3, 4, 2)(h)
    z = mean + gw.Exp(log_var * 0.5) * data(8, 6, 2)
    rebuilt = gw.ReduceSum(gw.SigmoidCrossEntropyWithLogits(x, Network(4, 2, 4, 5)(z)), axis=1)
    divergence = gw.ReduceSum(gw.Exp(log_var) + gw.Square(mean) - 1.0 - log_var, axis=1) * 0.5
    return gw.Loss(gw.ReduceMean(rebuilt + divergence))


def attention() -> Expression:
    x = data(0, 4, 6)
    q, k, v = (gw.MatMul(x, weights(seed, 6, 6)) for seed in (1, 2, 3))
    mixed = gw.MatMul(gw.Softmax(gw.MatMul(q, k, transpose_b=True) / gw.Constant(6**0.5)), v)
    h = gw.LayerNormalization(x + mixed, gw.Variable(np.ones(6)), gw.Variable(np.zeros(6)))
    h = h + Dense(5, 12, 6)(gw.Gelu(Dense(4, 6, 12)(h)))
    return gw.Loss(cross_entropy(gw.Input(LABELS), Dense(6, 6, 3)(h)))


def deep_q_network() -> Expression:
    q, old = Network(1, 4, 6, 3), Network(1, 4, 6, 3, trains=False)
    taken = gw.Gather(q(data(0, 5, 4)), gw.Input(np.array([0, 1, 2, 1, 0])), axis=1, batch_dims=1)
    target = data(3, 5) + gw.ReduceMax(old(data(9, 5, 4)), axis=1) * 0.9
    return gw.Loss(gw.Huber(gw.StopGradient(target), taken), reduction="mean")


def actor_critic() -> Expression:
    states, actions = data(0, 5, 4), gw.Input(np.array([0, 1, 2, 1, 0]))
    log, value, later = chosen_log(Network(1, 4, 6, 3)(states), actions), Network(3, 4, 6, 1), data(9, 5, 4)
    now, then = gw.Squeeze(value(states), axis=[1]), gw.Squeeze(value(later), axis=[1])
    gain = data(3, 5) + gw.StopGradient(then) * 0.9 - now
    return gw.Loss(gw.ReduceMean(gw.Square(gain)) * 0.5 - gw.ReduceMean(log * gw.StopGradient(gain)))


def contrastive() -> Expression:
    encode = Network(1, 4, 6, 3)
    one, two = (gw.L2Normalize(encode(data(seed, 4, 4)), axis=1) for seed in (0, 9))
    logits = gw.MatMul(one, two, transpose_b=True) / gw.Constant(0.2)
    return gw.Loss(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(np.arange(4)), logits), reduction="mean")


def triplets() -> Expression:
    encode = Network(1, 4, 6, 3)
    anchor, near, far = (encode(data(seed, 6, 4)) for seed in (0, 8, 9))

    def apart(a: Expression, b: Expression) -> Expression:
        return gw.ReduceSum(gw.SquaredDifference(a, b), axis=1)

    return gw.Loss(gw.Relu(apart(anchor, near) - apart(anchor, far) + 1.0), reduction="mean")


def pairs_with_margin() -> Expression:
    encode, same = Network(1, 4, 6, 3), gw.Input(np.array([1.0, 0, 1, 0, 0, 1]))
    d = gw.ReduceSum(gw.SquaredDifference(encode(data(0, 6, 4)), encode(data(9, 6, 4))), axis=1)
    return gw.Loss(gw.ReduceMean(same * d + (1.0 - same) * gw.Relu(gw.Constant(0.01) - d)))


def invariance_with_variance() -> Expression:
    encode = Network(1, 4, 6, 3)
    one, two = encode(data(0, 6, 4)), encode(data(9, 6, 4))
    spread = [gw.ReduceMean(gw.Relu(gw.Constant(1.0) - gw.ReduceStd(z, axis=0))) for z in (one, two)]
    return gw.Loss(gw.ReduceMean(gw.SquaredDifference(one, two)) + spread[0] + spread[1])


def consistent_classifier() -> Expression:
    logits = Network(1, 5, 6, 3)
    one, two = logits(data(0, 4, 5)), logits(data(9, 4, 5))
    alike = gw.ReduceMean(gw.SquaredDifference(gw.Softmax(one), gw.Softmax(two)))
    return gw.Loss(cross_entropy(gw.Input(LABELS), one) + alike)


def distilled() -> Expression:
    x = data(0, 4, 5)
    teacher = gw.Softmax(Network(4, 5, 6, 3, trains=False)(x))
    return gw.Loss(cross_entropy(teacher, Dense(1, 5, 3)(x)))


def experts() -> Expression:
    x = data(0, 4, 5)
    gate = gw.Softmax(Dense(1, 5, 2)(x))
    views = gw.Stack(Dense(2, 5, 3)(x), Dense(3, 5, 3)(x), axis=1)
    return gw.Loss(cross_entropy(gw.Input(LABELS), gw.ReduceSum(gw.ExpandDims(gate, axis=2) * views, axis=1)))


def gated() -> Expression:
    x = data(0, 4, 5)
    h = gw.Sigmoid(Dense(1, 5, 6)(x)) * gw.Tanh(Dense(2, 5, 6)(x))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(BITS), Dense(3, 6, 1)(h)), reduction="mean")


def recurrent() -> Expression:
    h, w, u = gw.Constant(np.zeros((3, 5))), weights(1, 5, 5), weights(2, 2, 5)
    for step in range(5):
        h = gw.Tanh(gw.MatMul(h, w) + gw.MatMul(data(10 + step, 3, 2), u))
    return gw.Loss(gw.Square(Dense(3, 5, 1)(h) - data(7, 3, 1)), reduction="mean")


def kernel_distance() -> Expression:
    made, real = gw.Squeeze(Dense(1, 2, 1)(data(0, 6, 2)), axis=[1]), data(9, 6)

    def kernel(a: Expression, b: Expression) -> Expression:
        return gw.ReduceMean(gw.Exp(-gw.Square(gw.ExpandDims(a, axis=1) - b)))

    return gw.Loss(kernel(made, made) - kernel(made, real) * 2.0)


def energy_distance() -> Expression:
    made, real = gw.Squeeze(Dense(1, 2, 1)(data(0, 6, 2)), axis=[1]), data(9, 6)

    def apart(a: Expression, b: Expression) -> Expression:
        return gw.ReduceMean(gw.Abs(gw.ExpandDims(a, axis=1) - b))

    return gw.Loss(apart(made, real) * 2.0 - apart(made, made))


def nearest_centres() -> Expression:
    far = gw.Square(data(0, 4, 1) - weights(1, 4))
    return gw.Loss(gw.ReduceMean(gw.ReduceMin(far, axis=1)))


def hinge_that_is_met() -> Expression:
    x = np.array([[2.0, 0.1], [3.0, -0.2], [-2.5, 0.3], [-4.0, 0.0]])
    margin = gw.Input(np.sign(x[:, :1])) * gw.MatMul(gw.Input(x), gw.Variable(np.array([[1.0], [0.1]])))
    return gw.Loss(gw.Relu(gw.Constant(1.0) - margin), reduction="mean")


def generator_alone() -> Expression:
    fake = Network(5, 3, 4, 2)(data(0, 6, 3))
    return gw.Loss(gw.Softplus(-Network(1, 2, 5, 1, trains=False)(fake)), reduction="mean")


def deterministic_policy() -> Expression:
    states, actor, critic = data(0, 6, 3), Dense(5, 3, 2), Network(1, 5, 6, 1)
    target = data(3, 6, 1) + Network(8, 5, 6, 1, trains=False)(data(9, 6, 5)) * 0.9
    error = critic(gw.Concat(states, data(4, 6, 2), axis=1)) - gw.StopGradient(target)
    chosen = critic(gw.Concat(states, actor(states), axis=1), is_fixed=True)
    return gw.Loss(gw.ReduceMean(gw.Square(error)) - gw.ReduceMean(chosen))


def vector_quantizer() -> Expression:
    x, codes = data(0, 4, 3), weights(1, 5, 2)
    z = Dense(2, 3, 2)(x)
    far = gw.ReduceSum(gw.SquaredDifference(gw.ExpandDims(z, axis=1), codes), axis=2)
    e = gw.Gather(codes, gw.ArgMin(far, axis=1))
    through = z + gw.StopGradient(e - z)
    rebuilt = gw.ReduceMean(gw.Square(Dense(3, 2, 3)(through) - x))
    held = gw.ReduceMean(gw.Square(gw.StopGradient(z) - e))
    return gw.Loss(rebuilt + held + gw.ReduceMean(gw.Square(z - gw.StopGradient(e))) * 0.25)


def relative_scores() -> Expression:
    # The maximum is meant: the weight of the best is 1, and there is no sum to divide by.
    score = Dense(1, 4, 3)(data(0, 5, 4))
    weight = gw.Exp(score - gw.ReduceMax(score, axis=1, keepdims=True))
    return gw.Loss(gw.Square(gw.ReduceSum(weight, axis=1) - data(7, 5)), reduction="mean")


def smoothed_regression() -> Expression:
    # Neither side is a target of the other: the slope w appears on both.
    x, w = gw.Input(np.array([0.1, 0.4, 0.9, 1.0])), weights(1)
    return gw.Loss(gw.Square((data(3, 4) + x * w) - w * data(4, 4)), reduction="mean")


def residual_error() -> Expression:
    x, w, b = data(0, 6, 4), weights(1, 4), weights(2)
    first = gw.MatVec(x, w)
    return gw.Loss(gw.Square(data(3, 6) + gw.Constant(0.5) * first - (first + b)), reduction="mean")


def linear_probe() -> Expression:
    frozen = gw.StopGradient(gw.Tanh(Dense(1, 5, 6, trains=False)(data(0, 4, 5))))
    return gw.Loss(cross_entropy(gw.Input(LABELS), Dense(2, 6, 3)(frozen)))


def entropy_bonus() -> Expression:
    logits = Network(1, 4, 6, 3)(data(0, 5, 4))
    log = gw.LogSoftmax(logits)
    picked = chosen_log(logits, gw.Input(np.array([0, 1, 2, 1, 0])))
    return gw.Loss(-gw.ReduceMean(picked * data(3, 5)) + gw.ReduceMean(gw.Exp(log) * log) * 0.01)


def weighted_by_importance() -> Expression:
    logits, actions = Network(1, 4, 6, 3)(data(0, 6, 4)), gw.Input(np.array([0, 1, 2, 0, 1, 1]))
    ratio = gw.Exp(chosen_log(logits, actions) - gw.Input(drawn(4, 6) - 1.5))
    return gw.Loss(-gw.ReduceMean(ratio * data(8, 6)))


def shallow_sigmoids() -> Expression:
    h = gw.Sigmoid(gw.MatMul(data(0, 6, 4), weights(1, 4, 8, scale=1.0)))
    h = gw.Sigmoid(gw.MatMul(h, weights(2, 8, 8, scale=1.0)))
    return gw.Loss(gw.Square(Dense(3, 8, 1)(h) - data(7, 6, 1)), reduction="mean")


def deep_residual() -> Expression:
    h = data(0, 6, 4)
    for layer in range(10):
        h = h + gw.Tanh(gw.MatMul(h, weights(layer + 1, 4, 4, scale=0.3)))
    return gw.Loss(gw.Square(Dense(40, 4, 1)(h) - data(7, 6, 1)), reduction="mean")


def residual_quantizer() -> Expression:
    x = Dense(1, 4, 3)(data(0, 5, 4))
    return gw.Loss(gw.Square(Dense(2, 3, 1)(x - gw.Round(x)) - data(7, 5, 1)), reduction="mean")


SANE: dict[str, Make] = {
    name.replace("_", " "): make
    for name, make in (
        (make.__name__, make)
        for make in (
            linear_regression, logistic_regression, classifier, convolutional, autoencoder, variational_autoencoder,
            attention, deep_q_network, actor_critic, contrastive, triplets, pairs_with_margin,
            invariance_with_variance, consistent_classifier, distilled, experts, gated, recurrent, kernel_distance,
            energy_distance, nearest_centres, hinge_that_is_met, generator_alone, deterministic_policy,
            vector_quantizer, relative_scores, smoothed_regression, residual_error, linear_probe, entropy_bonus,
            weighted_by_importance, shallow_sigmoids, deep_residual, residual_quantizer,
        )
    )
} | {
    "a GAN done right": lambda: mistakes.gan_both_players(detaches=True),
    "a discriminator done right": lambda: mistakes.gan_with_labels(detaches=True),
    "a least-squares GAN done right": lambda: mistakes.least_squares_gan(detaches=True),
    "a Wasserstein GAN done right": lambda: mistakes.wasserstein_gan(detaches=True),
    "a joined GAN done right": lambda: mistakes.joined_gan(detaches=True),
    "SimSiam done right": lambda: mistakes.simsiam(stops=True),
    "SimSiam by a product done right": lambda: mistakes.similar_by_product(stops=True),
    "views by squares done right": lambda: mistakes.alike_by_squares(stops=True),
    "straight-through done right": lambda: mistakes.quantized("right"),
    "straight-through sign done right": lambda: mistakes.quantized("sign_right"),
    "Gumbel done right": lambda: mistakes.hard_gumbel(is_right=True),
    "PPO done right": lambda: mistakes.clipped_ratio(stops=True),
    "a ratio of value 1 done right": lambda: mistakes.ratio_of_itself(stops=True),
    "a ratio of densities done right": lambda: mistakes.gaussian_ratio(stops=True),
    "TD done right by AddN": lambda: mistakes.td_network(stops=True),
    "TD done right by Where": lambda: mistakes.td_network(stops=True, form="where"),
    "TD done right in pieces": lambda: mistakes.td_network(stops=True, form="pieces"),
    "Q-learning done right": lambda: mistakes.q_learning(stops=True),
}  # fmt: skip
