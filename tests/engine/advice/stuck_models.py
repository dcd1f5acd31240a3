"""Models that cannot learn as meant, from what the numbers of a run say, with the sane neighbour of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from tests.engine.advice.parts import LABELS, Dense, Network, chosen_log, cross_entropy, data, drawn, weights

Make = Callable[[], Expression]
ACTIONS = np.array([0, 1, 2, 1, 0])


def squares(x: Expression) -> Expression:
    return gw.ReduceMean(gw.Square(x))


def recurrence(scale: float, steps: int = 30) -> Expression:
    h, w = data(0, 3, 2), gw.Variable(np.array([[1.0, 0.2], [-0.1, 0.9]]) * scale)
    for _ in range(steps):
        h = gw.MatMul(h, w)
    return gw.Loss(squares(h - data(7, 3, 2)))


def rectified_tower(scale: float) -> Expression:
    h = gw.Abs(data(0, 4, 6))
    for seed in range(8):
        h = gw.Relu(gw.MatMul(h, gw.Variable(np.abs(drawn(seed, 6, 6)) * scale)))
    return gw.Loss(squares(gw.MatMul(h, weights(20, 6, 1)) - data(7, 4, 1)))


def batch_norm(is_stopped: bool, by_hand: bool = False) -> Expression:
    held = gw.StopGradient if is_stopped else (lambda x: x)
    h = gw.MatMul(data(0, 6, 4), weights(1, 4, 3)) + weights(2, 3)
    mean = held(gw.ReduceMean(h, axis=0))
    spread = gw.ReduceMean(gw.Square(h - mean), axis=0) if by_hand else gw.ReduceVariance(h, axis=0)
    scale = gw.Rsqrt(held(spread) + 1e-3) if by_hand else gw.Constant(1.0) / gw.Sqrt(held(spread) + 1e-3)
    return gw.Loss(squares(gw.MatMul(gw.Tanh((h - mean) * scale), weights(3, 3, 1)) - data(7, 6, 1)))


def bounded_error(form: str, bound: float = 1.0) -> Expression:
    error = Network(1, 4, 6, 1)(data(0, 5, 4)) - data(7, 5, 1) * 5.0
    loss = {
        "clip": lambda: gw.ClipByValue(gw.ReduceSum(gw.Square(error), axis=1), 0.0, bound),
        "least": lambda: gw.Minimum(gw.Abs(error), gw.Constant(bound)) * 0.5,
    }[form]()
    return gw.Loss(gw.ReduceMean(loss))


def features(is_stopped: bool = True) -> Expression:
    h = gw.Tanh(Dense(1, 5, 6)(data(0, 4, 5)))
    h = gw.Reshape(h, shape=[4, 6])
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(gw.StopGradient(h) if is_stopped else h)))


def sampled_by_both(stops: bool = True) -> Expression:
    """A generator whose own loss reads the sample that was stopped for the discriminator's."""
    judge, fake = Network(1, 2, 5, 1), gw.Tanh(Dense(5, 3, 2)(data(0, 6, 3)))
    shown = gw.StopGradient(fake)
    own = judge(shown) if stops else judge(fake, is_fixed=True)
    of_judge = gw.ReduceMean(gw.Softplus(-judge(data(9, 6, 2)))) + gw.ReduceMean(gw.Softplus(judge(shown)))
    return gw.Loss(of_judge + gw.ReduceMean(gw.Softplus(-own)))


def signs(passes: bool = False) -> Expression:
    h = gw.MatMul(data(0, 4, 5), weights(1, 5, 6))
    q = gw.Sign(h)
    return gw.Loss(cross_entropy(gw.Constant(LABELS), Dense(3, 6, 3)(h + gw.StopGradient(q - h) if passes else q)))


def far_out(scale: float) -> Expression:
    p = gw.Sigmoid(gw.MatVec(gw.Constant(np.abs(drawn(0, 5, 3)) + 1.0), gw.Variable(np.full(3, scale))))
    return gw.Loss(squares(p))


