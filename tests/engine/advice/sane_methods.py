"""Sane graphs of methods that stop gradients, mask, select or start at 0 on purpose."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import LABELS, Dense, Network, chosen_log, cross_entropy, data, drawn, norm_free, weights
from tests.engine.advice.sane_heads import attending, classes, combined

Make = Callable[[], Expression]
ACTIONS = np.array([0, 1, 2, 1, 0])
ENDS = np.array([1.0, 1, 0, 1, 1])


def squared(x: Expression) -> Expression:
    return gw.ReduceMean(gw.Square(x))


# Reinforcement learning


def q_learning(stops: bool, trains: bool) -> Expression:
    """The target comes from another network, stopped or frozen, or from the same one, stopped."""
    q = Network(1, 4, 6, 3)
    old = Network(1, 4, 6, 3, trains=trains) if not stops or trains else q
    later = gw.ReduceMax(old(data(9, 5, 4)), axis=1) * gw.Constant(0.9 * ENDS)
    target = data(3, 5) + (gw.StopGradient(later) if stops else later)
    taken = gw.ReduceSum(q(data(0, 5, 4)) * gw.OneHot(gw.Constant(ACTIONS), depth=3), axis=1)
    return gw.Loss(squared(target - taken))


def double_q() -> Expression:
    q, old = Network(1, 4, 6, 3), Network(5, 4, 6, 3)
    best = gw.ArgMax(q(data(9, 5, 4)), axis=1)
    later = gw.Gather(old(data(9, 5, 4)), best, axis=1, batch_dims=1)
    taken = gw.Gather(q(data(0, 5, 4)), gw.Constant(ACTIONS), axis=1, batch_dims=1)
    return gw.Loss(gw.Huber(gw.StopGradient(data(3, 5) + later * 0.9), taken), reduction="mean")


def actor_critic(normalises: bool) -> Expression:
    states = data(0, 5, 4)
    logits, value = Network(1, 4, 6, 3)(states), gw.Squeeze(Network(3, 4, 6, 1)(states), axis=[1])
    gain = data(3, 5) - value
    weight = gw.StopGradient((gain - gw.ReduceMean(gain)) / (gw.ReduceStd(gain) + 1e-8) if normalises else gain)
    entropy = -gw.ReduceMean(gw.ReduceSum(gw.Softmax(logits) * gw.LogSoftmax(logits), axis=1))
    return gw.Loss(
        squared(gain) * 0.5 - gw.ReduceMean(chosen_log(logits, gw.Constant(ACTIONS)) * weight) - entropy * 0.01
    )


def clipped_policy() -> Expression:
    logits = Network(1, 4, 6, 3)(data(0, 5, 4))
    ratio = gw.Exp(chosen_log(logits, gw.Constant(ACTIONS)) - gw.Constant(np.full(5, -1.1)))
    gain, near = gw.Constant(drawn(4, 5)), gw.ClipByValue(ratio, 0.8, 1.2)
    return gw.Loss(-gw.ReduceMean(gw.Minimum(ratio * gain, near * gain)))


def soft_critic() -> Expression:
    """The actor and the second pair of critics make the target and are stopped."""
    state, later, q, old = data(0, 5, 4), data(9, 5, 4), Network(1, 6, 6, 1), Network(1, 6, 6, 1)
    action = gw.Tanh(Network(7, 4, 6, 2)(later))
    target = gw.StopGradient(data(3, 5, 1) + old(gw.Concat(later, action, axis=1)) * 0.9)
    return gw.Loss(squared(q(gw.Concat(state, data(5, 5, 2), axis=1)) - target))


def soft_actor() -> Expression:
    state, q = data(0, 5, 4), Network(1, 6, 6, 1)
    action = gw.Tanh(Network(7, 4, 6, 2)(state) + gw.Exp(weights(11, 2)) * data(12, 5, 2))
    return gw.Loss(-gw.ReduceMean(q(gw.Concat(state, action, axis=1), is_fixed=True)))


def temperature() -> Expression:
    """Trains the temperature alone; the policy's log-probability is stopped."""
    log = chosen_log(Network(1, 4, 6, 3)(data(0, 5, 4)), gw.Constant(ACTIONS))
    return gw.Loss(-gw.ReduceMean(gw.Exp(gw.Variable(-1.0)) * gw.StopGradient(log + 1.5)))


