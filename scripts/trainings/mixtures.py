"""Lessons with what nobody sees: mixtures by EM, and a restricted Boltzmann machine by contrastive divergence."""

from __future__ import annotations

import itertools
import math

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from scripts.trainings.drawing import Json, Lesson, Uses, after, descent, drawn, normal, steps, without

HALF_LOG_2PI = math.log(2 * math.pi) / 2


def _points() -> Array:
    """Returns thirty points around -1.5 and twenty around 2, in one column."""
    both = np.concatenate([normal(11, 30, scale=0.7) - 1.5, normal(12, 20, scale=0.9) + 2])
    return np.round(both, 4)[:, None]


def _log_joint() -> Uses:
    """Returns the page that gives log p(x, k), but for a constant, for each point and part."""
    uses = Uses()
    x, log_weight = gw.Input(np.zeros((50, 1)), name="x"), gw.Input(np.zeros(2), name="log_weight")
    mean, variance = gw.Input(np.zeros(2), name="mean"), gw.Input(np.zeros(2), name="variance")
    far = gw.Divide(gw.Square(gw.Subtract(x, mean, name="apart"), name="square"), variance, name="far")
    size = gw.Add(far, gw.Log(variance, name="log_variance"), name="size")
    half = gw.Multiply(size, gw.Constant(-0.5, name="minus_half"), name="log_density")
    uses.page("log_joint", {"joint": gw.Add(half, log_weight, name="sum")})
    return uses


def _log_likelihood(joint: Expression) -> Expression:
    """Returns the mean of log p(x): the sum over both parts, and the constant."""
    evidence = gw.ReduceLogSumExp(joint, axis=1, name="evidence")
    mean = gw.ReduceMean(evidence, name="mean_evidence")
    made: Expression = gw.Subtract(mean, gw.Constant(round(HALF_LOG_2PI, 16), name="constant"), name="LL")
    return made


def _best_fit(uses: Uses) -> None:
    """Adds the page that gives what fits best: weight, mean and variance of each part's points."""
    r, x = gw.Input(np.zeros((50, 2)), name="r"), gw.Input(np.zeros((50, 1)), name="x")
    count = gw.ReduceSum(r, axis=0, name="count")
    total = gw.ReduceSum(gw.Multiply(r, x, name="shares"), axis=0, name="total")
    mean = gw.Divide(total, count, name="center")
    squares = gw.Square(gw.Subtract(x, mean, name="from_center"), name="squares")
    spread = gw.ReduceSum(gw.Multiply(r, squares, name="square_shares"), axis=0, name="total_squares")
    outputs = {"weight": gw.ReduceMean(r, axis=0, name="share"), "mean": mean}
    uses.page("best_fit", {**outputs, "variance": gw.Divide(spread, count, name="spread")})


def _sought(rounds: int, port: str, what: str, value: object, **more: object) -> Json:
    """Returns a check against the mixture that scikit-learn's GaussianMixture finds from the same beginning."""
    return after(rounds, port, f"{what}, as scikit-learn finds it", value=value, rtol=1e-6, **more)


LIKELIHOOD = -1.8282196576462806
MEAN, VARIANCE = [-1.5365794733722506, 1.9487885996391001], [0.4226654714673753, 1.1953389188014798]
WEIGHT = [0.5867554177347397, 0.4132445822652602]


def em_closed() -> Lesson:
    """EM for two Gaussians in closed form: each round assigns what fits best to the responsibilities."""
    x = gw.Input(_points(), name="x")
    weight = gw.Variable(np.array([0.5, 0.5]), name="weight")
    mean = gw.Variable(np.array([-0.5, 0.5]), name="mean")
    variance = gw.Variable(np.array([1.0, 1.0]), name="variance")
    uses = _log_joint()
    _best_fit(uses)
    given = {"x": x, "log_weight": gw.Log(weight, name="log_weight"), "mean": mean, "variance": variance}
    joint = uses.use("J", "log_joint", "joint", np.zeros((50, 2)), "log p(x, k)", **given)
    likelihood = _log_likelihood(joint)
    r = gw.Softmax(joint, name="r")
    ports = ("weight", "mean", "variance")
    best = [uses.use("best", "best_fit", port, np.zeros(2), "best fit", r=r, x=x) for port in ports]
    seen = [gw.Reroute(value, name=f"new_{port}") for port, value in zip(ports, best, strict=True)]
    rounds = 60
    checks: list[Json] = [
        {"title": "The log-likelihood never falls", "until": rounds, "monotone": "main/LL.z"},
        _sought(rounds, "main/LL.z", "Log-likelihood", LIKELIHOOD),
        _sought(rounds, "main/mean.y", "Means", MEAN),
        _sought(rounds, "main/variance.y", "Variances", VARIANCE),
        _sought(rounds, "main/weight.y", "Weights", WEIGHT),
    ]
    plan = {"name": "EM", "assign": {f"main/{port}": f"main/best.{port}" for port in ports}}
    return Lesson(
        "em_closed",
        "EM in closed form",
        "Two Gaussians share fifty points. Each round asks which point belongs to which by r, and then assigns to "
        "each Gaussian the mean, variance and weight of its points. No gradient is used, but watch those of mean and "
        "variance fade to 0, as the log-likelihood LL comes to its top. It never falls.",
        drawn(gw.Loss(likelihood, name="loss"), *seen, uses=uses),
        steps(plan, rounds=rounds, checks=checks, metrics=["main/LL.z"]),
    )


