"""More sane graphs of methods: neighbours of what the rules on clamps, targets, statistics and stops look for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import LABELS, Dense, Network, chosen_log, cross_entropy, data, drawn, weights
from tests.engine.advice.sane_methods import ACTIONS, squared

Make = Callable[[], Expression]


def states() -> Expression:
    return data(0, 5, 4)


def chosen(seed: int = 1) -> Expression:
    return chosen_log(Network(seed, 4, 6, 3)(states()), gw.Constant(ACTIONS))


def clipped_value() -> Expression:
    value, old, gain = gw.Squeeze(Network(3, 4, 6, 1)(states()), axis=[1]), gw.Constant(drawn(30, 5)), data(3, 5)
    near = old + gw.ClipByValue(value - old, -0.2, 0.2)
    return gw.Loss(gw.ReduceMean(gw.Maximum(gw.Square(value - gain), gw.Square(near - gain))))


def twin_critics() -> Expression:
    later = data(9, 5, 4)
    first, second, old, other = (Network(seed, 4, 6, 1) for seed in (1, 5, 1, 5))
    target = gw.StopGradient(data(3, 5, 1) + gw.Minimum(old(later), other(later)) * 0.99)
    return gw.Loss(squared(first(states()) - target) + squared(second(states()) - target))


def truncated_importance() -> Expression:
    log, value = chosen(), gw.Squeeze(Network(3, 4, 6, 1)(states()), axis=[1])
    ratio = gw.StopGradient(gw.Minimum(gw.Exp(log - gw.Constant(drawn(4, 5) - 1.0)), gw.Constant(1.0)))
    gain = data(3, 5) - value
    return gw.Loss(squared(gain) - gw.ReduceMean(ratio * log * gw.StopGradient(gain)))


def bounded_logits() -> Expression:
    return gw.Loss(cross_entropy(gw.Constant(LABELS), gw.ClipByValue(Dense(1, 5, 3)(data(0, 4, 5)), -10.0, 10.0)))


def floor_of_logarithms() -> Expression:
    log = gw.Maximum(gw.LogSoftmax(Dense(1, 5, 3)(data(0, 4, 5))), gw.Constant(-20.0))
    return gw.Loss(-gw.ReduceMean(gw.Constant(LABELS) * log))


def spectral_norm() -> Expression:
    w = weights(1, 5, 6)
    size = gw.StopGradient(gw.Norm(gw.MatVec(w, gw.Constant(drawn(2, 6)))))
    h = gw.Relu(gw.MatMul(data(0, 4, 5), w / size))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(h)))


def stopped_scale() -> Expression:
    h = Dense(1, 5, 6)(data(0, 4, 5))
    size = gw.Sqrt(gw.ReduceMean(gw.Square(h), axis=1, keepdims=True) + 1e-6)
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(h / gw.StopGradient(size))))


def binary_weights() -> Expression:
    w = weights(1, 5, 6)
    h = gw.Relu(gw.MatMul(data(0, 4, 5), w + gw.StopGradient(gw.Sign(w) - w)))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(h)))


def first_order_meta() -> Expression:
    w, x = weights(1, 4), data(0, 6, 4)
    (slope,) = gw.Gradients(squared(gw.MatVec(x, w) - data(7, 6)), w)
    return gw.Loss(squared(gw.MatVec(data(9, 6, 4), w - gw.StopGradient(slope) * 0.1) - data(8, 6)))


def padded_sequences() -> Expression:
    h = gw.Tanh(Dense(1, 2, 5)(gw.Reshape(data(0, 3, 4, 2), shape=[12, 2])))
    error = gw.Square(gw.Reshape(Dense(3, 5, 1)(h), shape=[3, 4]) - data(7, 3, 4))
    mask = gw.Constant(np.tri(3, 4, 1))
    return gw.Loss(gw.ReduceSum(error * mask) / gw.ReduceSum(mask))


def entropy_by_xlogy() -> Expression:
    p = gw.Softmax(Dense(1, 5, 3)(data(0, 4, 5)))
    return gw.Loss(gw.ReduceSum(gw.Xlogy(p, p)))


def divergence_from_teacher() -> Expression:
    teacher = gw.StopGradient(gw.LogSoftmax(Network(9, 5, 6, 3)(data(0, 4, 5))))
    student = gw.LogSoftmax(Dense(1, 5, 3)(data(0, 4, 5)))
    return gw.Loss(gw.ReduceMean(gw.ReduceSum(gw.Exp(teacher) * (teacher - student), axis=1)))


def ratio_of_policies() -> Expression:
    ratio, gain = gw.Exp(chosen(1) - gw.StopGradient(chosen(1))), gw.Constant(drawn(4, 5))
    return gw.Loss(-gw.ReduceMean(gw.Minimum(ratio * gain, gw.ClipByValue(ratio, 0.8, 1.2) * gain)))


def curiosity() -> Expression:
    encode = Dense(1, 4, 5)
    now, then = gw.Tanh(encode(states())), gw.Tanh(encode(data(9, 5, 4)))
    logits = Dense(3, 10, 3)(gw.Concat(now, then, axis=1))
    inverse = gw.ReduceMean(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(ACTIONS), logits))
    return gw.Loss(inverse + squared(Dense(5, 5, 5)(gw.StopGradient(now)) - gw.StopGradient(then)))


def reward_of_codes() -> Expression:
    z = gw.Tanh(Dense(1, 4, 3)(states()))
    reward = gw.Squeeze(Dense(5, 3, 1)(gw.StopGradient(z)), axis=[1])
    return gw.Loss(squared(Dense(3, 3, 4)(z) - states()) + squared(reward - data(3, 5)))


def layer_by_layer() -> Expression:
    h = gw.StopGradient(gw.Tanh(Dense(1, 4, 3, trains=False)(states())))
    return gw.Loss(squared(Dense(5, 2, 3)(gw.Tanh(Dense(3, 3, 2)(h))) - h))


VARIANTS: dict[str, Make] = {
    make.__name__.replace("_", " "): make
    for make in (
        clipped_value,
        twin_critics,
        truncated_importance,
        bounded_logits,
        floor_of_logarithms,
        spectral_norm,
        stopped_scale,
        binary_weights,
        first_order_meta,
        padded_sequences,
        entropy_by_xlogy,
        divergence_from_teacher,
        ratio_of_policies,
        curiosity,
        reward_of_codes,
        layer_by_layer,
    )
}