def calibrated() -> Expression:
    """Scales stopped logits by one trained number."""
    logits = gw.StopGradient(Network(1, 5, 6, 3)(data(0, 4, 5)))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), logits * gw.Variable(1.0)))


# Adversaries


def adversary(kind: str, player: str) -> Expression:
    """The loss of one player, or of both, by the means of one kind of GAN."""
    judge, fake = Network(1, 2, 5, 1), gw.Tanh(Network(5, 3, 4, 2)(data(0, 6, 3)))
    real, shown, own = judge(data(9, 6, 2)), judge(gw.StopGradient(fake)), judge(fake, is_fixed=True)
    of_judge, of_maker = {
        "logistic": (gw.Softplus(-real) + gw.Softplus(shown), gw.Softplus(-own)),
        "hinge": (gw.Relu(1.0 - real) + gw.Relu(1.0 + shown), -own),
        "squares": (gw.Square(real - 1.0) + gw.Square(shown), gw.Square(own - 1.0)),
    }[kind]
    losses = {"judge": of_judge, "maker": of_maker, "both": of_judge + of_maker}
    return gw.Loss(gw.ReduceMean(losses[player]))


def reversal() -> Expression:
    h = gw.Tanh(Dense(1, 5, 4)(data(0, 4, 5)))
    turned = gw.StopGradient(h * 2.0) - h
    domain = gw.SigmoidCrossEntropyWithLogits(gw.Constant(LABELS[:, :1]), Dense(5, 4, 1)(turned))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 4, 3)(h)) + gw.ReduceMean(domain))


# Views, targets and teachers


def bootstrapped(is_trainable: bool) -> Expression:
    encode, old, predict = Network(1, 4, 6, 3), Network(1, 4, 6, 3, trains=is_trainable), Dense(5, 3, 3)
    target = gw.StopGradient(norm_free(old(data(9, 6, 4))))
    return gw.Loss(
        gw.ReduceMean(gw.ReduceSum(gw.SquaredDifference(norm_free(predict(encode(data(0, 6, 4)))), target), axis=1))
    )


def centred_teacher() -> Expression:
    student, teacher = Network(1, 4, 6, 3)(data(0, 6, 4)), Network(1, 4, 6, 3)(data(9, 6, 4))
    centre = gw.Constant(np.array([0.1, -0.2, 0.1]))
    target = gw.StopGradient(gw.Softmax((teacher - centre) / gw.Constant(0.5)))
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(target * gw.LogSoftmax(student / gw.Constant(0.9)), axis=1)))


def queue() -> Expression:
    q, k = norm_free(Network(1, 4, 6, 3)(data(0, 5, 4))), gw.StopGradient(norm_free(Network(1, 4, 6, 3)(data(9, 5, 4))))
    near = gw.ReduceSum(q * k, axis=1, keepdims=True)
    far = gw.MatMul(q, gw.Constant(drawn(13, 8, 3, scale=0.5)), transpose_b=True)
    logits = gw.Concat(near, far, axis=1) / gw.Constant(0.3)
    return gw.Loss(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(np.zeros(5, int)), logits), reduction="mean")


def pictures_and_texts() -> Expression:
    one, two = norm_free(Dense(1, 4, 3)(data(0, 4, 4))), norm_free(Dense(3, 5, 3)(data(9, 4, 5)))
    logits = gw.MatMul(one, two, transpose_b=True) * gw.Exp(gw.Variable(1.0))
    rows = gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(np.arange(4)), logits)
    columns = gw.SparseSoftmaxCrossEntropyWithLogits(gw.Constant(np.arange(4)), gw.Transpose(logits))
    return gw.Loss(gw.ReduceMean(rows + columns) * 0.5)