def em_gradient() -> Lesson:
    """EM by gradients: Q climbs with its responsibilities held fixed."""
    x = gw.Input(_points(), name="x")
    logits = gw.Variable(np.zeros(2), name="logits")
    mean = gw.Variable(np.array([-0.5, 0.5]), name="mean")
    log_variance = gw.Variable(np.zeros(2), name="log_var")
    uses = _log_joint()
    given = {"x": x, "mean": mean, "log_weight": gw.LogSoftmax(logits, name="log_weight")}
    variance = gw.Exp(log_variance, name="variance")
    joint = uses.use("J", "log_joint", "joint", np.zeros((50, 2)), "log p(x, k)", variance=variance, **given)
    likelihood = _log_likelihood(joint)
    r = gw.StopGradient(gw.Softmax(joint, name="r"), name="stop")
    q = gw.ReduceSum(gw.Multiply(r, joint, name="weighed"), axis=1, name="q")
    loss = gw.Loss(q, reduction="mean", name="Q")
    rounds = 400
    checks: list[Json] = [
        {"title": "The log-likelihood never falls", "until": rounds, "monotone": "main/LL.z"},
        _sought(rounds, "main/LL.z", "Log-likelihood", LIKELIHOOD),
        _sought(rounds, "main/mean.y", "Means", MEAN),
        _sought(rounds, "main/variance.y", "Variances", VARIANCE),
        without("main/stop", rounds, "main/LL.z", "Without the stop it ends lower", below=-1.835),
        without(
            "main/stop",
            rounds,
            "main/mean.y",
            "Without the stop, as in TensorFlow",
            value=[-1.5173688030575398, 2.0764089926943874],
            rtol=1e-9,
        ),
    ]
    step = descent(0.5, name="EM", loss="main/Q", maximize=True)
    return Lesson(
        "em_gradient",
        "EM by gradients",
        "Q climbs with the responsibilities r held fixed, and ends at the very mixture that EM in closed form finds. "
        "Ignore the stop, and r is trained too: each point is to belong to one Gaussian alone, the means move apart, "
        "and the log-likelihood LL ends lower.",
        drawn(loss, likelihood, uses=uses),
        steps(step, rounds=rounds, checks=checks, metrics=["main/LL.z"]),
    )


def _bars() -> Array:
    """Returns the fourteen images of 3 x 3 whose rows are all alike, or whose columns are."""
    columns = [np.tile(bits, (3, 1)) for bits in itertools.product([0.0, 1.0], repeat=3)]
    images = [image.ravel() for image in columns] + [image.T.ravel() for image in columns]
    return np.unique(np.array(images), axis=0)


def _states() -> Array:
    return np.array(list(itertools.product([0.0, 1.0], repeat=9)))


HIDDEN, COPIES = 12, 4


def _parts(rows: int) -> tuple[Expression, Expression, Expression, Expression]:
    """Returns the inputs of a page of the machine: images, weights and both biases."""
    shapes = {"v": (rows, 9), "W": (9, HIDDEN), "b": (9,), "c": (HIDDEN,)}
    v, w, b, c = (gw.Input(np.zeros(shape), name=name) for name, shape in shapes.items())
    return v, w, b, c