def one_class(kind: str) -> Expression:
    z = Network(1, 5, 6, 1)(data(0, 4, 5))
    p = {"softmax": gw.Softmax, "sigmoid": gw.Sigmoid}[kind](z)
    return gw.Loss(squares(p - gw.Constant(LABELS[:, :1])))


def half_precision(dtype: str) -> Expression:
    x, y = gw.Input(np.array([[1, 2], [1, -1]], dtype) / dtype_of(dtype)(1000)), gw.Input(np.array([1e-3, 2e-3], dtype))
    error = gw.MatVec(x, gw.Variable(np.array([0.5, -0.3], dtype))) - y
    return gw.Loss(gw.Square(error) * gw.Constant(np.array(1e-4, dtype)), reduction="mean")


def dtype_of(name: str) -> type[np.floating]:
    return np.dtype(name).type


def straight_through(stops: bool, form: str = "round") -> Expression:
    x = Dense(1, 4, 3)(data(0, 5, 4))
    q = gw.Round(x * 4.0) / gw.Constant(4.0) if form == "round" else gw.Sign(x)
    rest = q - x
    return gw.Loss(squares(Dense(3, 3, 1)(x + (gw.StopGradient(rest) if stops else rest)) - data(7, 5, 1)))


def two_networks(stops: bool = False) -> Expression:
    q, old = Network(1, 4, 6, 3), Network(8, 4, 6, 3)
    later = gw.ReduceMax(old(data(9, 5, 4)), axis=1)
    target = data(3, 5) + (gw.StopGradient(later) if stops else later) * gw.Constant(0.95)
    taken = gw.Gather(q(data(0, 5, 4)), gw.Constant(ACTIONS), axis=1, batch_dims=1)
    return gw.Loss(gw.Huber(target, taken), reduction="mean")


def scaled_advantage(stops: bool = False) -> Expression:
    states = data(0, 5, 4)
    gain = data(3, 5) - gw.Squeeze(Network(5, 4, 6, 1)(states), axis=[1])
    scaled = gw.ClipByValue(gain / (gw.ReduceStd(gain) + 1e-6), -3.0, 3.0)
    log = chosen_log(Network(1, 4, 6, 3)(states), gw.Constant(ACTIONS))
    return gw.Loss(squares(gain) - gw.ReduceMean(log * (gw.StopGradient(scaled) if stops else scaled)))


def weighed_score(stops_score: bool) -> Expression:
    """REINFORCE with the stop on the wrong factor, or on the right one."""
    states = data(0, 5, 4)
    gain = data(3, 5) - gw.Squeeze(Network(5, 4, 6, 1)(states), axis=[1])
    log = chosen_log(Network(1, 4, 6, 3)(states), gw.Constant(ACTIONS))
    score, weight = (gw.StopGradient(log), gain) if stops_score else (log, gw.StopGradient(gain))
    return gw.Loss(squares(gain) - gw.ReduceMean(score * weight))


def of_two_sizes(factor: float) -> Expression:
    x = data(0, 6, 4)
    return gw.Loss(squares(gw.MatVec(x, weights(1, 4)) + gw.Tanh(gw.MatVec(x, weights(2, 4))) * factor - data(7, 6)))


def code(stops: bool = True) -> Expression:
    x = data(0, 6, 4)
    mean, spread = Dense(1, 4, 2)(x), Dense(3, 4, 2)(x) * 0.1
    z = mean + gw.Exp(spread) * data(8, 6, 2)
    rebuilt = Network(5, 2, 6, 4)(gw.StopGradient(z) if stops else z)
    return gw.Loss(squares(x - rebuilt) + squares(mean) * 0.1 + gw.ReduceMean(gw.Exp(spread) - spread))