# Codes


def variational(weight: float) -> Expression:
    x, encode = data(0, 6, 4), gw.Tanh(Dense(1, 4, 5)(data(0, 6, 4)))
    mean, log_var = Dense(3, 5, 2)(encode), Dense(5, 5, 2)(encode) * 0.1
    code = mean + gw.Exp(log_var * 0.5) * data(8, 6, 2)
    divergence = gw.ReduceSum(gw.Exp(log_var) + gw.Square(mean) - 1.0 - log_var, axis=1) * 0.5
    rebuilt = gw.ReduceSum(gw.Square(Network(7, 2, 5, 4)(code) - x), axis=1)
    return gw.Loss(gw.ReduceMean(rebuilt + divergence * weight))


def quantised() -> Expression:
    x, book = data(0, 6, 4), weights(3, 5, 2)
    code = Dense(1, 4, 2)(x)
    distance = gw.ReduceSum(gw.Square(gw.ExpandDims(code, axis=1) - book), axis=2)
    near = gw.Gather(book, gw.ArgMin(distance, axis=1), axis=0)
    passed = code + gw.StopGradient(near - code)
    books = squared(gw.StopGradient(code) - near) + squared(code - gw.StopGradient(near)) * 0.25
    return gw.Loss(squared(Dense(5, 2, 4)(passed) - x) + books)


def rounded() -> Expression:
    h = gw.Sigmoid(Dense(1, 5, 4)(data(0, 4, 5)))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 4, 3)(h + gw.StopGradient(gw.Round(h) - h))))


def one_of_many() -> Expression:
    """A gate lets each example pass through one expert; nobody has chosen the last."""
    x = data(0, 4, 5)
    chosen = gw.Constant(np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0]]))
    gate = gw.Softmax(Dense(1, 5, 3)(x)) * chosen
    views = gw.Stack(Dense(3, 5, 2)(x), Dense(5, 5, 2)(x), Dense(7, 5, 2)(x), axis=1)
    return gw.Loss(squared(gw.ReduceSum(gw.ExpandDims(gate, axis=2) * views, axis=1) - data(9, 4, 2)))


def expectation() -> Expression:
    log = gw.Square(data(0, 6, 1) - weights(1, 3)) * -0.5 + gw.LogSoftmax(weights(2, 3))
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(gw.StopGradient(gw.Softmax(log)) * log, axis=1)))


def truncated() -> Expression:
    h, layer = gw.Constant(np.zeros((3, 4))), Dense(1, 6, 4)
    for step in range(6):
        h = gw.StopGradient(h) if step == 3 else h
        h = gw.Tanh(layer(gw.Concat(data(10 + step, 3, 2), h, axis=1)))
    return gw.Loss(squared(Dense(3, 4, 1)(h) - data(7, 3, 1)))


def satisfied() -> Expression:
    """Every triplet keeps its distance already: nothing is left to learn."""
    encode = Dense(1, 3, 2)
    apart = squared(encode(data(0, 4, 3)) - encode(data(9, 4, 3)))
    return gw.Loss(gw.Relu(gw.Constant(1e-3) - apart))


def frozen_by_stop() -> Expression:
    first = gw.MatMul(data(0, 4, 5), gw.StopGradient(weights(1, 5, 6)))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(gw.Relu(first))))


def tied() -> Expression:
    w = weights(1, 6, 3)
    return gw.Loss(squared(gw.MatMul(gw.MatMul(data(0, 5, 6), w), w, transpose_b=True) - data(0, 5, 6)))