def _pages() -> Uses:
    """Returns the pages of the machine: the free energy of images, and the way to hidden units and back."""
    uses, rows = Uses(), 14 * COPIES
    v, w, b, c = _parts(rows)
    up = gw.Softplus(gw.Add(gw.MatMul(v, w, name="product"), c, name="sum"), name="softplus")
    bias = gw.MatVec(v, b, name="visible")
    energy = gw.Negative(gw.Add(bias, gw.ReduceSum(up, axis=1, name="hidden"), name="energy"), name="minus")
    uses.page("free_energy", {"F": energy})
    v, w, b, c = _parts(rows)
    on = gw.Sigmoid(gw.Add(gw.MatMul(v, w, name="up"), c, name="up_sum"), name="p_hidden")
    dice = gw.RandomUniform(shape=(rows, HIDDEN), seed=1, every="step", name="dice")
    h = gw.Cast(gw.Less(dice, on, name="is_on"), dtype="float64", name="h")
    down = gw.Sigmoid(gw.Add(gw.MatMul(h, w, transpose_b=True, name="down"), b, name="down_sum"), name="p_visible")
    more_dice = gw.RandomUniform(shape=(rows, 9), seed=2, every="step", name="more_dice")
    sample = gw.Cast(gw.Less(more_dice, down, name="is_lit"), dtype="float64", name="sample")
    uses.page("gibbs", {"v1": sample, "p1": down})
    return uses


def _rbm(k: int, title: str, text: str, rounds: int, held: float, *further: Json) -> Lesson:
    """A machine with twelve hidden units and `k` steps of its chain.

    The log-likelihood is exact, a sum over all 512 images; `held` is TensorFlow's in the end, with the same draws.
    """
    uses, images = _pages(), np.tile(_bars(), (COPIES, 1))
    v = gw.Input(images, name="bars")
    weights = {
        "W": gw.Variable(normal(1, 9, HIDDEN, scale=0.1), name="W"),
        "b": gw.Variable(np.zeros(9), name="b"),
        "c": gw.Variable(np.zeros(HIDDEN), name="c"),
    }
    chain = v
    for number in range(1, k + 1):
        port = "v1" if number < k else "p1"
        chain = uses.use(f"gibbs{number}", "gibbs", port, images, f"Gibbs step {number}", v=chain, **weights)
    rows = np.zeros(len(images))
    of_data = uses.use("F_data", "free_energy", "F", rows, "F(data)", v=v, **weights)
    made = gw.StopGradient(chain, name="stop")
    of_made = uses.use("F_made", "free_energy", "F", rows, "F(chain)", v=made, **weights)
    loss = gw.Loss(gw.Subtract(of_data, of_made, name="gap"), reduction="mean", name="loss")
    states = gw.Constant(np.array(list(itertools.product([0.0, 1.0], repeat=9))), name="states")
    of_all = uses.use("F_all", "free_energy", "F", np.zeros(512), "F(all 512)", v=states, **weights)
    log_z = gw.ReduceLogSumExp(gw.Negative(of_all, name="minus_F"), name="log_Z")
    likelihood = gw.Subtract(gw.Negative(gw.ReduceMean(of_data, name="mean_F"), name="minus_mean"), log_z, name="LL")
    checks = [
        after(0, "main/LL.z", "At first all images are nearly as likely: 9 log 1/2", value=-9 * math.log(2), rtol=0.01),
        after(rounds, "main/LL.z", "Exact log-likelihood, as in TensorFlow", value=held, rtol=1e-7),
        *further,
    ]
    return Lesson(
        f"rbm_cd{k}",
        title,
        text,
        drawn(loss, likelihood, uses=uses),
        steps(descent(1), rounds=rounds, checks=checks, metrics=["main/LL.z"]),
    )


def rbm_cd1() -> Lesson:
    """One step of the chain."""
    text = (
        "A Boltzmann machine learns bars of 3 x 3. Contrastive divergence makes the data likely and what the machine "
        "makes of them in one step unlikely; how it was made is no part of the gradient. LL is the exact log- "
        "likelihood: it rises to about -3.3. Without the stop it falls again after 200 rounds."
    )
    # Later a rounding may turn a draw, so the last number is a limit.
    early = without("main/stop", 200, "main/LL.z", "Without the stop after 200 rounds", value=-4.034414584, rtol=1e-7)
    late = without("main/stop", 600, "main/LL.z", "... and lower again after 600", below=-4.2)
    return _rbm(1, "RBM by CD-1", text, 600, -3.2594508679703296, early, late)


def rbm_cd5() -> Lesson:
    """Five steps of the chain."""
    text = (
        "The same machine with a chain of five steps, which forgets the data better: the exact log-likelihood LL "
        "rises to -2.94 in 300 rounds; the best possible is log 1/14 = -2.64. Without the stop it comes to "
        "-3.4 only."
    )
    lower = without("main/stop", 200, "main/LL.z", "Without the stop after 200 rounds", value=-3.6307828931, rtol=1e-7)
    return _rbm(5, "RBM by CD-5", text, 300, -2.939518661779161, lower)
