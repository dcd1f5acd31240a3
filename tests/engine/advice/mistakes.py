"""Models with one mistake each, by the rule that finds it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import BITS, LABELS, Dense, Network, chosen_log, cross_entropy, data, drawn, weights

Make = Callable[[], Expression]


def softmax_as_logits() -> Expression:
    p = gw.Softmax(Network(1, 5, 6, 3)(data(0, 4, 5)))
    return gw.Loss(cross_entropy(gw.Input(LABELS), p))


def sparse_softmax_by_hand() -> Expression:
    z = Dense(2, 5, 3)(data(0, 4, 5))
    e = gw.Exp(z - gw.StopGradient(gw.ReduceMax(z, axis=1, keepdims=True)))
    p = gw.Reshape(e / gw.ReduceSum(e, axis=1, keepdims=True), shape=[4, 3])
    return gw.Loss(gw.SparseSoftmaxCrossEntropyWithLogits(gw.Input(np.array([0, 1, 2, 0])), p), reduction="mean")


def log_softmax_of_softmax() -> Expression:
    p = gw.Softmax(Dense(3, 5, 3)(data(0, 4, 5)))
    return gw.Loss(-gw.ReduceSum(gw.Input(LABELS) * gw.LogSoftmax(p)))


def sigmoid_as_logits() -> Expression:
    p = gw.Sigmoid(Network(1, 5, 6, 1)(data(0, 4, 5)))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(BITS), p), reduction="mean")


def weighted_sigmoid_by_hand() -> Expression:
    z = Dense(2, 5, 1)(data(0, 4, 5))
    p = gw.Constant(1.0) / (gw.Constant(1.0) + gw.Exp(-z))
    flat = gw.Squeeze(p, axis=[1])
    return gw.Loss(gw.WeightedCrossEntropyWithLogits(gw.Input(BITS[:, 0]), flat, gw.Constant(2.0)))


def column_minus_row() -> Expression:
    prediction = Network(1, 5, 6, 1)(data(0, 4, 5))
    return gw.Loss(gw.Square(prediction - data(7, 4)), reduction="mean")


def row_against_column() -> Expression:
    prediction = gw.MatVec(data(0, 6, 3), weights(1, 3)) + weights(2)
    return gw.Loss(gw.ReduceMean(gw.SquaredDifference(data(7, 6, 1), prediction)))


def repeated_column() -> Expression:
    """Mean squared error as PyTorch computes it: both are first repeated to one shape."""
    prediction = gw.Tanh(gw.MatMul(data(0, 6, 3), weights(1, 3, 1)))
    pair = [gw.BroadcastTo(item, shape=[6, 6]) for item in (prediction, data(7, 6))]
    return gw.Loss(gw.ReduceMean(gw.SquaredDifference(*pair)))


def absolute_column() -> Expression:
    prediction = gw.Tanh(gw.MatMul(data(0, 6, 3), weights(1, 3, 1)))
    return gw.Loss(gw.ReduceSum(gw.Abs(gw.Subtract(gw.Input(drawn(7, 6)), prediction))))


def detached_prediction() -> Expression:
    prediction = gw.StopGradient(Network(1, 5, 6, 1)(data(0, 4, 5)))
    return gw.Loss(gw.Square(prediction - data(7, 4, 1)), reduction="mean")


def detached_logits() -> Expression:
    z = Dense(2, 5, 3)(gw.Tanh(Dense(3, 4, 5)(data(0, 4, 4))))
    return gw.Loss(cross_entropy(gw.Input(LABELS), gw.Reshape(gw.StopGradient(z), shape=[4, 3])))


def dead_layer() -> Expression:
    h = gw.Relu(gw.MatMul(data(0, 6, 4), weights(1, 4, 5)) + gw.Variable(np.full(5, -20.0), name="b"))
    return gw.Loss(gw.Square(Dense(2, 5, 1)(h) - data(7, 6, 1)), reduction="mean")


def dead_column() -> Expression:
    bias = gw.Variable(np.array([0.0, -30.0, 0.5]))
    h = gw.Maximum(gw.BiasAdd(gw.MatMul(data(0, 8, 4), weights(1, 4, 3)), bias), gw.Constant(0.0))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(np.ones((8, 1))), gw.MatMul(h, weights(2, 3, 1))))


def dead_output() -> Expression:
    prediction = gw.Relu(gw.MatMul(data(0, 6, 4), weights(1, 4, 1)) - gw.Variable(9.0))
    return gw.Loss(gw.Square(prediction - gw.Input(np.arange(6.0)[:, None])), reduction="mean")


def padded_log() -> Expression:
    p = gw.Softmax(Network(1, 5, 6, 3)(data(0, 4, 5)))
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(gw.Input(LABELS) * gw.Log(p + 1e-8), axis=1)))


def clamped_log() -> Expression:
    p = gw.Softmax(Dense(1, 5, 3)(data(0, 4, 5)))
    return gw.Loss(-gw.ReduceMean(gw.Input(LABELS) * gw.Log(gw.ClipByValue(p, 1e-7, 1.0))))


def floored_log_by_hand() -> Expression:
    e = gw.Exp(Dense(1, 5, 3)(data(0, 4, 5)))
    p = e / gw.ReduceSum(e, axis=1, keepdims=True)
    return gw.Loss(-gw.ReduceMean(gw.Input(LABELS) * gw.Log(gw.Maximum(p, gw.Constant(1e-9)))))


def gan_both_players(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), Network(5, 3, 4, 2)(data(0, 6, 3))
    real, shown = judge(data(9, 6, 2)), judge(gw.StopGradient(fake) if detaches else fake)
    of_judge = gw.ReduceMean(gw.Softplus(-real)) + gw.ReduceMean(gw.Softplus(shown))
    of_maker = gw.ReduceMean(gw.Softplus(-judge(fake, is_fixed=True)))
    return gw.Loss(of_judge + of_maker)


def gan_with_labels(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), Dense(5, 3, 2)(data(0, 6, 3))
    real, shown = judge(data(9, 6, 2)), judge(gw.StopGradient(fake) if detaches else fake)
    ones, zeros = gw.Constant(np.ones((6, 1))), gw.Constant(np.zeros((6, 1)))
    true, false = gw.SigmoidCrossEntropyWithLogits(ones, real), gw.SigmoidCrossEntropyWithLogits(zeros, shown)
    return gw.Loss(gw.ReduceMean(true) + gw.ReduceMean(false))


def least_squares_gan(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), gw.Tanh(Dense(5, 3, 2)(data(0, 6, 3)))
    real, shown = judge(data(9, 6, 2)), judge(gw.StopGradient(fake) if detaches else fake)
    of_judge = gw.ReduceMean(gw.Square(real - 1.0)) + gw.ReduceMean(gw.Square(shown))
    of_maker = gw.ReduceMean(gw.Square(judge(fake, is_fixed=True) - 1.0))
    return gw.Loss(of_judge + of_maker)


def wasserstein_gan(detaches: bool = False) -> Expression:
    judge, fake = Network(1, 2, 5, 1), gw.Tanh(Dense(5, 3, 2)(data(0, 6, 3)))
    shown = judge(gw.StopGradient(fake) if detaches else fake)
    of_judge = gw.ReduceMean(shown) - gw.ReduceMean(judge(data(9, 6, 2)))
    return gw.Loss(of_judge - gw.ReduceMean(judge(fake, is_fixed=True)))


def joined_gan(detaches: bool = False) -> Expression:
    fake = Dense(5, 3, 2)(data(0, 4, 3))
    both = gw.Concat(data(9, 4, 2), gw.StopGradient(fake) if detaches else fake, axis=0)
    answers = gw.Constant(np.repeat([[1.0], [0.0]], 4, axis=0))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(answers, Network(1, 2, 5, 1)(both)), reduction="mean")


def simsiam(stops: bool = False) -> Expression:
    encode, predict = Network(1, 4, 6, 3), Dense(5, 3, 3)
    one, two = encode(data(0, 6, 4)), encode(data(9, 6, 4))
    held = (lambda z: gw.StopGradient(z)) if stops else (lambda z: z)
    left = gw.CosineSimilarity(held(two), predict(one))
    right = gw.CosineSimilarity(held(one), predict(two))
    return gw.Loss(gw.ReduceMean(left) * -0.5 - gw.ReduceMean(right) * 0.5)


def similar_by_product(stops: bool = False) -> Expression:
    encode, predict = Network(1, 4, 6, 3), Dense(5, 3, 3)
    one, two = predict(encode(data(0, 6, 4))), encode(data(9, 6, 4))
    target = gw.StopGradient(two) if stops else two
    product = gw.L2Normalize(one, axis=1) * gw.L2Normalize(target, axis=1)
    return gw.Loss(-gw.ReduceMean(gw.ReduceSum(product, axis=1)))


def alike_by_squares(stops: bool = False) -> Expression:
    encode = Network(1, 4, 6, 3)
    one, two = encode(data(0, 6, 4)), encode(data(9, 6, 4))
    return gw.Loss(gw.MeanSquaredError(gw.StopGradient(two) if stops else two, Dense(5, 3, 3)(one)), reduction="mean")


def quantized(form: str) -> Expression:
    x = gw.Tanh(Dense(1, 4, 3)(data(0, 5, 4)))
    q = gw.Sign(x) if form.startswith("sign") else gw.Round(x)
    y = {
        "minus": lambda: x - gw.StopGradient(q - x),
        "turned": lambda: x + gw.StopGradient(x - q),
        "negative": lambda: gw.StopGradient(q + x) - x,
        "sign_turned": lambda: x + gw.StopGradient(x - q),
        "right": lambda: x + gw.StopGradient(q - x),
        "sign_right": lambda: gw.StopGradient(q - x) + x,
    }[form]()
    return gw.Loss(gw.Square(Dense(2, 3, 1)(y) - data(7, 5, 1)), reduction="mean")


def hard_gumbel(is_right: bool = False) -> Expression:
    soft = gw.Softmax(Dense(1, 4, 3)(data(0, 5, 4)) / gw.Constant(0.5))
    hard = gw.OneHot(gw.ArgMax(soft, axis=1), depth=3, dtype="float64")
    change = gw.StopGradient(hard - soft)
    return gw.Loss(gw.Square(Dense(2, 3, 1)(soft + change if is_right else soft - change) - data(7, 5, 1)))


def clipped_ratio(stops: bool = False) -> Expression:
    new, old = Network(1, 4, 6, 3), Network(1, 4, 6, 3)
    states, actions = data(0, 6, 4), gw.Input(np.array([0, 1, 2, 0, 1, 1]))
    before = chosen_log(old(states), actions)
    ratio = gw.Exp(chosen_log(new(states), actions) - (gw.StopGradient(before) if stops else before))
    gain = data(8, 6)
    return gw.Loss(-gw.ReduceMean(gw.Minimum(ratio * gain, gw.ClipByValue(ratio, 0.8, 1.2) * gain)))


def ratio_of_itself(stops: bool = False) -> Expression:
    log = chosen_log(Network(1, 4, 6, 3)(data(0, 6, 4)), gw.Input(np.array([0, 1, 2, 0, 1, 1])))
    ratio = gw.Exp(gw.Subtract(log, gw.StopGradient(log) if stops else log))
    return gw.Loss(-gw.ReduceMean(ratio * data(8, 6)))


def gaussian_ratio(stops: bool = False) -> Expression:
    mean, wide = Network(1, 4, 6, 2)(data(0, 6, 4)), gw.Variable(np.array([0.1, -0.2]))
    actions, old = data(3, 6, 2), Network(4, 4, 6, 2)(data(0, 6, 4))

    def log(at: Expression) -> Expression:
        return gw.ReduceSum(gw.Constant(-0.5) * gw.Square((actions - at) / gw.Exp(wide)) - wide, axis=1)

    ratio = gw.Exp(log(mean) - (gw.StopGradient(log(old)) if stops else log(old)))
    gain = data(8, 6)
    return gw.Loss(-gw.ReduceMean(gw.Minimum(ratio * gain, gw.ClipByValue(ratio, 0.8, 1.2) * gain)))


def sigmoid_tower(depth: int = 10) -> Expression:
    h = data(0, 6, 4)
    for layer in range(depth):
        h = gw.Sigmoid(gw.MatMul(h, weights(layer + 1, 4, 4)))
    return gw.Loss(gw.Square(gw.MatMul(h, weights(50, 4, 1)) - data(7, 6, 1)), reduction="mean")


def saturated_tower() -> Expression:
    h = data(0, 6, 4) * 20.0
    for layer in range(3):
        h = gw.Tanh(gw.MatMul(h, weights(layer + 1, 4, 4, scale=8.0)))
    return gw.Loss(gw.Square(gw.MatMul(h, weights(50, 4, 1)) - data(7, 6, 1)), reduction="mean")


def long_product() -> Expression:
    h, w = data(0, 5), weights(1)
    for _ in range(15):
        h = h * (w * 0.5)
    return gw.Loss(gw.Square(h - data(7, 5)), reduction="mean")


def forgetful_recurrence() -> Expression:
    h, w, u = gw.Constant(np.zeros((3, 4))), weights(1, 4, 4, scale=0.1), weights(2, 2, 4)
    for step in range(12):
        h = gw.Tanh(gw.MatMul(h, w) + (gw.MatMul(data(9, 3, 2), u) if step == 0 else gw.Constant(0.0)))
    return gw.Loss(gw.Square(h - data(7, 3, 4)), reduction="mean")


def td_network(stops: bool = False, form: str = "add_n") -> Expression:
    value, now, then = Network(1, 4, 6, 1), data(0, 5, 4), data(9, 5, 4)
    later = gw.StopGradient(value(then)) if stops else value(then)
    reward, flat = data(3, 5), gw.Squeeze(later, axis=[1])
    column = gw.ExpandDims(reward, axis=1)
    done = gw.Input(np.array([False, True, False, False, True])[:, None])
    if form == "add_n":
        return gw.Loss(gw.Square(gw.AddN(column, later * 0.9) - value(now)))
    if form == "where":
        return gw.Loss(gw.LogCosh(gw.Where(done, column, column + later * 0.9), value(now)), reduction="mean")
    if form == "expand":
        return gw.Loss(gw.MeanSquaredError(gw.ExpandDims(reward + flat * 0.9, axis=1), value(now)), reduction="mean")
    live = gw.Constant(1.0) - gw.Cast(done, dtype="float64")
    return gw.Loss(gw.Huber((column - value(now)) + live * 0.95 * later, gw.Constant(np.zeros((5, 1)))))


def q_learning(stops: bool = False) -> Expression:
    q = Network(1, 4, 6, 3)
    taken = gw.Gather(q(data(0, 5, 4)), gw.Input(np.array([0, 1, 2, 1, 0])), axis=1, batch_dims=1)
    best = gw.ReduceMax(q(data(9, 5, 4)), axis=1)
    target = data(3, 5) + (gw.StopGradient(best) if stops else best) * 0.9
    return gw.Loss(gw.Square(target - taken), reduction="mean")


def class_numbers_as_labels() -> Expression:
    labels = gw.Constant(np.array([[0.0, 1.0, 2.0], [2.0, 0.0, 0.0]]))
    return gw.Loss(gw.SoftmaxCrossEntropyWithLogits(labels, gw.MatMul(data(0, 2, 4), weights(1, 4, 3))))


def row_written_twice() -> Expression:
    places, zeros = gw.Constant(np.array([[1], [1], [0]])), gw.Constant(np.zeros((3, 2)))
    rows = gw.TensorScatterNdUpdate(zeros, places, gw.MatMul(data(0, 3, 4), weights(1, 4, 2)))
    return gw.Loss(gw.Square(rows - data(7, 3, 2)), reduction="mean")


MISTAKES: dict[str, tuple[str, Make]] = {
    "class numbers as labels": ("not_the_derivative", class_numbers_as_labels),
    "a row written twice": ("not_the_derivative", row_written_twice),
    "a softmax before its cross entropy": ("softmax_twice", softmax_as_logits),
    "a softmax by hand, reshaped": ("softmax_twice", sparse_softmax_by_hand),
    "LogSoftmax of Softmax": ("softmax_twice", log_softmax_of_softmax),
    "a sigmoid before its cross entropy": ("sigmoid_twice", sigmoid_as_logits),
    "a sigmoid by hand, squeezed": ("sigmoid_twice", weighted_sigmoid_by_hand),
    "a column minus a row": ("crossed_shapes", column_minus_row),
    "a row against a column": ("crossed_shapes", row_against_column),
    "a column and a row, repeated first": ("crossed_shapes", repeated_column),
    "absolute errors of a row and a column": ("crossed_shapes", absolute_column),
    "a detached prediction": ("nothing_learns", detached_prediction),
    "detached logits": ("nothing_learns", detached_logits),
    "a dead layer": ("dead_units", dead_layer),
    "one dead unit by Maximum": ("dead_units", dead_column),
    "a dead output": ("dead_units", dead_output),
    "log(softmax + eps)": ("padded_log", padded_log),
    "log of a clipped softmax": ("padded_log", clamped_log),
    "log of a softmax by hand with a floor": ("padded_log", floored_log_by_hand),
    "a GAN in one graph": ("fake_not_stopped", gan_both_players),
    "a discriminator's loss with labels": ("fake_not_stopped", gan_with_labels),
    "a least-squares GAN": ("fake_not_stopped", least_squares_gan),
    "a Wasserstein GAN": ("fake_not_stopped", wasserstein_gan),
    "a GAN with one joined batch": ("fake_not_stopped", joined_gan),
    "SimSiam in both directions": ("siamese_not_stopped", simsiam),
    "SimSiam by a product": ("siamese_not_stopped", similar_by_product),
    "two views by squares": ("siamese_not_stopped", alike_by_squares),
    "straight-through, subtracted": ("straight_through_sign", lambda: quantized("minus")),
    "straight-through, turned around": ("straight_through_sign", lambda: quantized("turned")),
    "straight-through, minus x": ("straight_through_sign", lambda: quantized("negative")),
    "straight-through sign": ("straight_through_sign", lambda: quantized("sign_turned")),
    "straight-through Gumbel": ("straight_through_sign", hard_gumbel),
    "a clipped ratio of two networks": ("ratio_not_stopped", clipped_ratio),
    "a ratio of a policy to itself": ("ratio_not_stopped", ratio_of_itself),
    "a ratio of normal densities": ("ratio_not_stopped", gaussian_ratio),
    "ten sigmoids": ("vanishing_chain", sigmoid_tower),
    "three saturated layers": ("vanishing_chain", saturated_tower),
    "a long product": ("vanishing_chain", long_product),
    "a recurrence that forgets": ("vanishing_chain", forgetful_recurrence),
    "a target by AddN": ("target_not_stopped", td_network),
    "a target chosen by Where": ("target_not_stopped", lambda: td_network(form="where")),
    "a target behind ExpandDims": ("target_not_stopped", lambda: td_network(form="expand")),
    "a target in pieces": ("target_not_stopped", lambda: td_network(form="pieces")),
    "Q-learning": ("target_not_stopped", q_learning),
}