def zero_head() -> Expression:
    h = gw.Tanh(Dense(1, 5, 6)(data(0, 4, 5)))
    return gw.Loss(cross_entropy(gw.Constant(LABELS), gw.MatMul(h, gw.Variable(np.zeros((6, 3)))) + weights(9, 3)))


# Masks


def labels_chosen_first() -> Expression:
    known = np.array([1.0, np.nan, 0.5, np.nan])
    labels, is_known = gw.Input(np.nan_to_num(known)), gw.Constant(~np.isnan(known))
    error = gw.Square(gw.Squeeze(Dense(1, 5, 1)(data(0, 4, 5)), axis=[1]) - labels)
    return gw.Loss(gw.ReduceMean(gw.Where(is_known, error, gw.Constant(np.zeros(4)))))


def safe_logarithm() -> Expression:
    x = gw.Relu(Dense(1, 5, 3)(data(0, 4, 5)))
    is_there = gw.Greater(x, gw.Constant(0.0))
    log = gw.Log(gw.Where(is_there, x, gw.Constant(1.0)))
    return gw.Loss(squared(gw.Where(is_there, log, gw.Constant(0.0)) - data(9, 4, 3)))


def rows_chosen() -> Expression:
    z = Dense(1, 5, 3)(data(0, 4, 5))
    chosen = gw.BooleanMask(z, gw.Constant(np.array([True, False, True, True])))
    return gw.Loss(cross_entropy(gw.Constant(LABELS[[0, 2, 3]]), chosen))


def entropy() -> Expression:
    z = Dense(1, 5, 3)(data(0, 4, 5))
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(gw.Softmax(z) * gw.LogSoftmax(z), axis=1)))


def forbidden_actions() -> Expression:
    z = Network(1, 4, 6, 3)(data(0, 5, 4))
    may = np.array([[True, True, False]] * 5)
    allowed = gw.Where(gw.Constant(may), z, gw.Constant(np.full((5, 3), -1e9)))
    return gw.Loss(
        -gw.ReduceMean(chosen_log(allowed, gw.Constant(np.array([0, 1, 1, 0, 0]))) * gw.Constant(drawn(4, 5)))
    )


METHODS: dict[str, Make] = {
    "target frozen": lambda: q_learning(stops=False, trains=False),
    "target stopped": lambda: q_learning(stops=True, trains=True),
    "target of the same network": lambda: q_learning(stops=True, trains=False),
    "double q": double_q,
    "actor and critic": lambda: actor_critic(normalises=False),
    "normalised advantages": lambda: actor_critic(normalises=True),
    "clipped policy": clipped_policy,
    "soft critic": soft_critic,
    "soft actor": soft_actor,
    "temperature": temperature,
    "calibration": calibrated,
    **{
        f"{kind} {player}": lambda kind=kind, player=player: adversary(kind, player)
        for kind in ("logistic", "hinge", "squares")
        for player in ("judge", "maker", "both")
    },
    "gradient reversal": reversal,
    "bootstrapped views": lambda: bootstrapped(is_trainable=True),
    "bootstrapped views, frozen": lambda: bootstrapped(is_trainable=False),
    "centred teacher": centred_teacher,
    "queue of keys": queue,
    "pictures and texts": pictures_and_texts,
    "variational": lambda: variational(1.0),
    "variational, weighed": lambda: variational(0.01),
    "quantised": quantised,
    "rounded": rounded,
    "one of many experts": one_of_many,
    "expectation": expectation,
    "truncated": truncated,
    "satisfied triplets": satisfied,
    "frozen by stop": frozen_by_stop,
    "tied weights": tied,
    "head that starts at 0": zero_head,
    "labels chosen first": labels_chosen_first,
    "safe logarithm": safe_logarithm,
    "rows chosen": rows_chosen,
    "entropy": entropy,
    "forbidden actions": forbidden_actions,
    "minus infinity as mask": lambda: classes(lambda wide: attending(wide, -np.inf)),
}
SANE_HEADS: dict[str, Make] = combined() | METHODS