def late(form: str) -> Expression:
    """The logarithm, root, power or angle of what a mask, a slice or a gather leaves out is not finite."""
    x = gw.Variable(np.array([0.0, 0.5, 2.0]), name="x")
    mask = gw.Constant(np.array([0.0, 1.0, 1.0]))
    return {
        "factor": lambda: gw.Loss(gw.Log(x) * mask),
        "gather": lambda: gw.Loss(gw.Gather(gw.Log(x), gw.Constant(np.array([1, 2])))),
        "mask": lambda: gw.Loss(gw.BooleanMask(gw.Pow(x, gw.Constant(0.5)), gw.Constant(np.arange(3) > 0))),
        "slice": lambda: gw.Loss(gw.Slice(gw.Log(x), begin=[1], size=[2])),
        "where": lambda: gw.Loss(gw.Where(gw.Less(x, gw.Constant(1.0)), gw.Acos(x + 0.5), gw.Constant(0.0))),
        "safe": lambda: gw.Loss(gw.Log(gw.Where(gw.Less(gw.Constant(0.0), x), x, gw.Constant(1.0))) * mask),
    }[form]()


WRONG: dict[str, tuple[str, Make]] = {
    "an exploding recurrence": ("exploding_chain", lambda: recurrence(3.0)),
    "an exploding tower": ("exploding_chain", lambda: rectified_tower(8.0)),
    "stopped statistics": ("statistics_stopped", lambda: batch_norm(is_stopped=True)),
    "stopped statistics by hand": ("statistics_stopped", lambda: batch_norm(is_stopped=True, by_hand=True)),
    "a clipped error": ("clipped_loss", lambda: bounded_error("clip")),
    "an error with a bound": ("clipped_loss", lambda: bounded_error("least")),
    "stopped features": ("never_learns", features),
    "a generator without its gradient": ("never_learns", sampled_by_both),
    "signs": ("never_learns", signs),
    "a sigmoid far out": ("never_learns", lambda: far_out(40.0)),
    "a softmax of one": ("never_learns", lambda: one_class("softmax")),
    "a score that is stopped": ("never_learns", lambda: weighed_score(stops_score=True)),
    "a variable behind a tiny factor": ("never_learns", lambda: of_two_sizes(1e-13)),
    "half precision": ("never_learns", lambda: half_precision("float16")),
    "straight-through without its stop": ("straight_through_sign", lambda: straight_through(stops=False)),
    "straight-through sign without its stop": ("straight_through_sign", lambda: straight_through(False, "sign")),
    "a target network that is trained": ("target_not_stopped", two_networks),
    "an advantage with a scale": ("baseline_not_stopped", scaled_advantage),
    "a stopped code": ("nothing_learns", code),
    "a factor behind a logarithm": ("guarded_by_where", lambda: late("factor")),
    "a gather behind a logarithm": ("guarded_by_where", lambda: late("gather")),
    "a mask behind a power": ("guarded_by_where", lambda: late("mask")),
    "a slice behind a logarithm": ("guarded_by_where", lambda: late("slice")),
    "a choice behind an angle": ("guarded_by_where", lambda: late("where")),
}
SANE: dict[str, Make] = {
    "a recurrence that keeps its size": lambda: recurrence(1.0),
    "a tower that keeps its size": lambda: rectified_tower(0.2),
    "batch normalisation": lambda: batch_norm(is_stopped=False),
    "batch normalisation by hand": lambda: batch_norm(is_stopped=False, by_hand=True),
    "a bound that no error reaches": lambda: bounded_error("clip", 1e6),
    "features that are trained": lambda: features(is_stopped=False),
    "a generator with its gradient": lambda: sampled_by_both(stops=False),
    "signs passed straight through": lambda: signs(passes=True),
    "a sigmoid near 0": lambda: far_out(0.1),
    "a sigmoid for one class": lambda: one_class("sigmoid"),
    "single precision": lambda: half_precision("float32"),
    "a score that is weighed": lambda: weighed_score(stops_score=False),
    "a variable behind a factor": lambda: of_two_sizes(0.01),
    "straight-through with its stop": lambda: straight_through(stops=True),
    "a target network that is stopped": lambda: two_networks(stops=True),
    "a scaled advantage that is stopped": lambda: scaled_advantage(stops=True),
    "a code that is trained": lambda: code(stops=False),
    "a logarithm of a safe number": lambda: late("safe"),
}
